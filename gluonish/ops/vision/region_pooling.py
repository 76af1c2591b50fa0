"""Pooling of regions of an image to a fixed size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import EITHER, WIDEST, Graph, op
from gluonish.ops.table.explain import check_floats
from gluonish.ops.vision.checks import several, wrong_shape
from gluonish.process.device_positions import within
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Sequence

_HELD = {"cpu": 2**20}  # elements of the largest intermediate result: what a cache holds
_HELD_ELSEWHERE = 2**26


@op(nd="ROIPooling", npx="roi_pooling", graph=Graph(outputs=2), precision=EITHER)
@opaque
def roi_pooling(
    data: Tensor, rois: Tensor, pooled_size: Sequence[int], spatial_scale: float
) -> Tensor:
    """Pool the maximum of each part of regions of interest.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        Feature maps.
    rois : Tensor, shape (regions, 5)
        Number of the image and corners (xmin, ymin, xmax, ymax) of each region; regions of images
        below 0 give zeros.
    pooled_size : pair of int
        Height and width of the result.
    spatial_scale : float
        Size of the feature map relative to the image to which the corners belong, in [0, 1].

    Returns
    -------
    Tensor, shape (regions, channels, *pooled_size)
        The maxima; 0 for parts outside of the image. Only the data has a gradient.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.np.arange(16).reshape(1, 1, 4, 4)
    >>> regions = mx.np.array([[0, 0, 0, 20, 20], [0, 0, 10, 30, 30]])
    >>> mx.npx.roi_pooling(x, regions, pooled_size=(2, 2), spatial_scale=0.1)
    array([[[[ 5.,  6.],
             [ 9., 10.]]],
    <BLANKLINE>
    <BLANKLINE>
           [[[ 9., 11.],
             [13., 15.]]]])
    """
    rows, columns = check_regions("ROIPooling", data, rois, pooled_size, spatial_scale)
    if data.is_meta or not rois.shape[0]:
        return data.new_zeros((rois.shape[0], data.shape[1], rows, columns))
    image = images_of("ROIPooling", data, rois)
    scaled = rois.detach()[:, 1:] * spatial_scale
    corner = torch.trunc(scaled + scaled.sign() / 2)
    down = _parts(corner[:, 1], corner[:, 3], rows, data.shape[2])
    across = _parts(corner[:, 0], corner[:, 2], columns, data.shape[3])
    if torch.compiler.is_exporting():
        return torch.where(
            _empty(image, down, across), 0, _masked_maxima(data, image, down, across)
        )
    with_places = data.requires_grad and torch.is_grad_enabled()
    last = data.detach().permute(0, 2, 3, 1).contiguous()
    per_region = rows * _longest(down) * columns * _longest(across) * data.shape[1]
    at_once = regions_at_once(data, per_region)
    chunks = (torch.split(each, at_once) for each in (image, *down, *across))
    found = torch.cat([
        _maxima(last, *edges, with_places=with_places) for edges in zip(*chunks, strict=True)
    ]).permute(0, 3, 1, 2)  # fmt: skip
    if with_places:
        channel = torch.arange(data.shape[1], device=data.device)[:, None, None]
        found = data.flatten(2)[image.clamp(min=0)[:, None, None, None], channel, found]
    return torch.where(_empty(image, down, across), 0, found)


def _empty(image: Tensor, down: tuple[Tensor, Tensor], across: tuple[Tensor, Tensor]) -> Tensor:
    """Return which parts hold no pixel: (regions, 1, rows, columns)."""
    has_rows, has_columns = down[1] > down[0], across[1] > across[0]
    is_empty = ~(has_rows[:, :, None] & has_columns[:, None, :]) | (image < 0)[:, None, None]
    return is_empty[:, None]


def _masked_maxima(
    data: Tensor, image: Tensor, down: tuple[Tensor, Tensor], across: tuple[Tensor, Tensor]
) -> Tensor:
    """Return the maximum of each part, (regions, channels, rows, columns), from all pixels.

    Exported graphs don't see how long the longest part is.
    """
    found = data[image.clamp(min=0)]
    for first, end in (across, down):  # the last axis becomes the parts, and goes to the front
        place = torch.arange(found.shape[-1], device=data.device)
        inside = (place >= first.unsqueeze(-1)) & (place < end.unsqueeze(-1))
        masked = torch.where(inside[:, None, None], found.unsqueeze(3), -torch.inf)
        found = masked.amax(-1).transpose(2, 3)
    return found


def _parts(low: Tensor, high: Tensor, count: int, size: int) -> tuple[Tensor, Tensor]:
    """Return first and end of each part of regions along an axis, both (regions, count)."""
    length = (high - low + 1).clamp(min=1) / count
    number = torch.arange(count + 1, device=low.device, dtype=low.dtype) * length[:, None]
    first = (number[:, :-1].floor() + low[:, None]).clamp(0, size)
    end = (number[:, 1:].ceil() + low[:, None]).clamp(0, size)
    return first.long(), end.long()


def _longest(parts: tuple[Tensor, Tensor]) -> int:
    return max(int((parts[1] - parts[0]).max()), 1)


def _maxima(
    data: Tensor,
    image: Tensor,
    top: Tensor,
    bottom: Tensor,
    left: Tensor,
    right: Tensor,
    *,
    with_places: bool,
) -> Tensor:
    """Return the maximum of each part, or where it is: (regions, rows, columns, channels).

    Its place is counted in reading order; the first of equal numbers is taken, as in MXNet. The
    channels of `data` are last.
    """
    height, width = data.shape[1:3]
    y, x = _window(top, bottom), _window(left, right)
    values = data[
        image.clamp(min=0)[:, None, None, None, None],
        y.clamp(max=height - 1)[:, :, :, None, None],
        x.clamp(max=width - 1)[:, None, None, :, :],
    ]
    below, beside = y >= bottom[:, :, None], x >= right[:, :, None]
    outside = below[:, :, :, None, None] | beside[:, None, None]
    values = values.masked_fill_(outside.unsqueeze(-1), -torch.inf)
    if not with_places:
        return values.amax((2, 4))
    wide = x.shape[2]
    inside = values.transpose(2, 3).flatten(3, 4).max(3).indices
    place_y = top[:, :, None, None] + inside // wide
    place_x = left[:, None, :, None] + inside % wide
    return place_y.clamp(max=height - 1) * width + place_x.clamp(max=width - 1)


def _window(first: Tensor, end: Tensor) -> Tensor:
    """Return the places of each part, as many as the longest has: (regions, parts, places)."""
    return first.unsqueeze(-1) + torch.arange(_longest((first, end)), device=first.device)


@op(nd="contrib.ROIAlign", precision=WIDEST)
@opaque
def roi_align(
    data: Tensor,
    rois: Tensor,
    pooled_size: Sequence[int],
    spatial_scale: float,
    sample_ratio: int = -1,
    position_sensitive: bool = False,
    aligned: bool = False,
) -> Tensor:
    """Average each part of regions of interest, interpolated between the pixels.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        Feature maps.
    rois : Tensor, shape (regions, 5)
        Number of the image and corners (xmin, ymin, xmax, ymax) of each region; regions of images
        below 0 give zeros.
    pooled_size : pair of int
        Height and width of the result.
    spatial_scale : float
        Size of the feature map relative to the image to which the corners belong, in [0, 1].
    sample_ratio : int, default -1
        How many points of a part are averaged along each axis; by default one for each pixel. An
        exported graph then takes regions of up to twice the length of the feature map.
    position_sensitive : bool, default False
        Whether each part has channels of its own, which makes the result's so many fewer.
    aligned : bool, default False
        Whether the corners are shifted by half a pixel, so that pixels have their centres right.

    Returns
    -------
    Tensor, shape (regions, channels, *pooled_size)
        The averages. Only the data has a gradient.

    Notes
    -----
    With a region of an image below 0, MXNet 1.9.1 writes zeros to another region's result.

    References
    ----------
    He et al., "Mask R-CNN", 2017, arXiv:1703.06870.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.arange(16).reshape((1, 1, 4, 4))
    >>> regions = mx.nd.array([[0, 0, 0, 2, 2]])
    >>> print(mx.nd.contrib.ROIAlign(x, regions, (2, 2), 1.0).asnumpy())
    [[[[2.5 3.5]
       [6.5 7.5]]]]
    """
    where = "ROIAlign"
    rows, columns = check_regions(where, data, rois, pooled_size, spatial_scale)
    parts = rows * columns if position_sensitive else 1
    if data.shape[1] % parts:
        expected = f"channels that {rows} * {columns} parts can share"
        raise wrong_shape(where, expected, "Choose another pooled_size", data=data)
    shape = (rois.shape[0], data.shape[1] // parts, rows, columns)
    if data.is_meta or not rois.shape[0]:
        return data.new_zeros(shape)
    image = images_of(where, data, rois)
    corner = rois.detach()[:, 1:] * spatial_scale - (0.5 if aligned else 0.0)
    least = None if aligned else 1.0
    down = _weights(corner[:, 1], corner[:, 3], rows, data.shape[2], sample_ratio, least)
    across = _weights(corner[:, 0], corner[:, 2], columns, data.shape[3], sample_ratio, least)
    if torch.compiler.is_exporting():  # which images there are is a value
        found = _weighted(data[image.clamp(min=0)], down, across, position_sensitive, each="n")
        return torch.where((image < 0)[:, None, None, None], 0, found)
    result = data.new_zeros(shape)
    for number in sorted(set(image.tolist())):
        chosen = (image == number).nonzero().squeeze(1)
        if number >= 0:
            found = _weighted(data[number], down[chosen], across[chosen], position_sensitive)
            result = result.index_copy(0, chosen, found)
    return result


def _weights(
    low: Tensor, high: Tensor, count: int, size: int, sample_ratio: int, least: float | None
) -> Tensor:
    """Return how much each pixel along an axis counts for each part: (regions, count, size).

    A bilinear interpolation, and an average of several, are products of one for each axis.
    """
    length = (high - low) if least is None else (high - low).clamp(min=least)
    step = length / count
    samples = step.ceil().clamp(min=0)
    if sample_ratio > 0:
        samples = torch.full_like(step, sample_ratio)
    if sample_ratio > 0:
        most = sample_ratio
    elif torch.compiler.is_exporting():
        most = -(-2 * size // count)
    else:
        most = max(int(samples.max()), 1)
    number = torch.arange(most, device=low.device, dtype=low.dtype)
    inner = (number + 0.5) * (step / samples.clamp(min=1))[:, None]
    part = torch.arange(count, device=low.device, dtype=low.dtype) * step[:, None]
    at = low[:, None, None] + part[:, :, None] + inner[:, None, :]
    counts = (at >= -1) & (at <= size) & (number < samples[:, None])[:, None]
    at = at.clamp(0, size - 1)
    scale = torch.where(counts, 1 / samples.clamp(min=1)[:, None, None], 0)
    if torch.compiler.is_exporting():  # without places that are computed
        pixel = torch.arange(size, device=low.device, dtype=low.dtype)
        near = (1 - (at.unsqueeze(-1) - pixel).abs()).clamp(min=0)
        return (near * scale.unsqueeze(-1)).sum(2)
    before = at.floor()
    share = at - before
    weights = at.new_zeros((*at.shape[:2], size))
    weights.scatter_add_(2, before.long(), (1 - share) * scale)
    after = (before.long() + 1).clamp(max=size - 1)
    return weights.scatter_add_(2, after, share * scale)


def _weighted(
    image: Tensor, down: Tensor, across: Tensor, by_part: bool, *, each: str = ""
) -> Tensor:
    """Sum an image's pixels by the weights of regions: (regions, channels, *parts).

    With `each="n"`, there is an image for each region.
    """
    down, across = down.to(image.dtype), across.to(image.dtype)
    rows, columns = down.shape[1], across.shape[1]
    if by_part:
        image = image.reshape(*image.shape[:-3], -1, rows, columns, *image.shape[-2:])
        rules = f"{each}cpqhw,nqw->ncpqh", "nph,ncpqh->ncpq"
    else:
        rules = f"{each}chw,nqw->nchq", "nph,nchq->ncpq"
    if each:
        return torch.einsum(rules[1], down, torch.einsum(rules[0], image, across))
    at_once = regions_at_once(image, image.numel() * columns // image.shape[-1])
    found = []
    for start in range(0, len(down), at_once):
        stop = start + at_once
        half = torch.einsum(rules[0], image, across[start:stop])
        found.append(torch.einsum(rules[1], down[start:stop], half))
    return torch.cat(found)


def regions_at_once(data: Tensor, per_region: int) -> int:
    """Return how many regions to work on at a time, given the elements that each takes."""
    return max(_HELD.get(data.device.type, _HELD_ELSEWHERE) // max(per_region, 1), 1)


def check_regions(
    where: str,
    data: Tensor,
    rois: Tensor,
    pooled_size: Sequence[int],
    spatial_scale: float,
    numbers: int = 5,
) -> tuple[int, int]:
    """Check the arguments that all operators take; return the result's height and width."""
    if data.dim() != 4 or rois.dim() != 2 or rois.shape[1] != numbers:
        shapes = "data of shape (batch, channels, height, width) and rois of shape"
        expected = f"{shapes} (regions, {numbers})"
        raise wrong_shape(where, expected, "Reshape them", data=data, rois=rois)
    check_floats(where, data=data, rois=rois)
    rows, columns = (int(size) for size in several(where, "pooled_size", pooled_size, 2))
    if min(rows, columns) < 1 or not 0 <= spatial_scale <= 1:
        msg = (
            f"{where}: pooled_size={tuple(pooled_size)} and spatial_scale={spatial_scale} were "
            f"given. Expected sizes above 0 and a scale from 0 to 1. Give the scale as 1 / stride "
            f"of the feature map."
        )
        raise InvalidArgumentError(msg)
    return rows, columns


def images_of(where: str, data: Tensor, rois: Tensor) -> Tensor:
    """Return the number of each region's image, after a check."""
    image = rois.detach()[:, 0].long()
    if torch.compiler.is_exporting():  # exported graphs don't see values
        return image
    highest = int(image.max())
    if highest >= data.shape[0]:
        msg = (
            f"{where}: a region of image {highest} was given. Expected numbers below "
            f"{data.shape[0]}, the number of images in data. Correct the first column of rois."
        )
        raise InvalidArgumentError(msg)
    return within(image, data.shape[0], counts_back=True)
