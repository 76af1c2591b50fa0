"""Advice about the program's own net, trainer or parameter, not about one that is called so."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from gluonish.errors.program_text import (
    Place,
    expression,
    of_file,
    of_line,
    short_name,
    text_of,
    value_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

# What advice calls objects, and of which class they are.
ROLES = {
    "net": "gluon.Block",
    "trainer": "gluon.Trainer",
    "optimizer": "optimizer.Optimizer",
    "loss_fn": "gluon.loss.Loss",
    "loss_function": "gluon.loss.Loss",
    "p": "gluon.Parameter",
    "w": "gluon.Parameter",
    "params": "gluon.ParameterDict",
    "cell": "gluon.rnn.RecurrentCell",
    "dataset": "gluon.data.Dataset",
    "loader": "gluon.data.DataLoader",
    "metric": "metric.EvalMetric",
    "est": "gluon.contrib.estimator.Estimator",
    "schedule": "lr_scheduler.LRScheduler",
    "symbol": "sym.Symbol",
    "mod": "mod.BaseModule",
    "it": "io.DataIter",
    "kv": "kvstore.KVStoreBase",
    "record": "recordio.MXRecordIO",
    "reader": "recordio.MXRecordIO",
    "executor": "executor.Executor",
}
_BLOCK = "gluon.Block"
_LONGEST = 40  # letters of an array that advice repeats
_LOSS = "gluon.loss.Loss"  # a Block that no advice calls a net
_INPUTS = ("x", "data", "src")
_INPUT = r"(?:x|data|src)(?=\.[a-zT]|\[)|(?<=array\()x(?=[,)])|(?<=[a-z]\()x(?=\))"
_ARGUMENT = re.compile(r"(?<![\w.])([\w.]+)\(x\)\Z(?<!array\(x\))")
_NEW = re.compile(r"\bx(?=\.attach_grad\(\) of the new array x\b)|(?<=of the new array )x\b")
_TRAINER = "write trainer = gluon.Trainer("
_PAIR = re.compile(r"(?<=\()(?:data|features), labels(?=\))")
# Not what a text says that there is, was given, or belongs to others.
_CALLED = re.compile(
    r"(?<![\w.'\"/\[@=])(?<!Expected )(?<!def )(?<!class )(?<!'s )(?<!': )([A-Za-z]\w*)\("
)
_USED = re.compile(
    rf"(?<![\w.'\"/\[])(?:(?<=Estimator\()net(?=,)|(?:{'|'.join(ROLES)})(?=\.[a-z]|\()|{_INPUT})"
)


def spelled(advice: str, trace: TracebackType) -> str:
    """Return advice with the names that a program has for its objects.

    Parameters
    ----------
    advice : str
        As in `Call net.initialize() first`.
    trace : traceback
        The step of the program. An object of its line is meant first, else the only one of its
        kind. Names that the program has, and those that the advice gives a value, stay.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.errors.own_objects import spelled
    >>> model = mx.gluon.nn.Dense(2)
    >>> try:
    ...     model.weight.data()
    ... except mx.MXNetError as error:
    ...     step = error.__traceback__
    >>> spelled("Call net.initialize() first.", step)
    'Call model.initialize() first.'
    """

    def own(found: re.Match[str]) -> str:
        name = found[0]
        if _is_given(name, advice) or _is_ours(name, advice[found.end() :]):
            return name
        if name not in _INPUTS:
            known = _named(name, trace)
        elif (call := _ARGUMENT.search(advice, 0, found.end() + 1)) is not None:
            known = _batch(trace) if _is_net(call[1], trace) else None
        else:
            is_size = advice[found.end() :].startswith(".shape[0]")
            known = _input(name, trace) or (_batch(trace) if is_size else None)
        return name if known is None or _is_given(known, advice) else known

    advice = _NEW.sub(lambda found: _target(trace) or found[0], advice)
    if _TRAINER in advice and (name := _target(trace)) is not None:
        advice = re.sub(r"\btrainer(?= = |\.step)", lambda _: name, advice)
    advice = _PAIR.sub(lambda found: _pair(trace) or found[0], advice)
    return _callees(_USED.sub(own, advice), trace)


def _is_net(name: str, trace: TracebackType) -> bool:
    """Return whether advice means a net by a name."""
    if not all(part.isidentifier() for part in name.split(".")):
        return False
    frame, owner = trace.tb_frame, name.rpartition(".")[0]
    meant = [each for each in (name, owner) if each]  # `net.summary` is a net's
    held = [value_of(ast.parse(each, mode="eval").body, frame) for each in meant]
    return "net" in meant or any(_has(each, _BLOCK) for each in held)


def _batch(trace: TracebackType) -> str | None:
    """Return what a program hands to its nets, if it calls that the same wherever it does so."""
    frame = trace.tb_frame
    if "x" in {**frame.f_globals, **frame.f_locals}:
        return None
    tree = of_file(frame.f_code.co_filename)
    line, names = "", set()
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.Call) or not node.args:
            continue
        function = node.func
        if isinstance(function, ast.Attribute) and node.lineno == trace.tb_lineno:
            is_method = _has(value_of(function.value, frame), _BLOCK)
            line = short_name(node.args[0]) if is_method else line
        if _has(value_of(function, frame), _BLOCK):
            names.add(_text(node.args[0]) or "")
    names.discard("")
    return line or (names.pop() if len(names) == 1 else None)


def _target(trace: TracebackType) -> str | None:
    """Return the one name that the program's line gives to what it makes, or None."""
    tree = of_line(text_of(Place(trace.tb_frame.f_code, trace.tb_lasti)))
    line = tree.body[0] if tree is not None and tree.body else None
    targets = line.targets if isinstance(line, ast.Assign) else []
    return (short_name(targets[0]) or None) if len(targets) == 1 else None


def _pair(trace: TracebackType) -> str | None:
    """Return the two arrays that a program's call is given by position, in their order, or None."""
    node = expression(Place(trace.tb_frame.f_code, trace.tb_lasti))
    names = [short_name(each) for each in node.args] if isinstance(node, ast.Call) else []
    return ", ".join(names) if len(names) == 2 and all(names) else None


def _callees(advice: str, trace: TracebackType) -> str:
    """Return advice that calls functions as the program's line does: by `gluon.Trainer(...)`."""
    frame = trace.tb_frame
    known = {**vars(builtins), **frame.f_globals, **frame.f_locals}
    line = {text: value for text, value in _of_line(trace) if value is not None}
    modules = {text: value for text, value in line.items() if _is_module(value)}

    def own(found: re.Match[str]) -> str:
        name = found[1]
        if name in known or _is_given(name, advice):
            return found[0]
        written = [text for text in line if text.endswith(f".{name}")]
        written = written or [f"{text}.{name}" for text in modules if _has_it(modules[text], name)]
        return f"{written[0]}(" if len(written) == 1 else found[0]

    return _CALLED.sub(own, advice)


def _has_it(module: object, name: str) -> bool:
    """Return whether a name of a module is the one that is meant: a class if it looks like one."""
    found = getattr(module, name, None)
    return isinstance(found, type) if name[0].isupper() else found is not None


def _is_module(value: object) -> bool:
    return isinstance(value, ModuleType) and value.__name__.split(".")[0] == "gluonish"


def _is_ours(name: str, rest: str) -> bool:
    """Return whether a name is that of a module of ours with what follows: `metric.create`."""
    module = getattr(sys.modules["gluonish"], name, None)
    attribute = re.match(r"\.(\w+)", rest)
    return module is not None and attribute is not None and hasattr(module, attribute[1])


def _is_given(name: str, advice: str) -> bool:
    """Return whether the advice itself says what a name stands for."""
    name = re.escape(name)
    taken = rf"\b{name}(?:, \w+)* =(?!=)|\bfor (?:\w+, )*{name}\b|\blambda [^:]*\b{name}\b"
    taken += rf"|\barray {name}\b"
    return re.search(taken, advice) is not None


def _named(role: str, trace: TracebackType) -> str | None:
    """Return what the program calls its object of a role; None if none or several have it."""
    frame = trace.tb_frame
    held = {**frame.f_globals, **frame.f_locals}
    if _has(held.get(role), ROLES[role]):
        return None
    line = [text for text, value in _of_line(trace) if _has(value, ROLES[role])]
    names = [name for name, value in held.items() if _has(value, ROLES[role]) and name[0] != "_"]
    for found in ([name for name in several if name != "self"] for several in (line, names)):
        if len(set(found)) == 1:
            return found[0]
        if found:
            return None
    return None


def _of_line(trace: TracebackType) -> Iterator[tuple[str, object]]:
    """Give each short name of the program's line with what it holds."""
    where = Place(trace.tb_frame.f_code, trace.tb_lasti)
    tree = of_line(text_of(where)) or expression(where)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.expr) and (text := short_name(node)):
            yield text, value_of(node, trace.tb_frame)


def _input(stands_for: str, trace: TracebackType) -> str | None:
    """Return what the program hands to a Block first, or its call's only array; None if several."""
    frame = trace.tb_frame
    node = expression(Place(frame.f_code, trace.tb_lasti))
    if stands_for in {**frame.f_globals, **frame.f_locals}:
        return None
    if isinstance(node, ast.Attribute) and isinstance(value_of(node.value, frame), (list, tuple)):
        return short_name(node.value) or None
    if not isinstance(node, ast.Call):
        return None
    if _has(value_of(node.func, frame), _BLOCK):
        return _text(node.args[0]) if node.args else None
    owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    given = [*owner, *node.args, *(keyword.value for keyword in node.keywords)]
    arrays = {short_name(each) for each in given if _has(value_of(each, frame), "nd.NDArray")}
    return arrays.pop() if len(arrays) == 1 else None


def _text(node: ast.expr) -> str | None:
    """Return a name, a call or a part, as it is written; None if it is long."""
    is_long = isinstance(node, (ast.Call, ast.Subscript))
    text = ast.unparse(node) if is_long else short_name(node)
    return text if 0 < len(text) <= _LONGEST else None


def _has(value: object, path: str) -> bool:
    """Return whether an object is of the class that a path of ours names."""
    wanted: object = sys.modules["gluonish"]
    for name in path.split("."):
        wanted = getattr(wanted, name, None)
    if not isinstance(wanted, type) or not isinstance(value, wanted):
        return False
    return path != _BLOCK or not _has(value, _LOSS)
