"""Convolutions with bent windows: each element of a window is looked up where offsets say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.nn.dense import refuse_bias
from gluonish.ops.nn.layouts import per_axis
from gluonish.ops.table import FULL, Graph, op
from gluonish.ops.table.choices import LAYOUTS
from gluonish.ops.table.inference import unless

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

    from gluonish.ops.nn.layouts import Sizes
    from gluonish.ops.table import Shape


def _shapes(
    shapes: Mapping[str, Shape | None],
    kernel: tuple[int, int],
    num_filter: int,
    stride: Sizes = (),
    dilate: Sizes = (),
    pad: Sizes = (),
    num_group: int = 1,
    num_deformable_group: int = 1,
    **_: object,
) -> dict[str, Shape]:
    """Rule for unknown shapes: filters, and offsets and masks of each element of a window."""
    data = shapes["data"]
    if data is None or len(data) != 4:
        return {}
    sizes = tuple(
        None if length is None else (length + 2 * p - d * (k - 1) - 1) // s + 1
        for length, k, s, d, p in zip(
            data[2:], kernel, per_axis(stride, 2, 1), per_axis(dilate, 2, 1), per_axis(pad, 2, 0),
            strict=True,
        )
    )  # fmt: skip
    elements = kernel[0] * kernel[1] * num_deformable_group
    channels = None if data[1] is None else data[1] // num_group
    return {
        "offset": (data[0], 2 * elements, *sizes),
        "mask": (data[0], elements, *sizes),
        "weight": (num_filter, channels, *kernel),
        "bias": (num_filter,),
    }


@op(
    nd="contrib.DeformableConvolution",
    shapes=_shapes,
    arguments=unless("no_bias", "data", "offset", "weight", "bias"),
    graph=Graph(needed=("kernel", "num_filter")),
    precision=FULL,
    choices={"layout": LAYOUTS},
)
def deformable_convolution(
    data: Tensor,
    offset: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    kernel: Sizes = (),
    stride: Sizes = (),
    dilate: Sizes = (),
    pad: Sizes = (),
    num_filter: int | None = None,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,  # noqa: ARG001 - a hint to MXNet's own kernels
    no_bias: bool = False,
    layout: str | None = None,
) -> Tensor:
    """Slide filters over images; offsets move each element that a filter reads.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        Images.
    offset : Tensor, shape (batch, 2 * num_deformable_group * kernel elements, height, width)
        For each place of a window and each of its elements, how far that is moved down, and to
        the right.
    weight : Tensor, shape (num_filter, channels / num_group, *kernel)
        The filters.
    bias : Tensor, shape (num_filter,), optional
        What is added to each output channel.
    kernel, stride, dilate, pad : pair of int
        As of `Convolution`.
    num_filter : int, optional
        Number of output channels; by default what the weight says.
    num_group, num_deformable_group : int, default 1
        Into how many groups channels are divided for the filters, and for the offsets.
    workspace : int, default 1024
        Hint to MXNet's own kernels, which torch's do not need.
    no_bias : bool, default False
        Whether there is no bias.
    layout : {'NCHW'}, optional
        Order of the axes.

    References
    ----------
    Dai, Qi, Xiong, Li, Zhang, Hu, Wei: Deformable convolutional networks (2017),
    arXiv:1703.06211.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, w = mx.nd.array([[[[1, 2, 4]]]]), mx.nd.ones((1, 1, 1, 1))
    >>> offset = mx.nd.array([0, 0.5]).reshape((1, 2, 1, 1)).broadcast_to((1, 2, 1, 3))
    >>> y = mx.nd.contrib.DeformableConvolution(
    ...     x, offset, w, kernel=(1, 1), num_filter=1, no_bias=True)
    >>> y.asnumpy()
    array([[[[1.5, 3. , 4. ]]]], dtype=float32)
    """
    where = "DeformableConvolution"
    _check(where, data, weight, bias, kernel, num_filter, no_bias, layout)
    places = _places(where, data, offset, weight, stride, dilate, pad, num_deformable_group)
    down, right = places.unbind(3)
    height, width = data.shape[2:]
    inside = (down >= 0) & (right >= 0) & (down < height) & (right < width)
    columns = _look_up(data, down, right, inside, edge=True)
    return _filter(columns, weight, bias, num_group)


@op(
    nd="contrib.ModulatedDeformableConvolution",
    shapes=_shapes,
    arguments=unless("no_bias", "data", "offset", "mask", "weight", "bias"),
    graph=Graph(needed=("kernel", "num_filter")),
    choices={"layout": LAYOUTS},
)
def modulated_deformable_convolution(
    data: Tensor,
    offset: Tensor,
    mask: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    kernel: Sizes = (),
    stride: Sizes = (),
    dilate: Sizes = (),
    pad: Sizes = (),
    num_filter: int | None = None,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,  # noqa: ARG001 - a hint to MXNet's own kernels
    no_bias: bool = False,
    im2col_step: int = 64,  # noqa: ARG001 - the same
    layout: str | None = None,
) -> Tensor:
    """Slide filters over images; offsets move what a filter reads, and a mask weights it.

    Parameters are those of `DeformableConvolution`, and

    Parameters
    ----------
    mask : Tensor, shape (batch, num_deformable_group * kernel elements, height, width)
        For each place of a window and each of its elements, what that is multiplied by.
    im2col_step : int, default 64
        Hint to MXNet's own kernels.

    References
    ----------
    Zhu, Hu, Lin, Dai: Deformable ConvNets v2 (2018), arXiv:1811.11168.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, w = mx.nd.array([[[[1, 2, 4]]]]), mx.nd.ones((1, 1, 1, 1))
    >>> offset, mask = mx.nd.zeros((1, 2, 1, 3)), mx.nd.array([[[[1, 0.5, 0]]]])
    >>> y = mx.nd.contrib.ModulatedDeformableConvolution(
    ...     x, offset, mask, w, kernel=(1, 1), num_filter=1, no_bias=True)
    >>> y.asnumpy()
    array([[[[1., 1., 0.]]]], dtype=float32)
    """
    where = "ModulatedDeformableConvolution"
    _check(where, data, weight, bias, kernel, num_filter, no_bias, layout)
    places = _places(where, data, offset, weight, stride, dilate, pad, num_deformable_group)
    down, right = places.unbind(3)
    height, width = data.shape[2:]
    inside = (down > -1) & (right > -1) & (down < height) & (right < width)
    if mask.numel() != down.numel():
        raise _wrong(where, "mask", mask, tuple(down.flatten(1, 2).shape))
    columns = _look_up(data, down, right, inside, edge=False, factors=mask.reshape(down.shape))
    return _filter(columns, weight, bias, num_group)


def _check(
    where: str,
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    kernel: Sizes,
    num_filter: int | None,
    no_bias: bool,
    layout: str | None,
) -> None:
    if bool(no_bias) is not (bias is None):
        refuse_bias(where, bias)
    if layout not in (None, "NCHW"):
        msg = f"{where}: layout={layout!r} was given. Expected 'NCHW'. Transpose the data."
        raise InvalidArgumentError(msg)
    if data.dim() != 4 or weight.dim() != 4:
        raise _wrong(where, "data", data, ("batch", "channels", "height", "width"))
    sizes = per_axis(kernel, 2, 0) if kernel else tuple(weight.shape[2:])
    expected = (num_filter or weight.shape[0], weight.shape[1], *sizes)
    if tuple(weight.shape) != expected:
        raise _wrong(where, "weight", weight, expected)


def _wrong(where: str, name: str, given: Tensor, expected: tuple[object, ...]) -> ShapeError:
    msg = (
        f"{where}: {name} of shape {tuple(given.shape)} was given. Expected shape "
        f"{expected}. Reshape it, or change the other arguments."
    )
    return ShapeError(msg)


def _places(
    where: str,
    data: Tensor,
    offset: Tensor,
    weight: Tensor,
    stride: Sizes,
    dilate: Sizes,
    pad: Sizes,
    groups: int,
) -> Tensor:
    """Return where each element is looked up.

    Its shape is (batch, groups, kernel elements, 2, output height, output width).
    """
    steps = zip(
        data.shape[2:], weight.shape[2:], per_axis(stride, 2, 1), per_axis(dilate, 2, 1),
        per_axis(pad, 2, 0), strict=True,
    )  # fmt: skip
    grids = []
    for length, size, step, gap, border in steps:
        count = (length + 2 * border - gap * (size - 1) - 1) // step + 1
        starts = torch.arange(count, device=data.device) * step - border
        grids.append(torch.arange(size, device=data.device).unsqueeze(1) * gap + starts)
    (rows, height), (columns, width) = (grid.shape for grid in grids)
    expected = (data.shape[0], 2 * groups * rows * columns, height, width)
    if tuple(offset.shape) != expected:
        raise _wrong(where, "offset", offset, expected)
    spread = (rows, columns, height, width)
    down = grids[0].reshape(rows, 1, height, 1).expand(spread)
    right = grids[1].reshape(1, columns, 1, width).expand(spread)
    windows = torch.stack([down, right], 2).reshape(rows * columns, 2, height, width)
    return offset.reshape(data.shape[0], groups, rows * columns, 2, height, width) + windows


def _look_up(
    data: Tensor,
    down: Tensor,
    right: Tensor,
    inside: Tensor,
    *,
    edge: bool,
    factors: Tensor | None = None,
) -> Tensor:
    """Return elements of the data, interpolated, as (batch, channels, elements, places).

    Beyond the last row and column are copies of these if `edge` says so, else zeros.
    """
    batch, channels, height, width = data.shape
    groups, elements = down.shape[1:3]
    flat = data.reshape(batch, groups, channels // groups, height * width)
    top, left = torch.floor(down.detach()), torch.floor(right.detach())
    total: Tensor | None = None
    for row, row_share in ((top, 1 - (down - top)), (top + 1, down - top)):
        for column, column_share in ((left, 1 - (right - left)), (left + 1, right - left)):
            counts = inside
            if not edge:
                is_there = (row >= 0) & (column >= 0) & (row < height) & (column < width)
                counts = inside & is_there
            index = row.clamp(0, height - 1) * width + column.clamp(0, width - 1)
            index = index.to(torch.int64).reshape(batch, groups, 1, -1)
            found = flat.gather(3, index.expand(-1, -1, channels // groups, -1))
            share = torch.where(counts, row_share * column_share, 0).reshape(batch, groups, 1, -1)
            total = found * share if total is None else total + found * share
    if factors is not None:
        total = total * factors.reshape(batch, groups, 1, -1)  # type: ignore[operator]
    return total.reshape(batch, channels, elements, *down.shape[3:])  # type: ignore[union-attr]


def _filter(columns: Tensor, weight: Tensor, bias: Tensor | None, groups: int) -> Tensor:
    """Multiply windows by filters."""
    batch, channels, elements, height, width = columns.shape
    windows = columns.reshape(batch, groups, channels // groups * elements, height * width)
    filters = weight.reshape(groups, weight.shape[0] // groups, -1)
    result = torch.matmul(filters, windows).reshape(batch, weight.shape[0], height, width)
    return result if bias is None else result + bias.reshape(-1, 1, 1)
