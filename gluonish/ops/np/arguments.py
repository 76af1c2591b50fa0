"""Conversions and checks of arguments that NumPy's functions share."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype, writable
from gluonish.errors import AxisError, DTypeError, ShapeError
from gluonish.errors.program_arguments import without_list
from gluonish.errors.wording import class_name, with_last_axes
from gluonish.process.postponed import settle_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from gluonish.context import Context

Axis: TypeAlias = "int | Sequence[int] | None"
Out: TypeAlias = "torch.Tensor | None"
Shape: TypeAlias = "int | Sequence[int]"


def into(out: Out, result: Tensor) -> Tensor:
    """Return the result, written into `out` where one was given by position."""
    if out is None:
        return result
    settle_all()
    return out.copy_(result)


def device_of(ctx: Context | None) -> torch.device | None:
    """Return the torch device of a context."""
    return None if ctx is None else ctx.device


def as_tensor(value: Any, like: Tensor | None = None) -> Tensor:  # noqa: ANN401
    """Return a tensor for an array, a number or nested lists, which become float32.

    Raises
    ------
    DTypeError
        The value holds something else than numbers.
    """
    if isinstance(value, Tensor):
        return value
    device = None if like is None else like.device
    try:
        values = writable(value)
        if not isinstance(value, (onp.ndarray, onp.generic)) and values.dtype.kind in "iuf":
            values = values.astype(onp.float32)
        return torch.as_tensor(values, device=device)
    except (TypeError, ValueError) as error:
        msg = (
            f"{class_name(value)} was given where an array is needed. Expected an array, or "
            f"numbers that make one. Write mx.np.array(...)."
        )
        raise DTypeError(msg) from error


def as_tensors(values: Iterable[Any]) -> list[Tensor]:
    """Return tensors for a sequence of arrays, all on the device of the first."""
    listed = list(values)
    first = next((value for value in listed if isinstance(value, Tensor)), None)
    return [value if isinstance(value, Tensor) else as_tensor(value, first) for value in listed]


def as_shape(shape: Shape, where: str = "shape") -> tuple[int, ...]:
    """Return a shape as a tuple of integers.

    Raises
    ------
    ShapeError
        It is no integer and no sequence of integers, or one of them is negative.
    """
    lengths: tuple[int, ...]
    if type(shape) is tuple:
        lengths = shape
    elif isinstance(shape, int):
        lengths = (shape,)
    elif isinstance(shape, (list, range, onp.ndarray)):
        lengths = tuple(shape)
    else:
        lengths = (int(shape),) if hasattr(shape, "__index__") else (-1,)
    if any(not hasattr(length, "__index__") or length < 0 for length in lengths):
        inner: Any = lengths[0] if len(lengths) == 1 else None
        is_twice = isinstance(inner, (list, tuple))
        texts = ", ".join(map(str, inner)) if is_twice else ""
        how = f"them one by one: {without_list(texts, texts)}" if is_twice else ""
        msg = (
            f"{where}: {shape!r} was given as lengths of axes. Expected an integer or a tuple of "
            f"integers, none below 0. Write {how or '(2, 3) for two rows of three'}."
        )
        raise ShapeError(msg)
    return lengths


def axis_error(axis: Axis, tensor: Tensor, where: str) -> AxisError:
    """Return the error for an axis that an array does not have."""
    ndim = tensor.ndim
    choice = f"-{ndim} to {ndim - 1}" if ndim else "none, for the array has no axes"
    msg = (
        f"{where}: axis {axis!r} is out of bounds for an array of shape {tuple(tensor.shape)}. "
        f"Expected an axis of the array, each at most once: {choice}. "
        f"Pass such an axis, or reshape the array first."
    )
    return AxisError(msg)


def one_axis(where: str, axis: int, tensor: Tensor) -> int:
    """Return an axis counted from the front.

    Raises
    ------
    AxisError
        The array has no such axis.
    """
    ndim = tensor.ndim
    if not -ndim <= axis < ndim:
        raise axis_error(axis, tensor, where)
    return axis % ndim


def axes(where: str, axis: Axis, tensor: Tensor) -> tuple[int, ...]:
    """Return axes counted from the front; all of them for None.

    Raises
    ------
    AxisError
        The array has no such axis, or one is named twice.
    """
    if axis is None:
        return tuple(range(tensor.ndim))
    if type(axis) is int and -tensor.ndim <= axis < tensor.ndim:
        return (axis % tensor.ndim,)
    given = (axis,) if isinstance(axis, int) else tuple(axis)
    if not tensor.ndim and given in ((0,), (-1,)):  # as NumPy's reductions of a number
        return ()
    found = tuple(one_axis(where, each, tensor) for each in given)
    if len(set(found)) != len(found):
        raise axis_error(axis, tensor, where)
    return found


def shape_error(error: Exception, where: str, *tensors: Tensor) -> ShapeError:
    """Return the error for arrays whose shapes do not fit together, with torch's reason."""
    shapes = " and ".join(str(tuple(tensor.shape)) for tensor in tensors)
    reason = str(error).splitlines()[0].rstrip(".") if str(error) else "they do not fit together"
    expected = (
        "shapes that fit together. Compare the shapes, and use reshape, expand_dims or transpose"
    )
    if "solve" in where and len(tensors) == 2 and tensors[1].shape[:1] != tensors[0].shape[:1]:
        a, b = tensors
        expected = f"b of shape ({a.shape[-1]},) or ({a.shape[-1]}, n)"
        if a.shape[-1] != a.shape[0]:
            expected += (
                ". For least squares write np.linalg.solve(np.dot(X.T, X), np.dot(X.T, y)), or "
                "np.linalg.lstsq(X, y, rcond=None)"
            )
        else:
            expected += ", a row for each row of a. Give b as many as a has"
        reason = f"{a.shape[-1]} equations, and {b.shape[0] if b.ndim else 1} right sides"
        tensors = ()
    large = max((tuple(each.shape) for each in tensors), key=len, default=())
    for position, each in enumerate(tensors):
        shape = tuple(each.shape)
        longer = with_last_axes(shape, large)
        first = (*[1] * (len(large) - len(shape)), *shape)
        if longer is not None and with_last_axes(first, large) is None:
            expected = f"shapes that fit together. Write x.reshape({longer}) for array {position}"
    if "subscript" in reason:
        expected = (
            "one length for each letter. Exchange letters of one operand, or transpose an array"
        )
    if "square" in reason:
        expected = (
            "as many rows as columns in the last two axes. np.linalg.pinv(a) takes other matrices; "
            "for least squares write np.linalg.lstsq(a, b, rcond=None)[0], or invert np.dot(a.T, a)"
        )
    msg = f"{where}: arrays of shape {shapes} were given: {reason}. Expected {expected}."
    return ShapeError(msg)


def dtype_or(dtype: DTypeLike | None, default: torch.dtype | None) -> torch.dtype | None:
    """Return the torch dtype that was asked for, or the default."""
    return default if dtype is None else torch_dtype(dtype)
