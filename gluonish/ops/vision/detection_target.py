"""What an object detector learns from anchor boxes and labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import Precision, op
from gluonish.ops.table.explain import check_floats
from gluonish.ops.vision.boxes import encode, match
from gluonish.ops.vision.checks import several, wrong_shape
from gluonish.ops.vision.overlap import overlaps
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Sequence

_WHERE = "MultiBoxTarget"
_LEAST = 1e-6  # boxes that overlap less are never matched


@op(
    nd="contrib.MultiBoxTarget",
    npx="multibox_target",
    outputs=3,
    output_names=("loc_target", "loc_mask", "cls_target"),
    precision=Precision("full", "widest"),
)
@opaque
def multibox_target(
    anchor: Tensor,
    label: Tensor,
    cls_pred: Tensor,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: Sequence[float] = (0.1, 0.1, 0.2, 0.2),
) -> list[Tensor]:
    """Match anchor boxes with labels and return what a detector should predict.

    Each labelled box gets the anchor that overlaps it most, one after the other by overlap. Other
    anchors are matched with the box that they overlap most, if that is enough.

    Parameters
    ----------
    anchor : Tensor, shape (1, anchors, 4)
        Corners of the anchor boxes.
    label : Tensor, shape (batch, labels, 5 or more)
        Class and corners of each true box; rows of -1 fill up.
    cls_pred : Tensor, shape (batch, classes + 1, anchors)
        Predicted scores, class 0 being the background; needed for negative mining.
    overlap_threshold : float, default 0.5
        Intersection over union above which an anchor is matched; up to 0, only the best are.
    ignore_label : float, default -1
        Class of anchors that do not count, among them all those of an image without boxes.
    negative_mining_ratio : float, default -1
        How many anchors count as background for each that is matched, those first which are
        least taken for background; below 0, all do.
    negative_mining_thresh : float, default 0.5
        Anchors that overlap a box as much as this are not mined.
    minimum_negative_samples : int, default 0
        Mine at least this many.
    variances : sequence of 4 float, default (0.1, 0.1, 0.2, 0.2)
        What the offsets are divided by.

    Returns
    -------
    list of three Tensor, shapes (batch, anchors * 4), (batch, anchors * 4), (batch, anchors)
        Offsets, a mask that is 1 where they count, and classes, 0 being the background. There is
        no gradient.

    Notes
    -----
    MXNet 1.9.1 does not look at `minimum_negative_samples` on CPUs, and refuses to mine more
    anchors than there are.

    Examples
    --------
    >>> import gluonish as mx
    >>> anchors = mx.np.array([[[0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1]]])
    >>> labels = mx.np.array([[[0, 0.1, 0, 0.5, 0.5]]])
    >>> offsets, mask, classes = mx.npx.multibox_target(anchors, labels, mx.np.zeros((1, 2, 2)))
    >>> mask, classes
    (array([[1., 1., 1., 1., 0., 0., 0., 0.]]), array([[1., 0.]]))
    """
    _check(anchor, label, cls_pred)
    scales = several(_WHERE, "variances", variances, 4)
    anchors, labels = anchor.detach(), label.detach()
    is_box = (labels[..., 0] == -1).cumsum(1) == 0
    boxes = labels[..., 1:5]
    table = torch.where(is_box[:, None], overlaps(anchors, boxes), -1)
    assigned, _ = match(table, min(table.shape[1:]), _LEAST)
    overlap, nearest = table.max(2)
    positive = assigned >= 0
    if overlap_threshold > 0:
        positive = positive | (overlap > overlap_threshold)
    matched = torch.where(assigned >= 0, assigned, nearest)
    has_boxes = is_box.any(1, keepdim=True)
    negative = ~positive & has_boxes
    if negative_mining_ratio > 0:
        hard = negative & (overlap < _mining_limit(negative_mining_thresh))
        wanted = (positive.sum(1) * negative_mining_ratio).long()
        wanted = wanted.clamp(min=minimum_negative_samples)
        negative = _mine(hard, cls_pred.detach(), wanted)
    found = boxes.gather(1, matched.unsqueeze(-1).expand(*matched.shape, 4))
    offsets = encode(anchors, found) / anchors.new_tensor(scales)
    classes = labels[..., 0].gather(1, matched) + 1
    classes = torch.where(positive, classes, torch.where(negative, 0, ignore_label))
    counts = positive.unsqueeze(-1).expand_as(offsets)
    return [
        torch.where(counts, offsets, 0).flatten(1),
        counts.to(offsets.dtype).flatten(1),
        classes.to(offsets.dtype),
    ]


def _check(anchor: Tensor, label: Tensor, cls_pred: Tensor) -> None:
    fits = (
        anchor.dim() == 3
        and (anchor.shape[0], anchor.shape[2]) == (1, 4)
        and label.dim() == 3
        and label.shape[1] >= 1
        and label.shape[2] >= 5
        and cls_pred.dim() == 3
        and cls_pred.shape[2] == anchor.shape[1]
    )
    if not fits:
        raise wrong_shape(
            _WHERE,
            "shapes (1, anchors, 4), (batch, labels, 5) and (batch, classes + 1, anchors)",
            _how_to_fit(anchor.shape, label.shape, cls_pred.shape),
            anchor=anchor,
            label=label,
            cls_pred=cls_pred,
        )
    check_floats(_WHERE, anchor=anchor, label=label, cls_pred=cls_pred)


def _how_to_fit(anchor: torch.Size, label: torch.Size, cls_pred: torch.Size) -> str:
    """Return which argument to turn, or to exchange with another."""
    count = anchor[1] if len(anchor) == 3 else -1
    if len(label) == len(cls_pred) == 3 and label[2] == count != cls_pred[2] and cls_pred[2] >= 5:
        return "Exchange the second and the third: MultiBoxTarget(anchors, labels, cls_preds)"
    if len(cls_pred) == 3 and cls_pred[1] == count:
        return "Exchange two axes of the third, with cls_preds.transpose((0, 2, 1))"
    if len(label) == 2 and label[1] >= 5 and len(cls_pred) == 3 and label[0] == cls_pred[0]:
        return (
            "label lacks the axis of the boxes of a picture: write labels.expand_dims(1), for one "
            "box in each"
        )
    if len(label) == 2 and label[1] >= 5:
        return "label lacks the axis of the pictures: write labels.expand_dims(0), for one picture"
    wrong = {
        f"anchor is {tuple(anchor)}, not (1, anchors, 4)": len(anchor) != 3 or anchor[0] != 1,
        f"label is {tuple(label)}, not (batch, labels, 5)": len(label) != 3 or label[2] < 5,
        f"cls_pred is {tuple(cls_pred)}, not (batch, classes + 1, {count})": len(cls_pred) != 3
        or cls_pred[2] != count,
    }
    said = "; ".join(text for text, is_wrong in wrong.items() if is_wrong)
    return f"{said}. Reshape that; the anchors are those of all images" if said else "Reshape them"


def _mining_limit(thresh: float) -> float:
    if thresh <= 0:
        msg = (
            f"{_WHERE}: negative_mining_thresh={thresh} was given. Expected an overlap above 0. "
            f"Pass 0.5, for example."
        )
        raise InvalidArgumentError(msg)
    return thresh


def _mine(hard: Tensor, cls_pred: Tensor, wanted: Tensor) -> Tensor:
    """Return which anchors of each image are least taken for background, as many as wanted."""
    background = cls_pred.softmax(1)[:, 0].expand(hard.shape)
    order = torch.where(hard, background, torch.inf).sort(dim=1, stable=True).indices
    place = torch.arange(hard.shape[1], device=hard.device).expand(hard.shape)
    rank = torch.empty_like(order).scatter(1, order, place)
    return hard & (rank < wanted.unsqueeze(1))
