"""Arithmetic of two arrays, or of an array and a number, with their operators."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import number_in
from gluonish.ops.elementwise.pairs import broadcasting, of_one_shape, same_shape
from gluonish.ops.table import EXACT, FULL, Graph, Precision, Quantized, op
from gluonish.ops.table.explain import refuse_pair
from gluonish.ops.table.operands import Value, as_float, promoted, settle, without_bool

if TYPE_CHECKING:
    from collections.abc import Callable


_NUMBERS = frozenset((int, float))


@of_one_shape(
    "elemwise_add", "_plus", "_Plus", "_add", python=("add",),
    sparse="adds", precision=Precision("widest", others={"_add": EXACT}),
    quantized=Quantized("_contrib_quantized_elemwise_add", role="sum", is_wide=True),
)  # fmt: skip
@broadcasting(
    "broadcast_add", "broadcast_plus", python=("add",),
    sparse="adds by operators", np="add", method=("__add__", "__radd__"),
)  # fmt: skip
def add(lhs: Tensor | float, rhs: Tensor | float) -> Tensor:
    """Add element by element, with broadcasting.

    Notes
    -----
    A number takes the dtype of the array: `int32` plus 1.5 adds 1. This holds for all of
    arithmetic. Arrays of different dtypes, which MXNet 1.9.1 refuses in `nd`, are promoted.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([1, 2]) + mx.np.array([[10], [20]])
    array([[11., 12.],
           [21., 22.]])
    """
    try:
        if type(lhs) is Tensor and lhs.is_floating_point() and _is_like(rhs, lhs):
            return lhs + rhs
        lhs, rhs = settle(lhs, rhs)
        return lhs + rhs  # type: ignore[return-value]
    except (RuntimeError, TypeError) as error:
        refuse_pair("add", lhs, rhs, error)


@of_one_shape("elemwise_sub", "_minus", "_Minus", "_sub", python=("subtract",), sparse="subtracts")
@broadcasting(
    "broadcast_sub", "broadcast_minus", python=("subtract",),
    sparse="subtracts by operators", np="subtract", method="__sub__",
)  # fmt: skip
def subtract(lhs: Tensor | float, rhs: Tensor | float) -> Tensor:
    """Subtract element by element, with broadcasting.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([1, 2]) - 3
    array([-2., -1.])
    """
    try:
        if type(lhs) is Tensor and lhs.is_floating_point() and _is_like(rhs, lhs):
            return lhs - rhs
        lhs, rhs = settle(lhs, rhs)
        return lhs - rhs  # type: ignore[return-value]
    except (RuntimeError, TypeError) as error:
        numbers = without_bool(lhs, rhs)
        if numbers is not None:
            return subtract(*numbers)
        refuse_pair("subtract", lhs, rhs, error)


@op(method="__rsub__")
def reversed_subtract(lhs: Tensor, rhs: Tensor | float) -> Tensor:
    """Subtract the array from what stands before it.

    Examples
    --------
    >>> import gluonish as mx
    >>> 3 - mx.np.array([1, 2])
    array([2., 1.])
    """
    return subtract(rhs, lhs)


@of_one_shape(
    "elemwise_mul", "_mul", "_Mul", python=("multiply",), sparse="multiplies in either order",
    quantized=Quantized("_contrib_quantized_elemwise_mul", is_wide=True),
)  # fmt: skip
@broadcasting(
    "broadcast_mul", python=("multiply",),
    sparse="multiplies by operators", bfloat16="full",
    np="multiply", method=("__mul__", "__rmul__"),
)  # fmt: skip
def multiply(lhs: Tensor | float, rhs: Tensor | float) -> Tensor:
    """Multiply element by element, with broadcasting.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([1, 2]) * 3
    array([3., 6.])
    """
    try:
        if type(lhs) is Tensor and lhs.is_floating_point() and _is_like(rhs, lhs):
            return lhs * rhs
        lhs, rhs = settle(lhs, rhs)
        return lhs * rhs  # type: ignore[return-value]
    except (RuntimeError, TypeError) as error:
        refuse_pair("multiply", lhs, rhs, error)


@of_one_shape("elemwise_div", "_div", "_Div", python=("divide",), sparse="divides by numbers")
@broadcasting(
    "broadcast_div", python=("divide", "true_divide"), sparse="divides", nd_method="__truediv__"
)
def divide(lhs: Tensor | float, rhs: Tensor | float) -> Tensor:
    """Divide element by element, with broadcasting; integers give integers.

    Notes
    -----
    As in MXNet's `nd`, integers are divided towards zero. `mx.np.divide` divides truly.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.divide(mx.nd.array([3, 5]), 2).asnumpy()
    array([1.5, 2.5], dtype=float32)
    >>> mx.nd.divide(mx.nd.array([-3, 5], dtype='int32'), 2).asnumpy()
    array([-1,  2], dtype=int32)
    """
    try:
        if type(lhs) is Tensor and lhs.is_floating_point() and _is_like(rhs, lhs):
            return lhs / rhs
        lhs, rhs = settle(lhs, rhs)
        if _are_integers(lhs, rhs):
            return _divide_integers(lhs, rhs)
        return lhs / rhs  # type: ignore[return-value]
    except (RuntimeError, TypeError, ZeroDivisionError) as error:
        refuse_pair("divide", lhs, rhs, error)


@op(nd_method="__rtruediv__")
def reversed_divide(lhs: Tensor, rhs: Tensor | float) -> Tensor:
    """Divide what stands before the array by it.

    Examples
    --------
    >>> import gluonish as mx
    >>> (2 / mx.nd.array([1, 4])).asnumpy()
    array([2. , 0.5], dtype=float32)
    """
    return divide(rhs, lhs)


@op(
    np=("true_divide", "divide"),
    np_method="__truediv__",
    shapes=same_shape,
    graph=Graph(hint="true_divide"),
)
def true_divide(x1: Tensor | float, x2: Tensor | float) -> Tensor:
    """Divide element by element, with broadcasting; integers give float32.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([3, 5], dtype='int32') / 2
    array([1.5, 2.5])
    """
    try:
        if isinstance(x1, Tensor) and isinstance(x2, Tensor):
            x1, x2 = promoted(x1, x2)
        return x1 / x2  # type: ignore[return-value]
    except (RuntimeError, TypeError) as error:
        refuse_pair("true_divide", x1, x2, error)


@op(np_method="__rtruediv__")
def reversed_true_divide(x1: Tensor, x2: Tensor | float) -> Tensor:
    """Divide what stands before the array by it.

    Examples
    --------
    >>> import gluonish as mx
    >>> 2 / mx.np.array([1, 4])
    array([2. , 0.5])
    """
    return true_divide(x2, x1)


@of_one_shape("_mod", "_Mod")
@broadcasting(
    "broadcast_mod",
    python=("modulo",),
    np=("mod", "remainder"),
    method="__mod__",
    graph=Graph(hint={"remainder": "mod"}),
)
def modulo(lhs: Tensor | float, rhs: Tensor | float) -> Tensor:
    """Return the remainder of the division, with the sign of the divisor; 0 where that is 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([5, -5, 5]) % mx.np.array([3, 3, 0])
    array([2., 1., 0.])
    """
    lhs, rhs = settle(lhs, rhs)
    try:
        if not isinstance(rhs, Tensor):
            return torch.zeros_like(lhs) if _is_zero(rhs, lhs) else torch.remainder(lhs, rhs)  # type: ignore[arg-type]
        if not isinstance(lhs, Tensor):
            lhs = _like(lhs, rhs)
        is_zero = rhs == 0
        divisor = torch.where(is_zero, torch.ones_like(rhs), rhs)
        rest = torch.remainder(lhs, divisor)
        return torch.where(is_zero, torch.zeros_like(rest), rest)
    except (RuntimeError, TypeError) as error:
        refuse_pair("modulo", lhs, rhs, error)


@op(method="__rmod__")
def reversed_modulo(lhs: Tensor, rhs: Tensor | float) -> Tensor:
    """Return the remainder of dividing what stands before the array by it.

    Examples
    --------
    >>> import gluonish as mx
    >>> 5 % mx.np.array([3, 4])
    array([2., 1.])
    """
    return modulo(rhs, lhs)


@op(
    nd="power",
    functions=("power",),
    np="power",
    method="__pow__",
    shapes=same_shape,
    precision=Precision(like="broadcast_power"),
)
def power(base: Tensor | float, exp: Tensor | float) -> Tensor:
    """Raise to a power element by element, with broadcasting.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([2, 3]) ** 2
    array([4., 9.])
    """
    try:
        if type(base) is Tensor and base.is_floating_point() and _is_like(exp, base):
            if type(exp) is Tensor and exp.dtype is torch.bool:
                exp = exp.to(base.dtype)  # torch's gradient subtracts from it
            return base**exp
        base, exp = settle(base, exp)
        if _are_integers(base, exp):  # MXNet asks the C library's `powf`
            dtype = torch.result_type(base, exp)
            return torch.pow(_as_single(base), _as_single(exp)).to(dtype)
        return base**exp
    except (RuntimeError, TypeError) as error:
        return _with_fitting(power, base, exp, error)


@of_one_shape("_power", "_Power", precision=FULL)
@op(nd="broadcast_power", shapes=same_shape, precision=FULL)
def broadcast_power(lhs: Tensor | float, rhs: Tensor | float) -> Tensor:
    """Raise to a power element by element, with broadcasting.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.broadcast_power(mx.nd.array([2, 3]), mx.nd.array([3])).asnumpy()
    array([ 8., 27.], dtype=float32)
    """
    return power(lhs, rhs)


@op(method="__rpow__")
def reversed_power(exp: Tensor, base: Tensor | float) -> Tensor:
    """Raise what stands before the array to the power of its elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> 2 ** mx.np.array([3, 4])
    array([ 8., 16.])
    """
    return power(base, exp)


@op(np="floor_divide", np_method="__floordiv__", shapes=same_shape)
def floor_divide(x1: Tensor | float, x2: Tensor | float) -> Tensor:
    """Divide element by element and round down; integers and fractions give fractions.

    Notes
    -----
    MXNet 1.9.1 does not have it.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([5, -5]) // 2
    array([ 2., -3.])
    """
    x1, x2 = settle(*_with_fractions(x1, x2))
    try:
        return torch.floor_divide(x1, x2)
    except (RuntimeError, TypeError) as error:
        refuse_pair("floor_divide", x1, x2, error)


@op(np_method="__rfloordiv__")
def reversed_floor_divide(x1: Tensor, x2: Tensor | float) -> Tensor:
    """Divide what stands before the array by it and round down.

    Examples
    --------
    >>> import gluonish as mx
    >>> 5 // mx.np.array([2, 3])
    array([2., 1.])
    """
    x1, x2 = _with_fractions(x1, x2)
    return floor_divide(torch.as_tensor(x2, dtype=x1.dtype, device=x1.device), x1)


@op(np="fmod", shapes=same_shape)
def fmod(x1: Tensor | float, x2: Tensor | float) -> Tensor:
    """Return the remainder of the division, with the sign of the dividend.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.fmod(mx.np.array([5, -5]), 3)
    array([ 2., -2.])
    """
    return _pairwise("fmod", torch.fmod, *_with_fractions(x1, x2))


def _with_fractions(x1: Value, x2: Value) -> tuple[Value, Value]:
    """Return integers beside a fraction as float32, where MXNet has no operator that says else."""
    if isinstance(x2, (float, onp.floating)):
        x1 = as_float(x1)
    elif isinstance(x1, (float, onp.floating)):
        x2 = as_float(x2)
    return x1, x2


@of_one_shape("_maximum", "_Maximum", sparse="takes both")
@broadcasting("broadcast_maximum", python=("maximum",), np="maximum", file="broadcast_maximum")
def maximum(lhs: Tensor | float, rhs: Tensor | float) -> Tensor:
    """Return the larger of two elements each, with broadcasting.

    Notes
    -----
    Where both are equal the gradient goes to the first operand.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.maximum(0, mx.np.array([-1, 2]))
    array([0., 2.])
    """
    try:
        if type(lhs) is Tensor and type(rhs) in _NUMBERS and lhs.is_floating_point():
            return torch.clamp(lhs, min=rhs)
        lhs, rhs = settle(lhs, rhs)
        if not isinstance(rhs, Tensor):
            return torch.clamp(lhs, min=rhs)  # type: ignore[arg-type]
        if not isinstance(lhs, Tensor):
            return torch.clamp(rhs, min=lhs)
        if lhs.requires_grad or rhs.requires_grad:
            either = torch.where(lhs < rhs, rhs, lhs)
            return torch.where(lhs.isnan() | rhs.isnan(), math.nan, either)
        return torch.maximum(lhs, rhs)
    except (RuntimeError, TypeError) as error:
        return _with_fitting(maximum, lhs, rhs, error)


@of_one_shape("_minimum", "_Minimum", sparse="takes both")
@broadcasting("broadcast_minimum", python=("minimum",), np="minimum", file="broadcast_minimum")
def minimum(lhs: Tensor | float, rhs: Tensor | float) -> Tensor:
    """Return the smaller of two elements each, with broadcasting.

    Notes
    -----
    Where both are equal the gradient goes to the first operand.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.minimum(mx.np.array([-1, 2]), 0)
    array([-1.,  0.])
    """
    try:
        if type(lhs) is Tensor and type(rhs) in _NUMBERS and lhs.is_floating_point():
            return torch.clamp(lhs, max=rhs)
        lhs, rhs = settle(lhs, rhs)
        if not isinstance(rhs, Tensor):
            return torch.clamp(lhs, max=rhs)  # type: ignore[arg-type]
        if not isinstance(lhs, Tensor):
            return torch.clamp(rhs, max=lhs)
        if lhs.requires_grad or rhs.requires_grad:
            either = torch.where(lhs > rhs, rhs, lhs)
            return torch.where(lhs.isnan() | rhs.isnan(), math.nan, either)
        return torch.minimum(lhs, rhs)
    except (RuntimeError, TypeError) as error:
        return _with_fitting(minimum, lhs, rhs, error)


@of_one_shape("_hypot", "_Hypot", sparse="takes both", precision=FULL)
@op(nd=("broadcast_hypot",), np="hypot", shapes=same_shape, precision=FULL)
def hypot(lhs: Tensor | float, rhs: Tensor | float) -> Tensor:
    """Return the square root of the sum of two squares, with broadcasting.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.hypot(mx.np.array([3, 5]), mx.np.array([4, 12]))
    array([ 5., 13.])
    """
    return _pairwise("hypot", torch.hypot, lhs, rhs)


@op(np="arctan2", shapes=same_shape)
def arctan2(x1: Tensor | float, x2: Tensor | float) -> Tensor:
    """Return the angle of the point (x2, x1), in radians in (-pi, pi].

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.arctan2(mx.np.array([0, 1]), mx.np.array([1, 0])).asnumpy().round(4)
    array([0.    , 1.5708], dtype=float32)
    """
    return _pairwise("arctan2", torch.arctan2, x1, x2)


@op(np="copysign", shapes=same_shape)
def copysign(x1: Tensor | float, x2: Tensor | float) -> Tensor:
    """Return the first operand with the signs of the second.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.copysign(mx.np.array([1, -2]), -1)
    array([-1., -2.])
    """
    return _pairwise("copysign", _with_sign, x1, x2)


def _with_sign(size: Tensor | float, sign: Tensor | float) -> Tensor:
    if not any(isinstance(x, Tensor) and x.is_floating_point() for x in (size, sign)):
        return torch.copysign(size, sign)  # type: ignore[arg-type]
    # The gradient is 1 or -1 also at 0 and at infinity, where torch's is not.
    sized, signed = (x if isinstance(x, Tensor) else torch.as_tensor(x) for x in (size, sign))
    same = ((sized >= 0) & (signed >= 0)) | ((sized < 0) & (signed < 0))
    return torch.where(same, sized, -sized)


@op(np="ldexp", shapes=same_shape)
def ldexp(x1: Tensor | float, x2: Tensor | float) -> Tensor:
    """Return `x1 * 2**x2`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.ldexp(mx.np.array([1, 3]), mx.np.array([2, 1]))
    array([4., 6.])
    """
    return _pairwise("ldexp", _ldexp, x1, x2)


def _ldexp(mantissa: Tensor, exponent: Tensor) -> Tensor:
    return mantissa * torch.exp2(exponent)


def _pairwise(
    name: str,
    function: Callable[[Tensor, Tensor], Tensor],
    lhs: Tensor | float,
    rhs: Tensor | float,
) -> Tensor:
    """Call a function of two float tensors; integers are computed in float, then truncated."""
    lhs, rhs = settle(lhs, rhs)
    if type(rhs) is int:
        rhs = number_in(rhs, lhs.dtype)  # type: ignore[union-attr]
    elif type(lhs) is int:
        lhs = number_in(lhs, rhs.dtype)  # type: ignore[union-attr]
    try:
        dtype = torch.result_type(lhs, rhs)
        lhs, rhs = _both_tensors(as_float(lhs), as_float(rhs))
        result: Tensor = function(lhs, rhs)
        return result if result.dtype is dtype else result.to(dtype=dtype)
    except (RuntimeError, TypeError) as error:
        refuse_pair(name, lhs, rhs, error)


def _with_fitting(
    function: Callable[[Value, Value], Tensor], lhs: Value, rhs: Value, error: Exception
) -> Tensor:
    """Call a function that failed with what its number becomes in the array's dtype, or refuse."""
    for place, (array, number) in enumerate(((lhs, rhs), (rhs, lhs))):
        if isinstance(array, Tensor) and type(number) in _NUMBERS:
            held = number_in(number, array.dtype)
            if held != number and not math.isnan(number):
                return function(held, array) if place else function(array, held)
    return refuse_pair(function.__name__, lhs, rhs, error)


def _like(number: float, tensor: Tensor) -> Tensor:
    held = number_in(number, tensor.dtype)
    return torch.tensor(held, dtype=tensor.dtype, device=tensor.device)


def _is_zero(number: float, tensor: Tensor) -> bool:
    """Return whether a number is 0, or so small that it is 0 in the dtype of a tensor."""
    if number == 0 or abs(number) > 1e-7:  # which every dtype of fractions holds
        return number == 0
    return tensor.is_floating_point() and not torch.tensor(number, dtype=tensor.dtype).item()


def _is_like(value: Value, tensor: Tensor) -> bool:
    """Whether torch computes with both in the tensor's dtype, or one that both have axes for."""
    if type(value) is not Tensor or value.dtype is tensor.dtype:
        return True
    return value.ndim > 0 and tensor.ndim > 0


def _both_tensors(lhs: Value, rhs: Value) -> tuple[Tensor, Tensor]:
    if not isinstance(lhs, Tensor):
        return _like(lhs, rhs), rhs
    if not isinstance(rhs, Tensor):
        return lhs, _like(rhs, lhs)
    return lhs, rhs


def _are_integers(lhs: Value, rhs: Value) -> bool:
    return not any(
        value.is_floating_point() if isinstance(value, Tensor) else isinstance(value, float)
        for value in (lhs, rhs)
    )


def _divide_integers(lhs: Value, rhs: Value) -> Tensor:
    """Divide towards zero; by zero gives the smallest integer, as infinity cast by MXNet does."""
    lhs, rhs = _both_tensors(lhs, rhs)
    is_zero = rhs == 0
    quotient = torch.div(lhs, torch.where(is_zero, 1, rhs), rounding_mode="trunc")
    return torch.where(is_zero, torch.iinfo(quotient.dtype).min, quotient)


def _as_single(value: Value) -> Tensor:
    return torch.as_tensor(value, dtype=torch.float32)
