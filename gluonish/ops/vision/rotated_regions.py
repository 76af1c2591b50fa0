"""Pooling of turned regions of an image to a fixed size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.ops.table import op
from gluonish.ops.vision.region_pooling import check_regions, images_of
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Sequence


@op(nd="contrib.RROIAlign")
@opaque
def rroi_align(
    data: Tensor,
    rois: Tensor,
    pooled_size: Sequence[int],
    spatial_scale: float,
    sampling_ratio: int = -1,
) -> Tensor:
    """Average each part of turned regions of interest, interpolated between the pixels.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        Feature maps.
    rois : Tensor, shape (regions, 6)
        Number of the image, centre (x, y), width, height and angle of each region; the angle in
        degrees, counterclockwise.
    pooled_size : pair of int
        Height and width of the result.
    spatial_scale : float
        Size of the feature map relative to the image to which the centres belong, in [0, 1].
    sampling_ratio : int, default -1
        How many points of a part are averaged along each axis; by default one for each pixel.

    Returns
    -------
    Tensor, shape (regions, channels, *pooled_size)
        The averages. The data has a gradient, which it has not in MXNet.

    References
    ----------
    Ma et al., "Arbitrary-Oriented Scene Text Detection via Rotation Proposals", 2017,
    arXiv:1703.01086.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.arange(16).reshape((1, 1, 4, 4))
    >>> regions = mx.nd.array([[0, 2, 2, 2, 2, 90]])
    >>> print(mx.nd.contrib.RROIAlign(x, regions, (2, 2), 1.0).asnumpy().round(2))
    [[[[11.5  7.5]
       [12.5  8.5]]]]
    """
    where = "RROIAlign"
    rows, columns = check_regions(where, data, rois, pooled_size, spatial_scale, numbers=6)
    shape = (rois.shape[0], data.shape[1], rows, columns)
    if data.is_meta or not rois.shape[0]:
        return data.new_zeros(shape)
    image = images_of(where, data, rois)
    given = rois.detach()
    centre_x, centre_y, width, height = (given[:, 1:5] * spatial_scale).unbind(1)
    angle = torch.deg2rad(given[:, 5])[:, None, None, None, None]
    down, down_counts = _points(height.clamp(min=1), rows, sampling_ratio)
    across, across_counts = _points(width.clamp(min=1), columns, sampling_ratio)
    down, across = down[:, :, None, :, None], across[:, None, :, None, :]
    x = across * angle.cos() + down * angle.sin() + centre_x[:, None, None, None, None]
    y = down * angle.cos() - across * angle.sin() + centre_y[:, None, None, None, None]
    values = _interpolated(data[image], x.flatten(1), y.flatten(1))
    values = values.reshape(*values.shape[:2], *x.shape[1:])
    counts = (down_counts * across_counts)[:, None, None, None]
    return torch.nan_to_num(values).sum((4, 5)) / counts


def _points(length: Tensor, parts: int, sampling_ratio: int) -> tuple[Tensor, Tensor]:
    """Return where the points of each part lie beside the centre, nan for those too many."""
    step = length / parts
    counts = torch.full_like(step, sampling_ratio) if sampling_ratio > 0 else step.ceil()
    most = sampling_ratio if sampling_ratio > 0 else int(counts.max())
    number = torch.arange(most, device=length.device, dtype=length.dtype)
    inner = (number + 0.5) * (step / counts)[:, None]
    inner = torch.where(number < counts[:, None], inner, torch.nan)
    part = torch.arange(parts, device=length.device, dtype=length.dtype) * step[:, None]
    return inner[:, None, :] + part[:, :, None] - (length / 2)[:, None, None], counts


def _interpolated(data: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Return the values at points of each region's image: (regions, channels, points)."""
    height, width = data.shape[2:]
    is_inside = (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
    pixels = data.flatten(2)
    found = torch.zeros_like(x).unsqueeze(1)
    x, y = (each.nan_to_num().clamp(min=0) for each in (x, y))
    x, y = x.clamp(max=width - 1), y.clamp(max=height - 1)
    left, top = x.floor(), y.floor()
    for dx, dy in ((0, 0), (0, 1), (1, 0), (1, 1)):
        column, row = (left + dx).clamp(max=width - 1), (top + dy).clamp(max=height - 1)
        weight = (1 - (x - left - dx).abs()) * (1 - (y - top - dy).abs()) * is_inside
        place = (row * width + column).long().unsqueeze(1).expand(-1, data.shape[1], -1)
        found = found + pixels.gather(2, place) * weight.unsqueeze(1)
    return found
