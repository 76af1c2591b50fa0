"""What an object detector found, out of its predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import Precision, op
from gluonish.ops.table.explain import check_floats
from gluonish.ops.vision.boxes import decode
from gluonish.ops.vision.checks import several, wrong_shape
from gluonish.ops.vision.overlap import suppress, to_centers
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Sequence

_WHERE = "MultiBoxDetection"


@op(nd="contrib.MultiBoxDetection", npx="multibox_detection", precision=Precision("full", "widest"))
@opaque
def multibox_detection(
    cls_prob: Tensor,
    loc_pred: Tensor,
    anchor: Tensor,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
) -> Tensor:
    """Turn predicted classes and offsets into detected objects, best first.

    Parameters
    ----------
    cls_prob : Tensor, shape (batch, classes + 1, anchors)
        Predicted probabilities, class 0 being the background.
    loc_pred : Tensor, shape (batch, anchors * 4)
        Predicted offsets.
    anchor : Tensor, shape (1, anchors, 4)
        Corners of the anchor boxes.
    clip : bool, default True
        Whether the boxes are cut off at the image's edges.
    threshold : float, default 0.01
        Anchors whose best class is less probable show background.
    background_id : {0}
        The background's class, which is 0.
    nms_threshold : float, default 0.5
        Overlap from which on the less probable of two boxes is suppressed. Outside of (0, 1],
        none are, and the order is that of the anchors.
    force_suppress : bool, default False
        Whether boxes of different classes suppress each other, too.
    variances : sequence of 4 float, default (0.1, 0.1, 0.2, 0.2)
        What the offsets are multiplied by.
    nms_topk : int, default -1
        How many of the most probable boxes may stay, if above 0.

    Returns
    -------
    Tensor, shape (batch, anchors, 6)
        Class, probability and corners of each box. Classes do not count the background; -1 means
        that the row is none of a box, or that its box was suppressed. There is no gradient.

    Examples
    --------
    >>> import gluonish as mx
    >>> anchors = mx.np.array([[[0, 0, 0.5, 0.5], [0, 0.05, 0.5, 0.5]]])
    >>> probabilities = mx.np.array([[[0.1, 0.2], [0.9, 0.8]]])
    >>> found = mx.npx.multibox_detection(probabilities, mx.np.zeros((1, 8)), anchors)
    >>> found.round(2)
    array([[[ 0.  ,  0.9 ,  0.  ,  0.  ,  0.5 ,  0.5 ],
            [-1.  ,  0.8 ,  0.  ,  0.05,  0.5 ,  0.5 ]]])
    """
    _check(cls_prob, loc_pred, anchor, background_id)
    batch, classes, anchors = cls_prob.shape
    if cls_prob.is_meta or classes == 1 or anchors == 0:
        return cls_prob.new_full((batch, anchors, 6), -1)
    best, index = cls_prob.detach()[:, 1:].max(1)
    is_object = (best >= threshold) & (best > -1)
    offsets = loc_pred.detach().reshape(batch, anchors, 4)
    scales = several(_WHERE, "variances", variances, 4)
    boxes = decode(offsets, to_centers(anchor.detach()), scales)
    if clip:
        boxes = boxes.clamp(0, 1)
    rows = torch.cat([index.to(best.dtype).unsqueeze(-1), best.unsqueeze(-1), boxes], -1)
    rows = _take(rows, (~is_object).to(torch.uint8).sort(dim=1, stable=True).indices)
    count = is_object.sum(1, keepdim=True)
    place = torch.arange(anchors, device=rows.device)
    rows = torch.where((place < count).unsqueeze(-1), rows, -1)
    if not 0 < nms_threshold <= 1:
        return rows
    if nms_topk > 0:
        count = count.clamp(max=nms_topk)
    scores = torch.where(rows[..., 0] < 0, -torch.inf, rows[..., 1])
    ranked = _take(rows, scores.sort(dim=1, descending=True, stable=True).indices)
    stays = place < count
    rows = torch.where(stays.unsqueeze(-1), ranked, rows)
    groups = None if force_suppress else rows[..., 0]
    kept = suppress(rows[..., 2:], stays, nms_threshold, groups, includes_threshold=True)
    return torch.cat([torch.where(kept, rows[..., 0], -1).unsqueeze(-1), rows[..., 1:]], -1)


def _take(rows: Tensor, order: Tensor) -> Tensor:
    """Put the rows of each image into an order."""
    return rows.gather(1, order.unsqueeze(-1).expand(rows.shape))


def _check(cls_prob: Tensor, loc_pred: Tensor, anchor: Tensor, background_id: int) -> None:
    fits = (
        cls_prob.dim() == 3
        and cls_prob.shape[1] >= 1
        and loc_pred.shape == (cls_prob.shape[0], cls_prob.shape[2] * 4)
        and anchor.shape == (1, cls_prob.shape[2], 4)
    )
    if not fits:
        raise wrong_shape(
            _WHERE,
            "shapes (batch, classes + 1, anchors), (batch, anchors * 4) and (1, anchors, 4)",
            "Exchange two axes of the first, with cls_probs.transpose((0, 2, 1))"
            if cls_prob.dim() == 3 and anchor.dim() == 3 and cls_prob.shape[1] == anchor.shape[1]
            else "Reshape them; the anchors are those of all images",
            cls_prob=cls_prob,
            loc_pred=loc_pred,
            anchor=anchor,
        )
    check_floats(_WHERE, cls_prob=cls_prob, loc_pred=loc_pred, anchor=anchor)
    if background_id != 0:
        msg = (
            f"{_WHERE}: background_id={background_id} was given. Expected 0: as in MXNet, the "
            f"first class is the background. Move it there, and leave background_id out."
        )
        raise InvalidArgumentError(msg)
