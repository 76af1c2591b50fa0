"""Checks of the arguments that random operators share."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.errors import DTypeError, InvalidArgumentError, OperandError, ShapeError
from gluonish.ops.np.arguments import as_shape
from gluonish.ops.random.draws import draw
from gluonish.random_streams import parse_float32

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.context import Context

Size: TypeAlias = "int | Sequence[int] | None"

_FLOATS = (torch.float32, torch.float64, torch.float16)
_CPU = torch.device("cpu")


def device_of(ctx: Context | None) -> torch.device:
    """Return the torch device of a context, the CPU without one."""
    return _CPU if ctx is None else ctx.device


def float_dtype(where: str, dtype: DTypeLike | None) -> torch.dtype:
    """Return the torch dtype of random floating point numbers, float32 by default.

    Raises
    ------
    DTypeError
        The dtype is none of float16, float32 and float64.
    """
    if dtype is None:
        return torch.float32
    found = torch_dtype(dtype)
    if found not in _FLOATS:
        msg = (
            f"{where}: dtype={str(found).removeprefix('torch.')!r} was given. Expected 'float16', "
            f"'float32' or 'float64'. Cast the result with astype."
        )
        raise DTypeError(msg)
    return found


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a parameter is a plain number."""
    return isinstance(value, (int, float, onp.number)) and not isinstance(value, bool)


def require_number(where: str, name: str, value: object) -> float:
    """Return a parameter as the number it must be.

    Raises
    ------
    InvalidArgumentError
        It is not a number.
    """
    if not is_number(value):
        msg = (
            f"{where}: {name}={value!r} was given. Expected a number, or an array. "
            f"Write for example {name}=0.5, or make an array of it first."
        )
        raise InvalidArgumentError(msg)
    return float(value)


def require_integer(where: str, name: str, value: object) -> int:
    """Return a parameter as the integer it must be.

    Raises
    ------
    InvalidArgumentError
        It is not an integer.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        msg = (
            f"{where}: {name}={value!r} was given. Expected an integer. "
            f"Write for example {name}=10."
        )
        raise InvalidArgumentError(msg)
    return int(value)


def require_array(where: str, name: str, value: object) -> Tensor:
    """Return a parameter as the array it must be.

    Raises
    ------
    OperandError
        It is not an array.
    """
    if not isinstance(value, Tensor):
        msg = (
            f"{where}: {name} is a {type(value).__name__}. Expected an array. "
            f"Make one first with mx.nd.array or mx.np.array."
        )
        raise OperandError(msg)
    return value


def refuse(where: str, name: str, value: object, expected: str) -> InvalidArgumentError:
    """Return the error for a number out of range."""
    return InvalidArgumentError(
        f"{where}: {name}={value!r} was given. Expected {name} {expected}. "
        f"Pass a number in that range."
    )


def require_positive(where: str, **parameters: Any) -> None:
    """Check that numbers are above 0; arrays are not looked at.

    Raises
    ------
    InvalidArgumentError
        One of them is not.
    """
    for name, value in parameters.items():
        if not isinstance(value, Tensor) and not require_number(where, name, value) > 0:
            raise refuse(where, name, value, "> 0")


def require_not_negative(where: str, **parameters: Any) -> None:
    """Check that numbers are not below 0; arrays are not looked at.

    Raises
    ------
    InvalidArgumentError
        One of them is.
    """
    for name, value in parameters.items():
        if not isinstance(value, Tensor) and not require_number(where, name, value) >= 0:
            raise refuse(where, name, value, ">= 0")


def draw_np(
    where: str,
    kind: str,
    size: Size,
    dtype: torch.dtype,
    ctx: Context | None,
    **parameters: Any,
) -> Tensor:
    """Draw with NumPy's rules: parameters are numbers or arrays that fit `size`."""
    shape, values = fit(where, size, parameters)
    return draw(kind, shape, dtype, device_of(ctx), *values)


def fit(
    where: str, size: Size, parameters: dict[str, Any]
) -> tuple[tuple[int, ...], list[float | Tensor]]:
    """Return the shape of the result and the parameters, numbers as float.

    Raises
    ------
    InvalidArgumentError
        A parameter is neither a number nor an array.
    ShapeError
        The shapes of array parameters don't fit each other, or don't fit `size`.
    """
    shapes = []
    values: list[float | Tensor] = []
    for name, value in parameters.items():
        if isinstance(value, Tensor):
            shapes.append(tuple(value.shape))
            values.append(value)
        else:
            values.append(require_number(where, name, value))
    shape = None if size is None else as_shape(size)
    if not shapes:
        return shape or (), values
    try:
        common = onp.broadcast_shapes(*shapes)
        if shape is None:
            return common, values
        if onp.broadcast_shapes(common, shape) == shape:
            return shape, values
    except ValueError:
        pass
    msg = (
        f"{where}: parameters of shapes {', '.join(map(str, shapes))} were given with size="
        f"{shape}. Expected shapes that broadcast to size. Reshape them, or leave size out."
    )
    raise ShapeError(msg)


def draw_nd(
    where: str,
    kind: str,
    shape: Size,
    dtype: torch.dtype,
    ctx: Context | None,
    **parameters: Any,
) -> Tensor:
    """Draw with the rules of `nd`: all numbers, or all arrays of one shape.

    With arrays, each of their elements gets `shape` draws. Numbers are read as MXNet's
    operators do.

    Raises
    ------
    OperandError
        Numbers and arrays are mixed.
    ShapeError
        Arrays have different shapes.
    """
    arrays = [value for value in parameters.values() if isinstance(value, Tensor)]
    if not arrays:
        values = [
            float(parse_float32(require_number(where, name, value)))
            if isinstance(value, float)
            else float(parse_float32(_plain(where, name, value)))
            for name, value in parameters.items()
        ]
        wanted = (1,) if shape is None else as_shape(shape)
        return draw(kind, wanted, dtype, device_of(ctx), *values)
    _check_arrays(where, parameters, arrays)
    wanted = () if shape is None else as_shape(shape)
    each = torch.Size(wanted).numel()
    flat = [value.float().reshape(-1).repeat_interleave(each) for value in arrays]
    return draw(kind, (*arrays[0].shape, *wanted), dtype, arrays[0].device, *flat)


def _plain(where: str, name: str, value: object) -> float:
    """Return a number so that its text is that of a Python number."""
    number = require_number(where, name, value)
    return value if isinstance(value, int) else number


def _check_arrays(where: str, parameters: dict[str, Any], arrays: list[Tensor]) -> None:
    if len(arrays) < len(parameters):
        given = ", ".join(
            f"{name}: {'array' if isinstance(value, Tensor) else type(value).__name__}"
            for name, value in parameters.items()
        )
        msg = (
            f"{where}: parameters of different kinds were given ({given}). Expected all arrays "
            f"or all numbers. Make arrays of one shape of them, with mx.nd.array or mx.nd.full."
        )
        raise OperandError(msg)
    shapes = [tuple(value.shape) for value in arrays]
    if any(shape != shapes[0] for shape in shapes):
        msg = (
            f"{where}: parameters of shapes {', '.join(map(str, shapes))} were given. Expected "
            f"one shape. Broadcast them first, with broadcast_to."
        )
        raise ShapeError(msg)


def random_randint(
    where: str,
    low: object,
    high: object,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    ctx: Context | None,
) -> Tensor:
    """Draw integers from [low, high).

    Raises
    ------
    InvalidArgumentError
        `low` or `high` is not an integer, or the range is empty.
    DTypeError
        The dtype is neither int32 nor int64.
    """
    low = require_integer(where, "low", low)
    high = require_integer(where, "high", high)
    if low >= high:
        msg = (
            f"{where}: low={low} and high={high} were given. Expected low < high: no integer is "
            f"in [{low}, {high}). Raise high, or lower low."
        )
        raise InvalidArgumentError(msg)
    if dtype not in (torch.int32, torch.int64):
        msg = (
            f"{where}: dtype={str(dtype).removeprefix('torch.')!r} was given. Expected 'int32' or "
            f"'int64'. Cast the result with astype."
        )
        raise DTypeError(msg)
    return draw("randint", shape, dtype, device_of(ctx), low, high)


def shuffled(data: Tensor) -> Tensor:
    """Return a copy of an array, shuffled along its first axis."""
    kind = "shuffle_order" if data.ndim == 1 else "shuffle_rows_order"
    if data.ndim == 0:
        return data.clone()
    order = draw(kind, (data.shape[0],), torch.int64, data.device)
    return data.index_select(0, order)
