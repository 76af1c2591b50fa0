"""Products of quantized data and weights, added up in integers of 32 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.nn.convolution import convolution_shapes
from gluonish.ops.nn.dense import dense_shapes, refuse_bias
from gluonish.ops.nn.layouts import Sizes, per_axis
from gluonish.ops.quantized.levels import check_integers, product_range, step
from gluonish.ops.quantized.packing import Windows, sums
from gluonish.ops.quantized.rules import RANGED, constant, integers, ranges, with_ranges
from gluonish.ops.table import op
from gluonish.ops.table.choices import LAYOUTS, TUNING
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from gluonish.ops.table import Shape

_ENDS = ranges("min_data", "max_data", "min_weight", "max_weight", "min_bias", "max_bias")


def _convolution_shapes(shapes: dict[str, Shape | None], **given: object) -> dict[str, Shape]:
    """Rule for unknown shapes: those of the convolution, and one number for each end."""
    return {**convolution_shapes(shapes, **given), **_ENDS(shapes)}  # type: ignore[arg-type]


def _dense_shapes(shapes: dict[str, Shape | None], **given: object) -> dict[str, Shape]:
    """Rule for unknown shapes: those of the dense layer, and one number for each end."""
    return {**dense_shapes(shapes, **given), **_ENDS(shapes)}  # type: ignore[arg-type]


@op(
    nd="contrib.quantized_conv",
    shapes=_convolution_shapes,
    arguments=with_ranges("data", "weight", "bias"),
    graph=integers(torch.int32, needed=("kernel", "num_filter")),
    **RANGED,
    choices={"cudnn_tune": TUNING, "layout": LAYOUTS},
)
@constant
def quantized_conv(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    min_data: Tensor | None = None,
    max_data: Tensor | None = None,
    min_weight: Tensor | None = None,
    max_weight: Tensor | None = None,
    min_bias: Tensor | None = None,
    max_bias: Tensor | None = None,
    kernel: Sizes = (),
    stride: Sizes = (),
    dilate: Sizes = (),
    pad: Sizes = (),
    num_filter: int | None = None,
    num_group: int = 1,
    workspace: int = 1024,  # noqa: ARG001 - a hint to MXNet's own kernels
    no_bias: bool = False,
    cudnn_tune: str | None = None,  # noqa: ARG001 - the same
    cudnn_off: bool = False,  # noqa: ARG001 - the same
    layout: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Slide quantized filters over quantized data.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *sizes)
        Integers of dtype int8 or uint8, with one, two or three spatial axes.
    weight : Tensor, shape (num_filter, channels / num_group, *kernel)
        Integers of dtype int8.
    bias : Tensor, shape (num_filter,), optional
        Integers of dtype int8.
    min_data, max_data, min_weight, max_weight, min_bias, max_bias : Tensor, shape (1,)
        The ranges that the integers span.
    kernel, stride, dilate, pad, num_filter, num_group, no_bias
        As those of `Convolution`.
    workspace, cudnn_tune, cudnn_off
        Hints to MXNet's own kernels, which torch's do not need.
    layout : {'NCW', 'NCHW', 'NCDHW'}, optional
        Order of the axes: channels come first.

    Returns
    -------
    Tensor, shape (batch, num_filter, *sizes)
        Integers of dtype int32.
    Tensor, shape (1,)
        The smallest number of the range that all integers of 32 bits span.
    Tensor, shape (1,)
        The largest one.

    Raises
    ------
    ShapeError
        Data and weight do not fit.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, w = mx.nd.array([[[[10, 20, 30]]]], dtype='int8'), mx.nd.ones((1, 1, 1, 2), dtype='int8')
    >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
    >>> found = mx.nd.contrib.quantized_conv(
    ...     x, w, min_data=low, max_data=high, min_weight=low, max_weight=high, kernel=(1, 2),
    ...     num_filter=1, no_bias=True)
    >>> print(found[0].asnumpy())
    [[[[30 50]]]]
    """
    check_integers("quantized_conv", data=data, weight=weight)
    if layout is not None and layout.endswith("C"):
        msg = (
            f"quantized_conv: layout={layout!r} was given. Expected one with the channels first, "
            f"such as 'NCHW'. Transpose the data."
        )
        raise InvalidArgumentError(msg)
    axes = weight.dim() - 2
    is_right = data.dim() == axes + 2 > 2 and data.shape[1] == weight.shape[1] * num_group
    is_right = is_right and (not kernel or tuple(weight.shape[2:]) == per_axis(kernel, axes, 0))
    if not is_right or (num_filter is not None and weight.shape[0] != num_filter):
        msg = (
            f"quantized_conv: data of shape {tuple(data.shape)} and a weight of shape "
            f"{tuple(weight.shape)} were given for kernel={kernel}, num_filter={num_filter} and "
            f"num_group={num_group}. Expected a weight of shape (num_filter, channels / num_group, "
            f"*kernel). Pass such a weight."
        )
        raise ShapeError(msg)
    windows = Windows(
        per_axis(stride, axes, 1), per_axis(pad, axes, 0), per_axis(dilate, axes, 1), num_group
    )
    factors = _factors("quantized_conv", data, weight, (min_data, max_data, min_weight, max_weight))
    found = _integer_sums(data, weight, windows)
    if no_bias is not (bias is None):
        refuse_bias("quantized_conv", bias)
    if bias is not None:
        found = found + _integer_bias(bias, min_bias, max_bias, factors).view(-1, *(1,) * axes)
    return found, *product_range(*factors)


@op(
    nd="contrib.quantized_fully_connected",
    shapes=_dense_shapes,
    arguments=with_ranges("data", "weight", "bias"),
    graph=integers(torch.int32, needed=("num_hidden",)),
    **RANGED,
)
@constant
def quantized_fully_connected(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    min_data: Tensor | None = None,
    max_data: Tensor | None = None,
    min_weight: Tensor | None = None,
    max_weight: Tensor | None = None,
    min_bias: Tensor | None = None,
    max_bias: Tensor | None = None,
    num_hidden: int | None = None,
    no_bias: bool = False,
    flatten: bool = True,
) -> tuple[Tensor, Tensor, Tensor]:
    """Multiply quantized rows of features by a quantized weight matrix, and add a bias.

    Parameters
    ----------
    data : Tensor, shape (batch, *, features)
        Integers of dtype int8 or uint8.
    weight : Tensor, shape (num_hidden, features)
        Integers of dtype int8.
    bias : Tensor, shape (num_hidden,), optional
        Integers of dtype int8.
    min_data, max_data, min_weight, max_weight, min_bias, max_bias : Tensor, shape (1,)
        The ranges that the integers span.
    num_hidden, no_bias, flatten
        As those of `FullyConnected`.

    Returns
    -------
    Tensor, shape (batch, num_hidden), or (batch, *, num_hidden) without `flatten`
        Integers of dtype int32.
    Tensor, shape (1,)
        The smallest number of the range that all integers of 32 bits span.
    Tensor, shape (1,)
        The largest one.

    Raises
    ------
    ShapeError
        Data and weight do not fit.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, w = mx.nd.array([[10, 20]], dtype='int8'), mx.nd.array([[1, 2], [3, -4]], dtype='int8')
    >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
    >>> found = mx.nd.contrib.quantized_fully_connected(
    ...     x, w, min_data=low, max_data=high, min_weight=low, max_weight=high, num_hidden=2,
    ...     no_bias=True)
    >>> print(found[0].asnumpy())
    [[ 50 -50]]
    """
    check_integers("quantized_fully_connected", data=data, weight=weight)
    if flatten and data.dim() != 2:
        data = data.flatten(1) if data.dim() > 1 else data.unsqueeze(-1)
    is_right = weight.dim() == 2 and data.shape[-1] == weight.shape[-1]
    if not is_right or (num_hidden is not None and weight.shape[0] != num_hidden):
        msg = (
            f"quantized_fully_connected: data of shape {tuple(data.shape)} and a weight of shape "
            f"{tuple(weight.shape)} were given for num_hidden={num_hidden}. Expected so many rows, "
            f"with as many features as those of the data. Pass such a weight."
        )
        raise ShapeError(msg)
    ends = (min_data, max_data, min_weight, max_weight)
    factors = _factors("quantized_fully_connected", data, weight, ends)
    found = _integer_sums(data, weight, None)
    if no_bias is not (bias is None):
        refuse_bias("quantized_fully_connected", bias)
    if bias is not None:
        found = found + _integer_bias(bias, min_bias, max_bias, factors)
    return found, *product_range(*factors)


_integer_sums = opaque(sums)


def _factors(
    where: str, data: Tensor, weight: Tensor, ends: tuple[Tensor | None, ...]
) -> list[tuple[torch.dtype, Tensor, Tensor]]:
    low, high, low_weight, high_weight = ends
    if low is None or high is None or low_weight is None or high_weight is None:
        msg = (
            f"{where}: a range was not given. Expected min_data, max_data, min_weight and "
            f"max_weight. Pass what nd.contrib.quantize_v2 returned for each."
        )
        raise InvalidArgumentError(msg)
    return [(data.dtype, low, high), (weight.dtype, low_weight, high_weight)]


def _integer_bias(
    bias: Tensor,
    low: Tensor | None,
    high: Tensor | None,
    factors: list[tuple[torch.dtype, Tensor, Tensor]],
) -> Tensor:
    """Return a bias in the unit of the products."""
    if low is None or high is None:
        msg = (
            "a bias was given without its range. Expected min_bias and max_bias. Pass what "
            "nd.contrib.quantize_v2 returned for it."
        )
        raise InvalidArgumentError(msg)
    unit = step(*factors[0]) * step(*factors[1])
    most = float(2**30)
    return (
        (bias * (step(bias.dtype, low, high) / unit)).nan_to_num(0.0).trunc().clamp(-most, most)
    ).to(torch.int32)
