"""What a program's own lines tell about a name that holds something else than was meant."""

from __future__ import annotations

import ast
import linecache
import re
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors.program_recording import of_arrays
from gluonish.errors.program_text import of_file, of_line

if TYPE_CHECKING:
    from types import FrameType

_MEANT_TO_HOLD: dict[type, tuple[str, str]] = {
    onp.ndarray: ("NumPy's array", "mx.nd.array(x), or mx.np.array(x), makes one of ours"),
    onp.generic: ("a number of NumPy's", "mx.nd.array(x), or mx.np.array(x), makes an array of it"),
    list: (
        "a list",
        (
            "x[0] is its first element, as batch.data[0] and nd.load(file)[0] are arrays; "
            "nd.stack(*x) or np.stack(x) joins arrays"
        ),
    ),
    tuple: ("a tuple", "x[0] is its first element, nd.stack(*x) or np.stack(x) joins arrays"),
    float: ("a number of Python's", "mx.nd.array([x]), or mx.np.array(x), makes an array of it"),
    int: ("a number of Python's", "mx.nd.array([x]), or mx.np.array(x), makes an array of it"),
}
_OF_NUMBER = re.compile(
    r"AttributeError: '(?:numpy\.(?:float|int)\w+|numpy\.ndarray|float|int)' object has no "
    r"attribute '(\w+)'"
)
_EACH = ("detach", "copy", "asnumpy", "attach_grad", "as_in_context", "astype")
_OWN_OF_NUMPY = {
    "asnumpy": ": it is one already, as metrics give them",
    "asscalar": " and write .item()",
    "as_in_context": ", or write mx.nd.array(x, ctx=mx.cpu())",
}
_RECORDED = ("backward", "grad", "detach")


def what_it_is(error: AttributeError, array: type) -> str | None:
    """Return what to say where something else is taken for an array of ours, or None.

    Examples
    --------
    >>> import gluonish as mx
    >>> import numpy as onp
    >>> from gluonish.errors.program_names import what_it_is
    >>> try:
    ...     onp.ones(2).asnumpy()
    ... except AttributeError as error:
    ...     print(what_it_is(error, mx.nd.NDArray))
    This is NumPy's array. Leave .asnumpy() out: it is one already, as metrics give them.
    """
    name = error.name or ""
    if type(error) is not AttributeError or name.startswith("_") or name not in dir(array):
        return None
    for kind, (what, mend) in _MEANT_TO_HOLD.items():
        if isinstance(error.obj, kind):
            if kind not in (list, tuple, float, int) and name in _OWN_OF_NUMPY:
                mend = f"Leave .{name}() out{_OWN_OF_NUMPY[name]}"
            elif kind in (list, tuple) and name in _EACH:
                mend = f"Each of it: [s.{name}() for s in x], as states of recurrent layers are"
            elif kind is list and name == "data" and _holds(error.obj, array):
                return (
                    "This is a batch of a DataLoader, a list: x[0] has its data, x[1] its labels, "
                    "as in for data, label in loader:."
                )
            elif kind in (list, tuple) and name == "backward":
                mend = "autograd.backward(x) takes a list"
            elif name in _RECORDED and kind not in (list, tuple):
                mend = (
                    "What asnumpy(), NumPy and Python compute is not recorded: write "
                    "((pred - y) ** 2).mean(), or gluon.loss.L2Loss()(pred, y), of the arrays "
                    "themselves, inside autograd.record()"
                )
            return f"This is {what}. {mend}."
    return None


def _holds(value: object, array: type) -> bool:
    parts = value if isinstance(value, list) else []
    return len(parts) > 1 and all(isinstance(each, array) for each in parts)


def made_a_number(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return which line of a program took a number out of the array that is asked for; or None.

    Arguments as for `where_it_came_from`.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.program_names import made_a_number
    >>> made_a_number(TypeError("no such thing"), sys._getframe(), 1)
    """
    kind = _OF_NUMBER.search(f"{type(error).__name__}: {error}")
    if kind is None or kind[1] not in _RECORDED:
        return None
    path = frame.f_code.co_filename
    for name in re.findall(rf"\b([A-Za-z_]\w*)\.{kind[1]}\b", linecache.getline(path, line)):
        for number in range(line, 0, -1):
            text = linecache.getline(path, number)
            if re.search(rf"(?<![\w.]){name}\s*=(?!=)", text) is None:
                continue
            taken = re.search(r"\.(asscalar|asnumpy|item)\(\)|\bfloat\(", text)
            if taken is None:
                return None
            how = taken[0] if taken[1] else "float(...)"
            written = _on_arrays(text, frame)
            number_of = f"{name}{how}" if how[0] == "." else f"float({name})"
            mend = "Leave it out there, and write it"
            mend = f"Write {name} = {written} there, and {number_of}" if written else mend
            return (
                f"{name} is a number since line {number}, by {how}, which gradients don't go "
                f"through. {mend} where the number is used, below backward()."
            )
    return None


def _on_arrays(text: str, frame: FrameType) -> str | None:
    """Return what a line assigns, computed from the arrays whose values it takes; or None."""
    tree = of_line(text.strip())
    line = tree.body[0] if tree is not None and tree.body else None
    if not isinstance(line, ast.Assign):
        return None
    ways = (of_arrays(line.value, module, frame) for module in ("nd", "mx.nd"))
    return next((way for way in ways if way is not None), None)


def where_it_came_from(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return which line of a program gave a name nothing, or a tuple, where that fails; or None.

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
    >>> from gluonish.errors.program_names import where_it_came_from
    >>> where_it_came_from(TypeError("no such thing"), sys._getframe(), 1)
    """
    kind = re.search(r"'(NoneType|tuple)' object (is not callable|has no attribute)", str(error))
    kind = kind or re.match(r"(list) indices must be integers or slices, not str", str(error))
    if kind is None:
        return None
    path = frame.f_code.co_filename
    held: dict[str, Any] = {**frame.f_globals, **frame.f_locals}
    for name in re.findall(r"\b([A-Za-z_]\w*)\b(?=\s*[.([])", linecache.getline(path, line)):
        if name not in held or type(held[name]).__name__ != kind[1]:
            continue
        for number in range(line, 0, -1):
            text = linecache.getline(path, number)
            found = re.search(rf"(?<![\w.]){name}\s*=(?!=)\s*(.+)", text)
            if found is None:
                continue
            value = found[1].partition(";")[0].strip()
            return _of_fit(name, number, value, held) or _of_line(
                name, number, value, kind[1], of_file(path)
            )
    return None


def _of_fit(name: str, number: int, value: str, held: dict[str, Any]) -> str | None:
    """Return where the metrics are that a program expects of a call of `fit`, or None."""
    owner, call, _ = value.partition(".fit(")
    kept = getattr(held.get(owner), "history", None)
    if not call or not kept:
        return None
    first = next(iter(kept))
    return (
        f"{name} is None since line {number}: fit returns nothing. {owner}.history[{first!r}] has "
        f"that metric after each epoch, and list({owner}.history) their names."
    )


def _of_line(name: str, number: int, value: str, kind: str, tree: ast.Module | None) -> str | None:
    value = value.partition("#")[0].rstrip()
    if kind == "tuple":
        if not value.endswith(","):
            return None
        return f"Line {number} ends in a comma, which makes {name} a tuple. Leave it out."
    if kind == "list":
        if not re.search(r"\bload\w*\(", value):
            return None
        return (
            f"{name} is a list since line {number}: the file has arrays without names. Write "
            f"{name}[0]{_second(name, tree)}, or save a dict: {_saved(tree)}."
        )
    called = re.search(r"\.(\w+)\([^()]*(\([^()]*\)[^()]*)*\)$", value)
    if called is None or value == "None":
        return None
    told = f"{name} is None since line {number}: .{called[1]}(...) changes its object and returns "
    return f"{told}nothing. Call it on a line of its own, without {name} = before it."


def _second(name: str, tree: ast.Module | None) -> str:
    """Return what stands behind the first array of a list, where a program asks for several."""
    parts = [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == name
    ]
    parts.sort(key=lambda node: (node.lineno, node.col_offset))
    asked = [node.slice.value for node in parts if isinstance(node.slice, ast.Constant)]
    rest = [*dict.fromkeys(asked)][1:]
    return "".join(f", {name}[{place}] for {key!r}" for place, key in enumerate(rest, 1))


def _saved(tree: ast.Module | None) -> str:
    """Return how a program saves a list of arrays, with their names."""
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith("nd.save"):
            continue
        given = node.args[-1] if len(node.args) == len(("fname", "data")) else None
        names = given.elts if isinstance(given, (ast.List, ast.Tuple)) else []
        if names and all(isinstance(each, ast.Name) for each in names):
            pairs = ", ".join(f"{ast.unparse(each)!r}: {ast.unparse(each)}" for each in names)
            return f"{ast.unparse(node.func)}({ast.unparse(node.args[0])}, {{{pairs}}})"
    return "nd.save(file, {'weight': x})"
