"""Nested lists of arrays or Symbols, which control flow takes and returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gluonish.errors import OperandError

if TYPE_CHECKING:
    from collections.abc import Iterator

Form: TypeAlias = "int | list[Form]"


def flatten(value: Any, cls: type[Any], what: str) -> tuple[list[Any], Form]:
    """Return the parts of a nested list in order, and how they were nested.

    Parameters
    ----------
    value : object
        One part, or a nested list or tuple of parts.
    cls : type
        What a part is; one with several outputs stands for a list of them.
    what : str
        What errors call the value.

    Raises
    ------
    OperandError
        There is something else in it.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.ndarray.nested import flatten, regroup
    >>> x = mx.nd.zeros((2,))
    >>> parts, form = flatten([x, (x, x)], mx.nd.NDArray, 'states')
    >>> len(parts), form, regroup([1, 2, 3], form)
    (3, [0, [0, 0]], [1, [2, 3]])
    """
    parts: list[Any] = []
    return parts, _collect(value, cls, what, parts)


def _collect(value: Any, cls: type[Any], what: str, parts: list[Any]) -> Form:
    if isinstance(value, (list, tuple)):
        return [_collect(part, cls, what, parts) for part in value]
    if not isinstance(value, cls):
        msg = (
            f"{what} must be (nested) list of {cls.__name__}, but got {value!r} of type "
            f"{type(value).__name__}. Return or pass a list of {cls.__name__}s."
        )
        raise OperandError(msg)
    several = list(value.list_outputs()) if hasattr(value, "list_outputs") else []
    if len(several) > 1:
        parts.extend(value)
        return [0] * len(several)
    parts.append(value)
    return 0


def regroup(parts: list[Any], form: Form) -> Any:
    """Return parts as they were nested, in lists."""
    return _regrouped(iter(parts), form)


def _regrouped(parts: Iterator[Any], form: Form) -> Any:
    if isinstance(form, list):
        return [_regrouped(parts, each) for each in form]
    return next(parts)
