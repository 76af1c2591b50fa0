"""Checks of the arguments that random operators share."""

from __future__ import annotations

import functools
import math
import numbers
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.errors import DTypeError, InvalidArgumentError, OperandError, ShapeError
from gluonish.errors.arguments import no_array
from gluonish.errors.program_arguments import argument_of, with_keyword
from gluonish.errors.program_text import mentions
from gluonish.ops.np.arguments import as_shape
from gluonish.ops.random.draws import draw
from gluonish.process.recording import state
from gluonish.random_streams import parse_float32

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.context import Context

Size: TypeAlias = "int | Sequence[int] | None"

_FLOATS = (torch.float32, torch.float64, torch.float16)
_CPU = torch.device("cpu")
_PLAIN = (int, float)


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
        how = _as_shape(where, value) or (
            f"Write for example {name}=0.5, or make an array of it first"
        )
        msg = f"{where}: {name}={value!r} was given. Expected a number, or an array. {how}."
        raise InvalidArgumentError(msg)
    return float(value)


def _as_shape(where: str, value: object) -> str:
    """Return how lengths are written that stand where a number is expected; '' for others."""
    name = "shape" if where.startswith("nd.") else "size"
    if not isinstance(value, (tuple, list)) or mentions(f"{name}="):
        return ""
    if not all(type(each) is int for each in value):
        return ""
    general = f"{where}({name}={value})"
    written = argument_of(value)
    own = with_keyword(name, written, general) if written else general
    return f"Lengths of axes are given by their name: write {own}"


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
        how = "Write mx.nd.array(...) or mx.np.array(...)."
        raise OperandError(no_array(where, name, value, how, is_alone=True))
    return value


def refuse(where: str, name: str, value: object, expected: str) -> InvalidArgumentError:
    """Return the error for a number out of range."""
    return InvalidArgumentError(
        f"{where}: {name}={value!r} was given. Expected {name} {expected}. "
        f"Pass a number in that range."
    )


def require_positive(where: str, name: str, value: object) -> None:
    """Check that a number is above 0.

    Raises
    ------
    InvalidArgumentError
        It is not.
    """
    if not require_number(where, name, value) > 0:
        raise refuse(where, name, value, "> 0")


def require_not_negative(where: str, name: str, value: object) -> None:
    """Check that a number is not below 0.

    Raises
    ------
    InvalidArgumentError
        It is.
    """
    if not require_number(where, name, value) >= 0:
        raise refuse(where, name, value, ">= 0")


def _finite(check: Callable[[str, str, object], None]) -> Callable[[str, str, object], None]:
    """Return a check that refuses infinity, too: rejection would draw without end."""

    def both(where: str, name: str, value: object) -> None:
        check(where, name, value)
        if math.isinf(require_number(where, name, value)):
            raise refuse(where, name, value, "to be finite")

    return both


def _require_count(where: str, name: str, value: object) -> None:
    require_not_negative(where, name, require_integer(where, name, value))


_LIMITS: dict[str, dict[str, Callable[[str, str, object], None]]] = {
    "beta": {"a": _finite(require_positive), "b": _finite(require_positive)},
    "chisquare": {"df": _finite(require_positive)},
    "exponential": {"scale": require_not_negative},
    "gamma": {"shape": _finite(require_positive), "scale": require_positive},
    "gumbel": {"scale": require_not_negative},
    "logistic": {"scale": require_not_negative},
    "lognormal": {"sigma": require_not_negative},
    "nd_exponential": {"lam": require_positive},
    "nd_gamma": {"alpha": _finite(require_positive), "beta": require_positive},
    "nd_generalized_negative_binomial": {
        "mu": _finite(require_not_negative),
        "alpha": _finite(require_not_negative),
    },
    "nd_negative_binomial": {"k": _require_count, "p": require_not_negative},
    "nd_normal": {"scale": require_positive},
    "nd_poisson": {"lam": _finite(require_not_negative)},
    "normal": {"scale": require_not_negative},
    "pareto": {"a": require_positive},
    "power": {"a": require_positive},
    "rayleigh": {"scale": require_not_negative},
    "weibull": {"a": require_positive},
}
"""What the parameters of distributions must be, where they are numbers."""


_ARRAYS = {("gamma", "scale"): "> 0", ("normal", "scale"): ">= 0"}


def require_all(where: str, name: str, value: object, expected: str) -> None:
    """Check the elements of an array in memory: that they are `'> 0'`, `'>= 0'` or `'in [0, 1]'`.

    Raises
    ------
    InvalidArgumentError
        One of them is not.
    """
    if not isinstance(value, Tensor) or value.device.type != "cpu" or not value.numel():
        return
    if torch.compiler.is_exporting():  # exported graphs don't see values
        return
    elements = value.detach()
    if expected == "in [0, 1]":
        outside = ~((elements >= 0) & (elements <= 1))
    else:
        outside = ~(elements > 0 if expected == "> 0" else elements >= 0)
    if outside.any():
        raise refuse(where, name, elements[outside].reshape(-1)[0].item(), expected)


def require_limits(where: str, kind: str, parameters: dict[str, Any]) -> None:
    """Check the parameters of a distribution that are numbers."""
    limits = _LIMITS.get(kind, {})
    for name, value in parameters.items():
        if name in limits and not isinstance(value, Tensor):
            limits[name](where, name, value)
        elif (kind, name) in _ARRAYS:
            require_all(where, name, value, _ARRAYS[kind, name])
    if kind == "nd_uniform":
        _check_bounds(where, **parameters)


def _check_bounds(where: str, low: object, high: object) -> None:
    if isinstance(low, Tensor) or isinstance(high, Tensor):
        return
    if require_number(where, "low", low) > require_number(where, "high", high):
        msg = (
            f"{where}: low={low!r} and high={high!r} were given. Expected low <= high. "
            f"Exchange them."
        )
        raise InvalidArgumentError(msg)


def draw_np(
    where: str,
    kind: str,
    size: Size,
    dtype: DTypeLike | None,
    ctx: Context | None,
    **parameters: Any,
) -> Tensor:
    """Draw with NumPy's rules: parameters are numbers or arrays that fit `size`."""
    require_limits(where, kind, parameters)
    target = float_dtype(where, dtype)
    shape, values = fit(where, size, parameters)
    return draw(kind, shape, target, device_of(ctx), *values)


def draw_shifted(
    where: str,
    kind: str,
    size: Size,
    dtype: DTypeLike | None,
    ctx: Context | None,
    **parameters: Any,
) -> Tensor:
    """Draw as `draw_np` does, so that a distribution's place and scale have gradients."""
    require_limits(where, kind, parameters)
    target = float_dtype(where, dtype)
    shape, values = fit(where, size, parameters)
    if not needs_gradient(*values):
        return draw(kind, shape, target, device_of(ctx), *values)
    place, scale = values
    noise = draw(kind, shape, torch.float32, device_of(ctx), 0.0, 1.0)
    return (noise * scale + place).to(target)


def draw_scaled(
    where: str, kind: str, size: Size, ctx: Context | None, scale: Tensor | float
) -> Tensor:
    """Draw what is proportional to `scale`, which has a gradient."""
    if not needs_gradient(scale):
        return draw_np(where, kind, size, None, ctx, scale=scale)
    shape, _ = fit(where, size, {"scale": scale})
    return (draw(kind, shape, torch.float32, device_of(ctx), 1.0) * scale).float()


def draw_powers(
    where: str, kind: str, size: Size, ctx: Context | None, a: Tensor | float, less: float = 0.0
) -> Tensor:
    """Draw what is, but for `less`, the power of a draw to 1 / `a`, which has a gradient."""
    values = draw_np(where, kind, size, None, ctx, a=a)
    if not (isinstance(a, Tensor) and needs_gradient(a)):
        return values
    above = values + less
    return (values + (above.pow(a.detach() / a) - above)).float()  # the difference is 0


def needs_gradient(*parameters: object) -> bool:
    """Return whether some parameters are arrays that a gradient is computed for."""
    return any(isinstance(value, Tensor) and value.requires_grad for value in parameters)


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
    dtype: DTypeLike | None,
    ctx: Context | None,
    **parameters: Any,
) -> Tensor:
    """Draw with the rules of `nd`: all numbers, or all arrays of one shape.

    With arrays, each of their elements gets `shape` draws. Numbers are read as MXNet's
    operators do.

    Raises
    ------
    InvalidArgumentError
        A number is out of range.
    OperandError
        Numbers and arrays are mixed.
    ShapeError
        Arrays have different shapes.
    """
    if all(type(value) in _PLAIN for value in parameters.values()):
        # Of equal zeros, one may be negative.
        read = _read.__wrapped__ if 0 in parameters.values() else _read
        values = read(where, kind, tuple(parameters), *parameters.values())
        target = float_dtype(where, dtype)
        wanted = (1,) if shape is None else as_shape(shape)
        return draw(kind, wanted, target, device_of(ctx), *values)
    require_limits(where, kind, parameters)
    target = float_dtype(where, dtype)
    arrays = [value for value in parameters.values() if isinstance(value, Tensor)]
    if not arrays:
        values = _parse(where, parameters)
        wanted = (1,) if shape is None else as_shape(shape)
        return draw(kind, wanted, target, device_of(ctx), *values)
    _check_arrays(where, parameters, arrays)
    wanted = () if shape is None else as_shape(shape)
    each = math.prod(wanted)
    shape = (*arrays[0].shape, *wanted)
    flat = [_flat(value) for value in arrays]
    if not (arrays[0].is_cpu and not state.as_module):  # where MXNet's streams spread them
        flat = [value.repeat_interleave(each) for value in flat]
    return draw(kind, shape, target, arrays[0].device, *flat)


@functools.lru_cache(typed=True)
def _read(where: str, kind: str, names: tuple[str, ...], *given: float) -> list[float]:
    """Check numbers and read them, once for all calls with the same ones."""
    parameters = dict(zip(names, given, strict=True))
    require_limits(where, kind, parameters)
    return _parse(where, parameters)


def _parse(where: str, parameters: dict[str, Any]) -> list[float]:
    plain = (_plain(where, name, value) for name, value in parameters.items())
    return [float(parse_float32(value)) for value in plain]


def _flat(value: Tensor) -> Tensor:
    if value.dtype is torch.float32 and value.dim() == 1:
        return value
    return value.float().reshape(-1)


def draw_samples(
    where: str, kind: str, shape: Size, dtype: DTypeLike | None, **parameters: Tensor
) -> Tensor:
    """Draw `shape` values for each element of arrays of parameters."""
    for name, value in parameters.items():
        require_array(where, name, value)
    return draw_nd(where, kind, shape, dtype, None, **parameters)


def draw_like(where: str, kind: str, data: Tensor, **parameters: float) -> Tensor:
    """Draw as many values as an array has."""
    require_limits(where, kind, parameters)
    dtype = float_dtype(where, require_array(where, "data", data).dtype)
    values = [float(parse_float32(value)) for value in parameters.values()]
    return draw(kind, tuple(data.shape), dtype, data.device, *values)


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
    if any(value.shape != arrays[0].shape for value in arrays[1:]):
        shapes = ", ".join(str(tuple(value.shape)) for value in arrays)
        msg = (
            f"{where}: parameters of shapes {shapes} were given. Expected "
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
