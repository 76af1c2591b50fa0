"""What a program's own lines tell about a name that holds something else than was meant."""

from __future__ import annotations

import linecache
import re
from typing import TYPE_CHECKING, Any

import numpy as onp

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
_EACH = ("detach", "copy", "asnumpy", "attach_grad", "as_in_context", "astype")
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
    This is NumPy's array. mx.nd.array(x), or mx.np.array(x), makes one of ours.
    """
    name = error.name or ""
    if type(error) is not AttributeError or name.startswith("_") or name not in dir(array):
        return None
    for kind, (what, mend) in _MEANT_TO_HOLD.items():
        if isinstance(error.obj, kind):
            if kind in (list, tuple) and name in _EACH:
                mend = f"Each of it: [s.{name}() for s in x], as states of recurrent layers are"
            elif kind in (list, tuple) and name == "backward":
                mend = "autograd.backward(x) takes a list, and sum(x).backward() its sum"
            elif name in _RECORDED and kind not in (list, tuple):
                mend = (
                    "What asnumpy(), NumPy and Python compute is not recorded: write "
                    "((pred - y) ** 2).mean(), or gluon.loss.L2Loss()(pred, y), of the arrays "
                    "themselves, inside autograd.record()"
                )
            return f"This is {what}. {mend}."
    return None


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
            return _of_line(name, number, found[1].partition(";")[0].strip(), kind[1])
    return None


def _of_line(name: str, number: int, value: str, kind: str) -> str | None:
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
            f"{name}[0], or save a dict: nd.save(file, {{'weight': x}})."
        )
    called = re.search(r"\.(\w+)\([^()]*(\([^()]*\)[^()]*)*\)$", value)
    if called is None or value == "None":
        return None
    return (
        f"{name} is None since line {number}: .{called[1]}(...) changes its object and returns "
        f"nothing. Call it on a line of its own, without {name} = before it."
    )
