"""What the names in a program's line hold, where Python's own error does not say it."""

from __future__ import annotations

import ast
import linecache
import re
from typing import TYPE_CHECKING, Any, Final

from gluonish.errors.program_text import (
    Place,
    expression,
    is_of_gluonish,
    of_file,
    of_line,
    place,
    short_name,
    value_of,
)
from gluonish.errors.suggestions import did_you_mean
from gluonish.errors.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import FrameType

_PAIR = 2
_LONGEST = 50  # letters of a value
_FORMATTED = re.compile(
    r"TypeError: (must be real number, not (str|tuple|list)|unsupported format string passed to "
    r"(tuple|list)|(not enough|not all) arguments|%\w+ format: a real number is required, not "
    r"(str|tuple|list)|unsupported operand type.*'(tuple|list)'|"
    r"can't multiply sequence by non-int|type (tuple|list) doesn't define __round__|"
    r"float\(\) argument must be .* not '(tuple|list)'|"
    r"'[<>]=?' not supported between instances of .*'(tuple|list)')"
)
_ARRAY_FORMATTED = re.compile(
    r"TypeError: (unsupported format string passed to (NDArray|ndarray)\.__format__|"
    r"(%\w+ format: a real number is required|must be real number), not (NDArray|ndarray))"
)
_NO_NAME = re.compile(r"TypeError: (tuple|list) indices must be integers or slices, not str")
# The parts of what calls give, by the name of the method or function.
_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "get_params": ("arg_params", "aux_params"),
    "infer_shape": ("arg_shapes", "out_shapes", "aux_shapes"),
    "infer_shape_partial": ("arg_shapes", "out_shapes", "aux_shapes"),
    "infer_type": ("arg_types", "out_types", "aux_types"),
    "load_checkpoint": ("sym", "arg_params", "aux_params"),
}


def is_no_key(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return what to say where an array is looked up in a dict, or None.

    Arguments as for `objects.is_no_function`.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.held_values import is_no_key
    >>> is_no_key(KeyError("a"), sys._getframe(), 1)
    """
    if type(error) is not KeyError or not error.args:
        return None
    given: Any = error.args[0]
    name = key = ""
    for node in _nodes(frame, line):
        held = value_of(node.value, frame) if isinstance(node, ast.Subscript) else None
        if isinstance(node, ast.Subscript) and isinstance(held, dict):
            name, key = ast.unparse(node.value), ast.unparse(node.slice)
            if not _is_array(given) and any(map(_is_array, held)):
                return (
                    f"The keys of {name} are arrays, each of which equals itself alone. Write them "
                    f"as numbers: {name}[int(x.asscalar())] = ..."
                )
            if isinstance(given, str) and (keys := _keys(held)) is not None:
                said = did_you_mean(given, keys).lstrip() or "Write one of them."
                if (kinds := _of_checkpoint(keys)) and f"arg:{given}" in keys:
                    said = (
                        f"All keys of a checkpoint begin with {kinds}: write "
                        f"{name}[{'arg:' + given!r}], and so for the others; "
                        f"mx.model.load_checkpoint(prefix, epoch) returns the graph, and both "
                        f"kinds by names without that."
                    )
                return f"{name} has {listed(keys)}. {said}"
    if not _is_array(given):
        return None
    name, key = name or "names", key or "x"
    if given.size != 1:
        return f"An array is no key, and this one has {given.size} numbers: write one of them."
    return (
        f"An array is no key, not even of one number, which {key}.asscalar() gives: write "
        f"{name}[int({key}.asscalar())]."
    )


def _of_checkpoint(keys: list[str]) -> str:
    """Return what all keys begin with in the parameters of a checkpoint; '' for others."""
    kinds = dict.fromkeys(key.partition(":")[0] for key in keys)
    return " or ".join(f"'{kind}:'" for kind in kinds) if {"arg", "aux"} >= {*kinds} else ""


def _keys(held: dict[Any, Any]) -> list[str] | None:
    """Return the names in a dict of objects of ours; None if it is something else."""
    names = [key for key in held if isinstance(key, str)]
    is_ours = bool(held) and all(map(is_of_gluonish, held.values()))
    return names if is_ours and len(names) == len(held) else None


def is_pair(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return which name holds a pair, as of a metric, that a line takes for a number; or None.

    Arguments as for `objects.is_no_function`.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.held_values import is_pair
    >>> is_pair(TypeError("no such thing"), sys._getframe(), 1)
    """
    if _FORMATTED.match(f"{type(error).__name__}: {error}") is None:
        return None
    for name, value in _held(frame, line):
        if not isinstance(value, tuple) or len(value) != _PAIR:
            continue
        first, second = value
        if isinstance(first, str) and isinstance(second, float):
            known = _made_by_get(name, frame, line)
            if known is not None:
                return f"{name} is a pair, {_short(value)}: write {known} for the number."
            return (
                f"{name} is a pair, {_short(value)}, as metric.get() gives it: write {name}[1] for "
                f"the number."
            )
        if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
            return (
                f"{name} is a pair of lists, {_short(value)}, as get() of several metrics gives "
                f"it: for key, value in zip(*{name}): goes through them."
            )
    for node in _nodes(frame, line):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "get":
            owner = value_of(node.func.value, frame)  # type: ignore[attr-defined]
            if hasattr(owner, "get_name_value"):
                text = ast.unparse(node)
                return f"{text} gives a pair, name and value: write {text}[1] for the number."
    return None


def _made_by_get(name: str, frame: FrameType, line: int) -> str | None:
    """Return how the line above that sets a name by a metric's `get()` takes the number alone."""
    last = _last_made(name, frame, line)
    call = None if last is None else last.value
    if last is None or not isinstance(call, ast.Call) or call.args:
        return None
    if getattr(call.func, "attr", "") != "get":
        return None
    return f"{name} = {ast.unparse(call)}[1] in line {last.lineno}"


def _last_made(name: str, frame: FrameType, line: int) -> ast.Assign | None:
    """Return the last statement above a line that sets a name by a call."""
    tree = of_file(frame.f_code.co_filename)
    found = [
        each
        for each in (ast.walk(tree) if tree is not None else ())
        if isinstance(each, ast.Assign)
        and each.lineno < line
        and ast.unparse(each.targets[0]) == name
        and isinstance(each.value, ast.Call)
    ]
    return max(found, key=lambda each: each.lineno, default=None)


def is_array(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return what gives the number of an array that a line writes as text; or None.

    Arguments as for `objects.is_no_function`.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.held_values import is_array
    >>> is_array(TypeError("no such thing"), sys._getframe(), 1)
    """
    if _ARRAY_FORMATTED.match(f"{type(error).__name__}: {error}") is None:
        return None
    for node in _nodes(frame, line):
        part = node.value if isinstance(node, ast.FormattedValue) else node
        chain = part.func if isinstance(part, ast.Call) else part
        first = chain.value if chain is not part and isinstance(chain, ast.Attribute) else chain
        held: Any = value_of(first, frame) if isinstance(first, ast.expr) else None
        if not _is_array(held):
            continue
        name = ast.unparse(part)
        if part is first and held.size != 1:
            return (
                f"{name} has {held.size} numbers. One is written: {name}.mean().asscalar(), or "
                f"{name}[0].asscalar()."
            )
        return f"Numbers are written, not arrays: {name}.asscalar() is the number of this one."
    return None


def is_list(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return how to get at the arrays of a list that a line takes for one of them; or None.

    Arguments as for `objects.is_no_function`.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.held_values import is_list
    >>> is_list(TypeError("no such thing"), sys._getframe(), 1)
    """
    held = error.obj if isinstance(error, AttributeError) else None
    if not isinstance(held, (list, tuple)) or not held or not all(map(_is_array, held)):
        return None
    word = getattr(error, "name", "")
    if not hasattr(held[0], word):
        return None
    for node in _nodes(frame, line):
        if not isinstance(node, ast.Attribute) or node.attr != word:
            continue
        text = ast.unparse(node.value)
        if len(text) > _LONGEST:
            text = "x"
        if word == "backward":
            return f"{text} is a list. autograd.backward({text}) takes one."
        part = f"{word}()" if callable(getattr(held[0], word)) else word
        if len(held) == 1:
            made = _last_made(text, frame, line)
            if made is not None and len(call := ast.unparse(made.value)) <= _LONGEST:
                return (
                    f"{text} is a list of one array: write {text} = {call}[0] in line "
                    f"{made.lineno}, or {text}[0] wherever the array is meant."
                )
            return f"{text} is a list of one array: write {text}[0].{part}."
        return (
            f"{text} is a list of {len(held)} arrays: {text}[0].{part} is of the first, "
            f"[s.{part} for s in {text}] of each."
        )
    return None


def is_name(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return what to say where a loop through parameters takes names for them, or None.

    Arguments as for `objects.is_no_function`.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.held_values import is_name
    >>> is_name(AttributeError("no such thing"), sys._getframe(), 1)
    """
    if not isinstance(error, AttributeError) or type(error.obj) is not str:
        return None
    tree = of_file(frame.f_code.co_filename)
    for loop in ast.walk(tree) if tree is not None else ():
        if not isinstance(loop, (ast.For, ast.comprehension)) or loop.iter.lineno > line:
            continue
        of, name = ast.unparse(loop.iter), ast.unparse(loop.target)
        is_here = value_of(loop.target, frame) is error.obj
        if is_here and of.endswith((".collect_params()", ".params")):
            return (
                f"A loop through {of} gives names. Write for {name} in {of}.values(), in line "
                f"{loop.iter.lineno}."
            )
    return None


def has_parts(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return which part of a tuple has what a line looks up in the tuple, or None.

    Arguments as for `objects.is_no_function`.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.held_values import has_parts
    >>> has_parts(TypeError("no such thing"), sys._getframe(), 1)
    """
    if _NO_NAME.match(f"{type(error).__name__}: {error}") is None:
        return None
    key: ast.expr
    for node in _nodes(frame, line):
        if not isinstance(node, ast.Subscript):
            continue
        held, key = value_of(node.value, frame), node.slice
        name = ast.unparse(node.value)
        if isinstance(held, list) and held and all(map(_is_pair, held)):
            how = f"dict({name})[{ast.unparse(key)}]"
            return f"{name} is a list of pairs of names and numbers: write {how}."
        if name.endswith(".outputs") and isinstance(held, list):
            owner = name.rpartition(".")[0]
            return (
                f"{name} is a list, in the order of list_outputs(): write {name}[0], or by name "
                f"{owner}.output_dict[{ast.unparse(key)}]."
            )
        if not isinstance(held, tuple) or not all(isinstance(part, dict) for part in held):
            continue
        word = key.value if isinstance(key, ast.Constant) else value_of(key, frame)
        spot = next((at for at, part in enumerate(held) if word in part), 0)
        return (
            f"{name} is a tuple of {len(held)} dicts, as get_params() gives (arg_params, "
            f"aux_params): write {name}[{spot}][{ast.unparse(key)}]."
        )
    return None


def gives_parts(call: ast.expr) -> str | None:
    """Return what a call of ours gives, for a line that takes it for another number of things.

    Examples
    --------
    >>> import ast
    >>> from gluonish.errors.held_values import gives_parts
    >>> gives_parts(ast.parse('net.infer_shape', mode='eval').body)
    'net.infer_shape(...) gives three things: write arg_shapes, out_shapes, aux_shapes = \
net.infer_shape(...).'
    """
    name = ast.unparse(call)
    parts = _PARTS.get(name.rpartition(".")[2])
    if parts is None:
        return None
    count = ("two", "three")[len(parts) - _PAIR]
    names = _with_own_names(parts)
    return f"{name}(...) gives {count} things: write {', '.join(names)} = {name}(...)."


def _with_own_names(parts: Sequence[str]) -> Sequence[str]:
    """Return names of several things, the first of them as the program's line calls them."""
    node = expression(place())
    target = node.targets[0] if isinstance(node, ast.Assign) else node
    own = [short_name(each) for each in target.elts] if isinstance(target, ast.Tuple) else []
    return [*own, *parts[len(own) :]] if own and all(own) and len(own) < len(parts) else parts


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == _PAIR and isinstance(value[0], str)


def _is_array(value: object) -> bool:
    return is_of_gluonish(value) and hasattr(value, "asscalar")


def _nodes(frame: FrameType, line: int) -> Iterator[ast.AST]:
    tree = expression(Place(frame.f_code, frame.f_lasti))
    tree = tree or of_line(linecache.getline(frame.f_code.co_filename, line).strip())
    return iter(()) if tree is None else ast.walk(tree)


def _held(frame: FrameType, line: int) -> Iterator[tuple[str, object]]:
    """Return the names of a line that can be read alone, or by its words, and what they hold."""
    text = linecache.getline(frame.f_code.co_filename, line)
    held = {**frame.f_globals, **frame.f_locals}
    names = re.findall(r"[A-Za-z_]\w*", text)
    return ((name, held[name]) for name in dict.fromkeys(names) if name in held)


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...)"
