"""How much boxes overlap, and which of overlapping boxes stay."""

from __future__ import annotations

import torch
from torch import Tensor

_TABLE = 2**22  # elements of the largest table of overlaps that is held at a time
_ROWS = 512


def to_corners(boxes: Tensor) -> Tensor:
    """Convert boxes (x, y, width, height), with their centres, to corners."""
    half = boxes[..., 2:] / 2
    return torch.cat([boxes[..., :2] - half, boxes[..., :2] + half], -1)


def to_centers(boxes: Tensor) -> Tensor:
    """Convert boxes given by their corners to (x, y, width, height)."""
    low, high = boxes[..., :2], boxes[..., 2:]
    return torch.cat([(low + high) / 2, high - low], -1)


def overlaps(one: Tensor, other: Tensor) -> Tensor:
    """Return intersection over union of all pairs of boxes given by their corners.

    Parameters
    ----------
    one, other : Tensor, shape (*batch, n, 4) and (*batch, m, 4)
        Boxes; the axes before the last two broadcast.

    Returns
    -------
    Tensor, shape (*batch, n, m)
        Numbers from 0 to 1; 0 as well for boxes without area.
    """
    shared = _common(one, other, 0) * _common(one, other, 1)
    union = area(one).unsqueeze(-1) + area(other).unsqueeze(-2) - shared
    return torch.where(shared > 0, shared / union, 0)


def area(boxes: Tensor) -> Tensor:
    """Return the areas of boxes given by their corners, 0 where the corners are swapped."""
    sizes = (boxes[..., 2:] - boxes[..., :2]).clamp(min=0)
    return sizes[..., 0] * sizes[..., 1]


def _common(one: Tensor, other: Tensor, axis: int) -> Tensor:
    """Return the lengths that pairs of boxes share along an axis."""
    low = torch.maximum(one[..., :, None, axis], other[..., None, :, axis])
    high = torch.minimum(one[..., :, None, axis + 2], other[..., None, :, axis + 2])
    return (high - low).clamp_(min=0)


def suppress(
    boxes: Tensor,
    alive: Tensor,
    threshold: float,
    classes: Tensor | None = None,
    *,
    includes_threshold: bool = False,
) -> Tensor:
    """Return which boxes stay when each drops those after it that it overlaps too much.

    Parameters
    ----------
    boxes : Tensor, shape (batch, boxes, 4)
        Corners, best box first; those that do not count come last.
    alive : Tensor, shape (batch, boxes)
        Which count.
    threshold : float
        Overlap above which the later box goes.
    classes : Tensor, shape (batch, boxes), optional
        Boxes of different classes never drop each other.
    includes_threshold : bool, default False
        Whether an overlap of exactly the threshold is too much.

    Notes
    -----
    Boxes are taken by blocks. Within one, the answer is the only fixed point of "stays unless an
    earlier box that stays drops it"; repeated application finds it in few rounds.
    """
    kept = alive.clone()
    count = int(alive.sum(1).max()) if alive.numel() else 0
    rows = max(min(_TABLE // max(alive.shape[0] * count, 1), _ROWS), 16)
    for start in range(0, count, rows):
        stop = min(start + rows, count)
        table = overlaps(boxes[:, start:stop], boxes[:, start:count])
        drops = table >= threshold if includes_threshold else table > threshold
        if classes is not None:
            drops &= classes[:, start:stop, None] == classes[:, None, start:count]
        inside = drops[:, :, : stop - start].triu(1)
        stays = _settle(inside, kept[:, start:stop])
        kept[:, start:stop] = stays
        if stop < count:
            dropped = (drops[:, :, stop - start :] & stays[:, :, None]).any(1)
            kept[:, stop:count] &= ~dropped
    return kept


def _settle(drops: Tensor, alive: Tensor) -> Tensor:
    """Return the fixed point of a block, where row i tells which later boxes box i drops."""
    stays = alive
    while True:
        found = alive & ~(drops & stays[:, :, None]).any(1)
        if torch.equal(found, stays):
            return found
        stays = found
