"""What quantized networks compute besides products: activations, poolings, sums, joined arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.nn.activation import ACTIVATIONS
from gluonish.ops.nn.dense import embedding
from gluonish.ops.nn.layouts import Sizes  # noqa: TC001 - the table reads the annotations
from gluonish.ops.nn.pooling import CONVENTIONS, POOLINGS, pooling
from gluonish.ops.quantized.casting import Ranged, calibrated
from gluonish.ops.quantized.levels import (
    WHOLE_STEPS,
    at_scale,
    check_integers,
    product_range,
    scale,
    step,
    widest,
)
from gluonish.ops.quantized.rules import (
    RANGED,
    constant,
    integers,
    joined,
    of_pair,
    of_the_same,
    ranges,
    same,
)
from gluonish.ops.table import Graph, Quantized, op
from gluonish.ops.table.choices import LAYOUTS, unknown_choice
from gluonish.ops.table.explain import describe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.array.dtypes import DTypeLike
    from gluonish.ops.quantized.rules import DTypes
    from gluonish.ops.table import Shape

_DATA_ENDS: dict[str, Any] = {
    "shapes": ranges("min_data", "max_data"),
    "graph": integers(same),
    **RANGED,
}
_PAIR_ENDS = ranges("lhs_min", "lhs_max", "rhs_min", "rhs_max")


@op(
    nd="contrib.quantized_act",
    **_DATA_ENDS,
    choices={"act_type": tuple(ACTIVATIONS)},
)
@constant
def quantized_act(data: Tensor, min_data: Tensor, max_data: Tensor, act_type: str) -> Ranged:
    """Replace negative integers by 0.

    Parameters
    ----------
    data : Tensor, shape (*)
        Integers of dtype int8 or uint8.
    min_data, max_data : Tensor, shape (1,)
        The range that they span.
    act_type : {'relu'}
        The activation.

    Returns
    -------
    Tensor, shape (*)
        The integers.
    Tensor, shape (1,)
        `min_data`.
    Tensor, shape (1,)
        `max_data`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, low, high = mx.nd.array([-5, 7], dtype='int8'), mx.nd.array([-1]), mx.nd.array([1])
    >>> print(mx.nd.contrib.quantized_act(x, low, high, act_type='relu')[0].asnumpy())
    [0 7]
    """
    if act_type != "relu":
        raise unknown_choice(act_type, "quantized_act", "act_type", ["relu"])
    check_integers("quantized_act", data=data)
    return torch.relu(data), min_data.clone(), max_data.clone()


@op(nd="contrib.quantized_flatten", **_DATA_ENDS)
@constant
def quantized_flatten(data: Tensor, min_data: Tensor, max_data: Tensor) -> Ranged:
    """Give each example of quantized data one axis.

    Parameters
    ----------
    data : Tensor, shape (batch, *)
        Integers.
    min_data, max_data : Tensor, shape (1,)
        The range that they span.

    Returns
    -------
    Tensor, shape (batch, features)
        The integers.
    Tensor, shape (1,)
        `min_data`.
    Tensor, shape (1,)
        `max_data`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, low, high = mx.nd.ones((2, 3, 4), dtype='int8'), mx.nd.array([-1]), mx.nd.array([1])
    >>> mx.nd.contrib.quantized_flatten(x, low, high)[0].shape
    (2, 12)
    """
    return data.reshape(data.shape[0], -1), min_data.clone(), max_data.clone()


@op(
    nd="contrib.quantized_pooling",
    quantized=Quantized(role="passes"),
    **_DATA_ENDS,
    choices={"pool_type": POOLINGS, "pooling_convention": CONVENTIONS, "layout": LAYOUTS},
)
@constant
def quantized_pooling(
    data: Tensor,
    min_data: Tensor,
    max_data: Tensor,
    kernel: Sizes = (),
    pool_type: str = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,  # noqa: ARG001 - a hint to MXNet's own kernels
    pooling_convention: str = "valid",
    stride: Sizes = (),
    pad: Sizes = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: str | None = None,
) -> Ranged:
    """Reduce each window of quantized data to one integer per channel.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *sizes)
        Integers of dtype int8 or uint8.
    min_data, max_data : Tensor, shape (1,)
        The range that they span.
    pool_type : {'max', 'avg'}, default 'max'
        What is computed of a window; averages are rounded.
    kernel, global_pool, pooling_convention, stride, pad, p_value, count_include_pad, layout
        As those of `Pooling`.
    cudnn_off : bool, default False
        Hint to MXNet's own kernels, which torch's do not need.

    Returns
    -------
    Tensor, shape (batch, channels, *sizes)
        The integers.
    Tensor, shape (1,)
        `min_data`.
    Tensor, shape (1,)
        `max_data`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[[[10, 30, 20, 5]]]], dtype='int8')
    >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
    >>> found = mx.nd.contrib.quantized_pooling(x, low, high, kernel=(1, 2), stride=(1, 2))
    >>> print(found[0].asnumpy())
    [[[[30 20]]]]
    """
    if pool_type not in ("max", "avg"):
        raise unknown_choice(pool_type, "quantized_pooling", "pool_type", ["max", "avg"])
    check_integers("quantized_pooling", data=data)
    if global_pool and pool_type == "avg" and data.dim() == 4 and layout in (None, "NCHW"):
        found = data.mean((2, 3), keepdim=True, dtype=torch.float32)
    else:
        found = pooling(
            data.float(), kernel, pool_type, global_pool, False, pooling_convention, stride, pad,
            p_value, count_include_pad, layout,
        )  # fmt: skip
    found = (found.round() if pool_type == "avg" else found).to(data.dtype)
    return found, min_data.clone(), max_data.clone()


def _joined_dtypes(
    names: Sequence[str], given: Mapping[str, Any], dtypes: DTypes
) -> tuple[list[torch.dtype | None], list[torch.dtype | None]]:
    """Rule: ranges follow the arrays, two numbers for each."""
    count = len(names) // 3
    known = [*[None] * count, *[torch.float32] * (2 * count)]
    return known, [joined(given, dtypes[:count]), torch.float32, torch.float32]


@op(
    nd="contrib.quantized_concat",
    graph=Graph(dtypes=_joined_dtypes),
    quantized=Quantized(role="join"),
    **RANGED,
)
@constant
def quantized_concat(*data: Tensor, num_args: int | None = None, dim: int = 1) -> Ranged:
    """Join quantized arrays along an axis, in the widest of their ranges.

    Parameters
    ----------
    *data : Tensor
        The arrays, then both ends of the range of each: `a, b, min_a, max_a, min_b, max_b`.
    num_args : int, optional
        How many arrays there are, ranges not counted; a third of what was given.
    dim : int, default 1
        The axis.

    Returns
    -------
    Tensor
        The integers: int8 where one of the arrays has that dtype.
    Tensor, shape (1,)
        The smallest number of the range that they span.
    Tensor, shape (1,)
        The largest one.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, y = mx.nd.array([[100]], dtype='int8'), mx.nd.array([[100]], dtype='int8')
    >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
    >>> found = mx.nd.contrib.quantized_concat(x, y, low, high, 2 * low, 2 * high, num_args=2)
    >>> print(found[0].asnumpy(), found[2].asscalar())
    [[ 50 100]] 2.0
    """
    count = len(data) // 3
    if len(data) != 3 * count or not count or num_args not in (None, count, len(data)):
        msg = (
            f"quantized_concat: {len(data)} arrays and num_args={num_args} were given. Expected "
            f"arrays, then two ends of a range for each, and the number of the former. Pass those."
        )
        raise InvalidArgumentError(msg)
    arrays, lows, highs = data[:count], data[count::2], data[count + 1 :: 2]
    check_integers("quantized_concat", **{f"array {i}": array for i, array in enumerate(arrays)})
    low, high = lows[0], highs[0]
    for other_low, other_high in zip(lows[1:], highs[1:], strict=True):
        low, high = torch.minimum(low, other_low), torch.maximum(high, other_high)
    is_signed = any(array.dtype is torch.int8 for array in arrays)
    dtype = torch.int8 if is_signed else torch.uint8
    by = scale(dtype, low, high)
    parts = [
        at_scale(array.float(), step(array.dtype, own_low, own_high) * by, dtype)
        for array, own_low, own_high in zip(arrays, lows, highs, strict=True)
    ]
    return torch.cat(parts, dim), low.clone(), high.clone()


@op(nd="contrib.quantized_elemwise_add", shapes=_PAIR_ENDS, graph=integers(of_pair), **RANGED)
@constant
def quantized_elemwise_add(
    lhs: Tensor,
    rhs: Tensor,
    lhs_min: Tensor,
    lhs_max: Tensor,
    rhs_min: Tensor,
    rhs_max: Tensor,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> Ranged:
    """Add two quantized arrays of one shape.

    Parameters
    ----------
    lhs, rhs : Tensor, shape (*)
        Integers of dtype int8 or uint8.
    lhs_min, lhs_max, rhs_min, rhs_max : Tensor, shape (1,)
        The ranges that they span.
    min_calib_range, max_calib_range : float, optional
        The range of the result, whose integers then have 8 bits.

    Returns
    -------
    Tensor, shape (*)
        Integers of dtype int32; of dtype int8 for a calibrated range, or uint8 if both arrays
        have that.
    Tensor, shape (1,)
        The smallest number of the range that they span.
    Tensor, shape (1,)
        The largest one.

    Notes
    -----
    As in MXNet's kernel, a uint8 array beside an int8 one becomes int8 in the calibrated range
    before it is added: what exceeds the range's end is cut there, whatever the sum would be.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, low, high = mx.nd.array([51], dtype='int8'), mx.nd.array([-1]), mx.nd.array([1])
    >>> found = mx.nd.contrib.quantized_elemwise_add(
    ...     x, x, low, high, low, high, min_calib_range=-1, max_calib_range=1)
    >>> print(found[0].asnumpy())
    [102]
    """
    _check_pair("quantized_elemwise_add", lhs, rhs)
    parts = [(lhs, lhs_min, lhs_max), (rhs, rhs_min, rhs_max)]
    if min_calib_range is not None and max_calib_range is not None:
        if lhs.dtype is not rhs.dtype:
            top = widest(*calibrated(min_calib_range, max_calib_range, lhs))
            parts = [_signed(*part, top) for part in parts]
        left, right = (each.float() * step(each.dtype, low, high) for each, low, high in parts)
        return _calibrated_pair(lhs, rhs, left + right, min_calib_range, max_calib_range)
    left, right = (each.double() * step(each.dtype, low, high) for each, low, high in parts)
    top = widest(lhs_min, lhs_max) + widest(rhs_min, rhs_max)
    return _wide(left + right, top), -top, top


def _multiplied(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: floating-point numbers have no range."""
    return 1 if given["enable_float_output"] else 3


def _multiplied_names(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Rule for the names of outputs."""
    names: tuple[str, ...] = RANGED["output_names"]
    return names[: _multiplied(given)]


@op(
    nd="contrib.quantized_elemwise_mul",
    shapes=_PAIR_ENDS,
    outputs=_multiplied,
    output_names=_multiplied_names,
    graph=integers(of_pair),
)
@constant
def quantized_elemwise_mul(
    lhs: Tensor,
    rhs: Tensor,
    lhs_min: Tensor,
    lhs_max: Tensor,
    rhs_min: Tensor,
    rhs_max: Tensor,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    enable_float_output: bool = False,
) -> Tensor | Ranged:
    """Multiply two quantized arrays of one shape, element by element.

    Parameters
    ----------
    lhs, rhs : Tensor, shape (*)
        Integers of dtype int8 or uint8.
    lhs_min, lhs_max, rhs_min, rhs_max : Tensor, shape (1,)
        The ranges that they span.
    min_calib_range, max_calib_range : float, optional
        The range of the result, whose integers then have 8 bits.
    enable_float_output : bool, default False
        Whether the result is the numbers that the integers stand for, and the only one.

    Returns
    -------
    Tensor, shape (*)
        Integers of dtype int32; of dtype int8 for a calibrated range, or uint8 if both arrays
        have that.
    Tensor, shape (1,)
        The smallest number of the range that they span.
    Tensor, shape (1,)
        The largest one.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, low, high = mx.nd.array([51], dtype='int8'), mx.nd.array([-1]), mx.nd.array([1])
    >>> print(mx.nd.contrib.quantized_elemwise_mul(x, x, low, high, low, high)[0].asnumpy())
    [2601]
    """
    _check_pair("quantized_elemwise_mul", lhs, rhs)
    integers = lhs.to(torch.int32) * rhs.to(torch.int32)
    factors = [(lhs.dtype, lhs_min, lhs_max), (rhs.dtype, rhs_min, rhs_max)]
    low, high = product_range(*factors)
    values = integers.float() * (high / WHOLE_STEPS[torch.int32])
    if enable_float_output:
        return values
    if min_calib_range is not None and max_calib_range is not None:
        return _calibrated_pair(lhs, rhs, values, min_calib_range, max_calib_range)
    return integers, low, high


def _normal_shapes(
    shapes: Mapping[str, Shape | None], axis: int = 1, **_: object
) -> dict[str, Shape]:
    """Rule for unknown shapes: one number per channel, and one for each end of the range."""
    found: dict[str, Shape] = {"min_data": (1,), "max_data": (1,)}
    data = shapes["data"]
    if data is not None and -len(data) <= axis < len(data):
        names = ("gamma", "beta", "moving_mean", "moving_var")
        found.update(dict.fromkeys(names, (data[axis],)))
    return found


@op(
    nd="contrib.quantized_batch_norm",
    shapes=_normal_shapes,
    aux=("moving_mean", "moving_var"),
    graph=integers(torch.int8),
    quantized=Quantized(range_of=of_the_same("quantized_")),
    **RANGED,
)
@constant
def quantized_batch_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    min_data: Tensor,
    max_data: Tensor,
    eps: float = 1e-3,
    momentum: float = 0.9,  # noqa: ARG001 - of training
    fix_gamma: bool = True,
    use_global_stats: bool = False,  # noqa: ARG001 - moving averages are used in any case
    output_mean_var: bool = False,  # noqa: ARG001 - of training
    axis: int = 1,
    cudnn_off: bool = False,  # noqa: ARG001 - a hint to MXNet's own kernels
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> Ranged:
    """Normalize quantized data by moving averages, scale and shift it.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *)
        Integers of dtype int8 or uint8.
    gamma, beta, moving_mean, moving_var : Tensor, shape (channels,)
        Scale, shift, mean and variance, of dtype float32.
    min_data, max_data : Tensor, shape (1,)
        The range that the integers span.
    eps : float, default 1e-3
        Added to the variance.
    fix_gamma : bool, default True
        Whether gamma counts as 1.
    axis : int, default 1
        Axis of the channels.
    momentum, use_global_stats, output_mean_var, cudnn_off
        Of no effect: there is no training, and no hint that torch's kernels need.
    min_calib_range, max_calib_range : float, optional
        The range of the result; by default its own.

    Returns
    -------
    Tensor, shape (batch, channels, *)
        Integers of dtype int8.
    Tensor, shape (1,)
        The smallest number of the range that they span.
    Tensor, shape (1,)
        The largest one.

    Notes
    -----
    As in MXNet's kernel, data of dtype uint8 becomes int8 of the same range before all else.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, low, high = mx.nd.array([[51]], dtype='int8'), mx.nd.array([-1]), mx.nd.array([1])
    >>> zero, one = mx.nd.zeros((1,)), mx.nd.ones((1,))
    >>> found = mx.nd.contrib.quantized_batch_norm(
    ...     x, one, zero, zero, 4 * one, low, high, min_calib_range=-1, max_calib_range=1)
    >>> print(found[0].asnumpy())
    [[25]]
    """
    check_integers("quantized_batch_norm", data=data)
    by = (moving_var + eps).rsqrt() * (1.0 if fix_gamma else gamma)
    shape = [1] * data.dim()
    shape[axis] = -1
    data, min_data, max_data = _signed(data, min_data, max_data, widest(min_data, max_data))
    values = data.float() * (step(data.dtype, min_data, max_data) * by).view(shape)
    values = values + (beta - moving_mean * by).view(shape)
    low, high = calibrated(min_calib_range, max_calib_range, values)
    return at_scale(values, scale(torch.int8, low, high), torch.int8), low, high


def _table_shapes(
    shapes: Mapping[str, Shape | None], input_dim: int, output_dim: int, **_: object
) -> dict[str, Shape]:
    """Rule for unknown shapes: those of the table, and one number for each end of its range."""
    del shapes
    return {"weight": (input_dim, output_dim), "min_weight": (1,), "max_weight": (1,)}


@op(
    nd="contrib.quantized_embedding",
    shapes=_table_shapes,
    graph=integers(torch.int8, needed=("input_dim", "output_dim"), own_dtypes=("data",)),
    **RANGED,
)
@constant
def quantized_embedding(
    data: Tensor,
    weight: Tensor,
    min_weight: Tensor,
    max_weight: Tensor,
    input_dim: int | None = None,
    output_dim: int | None = None,
    dtype: DTypeLike | None = "float32",
    sparse_grad: bool = False,  # noqa: ARG001 - there is no gradient
) -> Ranged:
    """Look up the row of a quantized table for each id.

    Parameters
    ----------
    data : Tensor, shape (*)
        Ids of any dtype; ids outside of the table count as the nearest row, as in MXNet.
    weight : Tensor, shape (input_dim, output_dim)
        Integers of dtype int8.
    min_weight, max_weight : Tensor, shape (1,)
        The range that they span.
    input_dim, output_dim, dtype, sparse_grad
        As those of `Embedding`.

    Returns
    -------
    Tensor, shape (*, output_dim)
        The integers.
    Tensor, shape (1,)
        `min_weight`.
    Tensor, shape (1,)
        `max_weight`.

    Examples
    --------
    >>> import gluonish as mx
    >>> table, low, high = mx.nd.array([[1], [3]], dtype='int8'), mx.nd.array([-1]), mx.nd.ones(1)
    >>> found = mx.nd.contrib.quantized_embedding(
    ...     mx.nd.array([1, 0]), table, low, high, input_dim=2, output_dim=1)
    >>> print(found[0].asnumpy())
    [[3]
     [1]]
    """
    found = embedding(data, weight, input_dim, output_dim, dtype)
    return found, min_weight.clone(), max_weight.clone()


def _check_pair(where: str, lhs: Tensor, rhs: Tensor) -> None:
    check_integers(where, lhs=lhs, rhs=rhs)
    if lhs.shape != rhs.shape:
        msg = (
            f"{where}: lhs is an {describe(lhs)}, rhs an {describe(rhs)}. Expected arrays of one "
            f"shape. Reshape or broadcast them before they are quantized."
        )
        raise ShapeError(msg)


def _signed(data: Tensor, low: Tensor, high: Tensor, top: Tensor) -> Ranged:
    """Return integers of dtype uint8 as int8 of another range, rounded and cut to it."""
    if data.dtype is torch.int8:
        return data, low, high
    by = step(data.dtype, low, high) * scale(torch.int8, top, top)
    return at_scale(data.float(), by, torch.int8), -top, top


def _calibrated_pair(lhs: Tensor, rhs: Tensor, values: Tensor, low: float, high: float) -> Ranged:
    """Return the result for two arrays as integers of 8 bits, with its range."""
    is_signed = torch.int8 in (lhs.dtype, rhs.dtype)
    dtype = torch.int8 if is_signed else torch.uint8
    ends = calibrated(low, high, values)
    return at_scale(values, scale(dtype, *ends), dtype), *ends


def _wide(values: Tensor, top: Tensor) -> Tensor:
    """Return integers of dtype int32 that span a range."""
    most = WHOLE_STEPS[torch.int32]
    found = (values * (most / top.double())).nan_to_num(0.0)
    return found.round().clamp(-most, most).to(torch.int32)
