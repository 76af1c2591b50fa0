"""What to say where a program takes an object of ours for a function, a row, or another class."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import sys
from typing import TYPE_CHECKING, Final

from gluonish.errors.habits import ATTRIBUTES, CALLS, ELSEWHERE, POSITIONS
from gluonish.errors.held_values import gives_parts
from gluonish.errors.program_text import (
    Place,
    expression,
    is_of_gluonish,
    of_function,
    of_line,
    short_name,
    value_of,
)
from gluonish.errors.signatures import add_or_leave_out, named
from gluonish.errors.suggestions import nearest
from gluonish.errors.wording import article, listed

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, ModuleType

_FEW = 8  # names
_MOST = 24  # names
_SHORT = 3  # letters
_LONGEST = 60  # letters of what is repeated
_NO_FIT = re.compile(r"TypeError: (\w+)\.(\w+)\(\) (?:missing|takes|got)")
_NO_ARGUMENTS = re.compile(r"TypeError: (\w+)\(\) (?:missing|takes|got)")
_TAKES_NONE = re.compile(r"TypeError: (\w+)\(\) takes no arguments")
_TOO_MANY = re.compile(r"takes .* positional arguments? but")
_NOT_CALLABLE = re.compile(r"TypeError: '(\w+)' object is not callable")
_METHOD = re.compile(
    r"TypeError: .*\b(method|function)\b|AttributeError: '(function|method)' object has no "
)
_UNPACKED = re.compile(r"ValueError: (?:too many|not enough) values to unpack")
_LOOP = re.compile(r"for\b.*?\bin\s+(\w+)\s*:")
_COUNTED = re.compile(r"for\s+\w+\s*,\s*[(\[].*[)\]]\s+in\b")
_NOTHING = re.compile(r"'?NoneType'?")
_NO_ROW = re.compile(
    r"TypeError: '?(?:object of type |cannot unpack non-iterable )?'?(\w+)'?"
    r" object (is not iterable|is not subscriptable|does not support item)"
    r"|TypeError: object of type '(\w+)' has no len|cannot unpack non-iterable (\w+) object"
)
_LAYER: Final = (
    "Only a Sequential is a row of layers; net.collect_params().items() are a layer's parameters "
    "by name."
)
_ROWS: Final = {
    "Trainer": "trainer.optimizer is its optimizer; net.collect_params() has the parameters.",
    "EvalMetric": "metric.get() returns name and value.",
    "Parameter": "p.data() is its array, p.grad() the gradient.",
    "Estimator": "est.history has the metrics after each epoch.",
    "Context": "mx.cpu() is one device; [mx.cpu()] is a list of one.",
    "LRScheduler": "schedule(num_update) is the rate after so many updates.",
    "DataLoader": (
        "A DataLoader is gone through: for x, y in loader:, or next(iter(loader)); dataset[0] is "
        "a sample."
    ),
}


def what_it_lacks(error: AttributeError) -> str | None:
    """Return what to say of an attribute that an object of ours, or of a class below, lacks.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.errors.objects import what_it_lacks
    >>> try:
    ...     mx.name.Prefix("a").nr
    ... except AttributeError as error:
    ...     print(what_it_lacks(error))
    A Prefix has get.
    """
    obj = getattr(error, "obj", None)
    cls = obj if isinstance(obj, type) else type(obj)
    is_known = any(base.__module__.startswith("gluonish.") for base in cls.__mro__[:-1])
    if type(error) is not AttributeError or not is_known:
        return None
    word = error.name or ""
    error.name = None  # Python's own proposal would be a private name
    names = [each for each in dir(obj) if not each.startswith("_")]
    found = nearest(word, names, 0.75) or _beginning(word, names)
    more = "" if found is None else f"Did you mean {found!r}? "
    own = _own_names(obj, names)
    if own is not names and word in dir(_class_of_ours("NDArray")):
        return f"What a Block returns has it: y = net(x), then y.{word}."
    if own is not names and word in dir(_class_of_ours("ParameterDict")):
        return f"A net's parameters have it: net.collect_params().{word}."
    one = article(cls.__name__)
    if found is None and 0 < len(own) <= _MOST:
        rest = " dir(x) lists its methods." if own is not names else ""
        return f"{one[:1].upper()}{one[1:]} has {listed(own, _MOST)}.{rest}"
    return f"{more}dir(x) lists what {one} x has."


def _beginning(word: str, names: list[str]) -> str | None:
    """Return the name that a longer or shorter word begins with, as `reset` of `reset_states`."""
    first = word.partition("_")[0]
    return first if first != word and len(first) > _SHORT and first in names else None


def _own_names(obj: object, names: list[str]) -> list[str]:
    """Return the names that an object has of its own: of a Block, what it consists of."""
    children = inspect.getattr_static(obj, "_children", None)
    if children is None:
        return names
    return [name for name in vars(obj) if not name.startswith("_")]


def is_no_function(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return what to say where a program calls something of ours that is no function, or None.

    Parameters
    ----------
    error : BaseException
        What happened.
    frame : frame
        Where in the program, in the scope whose names are looked at.
    line : int
        Its line, from 1.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.objects import is_no_function
    >>> is_no_function(TypeError("no such thing"), sys._getframe(), 1)
    """
    found = _NOT_CALLABLE.match(f"{type(error).__name__}: {error}")
    if found is None:
        return None
    text = linecache.getline(frame.f_code.co_filename, line).strip()
    for whole in _whole_calls(text):
        call = whole.func
        obj = value_of(call, frame)
        if type(obj).__name__ != found[1] or callable(obj):
            continue
        if inspect.ismodule(obj):
            return _of_module(obj, ast.unparse(call))
        if isinstance(obj, (list, tuple)) and obj[1:] and all(map(is_of_gluonish, obj)):
            return _of_list(whole, obj)
        owner = value_of(call.value, frame) if isinstance(call, ast.Attribute) else None
        if isinstance(call, ast.Attribute) and is_of_gluonish(owner):
            return _of_attribute(owner, call.attr, obj, ast.unparse(call))
        return _of_object(type(obj), f"{ast.unparse(call)} is {article(found[1])}. ")
    return _of_object(_class_of_ours(found[1]), "")


def how_it_is_called(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return how a function of ours is called, where Python says that a call does not fit; or None.

    Arguments as for `is_no_function`.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.objects import how_it_is_called
    >>> how_it_is_called(TypeError("no such thing"), sys._getframe(), 1)
    """
    found = _NO_ARGUMENTS.match(f"{type(error).__name__}: {error}")
    if found is None:
        return None
    for call in _calls(linecache.getline(frame.f_code.co_filename, line).strip()):
        obj = value_of(call, frame)
        is_ours = str(getattr(obj, "__module__", "")).startswith("gluonish.")
        if is_ours and inspect.isfunction(obj) and obj.__name__ == found[1]:
            usage = listed(inspect.signature(obj).parameters, _MOST)
            return f"Expected {found[1]}({usage}). Leave out what it does not take, add the rest."
    return None


def is_not_called(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return which method of ours a line takes for what it returns, or None.

    Arguments as for `is_no_function`.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.objects import is_not_called
    >>> is_not_called(TypeError("no such thing"), sys._getframe(), 1)
    """
    if not _METHOD.search(f"{type(error).__name__}: {error}"):
        return None
    failed = expression(Place(frame.f_code, frame.f_lasti))
    tree = of_line(linecache.getline(frame.f_code.co_filename, line).strip())
    nodes = [node for each in (failed, tree) if each is not None for node in ast.walk(each)]
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    for node in nodes:
        if isinstance(node, ast.Attribute) and node not in called and _is_method(node, frame):
            name = ast.unparse(node)
            name = name if len(name) <= _LONGEST else f"...{node.attr}"
            return f"{name} is a method, which is to be called: write {name}()."
    return None


def _is_method(node: ast.Attribute, frame: FrameType) -> bool:
    """Return whether an attribute is a method, of what a name holds or of an array computed."""
    value = value_of(node, frame)
    if value is not None:
        return inspect.ismethod(value)
    is_computed = any(isinstance(each, ast.Call) for each in ast.walk(node.value))
    return is_computed and inspect.isfunction(getattr(_class_of_ours("NDArray"), node.attr, None))


_POSITIONS: Final = "x.max(axis=1) gives values, x.argmax(axis=1) positions: two calls"
_ALONE: Final = {  # what gives several things in PyTorch
    "topk": "ret_typ='both' gives values and positions: topk(x, k=3, axis=1, ret_typ='both')",
    "max": _POSITIONS,
    "min": _POSITIONS.replace("max", "min"),
    "sort": "x.sort(axis=1) gives values, x.argsort(axis=1) positions: two calls",
}
_PARTS = {"num_outputs", "indices_or_sections"}  # of what cuts an array into a list


def unpacks_an_array(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return what a call gives, where a line takes it for several things; or None.

    Arguments as for `is_no_function`.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.objects import unpacks_an_array
    >>> unpacks_an_array(ValueError("no such thing"), sys._getframe(), 1)
    """
    if not _UNPACKED.match(f"{type(error).__name__}: {error}"):
        return None
    text = linecache.getline(frame.f_code.co_filename, line).strip()
    if (loop := _LOOP.match(text)) is not None:
        loader = frame.f_locals.get(loop[1], frame.f_globals.get(loop[1]))
        if type(loader).__name__ == "DataLoader" and is_of_gluonish(loader):
            if _COUNTED.match(text):
                return (
                    f"A batch comes without a number: write {text.partition(' in ')[0]} in "
                    f"enumerate({loop[1]}):."
                )
            return (
                "A batch of this DataLoader has as many parts as a sample of its dataset: "
                "gluon.data.ArrayDataset(data, labels) has two."
            )
    right = re.sub(r"^[^=(]*=(?!=)|^.*\)\s*=(?!=)", "", text).strip()
    whole = _whole_calls(right)
    calls = [each.func for each in whole]
    for call in calls:
        block = value_of(call, frame)
        name = ast.unparse(call)
        alone = _ALONE.get(getattr(block, "__name__", ""))
        is_ours = str(getattr(block, "__module__", "")).startswith("gluonish.")
        if is_ours and (known := gives_parts(call)) is not None:
            return known
        if alone is not None and call is calls[0] and is_ours:
            owner = short_name(call.value) if isinstance(call, ast.Attribute) else ""
            own = owner if inspect.ismethod(block) and owner else "x"
            if "(x, k=" in alone and len(whole[0].args) + len(whole[0].keywords) > 1:
                kept = [each for each in whole[0].keywords if each.arg != "ret_typ"]
                more = ast.keyword("ret_typ", ast.Constant("both"))
                written = ast.unparse(ast.Call(call, whole[0].args, [*kept, more]))
                alone = f"{alone.partition(': ')[0]}: {written}"
            return f"{name}(...) gives one array. {alone.replace('x.', f'{own}.')}."
        if (
            call is calls[0]
            and inspect.isfunction(block)
            and block.__module__.startswith("gluonish")
        ):
            if not _PARTS.isdisjoint(inspect.signature(block).parameters):
                asked = _parts_asked(whole[0], frame)
                return (
                    f"{name}(x, n) gives a list of n arrays of equal lengths{asked}, where "
                    f"PyTorch's split takes the length. Write as n how many names there are."
                )
            told = f"{type(error).__name__}: {error}"
            if any(re.search(m, told) and re.search(part, text) for m, part, _ in ELSEWHERE):
                return None  # a habit, which has words of its own
            if (parts := _parts_of(block)) is not None:
                return (
                    f"{name}(...) gives {len(parts)} things: {listed(parts, _FEW)}. Write "
                    f"{len(parts)} names before the =."
                )
            return (
                f"{name}(...) was taken for several things. An array has as many as rows, "
                f"x.shape[0], and a list len(x). Write as many names."
            )
        if not hasattr(block, "collect_params"):
            continue
        if not hasattr(block, "begin_state"):
            return f"{name}(...) gives one array, whose rows were taken for several things."
        if hasattr(block, "unroll"):
            return f"{name}(x, states) gives the output and the list of new states: y, states = ..."
        data = next((ast.unparse(each.args[0]) for each in whole if each.args), "x")
        if any(each.func is call and len(each.args) > 1 for each in whole):
            return (
                f"{name}(x, states) gives the output and the list of new states: y, states = ..., "
                f"where states are [h, c] of an LSTM, and [h] of others."
            )
        axis = str(getattr(block, "_layout", "N")).find("N")
        return (
            f"{name}(...) gives the outputs alone; {_targets(of_line(text))} = {name}({data}, "
            f"{name}.begin_state({data}.shape[{axis}])) gives the list of states, too: [h, c] of "
            f"an LSTM."
        )
    return _of_parts(text, frame)


def _targets(tree: ast.Module | None) -> str:
    """Return what a line writes its two results to, as a program has it; else `y, states`."""
    for line in tree.body if tree is not None else ():
        target = line.targets[0] if isinstance(line, ast.Assign) else None
        if isinstance(target, ast.Tuple) and len(target.elts) == len(("y", "states")):
            return ast.unparse(target).removeprefix("(").removesuffix(")")
    return "y, states"


def _parts_asked(call: ast.Call, frame: FrameType) -> str:
    """Return which number of parts a call was given, if that has a name."""
    given = [value_of(each, frame) for each in call.args[1:2]]
    return (
        f"; {ast.unparse(call.args[1])}, as n, is {given[0]}"
        if [type(each) for each in given] == [int]
        else ""
    )


def _parts_of(function: Callable[..., object]) -> list[str] | None:
    """Return the kinds of things in the tuple that a function of ours returns; None if none."""
    annotation = str(function.__annotations__.get("return", ""))
    inside = re.fullmatch(r"tuple\[(.+)\]", annotation)
    if inside is None or "..." in annotation or "|" in annotation:
        return None
    nested = inside[1]
    while (flat := re.sub(r"\[[^\[\]]*\]", "", nested)) != nested:
        nested = flat
    return [each.strip() for each in nested.split(",")]


def _of_parts(text: str, frame: FrameType) -> str | None:
    """Return how many parts an object of ours has that a line takes apart, if it does; or None."""
    tree = of_line(text)
    for line in tree.body if tree is not None else ():
        if not isinstance(line, ast.Assign):
            continue
        obj = value_of(line.value, frame)
        wanted = next((len(t.elts) for t in line.targets if isinstance(t, ast.Tuple)), 0)
        if not (wanted and is_of_gluonish(obj) and hasattr(obj, "__len__")):
            continue
        name = ast.unparse(line.value)
        outputs = getattr(obj, "list_outputs", None)
        parts = "outputs" if outputs is not None else "rows or elements"
        mend = (
            f"mx.sym.Group([a, b]) joins several, and {name}[0] is the first output"
            if outputs is not None
            else f"{name}.shape tells its axes, {name}[0] is the first"
        )
        return (
            f"{name} is {article(type(obj).__name__)} of {len(obj)} {parts}. Expected {wanted}, "
            f"one for each name. Write as many names: {mend}."
        )
    return None


def returns_nothing(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return which Block of a program gave nothing, where that fails in the same line or below it.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.objects import returns_nothing
    >>> returns_nothing(TypeError("no such thing"), sys._getframe(), 1)
    """
    if not _NOTHING.search(str(error)):
        return None
    path = frame.f_code.co_filename
    text = linecache.getline(path, line).strip()
    calls = _calls(text)
    for name in re.findall(r"[A-Za-z_]\w*", text):
        if frame.f_locals.get(name, frame.f_globals.get(name, line)) is None:
            above = (linecache.getline(path, number).strip() for number in range(line, 0, -1))
            given = next((each for each in above if re.match(rf"{name}\s*=(?!=)", each)), "")
            calls += _calls(given)
    for call in calls:
        block = value_of(call, frame)
        for name in ("forward", "hybrid_forward") if is_of_gluonish(block) else ():
            method = getattr(type(block), name, None)
            if method is not None and not method.__module__.startswith("gluonish."):
                return (
                    f"{ast.unparse(call)}(...) gave None: {type(block).__name__}.{name} ends "
                    f"without return. Write return x as its last line."
                )
        if _ends_without_return(block):
            return (
                f"{ast.unparse(call)}(...) gave None: it ends without return. Write return, and "
                f"what it should give, as its last line."
            )
    return None


def _ends_without_return(function: object) -> bool:
    """Return whether a program's own function returns nothing, whatever it is given."""
    if not inspect.isfunction(function) or function.__module__.startswith("gluonish."):
        return False
    tree = of_function(function)
    nodes = [] if tree is None else [*ast.walk(tree)]
    return bool(nodes) and not any(
        isinstance(node, (ast.Yield, ast.YieldFrom))
        or (isinstance(node, ast.Return) and node.value is not None)
        for node in nodes
    )


def is_no_row(error: BaseException) -> str | None:
    """Return what to say where an object of ours is taken for a list, or None.

    Examples
    --------
    >>> from gluonish.errors.objects import is_no_row
    >>> print(is_no_row(TypeError("'Trainer' object is not subscriptable")))
    trainer.optimizer is its optimizer; net.collect_params() has the parameters.
    """
    found = _NO_ROW.search(f"{type(error).__name__}: {error}")
    if found is None:
        return None
    name = next(each for each in (found[1], found[3], found[4]) if each)
    if name in sys.modules["gluonish.nn"].__all__:
        return _LAYER
    cls = _class_of_ours(name)
    names = [] if cls is None else [base.__name__ for base in cls.__mro__]
    return next((_ROWS[each] for each in names if each in _ROWS), None)


def what_it_takes(error: BaseException) -> str | None:
    """Return how a method of ours is called, where Python says that a call does not fit; or None.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.errors.objects import what_it_takes
    >>> try:
    ...     mx.nd.ones(2).astype()
    ... except TypeError as error:
    ...     print(what_it_takes(error))
    Expected NDArray.astype(dtype, copy). Add dtype.
    """
    if hasattr(error, "is_explained"):  # of a program's class that is called as one of ours
        return None
    text = f"{type(error).__name__}: {error}"
    plain = _TAKES_NONE.match(text)
    if plain is not None and _class_of_ours(plain[1]) is not None:
        return (
            f"Expected {plain[1]}(). Leave the arguments out, or derive a class from it whose "
            f"__init__ takes them."
        )
    found = _NO_FIT.match(text)
    cls = None if found is None else _class_of_ours(found[1])
    method = None if found is None or cls is None else getattr(cls, found[2], None)
    if found is None or cls is None or not inspect.isfunction(method):
        return None
    names = named(list(inspect.signature(method).parameters.values())[1:])
    title = "a call with " if found[2] == "__call__" else f"{found[1].lstrip('_')}.{found[2]}"
    usage = f"Expected {title}({listed(names, _MOST)})."
    if found[2] in ("__init__", "__call__"):
        known = (each.__name__ for each in cls.__mro__ if each.__name__ in POSITIONS)
        if (position := next(known, None)) is not None:
            return f"{usage} {POSITIONS[position]}."
    if not names:
        return f"{usage} Leave the arguments out."
    how = add_or_leave_out(text, names, is_one=True)
    return usage + (how or " Leave out what it does not take." * bool(_TOO_MANY.search(text)))


def _class_of_ours(name: str) -> type | None:
    for path, module in list(sys.modules.items()):
        found = vars(module).get(name) if path.startswith("gluonish.") else None
        if isinstance(found, type) and found.__module__.startswith("gluonish."):
            return found
    return None


def _calls(text: str) -> list[ast.expr]:
    """Return what is called in a line of a program, as far as it can be read alone."""
    return [each.func for each in _whole_calls(text)]


def _whole_calls(text: str) -> list[ast.Call]:
    tree = of_line(text)
    nodes = () if tree is None else ast.walk(tree)
    return [node for node in nodes if isinstance(node, ast.Call)]


def _of_attribute(owner: object, name: str, obj: object, text: str) -> str:
    for base in type(owner).__mro__:
        if (known := ATTRIBUTES.get(base.__name__, {}).get(f"{name}()")) is not None:
            return f"{known}."
    kind = type(obj).__name__
    what = {"int": "a number", "float": "a number", "str": "a text", "NoneType": "None"}.get(kind)
    return f"{text} is {what or article(kind)} here, no method: leave the parentheses out."


def _of_module(module: ModuleType, text: str) -> str | None:
    if not module.__name__.startswith("gluonish"):
        return None
    names = [name for name in dir(module) if not name.startswith("_")]
    if "create" in names:
        return f"{text} is a module: {text}.create('name') makes one by its name."
    classes = [name for name in names if name[:1].isupper()] or names
    return f"{text} is a module, which has {listed(classes, _FEW)}: write {text}.{classes[0]}(...)."


def _of_list(call: ast.Call, several: list[object] | tuple[object, ...]) -> str:
    text = ast.unparse(call.func)
    kind, first = type(several).__name__, type(several[0]).__name__
    what = f"{text} is {article(kind)} of {len(several)}, of which the first is {article(first)}"
    if not all(map(callable, several)):
        return f"{what}: {text}[0] is the first."
    if len(call.args) == 1 and (name := short_name(call.args[0])):
        return f"{what}. Call one after the other: for each in {text}: {name} = each({name})."
    return f"{what}. Call each: [each(...) for each in {text}]."


def _of_object(cls: type | None, what: str) -> str | None:
    for base in () if cls is None else cls.__mro__:
        if base.__name__ in CALLS and base.__module__.startswith("gluonish."):
            return f"{what}{CALLS[base.__name__]}."
    return None
