"""From floating-point numbers to integers of 8 bits, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.errors import DTypeError
from gluonish.ops.quantized.levels import (
    DTYPES,
    STEPS,
    WHOLE_STEPS,
    at_scale,
    check_integers,
    divided,
    rounded,
    scale,
    step,
    widest,
)
from gluonish.ops.quantized.rules import constant, integers, of_the_same, ranges
from gluonish.ops.table import Quantized, op
from gluonish.ops.table.choices import unknown_choice
from gluonish.ops.table.explain import describe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.ops.quantized.rules import DTypes

_MOST = torch.finfo(torch.float32).max
Ranged = tuple[Tensor, Tensor, Tensor]


def _told(given: Mapping[str, Any], _: DTypes) -> torch.dtype | None:
    """Rule for the result's dtype."""
    return told_dtype(
        "quantize", given["out_type"], given.get("min_calib_range"), given.get("max_calib_range")
    )


@op(
    nd="contrib.quantize",
    outputs=3,
    shapes=ranges("min_range", "max_range"),
    graph=integers(_told, data=torch.float32),
    choices={"out_type": ("int8", "uint8")},
)
@constant
def quantize(data: Tensor, min_range: Tensor, max_range: Tensor, out_type: str = "uint8") -> Ranged:
    """Turn floating-point numbers of a range into integers of 8 bits.

    Parameters
    ----------
    data : Tensor, shape (*)
        Numbers of dtype float32.
    min_range, max_range : Tensor, shape (1,)
        The range. What lies outside becomes the nearest integer that there is.
    out_type : {'uint8', 'int8'}, default 'uint8'
        Dtype of the result. 0 is 0 in both, so that uint8 has no negative numbers.

    Returns
    -------
    Tensor, shape (*)
        The integers: `data * 127 / r` or, for uint8, `data * 255 / r`, rounded, where r is the
        larger magnitude of both ends of the range.
    Tensor, shape (1,)
        The smallest number of the range that they span.
    Tensor, shape (1,)
        The largest one.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, low, high = mx.nd.array([-1, 0.5, 2]), mx.nd.array([-1]), mx.nd.array([2])
    >>> print(mx.nd.contrib.quantize(x, low, high, out_type='int8')[0].asnumpy())
    [-64  32 127]
    """
    _check_floats("quantize", data)
    dtype = _chosen("quantize", out_type, DTYPES)
    low, high = min_range.reshape(-1)[:1], max_range.reshape(-1)[:1]
    top = widest(low, high)
    integers = at_scale(data, divided(WHOLE_STEPS[dtype], top), dtype)
    return (integers, -top, top) if dtype is torch.int8 else (integers, low.clone(), high.clone())


@op(
    nd="contrib.quantize_v2",
    outputs=3,
    graph=integers(_told, data=torch.float32, names_input=True),
    quantized=Quantized(range_of=lambda _, source: source),
    choices={"out_type": ("auto", "int8", "uint8")},
)
@constant
def quantize_v2(
    data: Tensor,
    out_type: str = "int8",
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> Ranged:
    """Turn floating-point numbers into integers of 8 bits, by a calibrated range or their own.

    Parameters
    ----------
    data : Tensor, shape (*)
        Numbers of dtype float32. Integers of 8 bits stay as they are.
    out_type : {'int8', 'uint8', 'auto'}, default 'int8'
        Dtype of the result; with `'auto'` uint8 for a calibrated range without negative numbers.
    min_calib_range, max_calib_range : float, optional
        The range; by default that of the data.

    Returns
    -------
    Tensor, shape (*)
        The integers: `data * 127.5 / r` or, for uint8, `data * 255.5 / r`, rounded, where r is the
        larger magnitude of both ends of the range.
    Tensor, shape (1,)
        The smallest number of the range that they span.
    Tensor, shape (1,)
        The largest one.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([-1, 0.5, 2])
    >>> integers, low, high = mx.nd.contrib.quantize_v2(x, out_type='int8')
    >>> print(integers.asnumpy(), low.asscalar(), high.asscalar())
    [-64  32 127] -2.0 2.0
    """
    dtype = told_dtype("quantize_v2", out_type, min_calib_range, max_calib_range)
    if data.dtype in STEPS:
        low, high = calibrated(min_calib_range, max_calib_range, data)
        if min_calib_range is None or max_calib_range is None:
            high = low.new_full((1,), STEPS[data.dtype])
            low = -high if data.dtype is torch.int8 else low.new_zeros((1,))
        return data.to(dtype, copy=True), low, high  # the same bits
    _check_floats("quantize_v2", data)
    low, high = calibrated(min_calib_range, max_calib_range, data)
    integers = at_scale(data, scale(dtype, low, high), dtype)
    if dtype is torch.int8:
        high = widest(low, high)
        low = -high
    return integers, low, high


@op(
    nd="contrib.quantize_asym",
    outputs=3,
    output_names=("output", "scale", "shift"),
    graph=integers(torch.uint8, data=torch.float32),
)
@constant
def quantize_asym(
    data: Tensor, min_calib_range: float | None = None, max_calib_range: float | None = None
) -> Ranged:
    """Spread floating-point numbers of a range over all integers from 0 to 255.

    Parameters
    ----------
    data : Tensor, shape (*)
        Numbers of dtype float32.
    min_calib_range, max_calib_range : float, optional
        The range; by default that of the data.

    Returns
    -------
    Tensor, shape (*)
        The integers: `data * scale + shift`, rounded.
    Tensor, shape (1,)
        The scale.
    Tensor, shape (1,)
        The shift.

    Notes
    -----
    MXNet 1.9.1 ends the process here on CPUs; the formula is that of its documentation.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([-1, 0, 1])
    >>> integers, scale, shift = mx.nd.contrib.quantize_asym(x)
    >>> print(integers.asnumpy(), scale.asscalar(), shift.asscalar())
    [  0 128 255] 127.5 127.5
    """
    _check_floats("quantize_asym", data)
    low, high = calibrated(min_calib_range, max_calib_range, data)
    by = 255.0 / (high - low)
    shift = 255.0 - high * by
    return rounded((data * by + shift).nan_to_num(0.0), torch.uint8), by, shift


@op(
    nd="contrib.dequantize",
    shapes=ranges("min_range", "max_range"),
    graph=integers(torch.float32, 1),
    quantized=Quantized(role="floats"),
)
@constant
def dequantize(
    data: Tensor,
    min_range: Tensor,
    max_range: Tensor,
    out_type: str = "float32",
) -> Tensor:
    """Turn integers of 8 bits back into the floating-point numbers that they stand for.

    Parameters
    ----------
    data : Tensor, shape (*)
        Integers of dtype int8 or uint8.
    min_range, max_range : Tensor, shape (1,)
        The range that they span.
    out_type : {'float32'}, default 'float32'
        Dtype of the result.

    Returns
    -------
    Tensor, shape (*)
        The integers times `r / 127.5` or, for uint8, `r / 255.5`, where r is the larger magnitude
        of both ends of the range.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, low, high = mx.nd.array([-51, 102], dtype='int8'), mx.nd.array([-1]), mx.nd.array([1])
    >>> print(mx.nd.contrib.dequantize(x, low, high).asnumpy().round(3))
    [-0.4  0.8]
    """
    _chosen("dequantize", out_type, {"float32": torch.float32})
    check_integers("dequantize", data=data)
    return data.float() * step(data.dtype, min_range, max_range)


@op(
    nd="contrib.requantize",
    outputs=3,
    shapes=ranges("min_range", "max_range"),
    graph=integers(_told, data=torch.int32),
    quantized=Quantized(role="narrow", range_of=of_the_same("requantize_")),
    choices={"out_type": ("auto", "int8", "uint8")},
)
@constant
def requantize(
    data: Tensor,
    min_range: Tensor,
    max_range: Tensor,
    out_type: str = "int8",
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> Ranged:
    """Turn integers of 32 bits, the sums of products, into integers of 8 bits.

    Parameters
    ----------
    data : Tensor, shape (*)
        Integers of dtype int32.
    min_range, max_range : Tensor, shape (1,)
        The range that all integers of 32 bits span.
    out_type : {'int8', 'uint8', 'auto'}, default 'int8'
        Dtype of the result; with `'auto'` uint8 for a calibrated range without negative numbers.
    min_calib_range, max_calib_range : float, optional
        The range of the result; by default what the data fills of its own.

    Returns
    -------
    Tensor, shape (*)
        Integers of 8 bits.
    Tensor, shape (1,)
        The smallest number of the range that they span.
    Tensor, shape (1,)
        The largest one.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([-1000, 500, 2000], dtype='int32')
    >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
    >>> print(mx.nd.contrib.requantize(x, low, high)[0].asnumpy())
    [-64  32 127]
    """
    if data.dtype is not torch.int32:
        msg = (
            f"requantize: data is an {describe(data)}. Expected int32, the sums of products. Pass "
            f"what quantized_fully_connected or quantized_conv returned."
        )
        raise DTypeError(msg)
    dtype = told_dtype("requantize", out_type, min_calib_range, max_calib_range)
    unit = widest(min_range, max_range) / WHOLE_STEPS[torch.int32]
    values = data.float() * unit
    top = widest(*calibrated(min_calib_range, max_calib_range, values))
    integers = at_scale(values, divided(WHOLE_STEPS[dtype], top), dtype)
    return integers, (-top if dtype is torch.int8 else torch.zeros_like(top)), top


def calibrated(low: float | None, high: float | None, data: Tensor) -> tuple[Tensor, Tensor]:
    """Return a calibrated range as arrays of shape (1,); that of the data where there is none."""
    if low is not None and high is not None:
        return data.new_full((1,), low, dtype=torch.float32), data.new_full(
            (1,), high, dtype=torch.float32
        )
    if data.is_floating_point():  # NaN is in no range, and no number at all makes MXNet's limits
        least = data.nan_to_num(_MOST, torch.inf, -torch.inf).min()
        most = data.nan_to_num(-_MOST, torch.inf, -torch.inf).max()
        return least.float().reshape(1), most.float().reshape(1)
    return data.min().float().reshape(1), data.max().float().reshape(1)


def told_dtype(where: str, out_type: str, low: float | None, high: float | None) -> torch.dtype:
    """Return the dtype that a word and a calibrated range tell; half a range is none."""
    if out_type == "auto":
        is_above = low is not None and high is not None and low >= 0
        return torch.uint8 if is_above else torch.int8
    return _chosen(where, out_type, DTYPES, "auto")


def _chosen(where: str, word: str, choices: dict[str, torch.dtype], *more: str) -> torch.dtype:
    if word not in choices:
        raise unknown_choice(word, where, "out_type", [*choices, *more])
    return choices[word]


def _check_floats(where: str, data: Tensor) -> None:
    if data.dtype is not torch.float32:
        msg = (
            f"{where}: data is an {describe(data)}. Expected float32. Convert it with "
            f"x.astype('float32')."
        )
        raise DTypeError(msg)
