"""Pooling of regions in which each part has channels of its own."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import FULL, WIDEST, Graph, op
from gluonish.ops.table.inference import unless
from gluonish.ops.vision.checks import wrong_shape
from gluonish.ops.vision.region_pooling import check_regions, images_of, regions_at_once
from gluonish.process.replay_marks import opaque


@op(nd="contrib.PSROIPooling", precision=WIDEST)
@opaque
def ps_roi_pooling(
    data: Tensor,
    rois: Tensor,
    spatial_scale: float,
    output_dim: int,
    pooled_size: int,
    group_size: int = 0,
) -> Tensor:
    """Average each part of regions of interest, in channels of the part's own.

    Parameters
    ----------
    data : Tensor, shape (batch, output_dim * group_size ** 2, height, width)
        Feature maps.
    rois : Tensor, shape (regions, 5)
        Number of the image and corners (xmin, ymin, xmax, ymax) of each region; regions of images
        below 0 give zeros.
    spatial_scale : float
        Size of the feature map relative to the image to which the corners belong, in [0, 1].
    output_dim : int
        Number of the result's channels.
    pooled_size : int
        Height and width of the result.
    group_size : int, default 0
        Into how many parts along each axis the channels are divided; `pooled_size` by default.

    Returns
    -------
    Tensor, shape (regions, output_dim, pooled_size, pooled_size)
        The averages; 0 for parts outside of the image. Only the data has a gradient.

    References
    ----------
    Dai et al., "R-FCN: Object Detection via Region-based Fully Convolutional Networks", 2016,
    arXiv:1605.06409.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.arange(64).reshape((1, 4, 4, 4))
    >>> regions = mx.nd.array([[0, 0, 0, 3, 3]])
    >>> options = {'spatial_scale': 1, 'output_dim': 1, 'pooled_size': 2, 'group_size': 2}
    >>> print(mx.nd.contrib.PSROIPooling(x, regions, **options).asnumpy())
    [[[[ 2.5 20.5]
       [42.5 60.5]]]]
    """
    where = "PSROIPooling"
    group = _check(where, data, rois, spatial_scale, output_dim, pooled_size, group_size)
    shape = (rois.shape[0], output_dim, pooled_size, pooled_size)
    if data.is_meta or not rois.shape[0]:
        return data.new_zeros(shape)
    image = images_of(where, data, rois)
    top, bottom = _bins(rois[:, 2], rois[:, 4], spatial_scale, pooled_size, data.shape[2])
    left, right = _bins(rois[:, 1], rois[:, 3], spatial_scale, pooled_size, data.shape[3])
    # Sums over rectangles are differences of sums from the corner on, in twice the precision.
    sums = torch.nn.functional.pad(data.double().cumsum(2).cumsum(3), (1, 0, 1, 0))
    channel = _channels(output_dim, pooled_size, group, data.device)
    number = image.clamp(min=0)[:, None, None, None]
    top, bottom = top[:, None, :, None], bottom[:, None, :, None]
    left, right = left[:, None, None, :], right[:, None, None, :]
    total = (
        sums[number, channel, bottom, right]
        - sums[number, channel, top, right]
        - sums[number, channel, bottom, left]
        + sums[number, channel, top, left]
    )
    area = (bottom - top).clamp(min=0) * (right - left).clamp(min=0)
    counts = (area > 0) & (image >= 0)[:, None, None, None]
    return torch.where(counts, total / area.clamp(min=1), 0).to(data.dtype)


@op(
    nd="contrib.DeformablePSROIPooling",
    arguments=unless("no_trans", "data", "rois", "trans"),
    graph=Graph(outputs=2),
    precision=FULL,
)
@opaque
def deformable_ps_roi_pooling(
    data: Tensor,
    rois: Tensor,
    trans: Tensor | None = None,
    *,
    spatial_scale: float,
    output_dim: int,
    group_size: int,
    pooled_size: int,
    part_size: int = 0,
    sample_per_part: int = 1,
    trans_std: float = 0,
    no_trans: bool = False,
) -> Tensor:
    """Average points of each part of regions, in channels of the part's own; offsets move parts.

    Parameters
    ----------
    data : Tensor, shape (batch, output_dim * group_size ** 2, height, width)
        Feature maps.
    rois : Tensor, shape (regions, 5)
        Number of the image and corners (xmin, ymin, xmax, ymax) of each region; regions of images
        below 0 give zeros.
    trans : Tensor, shape (regions, 2 * classes, part_size, part_size), optional
        By how much parts are moved along x and along y, in sizes of the region.
    spatial_scale : float
        Size of the feature map relative to the image to which the corners belong, in [0, 1].
    output_dim : int
        Number of the result's channels, which the classes share.
    group_size : int
        Into how many parts along each axis the channels are divided.
    pooled_size : int
        Height and width of the result.
    part_size : int, default 0
        Height and width of the offsets; `pooled_size` by default.
    sample_per_part : int, default 1
        How many points along each axis are averaged in a part.
    trans_std : float, default 0
        What offsets are multiplied by.
    no_trans : bool, default False
        Whether there are no offsets.

    Returns
    -------
    Tensor, shape (regions, output_dim, pooled_size, pooled_size)
        The averages; 0 for parts outside of the image. Data and offsets have gradients.

    References
    ----------
    Dai et al., "Deformable Convolutional Networks", 2017, arXiv:1703.06211.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.arange(64).reshape((1, 4, 4, 4))
    >>> regions, still = mx.nd.array([[0, 0, 0, 3, 3]]), mx.nd.zeros((1, 2, 2, 2))
    >>> options = {'spatial_scale': 1, 'output_dim': 1, 'group_size': 2, 'pooled_size': 2}
    >>> found = mx.nd.contrib.DeformablePSROIPooling(x, regions, still, trans_std=1, **options)
    >>> print(found.asnumpy())
    [[[[ 0.  17.5]
       [38.  55.5]]]]
    """
    where = "DeformablePSROIPooling"
    group = _check(where, data, rois, spatial_scale, output_dim, pooled_size, group_size)
    part = part_size or pooled_size
    trans = None if no_trans else trans
    _check_offsets(where, rois, trans, output_dim, part, sample_per_part)
    shape = (rois.shape[0], output_dim, pooled_size, pooled_size)
    if data.is_meta or not rois.shape[0]:
        return data.new_zeros(shape)
    image = images_of(where, data, rois)
    channel = _channels(output_dim, pooled_size, group, data.device)[..., None, None]
    steps = pooled_size, sample_per_part, spatial_scale
    y, height = _points(rois[:, 2], rois[:, 4], *steps)
    x, width = _points(rois[:, 1], rois[:, 3], *steps)
    y, x = y[:, None, :, None, :, None], x[:, None, None, :, None, :]
    if trans is not None:
        moves = _offsets(trans * trans_std, pooled_size, part)[..., None, None]
        x = x + moves[:, 0::2] * width.view(-1, 1, 1, 1, 1, 1)
        y = y + moves[:, 1::2] * height.view(-1, 1, 1, 1, 1, 1)
    at_once = regions_at_once(data, output_dim * (pooled_size * sample_per_part) ** 2)
    chunks = (torch.split(each, at_once) for each in (image, y, x))
    found = [_averaged(data, channel, *chunk) for chunk in zip(*chunks, strict=True)]
    return torch.cat(found)


def _check(
    where: str,
    data: Tensor,
    rois: Tensor,
    spatial_scale: float,
    output_dim: int,
    pooled_size: int,
    group_size: int,
) -> int:
    """Check the arguments that both operators take; return the number of groups along an axis."""
    check_regions(where, data, rois, (pooled_size, pooled_size), spatial_scale)
    group = group_size or pooled_size
    if output_dim < 1 or group < 1 or data.shape[1] != output_dim * group**2:
        expected = (
            f"output_dim * group_size ** 2 channels, {output_dim} * {group} ** 2 = "
            f"{output_dim * group**2}"
        )
        raise wrong_shape(where, expected, "Correct output_dim or group_size", data=data)
    return group


def _check_offsets(
    where: str, rois: Tensor, trans: Tensor | None, output_dim: int, part: int, samples: int
) -> None:
    if samples < 1:
        msg = (
            f"{where}: sample_per_part={samples} was given. Expected at least 1 point. Leave it "
            f"out for 1."
        )
        raise InvalidArgumentError(msg)
    if trans is None:
        return
    fits = trans.dim() == 4 and trans.shape[0] == rois.shape[0] and trans.shape[2:] == (part, part)
    classes = trans.shape[1] // 2 if fits else 0
    if not classes or trans.shape[1] % 2 or output_dim % classes:
        expected = (
            f"trans of shape ({rois.shape[0]}, 2 * classes, {part}, {part}), where the classes "
            f"share {output_dim} channels"
        )
        raise wrong_shape(where, expected, "Correct part_size, or pass no_trans=True", trans=trans)


def _rounded(values: Tensor) -> Tensor:
    """Return whole numbers; halves are rounded away from zero, as in C."""
    return torch.trunc(values + values.sign() / 2)


def _channels(output_dim: int, pooled_size: int, group: int, device: torch.device) -> Tensor:
    """Return which channel a part of the result reads: (output_dim, rows, columns)."""
    part = (torch.arange(pooled_size, device=device) * group // pooled_size).clamp(max=group - 1)
    first = torch.arange(output_dim, device=device)[:, None, None] * group
    return (first + part[:, None]) * group + part


def _bins(low: Tensor, high: Tensor, scale: float, count: int, size: int) -> tuple[Tensor, Tensor]:
    """Return first and end of each part of regions along an axis, both (regions, count)."""
    start, end = _rounded(low.detach()) * scale, (_rounded(high.detach()) + 1) * scale
    length = (end - start).clamp(min=0.1) / count
    number = torch.arange(count + 1, device=low.device, dtype=low.dtype)
    edges = number * length[:, None] + start[:, None]
    first = edges[:, :-1].floor().clamp(0, size).long()
    return first, edges[:, 1:].ceil().clamp(0, size).long()


def _points(
    low: Tensor, high: Tensor, count: int, samples: int, scale: float
) -> tuple[Tensor, Tensor]:
    """Return the points of each part along an axis, (regions, count, samples), and its length."""
    start = _rounded(low.detach()) * scale - 0.5
    length = ((_rounded(high.detach()) + 1) * scale - 0.5 - start).clamp(min=0.1)
    step = length[:, None, None] / count
    part = torch.arange(count, device=low.device, dtype=low.dtype)[:, None]
    inner = torch.arange(samples, device=low.device, dtype=low.dtype)
    return part * step + start[:, None, None] + inner * (step / samples), length


def _offsets(trans: Tensor, pooled_size: int, part: int) -> Tensor:
    """Return the offset of each part of the result: (regions, 2 * classes, rows, columns)."""
    number = torch.arange(pooled_size, device=trans.device) * part // pooled_size
    return trans[:, :, number][..., number]


def _averaged(data: Tensor, channel: Tensor, image: Tensor, y: Tensor, x: Tensor) -> Tensor:
    """Average points, interpolated between pixels: (regions, output_dim, rows, columns).

    Points are (regions, classes, rows, columns, points along y, points along x).
    """
    height, width = data.shape[2:]
    per_class = channel.shape[0] // max(y.shape[1], x.shape[1])
    if y.shape[1] > 1:
        y, x = (each.repeat_interleave(per_class, dim=1) for each in (y, x))
    inside = (y >= -0.5) & (y <= height - 0.5) & (x >= -0.5) & (x <= width - 0.5)
    y, x = y.clamp(0, height - 1), x.clamp(0, width - 1)
    above, before = y.detach().floor(), x.detach().floor()
    below, after = y.detach().ceil(), x.detach().ceil()
    down, across = y - above, x - before
    number = image.clamp(min=0).view(-1, 1, 1, 1, 1, 1)

    def pixels(rows: Tensor, columns: Tensor) -> Tensor:
        return data[number, channel, rows.long(), columns.long()]

    upper = pixels(above, before) * (1 - across) + pixels(above, after) * across
    lower = pixels(below, before) * (1 - across) + pixels(below, after) * across
    value = (upper * (1 - down) + lower * down).masked_fill(~inside, 0)
    points = inside.sum((-2, -1))
    counts = (points > 0) & (image >= 0)[:, None, None, None]
    return torch.where(counts, value.sum((-2, -1)) / points.clamp(min=1), 0)
