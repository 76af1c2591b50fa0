"""Functions of one array, element by element: powers, roots, signs, limits and tests."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.array.dtypes import number_in
from gluonish.ops.elementwise.clip_gradient import LEAST, clip_recorded
from gluonish.ops.elementwise.gradients import straight
from gluonish.ops.elementwise.one_array import family, rounded_once
from gluonish.ops.table import (
    EITHER,
    EXACT,
    FULL,
    UNLISTED,
    Graph,
    Precision,
    Quantized,
    Sparse,
    op,
)
from gluonish.ops.table.explain import explained
from gluonish.ops.table.inference import elementwise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_WIDE = (torch.float32, torch.float64)
_NUMBERS = {int, float}
_MOST = 2.0**127

_family = partial(family, __name__)


@rounded_once
def _rsqrt_like_cbrt(data: Tensor) -> Tensor:
    return torch.reciprocal(_cbrt(data))


@rounded_once
def _cbrt(data: Tensor) -> Tensor:
    if not (data.is_floating_point() or data.dtype is torch.bool):
        root = _cbrt(data.to(torch.float64))
        whole = root.round()
        return torch.where(whole**3 == data, whole, root)
    is_negative = torch.signbit(data)  # at 0 the gradient is infinite, which abs and sign hide
    root = torch.where(is_negative, -data, data) ** (1 / 3)
    return torch.where(is_negative, -root, root)


def _expm1(data: Tensor) -> Tensor:
    if not data.requires_grad:
        return torch.expm1(data)
    # torch's gradient adds 1 to the result: 0 where exp is too small to change -1.
    return straight(torch.expm1(data.detach()), torch.exp(data))


def _square(data: Tensor) -> Tensor:
    if data.is_floating_point() or data.dtype is torch.bool:
        return torch.square(data)
    return torch.square(data.to(torch.float32)).to(data.dtype)  # which MXNet computes in


def _negative(data: Tensor) -> Tensor:
    return torch.neg(data.to(torch.int64) if data.dtype is torch.bool else data)


def _erfinv(data: Tensor) -> Tensor:
    if data.is_floating_point() or data.dtype is torch.bool:
        return torch.erfinv(data)
    wide = data.to(torch.float64)
    return torch.erfinv(wide).masked_fill(data.abs() > 1, 0)  # not a number, as MXNet's integer


def clamped(data: Tensor, low: float | None, high: float | None) -> Tensor:
    """Return what a range is nearest to; of bounds in the wrong order the upper one is asked first.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.elementwise.functions import clamped
    >>> clamped(torch.tensor([-1, 3]), 2, 0)
    tensor([2, 0])
    """
    if not data.is_floating_point():
        limits = torch.iinfo(data.dtype)
        low = None if low is None or low <= limits.min else math.trunc(low)
        high = None if high is None or high >= limits.max else math.trunc(high)
        beyond = next((each for each in (high, low) if _is_beyond(each, limits)), None)
        if beyond is not None:
            return torch.full_like(data, number_in(beyond, data.dtype))
        if low is None and high is None:
            return data.clone()
    elif data.dtype not in _WIDE:
        low, high = (None if each is None else number_in(each, data.dtype) for each in (low, high))
    if low is None or high is None or not low > high:
        try:
            return torch.clamp(data, low, high)
        except RuntimeError:  # a bound beyond what the dtype holds, as 3.4028235e38 is by a bit
            low, high = (
                None if each is None else _within(each, data.dtype) for each in (low, high)
            )
            return torch.clamp(data, low, high)
    return torch.where(data > high, high, torch.where(data.isnan(), data, low)).to(data.dtype)


def _within(bound: float, dtype: torch.dtype) -> float:
    """Return a bound that a floating-point dtype can hold."""
    most = torch.finfo(dtype).max
    return max(-most, min(most, bound)) if math.isfinite(bound) else bound


def _is_beyond(bound: float | None, limits: torch.iinfo) -> bool:
    return bound is not None and not limits.min <= bound <= limits.max


def softsign(data: Tensor) -> Tensor:
    """Return x / (1 + abs(x)); at infinity it is no number, but its gradient is 0, as in MXNet.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.elementwise.functions import softsign
    >>> softsign(torch.tensor([-1.0, 3.0]))
    tensor([-0.5000,  0.7500])
    """
    if not data.requires_grad:
        return torch.nn.functional.softsign(data)
    # torch's gradient is a difference, which cancels; this one is 1 / (1 + abs(x))**2.
    sign = torch.where(data < 0, -1.0, 1.0).to(data.dtype)
    return straight(torch.nn.functional.softsign(data.detach()), -(sign / (1 + sign * data)))


def _gamma(data: Tensor) -> Tensor:
    wide = data.to(torch.float64)
    is_negative = (wide < 0) & (torch.floor(wide) % 2 != 0)
    size = torch.exp(torch.lgamma(wide))
    gamma = torch.where(is_negative | ((wide == 0) & torch.signbit(wide)), -size, size)
    gamma = gamma.masked_fill((wide < 0) & (torch.floor(wide) == wide), math.nan)
    if data.is_floating_point():
        return gamma.to(data.dtype)
    return gamma.round()  # factorials


_family(FULL, "")(
    ("exp", torch.exp, "e to the power", "0, 1", "1.    , 2.7183"),
    ("log", torch.log, "the natural logarithm", "1, 2", "0.    , 0.6931"),
    ("log2", torch.log2, "the logarithm to base 2", "1, 8", "0., 3."),
    ("log10", torch.log10, "the logarithm to base 10", "1, 100", "0., 2."),
)
_family(FULL, "keeps zeros")(
    ("expm1", _expm1, "e to the power, minus 1,", "0, 1", "0.    , 1.7183"),
    ("log1p", torch.log1p, "the logarithm of 1 plus the value", "0, 1", "0.    , 0.6931"),
)
_family(EXACT, "keeps zeros")(
    ("sqrt", torch.sqrt, "the square root", "4, 9", "2., 3."),
)
_family(FULL, "", np=())(
    ("rsqrt", rounded_once(torch.rsqrt), "1 over the square root", "1, 4", "1. , 0.5"),
)
_family(EITHER, "keeps zeros")(
    ("cbrt", _cbrt, "the cube root", "1, -8", " 1., -2."),
    ("sign", torch.sign, "the sign (-1, 0 or 1)", "-3, 0", "-1.,  0."),
)
_family(FULL, np=())(
    ("rcbrt", _rsqrt_like_cbrt, "1 over the cube root", "1, 8", "1. , 0.5"),
)
_family(Precision("full", "either"), "keeps zeros")(
    ("square", _square, "the square", "2, -3", "4., 9."),
)
_family(FULL)(
    ("reciprocal", torch.reciprocal, "1 over the value", "2, 4", "0.5 , 0.25"),
)
_family(
    Precision("either", "either", others={"_abs": UNLISTED}),
    "keeps zeros",
    nd=("{}", "_internal._{}"),
    np=("absolute", "{}", "fabs"),
    method=("{}", "__{}__"),
    hint={"fabs": "abs"},
)(
    ("abs", torch.abs, "the absolute value", "-1, 2", "1., 2."),
)
_family(EITHER, "keeps zeros", method=("__neg__",))(
    ("negative", _negative, "the negative", "-1, 2", " 1., -2."),
)
_family(EITHER, np=(), npx=("{}",), method=())(
    ("erf", torch.erf, "the error function", "0, 1", "0.    , 0.8427"),
)
_family(FULL, np=(), npx=("{}",), method=())(
    ("erfinv", _erfinv, "the inverse error function", "0, 0.5", "0.    , 0.4769"),
)
_family(FULL, "", np=(), npx=("{}",), method=())(
    ("gamma", _gamma, "the gamma function", "4, 5", " 6., 24."),
    (
        "gammaln",
        torch.lgamma,
        "the logarithm of the gamma function's absolute value",
        "1, 4",
        "0.    , 1.7918",
    ),
)
_family(EXACT, "keeps zeros", np=(), npx=("{}",))(
    ("relu", torch.relu, "the value, or 0 where it is negative,", "-1, 2", "0., 2."),
)
_family(EITHER, "", np=(), npx=("{}",))(
    ("sigmoid", torch.sigmoid, "1 / (1 + exp(-x))", "0, 1", "0.5   , 0.7311"),
)
_family(EITHER, np=(), method=())(
    ("softsign", rounded_once(softsign), "x / (1 + abs(x))", "-1, 3", "-0.5 ,  0.75"),
)


@op(nd="hard_sigmoid", reverse=elementwise, precision=EITHER)
@explained("floating-point numbers. Convert with x.astype('float32')")
def hard_sigmoid(data: Tensor, alpha: float = 0.2, beta: float = 0.5) -> Tensor:
    """Return `alpha * x + beta`, cut to [0, 1].

    Parameters
    ----------
    data : Tensor, any shape
        Floating-point numbers.
    alpha : float, default 0.2
        Slope.
    beta : float, default 0.5
        Value at 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.hard_sigmoid(mx.nd.array([-5, 0, 5])).asnumpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    sloped = alpha * data
    if sloped.dtype is torch.float16:  # as MXNet rounds: the product, then the sum
        sloped = (sloped.float() + beta).to(torch.float16)
    else:
        sloped = sloped + beta
    return torch.nn.functional.hardtanh(sloped, 0.0, 1.0)


@op(nd="logical_not", reverse=elementwise, precision=EITHER)
def logical_not(data: Tensor) -> Tensor:
    """Return 1 where the element is 0, else 0, in the dtype of the data.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.logical_not(mx.nd.array([0, 2])).asnumpy()
    array([1., 0.], dtype=float32)
    """
    return torch.logical_not(data).to(dtype=data.dtype)


@op(np="logical_not")
def logical_not_boolean(x: Tensor) -> Tensor:
    """Return whether each element is 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.logical_not(mx.np.array([0, 2]))
    array([ True, False])
    """
    return torch.logical_not(x)


@op(np="positive", np_method="__pos__")
def positive(x: Tensor) -> Tensor:
    """Return a copy of the elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> +mx.np.array([-1, 2])
    array([-1.,  2.])
    """
    return x.clone()


def _bounded_in_kernels(given: Mapping[str, Any]) -> tuple[str, tuple[float, ...]] | None:
    """Rule for the activation of quantized layers: a bounded ReLU."""
    return ("hardtanh", (0.0, float(given["a_max"]))) if given["a_min"] == 0 else None


@op(
    nd="clip",
    nd_method="clip",
    reverse=elementwise,
    precision=EXACT,
    sparse=Sparse("clips", names=("clip",)),
    quantized=Quantized(role="activation", after=_bounded_in_kernels),
)
@explained("numbers and two bounds. Write clip(x, a_min, a_max)")
def clip(data: Tensor, a_min: float, a_max: float) -> Tensor:
    """Cut values to the range from `a_min` to `a_max`.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    a_min, a_max : float
        Bounds. At the bounds themselves the gradient passes.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.clip(mx.nd.array([-1, 0.5, 2]), 0, 1).asnumpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    if data.requires_grad and data.dtype is torch.float32 and data.is_cpu:
        is_range = {type(a_min), type(a_max)} <= _NUMBERS and -_MOST < a_min <= a_max < _MOST
        if is_range and data.numel() >= LEAST and not torch.compiler.is_exporting():
            return clip_recorded(data, a_min, a_max)
    return clamped(data, a_min, a_max)


def _register_test(name: str, function: Callable[[Tensor], Tensor], what: str, shown: str) -> None:
    """Register a test of each element: booleans in `np`, numbers in `nd.contrib`."""

    def numbers(data: Tensor) -> Tensor:
        return function(data).to(data.dtype)

    def booleans(x: Tensor) -> Tensor:
        return function(x)

    given = "[1., float('inf'), -float('inf'), float('nan')]"
    numbers.__name__ = booleans.__name__ = name
    as_numbers = shown.replace("False", "0.").replace(" True", "1.").replace("True", "1.")
    numbers.__doc__ = f"""Return 1 where an element {what}, else 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.{name}(mx.nd.array({given})).asnumpy()
    array({as_numbers}, dtype=float32)
    """
    booleans.__doc__ = f"""Return whether each element {what}.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.{name}(mx.np.array({given}))
    array({shown})
    """
    nd = () if name in ("isposinf", "isneginf") else (f"contrib.{name}",)
    if nd:
        op(nd=nd, functions=nd)(numbers)
    op(np=name)(booleans)


_register_test("isnan", torch.isnan, "is not a number", "[False, False, False,  True]")
_register_test("isinf", torch.isinf, "is infinite", "[False,  True,  True, False]")
_register_test("isfinite", torch.isfinite, "is finite", "[ True, False, False, False]")
_register_test("isposinf", torch.isposinf, "is plus infinity", "[False,  True, False, False]")
_register_test("isneginf", torch.isneginf, "is minus infinity", "[False, False,  True, False]")


@op(
    nd="contrib.quadratic",
    reverse=elementwise,
    graph=Graph(names_input=True),
    precision=EITHER,
)
def quadratic(data: Tensor, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Tensor:
    """Return `a * x**2 + b * x + c`.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    a, b, c : float, default 0.0
        Coefficients.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.quadratic(mx.nd.array([2]), a=1, b=2, c=3).asnumpy()
    array([11.], dtype=float32)
    """
    return ((a * data + b) * data + c).to(data.dtype)
