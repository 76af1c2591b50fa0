"""How much boxes overlap, and which of overlapping boxes stay."""

from __future__ import annotations

import torch
from torch import Tensor

_BLOCK = 128  # boxes


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
    found = _ratios(one, other)
    return found.nan_to_num_(nan=0.0)


def _ratios(one: Tensor, other: Tensor) -> Tensor:
    """Return intersection over union, NaN where there is neither."""
    shared = _common(one, other, 0).mul_(_common(one, other, 1))
    union = (area(one).unsqueeze(-1) + area(other).unsqueeze(-2)).sub_(shared)
    return shared.div_(union)


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
    earlier box that stays drops it"; repeated application finds it in few rounds. What a block
    drops is not looked at again. While torch exports, how many boxes count is not known: all are
    one block, and a loop of the exported program finds the fixed point.
    """
    if torch.compiler.is_exporting():
        return _suppress_all(boxes, alive, threshold, classes, includes_threshold)
    kept = torch.zeros_like(alive)
    for number, count in enumerate(alive.sum(1).tolist()):
        chosen = boxes[number]
        groups = None if classes is None else classes[number]
        left = torch.arange(count, device=boxes.device)
        while len(left):
            block, rest = left[:_BLOCK], left[_BLOCK:]
            inside = _drops(chosen, groups, block, block, threshold, includes_threshold)
            block = block[_settle(inside.triu_(1))]
            kept[number, block] = True
            if len(rest):
                drops = _drops(chosen, groups, block, rest, threshold, includes_threshold)
                rest = rest[~drops.any(0)]
            left = rest
    return kept


def _suppress_all(
    boxes: Tensor,
    alive: Tensor,
    threshold: float,
    classes: Tensor | None,
    includes_threshold: bool,
) -> Tensor:
    """Do what `suppress` does, in words that torch can export."""
    table = _ratios(boxes, boxes)
    drops = table >= threshold if includes_threshold else table > threshold
    if classes is not None:
        drops = drops & (classes.unsqueeze(2) == classes.unsqueeze(1))
    place = torch.arange(boxes.shape[1], device=boxes.device)
    drops = drops & (place.unsqueeze(1) < place)

    def is_unsettled(stays: Tensor, changed: Tensor) -> Tensor:  # noqa: ARG001 - the body's
        return changed.clone()

    def settle(stays: Tensor, changed: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ARG001
        found = alive & ~(drops & stays.unsqueeze(2)).any(1)
        return found, (found != stays).any()

    changed = torch.ones((), dtype=torch.bool, device=boxes.device)
    kept: Tensor
    kept, _ = torch.while_loop(is_unsettled, settle, (alive.clone(), changed))  # type: ignore[no-untyped-call]
    return kept


def _drops(
    boxes: Tensor,
    classes: Tensor | None,
    ones: Tensor,
    others: Tensor,
    threshold: float,
    includes_threshold: bool,
) -> Tensor:
    """Return which of the first boxes would drop which of the others."""
    table = _ratios(boxes[ones], boxes[others])
    drops = table >= threshold if includes_threshold else table > threshold
    if classes is not None:
        drops &= classes[ones][:, None] == classes[others]
    return drops


def _settle(drops: Tensor) -> Tensor:
    """Return which boxes of a block stay, where row i tells which later boxes box i drops."""
    stays = ~drops.any(0)
    while True:
        found = ~drops[stays].any(0)
        if torch.equal(found, stays):
            return found
        stays = found
