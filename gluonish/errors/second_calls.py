"""What to say of parentheses behind parentheses: a call of what a call has given."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from gluonish.errors.program_text import Place, expression, is_of_gluonish, value_of
from gluonish.errors.wording import article

if TYPE_CHECKING:
    from types import FrameType

_LONGEST = 60  # letters of a call that is repeated
_NOT_CALLABLE = re.compile(r"'(?:numpy\.)?(\w+)' object is not callable")
_ARRAYS = ("NDArray", "ndarray", "Symbol", "_Symbol", "RowSparseNDArray", "CSRNDArray")


def is_second(error: BaseException, frame: FrameType) -> str | None:
    """Return how to write a call of ours whose result is called in the same breath, or None.

    Parameters
    ----------
    error : BaseException
        What happened.
    frame : frame
        Where in the program.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.second_calls import is_second
    >>> is_second(TypeError("no such thing"), sys._getframe())
    """
    found = _NOT_CALLABLE.match(str(error)) if isinstance(error, TypeError) else None
    outer = expression(Place(frame.f_code, frame.f_lasti)) if found is not None else None
    if found is None or not isinstance(outer, ast.Call) or not isinstance(outer.func, ast.Call):
        return None
    inner = outer.func
    called = value_of(inner.func, frame)
    if isinstance(called, type) or not (found[1] in _ARRAYS or _is_ours(called)):
        return None  # objects of classes have words of their own
    is_empty = not (inner.args or inner.keywords)
    if is_empty and (outer.args or outer.keywords):
        text = ast.unparse(ast.Call(inner.func, outer.args, outer.keywords))
        text = text if len(text) <= _LONGEST else f"{ast.unparse(inner.func)}(...)"
        return f"The empty parentheses are a call already. Leave them out: write {text}."
    text = ast.unparse(inner)
    gives = "which gives " + ("nothing" if found[1] == "NoneType" else article(found[1]))
    if len(text) > _LONGEST:
        return f"What stands before the last parentheses is a call, {gives}. Leave these out."
    return f"{text} is a call already, {gives}. Leave the parentheses after it out: write {text}."


def _is_ours(value: object) -> bool:
    return str(getattr(value, "__module__", "")).startswith("gluonish") or is_of_gluonish(value)
