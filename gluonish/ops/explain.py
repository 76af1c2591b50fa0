"""Turns what torch says about arguments that do not fit into errors that say how to fix them."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import torch
from torch import Tensor

from gluonish.array.dtypes import numpy_dtype
from gluonish.errors import DTypeError, InvalidArgumentError, MXNetError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Function = TypeVar("Function", bound="Callable[..., Any]")

TORCH_ERRORS = (RuntimeError, IndexError, ValueError, TypeError, OverflowError)
_DTYPE_SIGNS = ("not implemented for", "dtype", "scalar type", "result type", "data type")
_UNRELATED = (torch.OutOfMemoryError, torch.AcceleratorError)


def refuse_pair(name: str, lhs: object, rhs: object, error: Exception) -> NoReturn:
    """Raise the error for two operands that cannot be combined element by element.

    Raises
    ------
    ShapeError
        The shapes do not broadcast.
    DTypeError
        They do, so the operation is not defined for the dtypes.
    """
    if isinstance(error, (MXNetError, *_UNRELATED)):
        raise error
    if _clash(lhs, rhs):
        msg = (
            f"{name}: arrays of shape {tuple(lhs.shape)} and {tuple(rhs.shape)} "  # type: ignore[attr-defined]
            f"were given. Expected equal shapes, or a length of 1 wherever they differ. Reshape "
            f"one of them, for example with x.reshape(...) or x.expand_dims(axis)."
        )
        raise ShapeError(msg) from error
    msg = (
        f"{name}: {describe(lhs)} and {describe(rhs)} were given. Expected dtypes for which it is "
        f"defined ({_first_line(error)}). Convert with x.astype(...)."
    )
    raise DTypeError(msg) from error


def _clash(lhs: object, rhs: object) -> bool:
    if not (isinstance(lhs, Tensor) and isinstance(rhs, Tensor)):
        return False
    pairs = zip(reversed(lhs.shape), reversed(rhs.shape), strict=False)
    return any(one != other and 1 not in (one, other) for one, other in pairs)


def explained(expected: str) -> Callable[[Function], Function]:
    """Say what an operator expects, for the error where a call of it fails; see `refuse`.

    Parameters
    ----------
    expected : str
        What is expected, then what to do: two sentences without the words "Expected" at the
        beginning and the full stop at the end.
    """

    def note(function: Function) -> Function:
        function.expects = expected  # type: ignore[attr-defined]
        return function

    return note


def refuse(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    error: Exception,
) -> NoReturn:
    """Raise what a user should read where an operator's call failed.

    The front ends call it, so that calls that succeed pay nothing.
    """
    if isinstance(error, (MXNetError, *_UNRELATED)):
        raise error
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError as mismatch:
        msg = f"{_name(function)}: {mismatch}. Expected {_usage(function)}. Check the arguments."
        raise DTypeError(msg) from error
    given = ", ".join(f"{name}={describe(value)}" for name, value in bound.arguments.items())
    expected = getattr(function, "expects", f"arguments that fit {_usage(function)}")
    msg = f"{_name(function)}: {given} was given ({_first_line(error)}). Expected {expected}."
    raise _kind(error)(msg) from error


def _kind(error: Exception) -> type[MXNetError]:
    if isinstance(error, (IndexError, OverflowError)):
        return InvalidArgumentError
    text = str(error)
    if isinstance(error, TypeError) or any(sign in text for sign in _DTYPE_SIGNS):
        return DTypeError
    return ShapeError


def _name(function: Callable[..., Any]) -> str:
    return function.__name__.removesuffix("_method").removesuffix("_")


def _usage(function: Callable[..., Any]) -> str:
    return f"{_name(function)}({', '.join(inspect.signature(function).parameters)})"


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")


def describe(value: object) -> str:
    """Return a short description of an argument, arrays by shape and dtype."""
    if isinstance(value, Tensor):
        return f"array of shape {tuple(value.shape)} and dtype {numpy_dtype(value.dtype)}"
    if isinstance(value, (list, tuple)) and any(isinstance(part, Tensor) for part in value):
        parts = ", ".join(describe(part) for part in value[:10])
        return f"[{parts}{', ...' if len(value) > 10 else ''}]"
    return repr(value)
