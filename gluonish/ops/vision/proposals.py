"""Region proposals: boxes that anchors, scores and offsets make, the best of them first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor

from gluonish.ops.table import WIDEST, Graph, op
from gluonish.ops.table.explain import check_floats
from gluonish.ops.vision.checks import wrong_shape
from gluonish.ops.vision.overlap import suppress
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.ops.table import Shape

_WHERE = "Proposal"


class Options(NamedTuple):
    """How proposals are made; see the operators."""

    pre_nms: int
    post_nms: int
    threshold: float
    min_size: int
    scales: tuple[float, ...]
    ratios: tuple[float, ...]
    stride: int
    iou_loss: bool


def _outputs(given: Mapping[str, Any]) -> int:
    return 2 if given["output_score"] else 1


def _shapes(shapes: Mapping[str, Shape | None], **_: object) -> dict[str, Shape]:
    """Rule for unknown shapes: four offsets for each anchor, and three numbers of each image."""
    scores = shapes["cls_prob"]
    if scores is None or len(scores) != 4:
        return {}
    channels = None if scores[1] is None else 2 * scores[1]
    return {"bbox_pred": (scores[0], channels, *scores[2:]), "im_info": (scores[0], 3)}


@op(
    nd=(("contrib.Proposal",), ("contrib.MultiProposal",)),
    outputs=_outputs,
    output_names=("output", "score"),
    shapes=_shapes,
    graph=Graph(outputs=2),
    precision=WIDEST,
)
def proposal(
    cls_prob: Tensor,
    bbox_pred: Tensor,
    im_info: Tensor,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: Sequence[float] = (4, 8, 16, 32),
    ratios: Sequence[float] = (0.5, 1, 2),
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the best boxes of each image that do not overlap too much.

    Parameters
    ----------
    cls_prob : Tensor, shape (batch, 2 * anchors, height, width)
        Probabilities of background, then of objects, for each anchor at each place.
    bbox_pred : Tensor, shape (batch, 4 * anchors, height, width)
        Offsets of the anchors.
    im_info : Tensor, shape (batch, 3)
        Height, width and scale of each image.
    rpn_pre_nms_top_n, rpn_post_nms_top_n : int, default 6000 and 300
        How many boxes are compared, and how many are returned; if fewer remain, they repeat.
    threshold : float, default 0.7
        Overlap beyond which the less probable of two boxes is dropped.
    rpn_min_size : int, default 16
        Smaller boxes count least; in pixels of the image before it was scaled.
    scales, ratios : sequence of float
        Sizes of the anchors in strides, and their heights by their widths.
    feature_stride : int, default 16
        Pixels from one place to the next.
    output_score : bool, default False
        Whether the probabilities are returned, too.
    iou_loss : bool, default False
        Whether offsets are those of the corners, in pixels.

    Returns
    -------
    Tensor, shape (batch * rpn_post_nms_top_n, 5), or it and the scores
        The image's number and the corners of each box.

    References
    ----------
    Ren, He, Girshick, Sun: Faster R-CNN (2015), arXiv:1506.01497.

    Examples
    --------
    >>> import gluonish as mx
    >>> p, d = mx.nd.array([0.2, 0.8]).reshape((1, 2, 1, 1)), mx.nd.zeros((1, 4, 1, 1))
    >>> mx.nd.contrib.Proposal(p, d, mx.nd.array([[16, 16, 1]]), scales=(1,), ratios=(1,),
    ...                        rpn_post_nms_top_n=1).asnumpy()
    array([[ 0.,  0.,  0., 15., 15.]], dtype=float32)
    """
    anchors = len(scales) * len(ratios)
    expected = (cls_prob.shape[0], 4 * anchors, *cls_prob.shape[2:])
    if (
        cls_prob.dim() != 4
        or cls_prob.shape[1] != 2 * anchors
        or bbox_pred.shape != expected
        or im_info.shape != (cls_prob.shape[0], 3)
    ):
        raise wrong_shape(
            _WHERE,
            f"shapes (batch, {2 * anchors}, height, width), (batch, {4 * anchors}, height, width) "
            f"and (batch, 3) for {anchors} anchors",
            "Reshape them, or change scales and ratios",
            cls_prob=cls_prob,
            bbox_pred=bbox_pred,
            im_info=im_info,
        )
    check_floats(_WHERE, cls_prob=cls_prob, bbox_pred=bbox_pred, im_info=im_info)
    options = Options(
        rpn_pre_nms_top_n, rpn_post_nms_top_n, threshold, rpn_min_size, tuple(scales),
        tuple(ratios), feature_stride, iou_loss,
    )  # fmt: skip
    boxes, scores = _proposals(cls_prob, bbox_pred, im_info, *options)
    return (boxes, scores) if output_score else boxes


@opaque
def _proposals(
    cls_prob: Tensor, bbox_pred: Tensor, im_info: Tensor, *given: Any
) -> tuple[Tensor, Tensor]:
    """Return boxes with their images' numbers, and their scores."""
    options = Options(*given)
    batch, _, height, width = cls_prob.shape
    if cls_prob.is_meta:
        rows = batch * options.post_nms
        return cls_prob.new_empty(rows, 5), cls_prob.new_empty(rows, 1)
    cls_prob, bbox_pred, im_info = cls_prob.detach(), bbox_pred.detach(), im_info.detach()
    anchors = _anchors(options).to(cls_prob)
    count = len(anchors)
    down = torch.arange(height, device=cls_prob.device).to(cls_prob) * options.stride
    right = torch.arange(width, device=cls_prob.device).to(cls_prob) * options.stride
    shifts = torch.stack(
        [right.expand(height, width), down.unsqueeze(1).expand(height, width)] * 2, -1
    )
    grid = (shifts.unsqueeze(2) + anchors).reshape(1, -1, 4)
    offsets = bbox_pred.reshape(batch, count, 4, height, width).permute(0, 3, 4, 1, 2)
    boxes = _moved(grid, offsets.reshape(batch, -1, 4), iou_loss=options.iou_loss)
    limits = im_info[:, [1, 0, 1, 0]].unsqueeze(1) - 1
    boxes = torch.minimum(boxes.clamp(min=0), limits)
    scores = cls_prob[:, count:].permute(0, 2, 3, 1)
    ends = torch.trunc(im_info[:, :2] / options.stride).reshape(batch, 2, 1, 1, 1)
    places = torch.arange(max(height, width), device=cls_prob.device)
    outside = (places[:height].reshape(1, -1, 1, 1) >= ends[:, 0]) | (
        places[:width].reshape(1, 1, -1, 1) >= ends[:, 1]
    )
    scores = torch.where(outside, -1, scores).reshape(batch, -1)
    return _best(boxes, scores, im_info[:, 2:], options)


def _best(boxes: Tensor, scores: Tensor, scales: Tensor, options: Options) -> tuple[Tensor, Tensor]:
    """Return the best boxes that do not overlap too much."""
    batch, total = scores.shape
    least = options.min_size * scales
    sizes = boxes[..., 2:] - boxes[..., :2] + 1
    is_small = (sizes < least.unsqueeze(1)).any(-1)
    wider = (least / 2).unsqueeze(1) * boxes.new_tensor([-1, -1, 1, 1])
    boxes = torch.where(is_small.unsqueeze(-1), boxes + wider, boxes)
    scores = torch.where(is_small, -1, scores)
    compared = min(options.pre_nms, total) if options.pre_nms > 0 else total
    ranked, order = scores.sort(dim=1, descending=True, stable=True)
    order, ranked = order[:, :compared], ranked[:, :compared]
    found = boxes.gather(1, order.unsqueeze(-1).expand(-1, -1, 4))
    alive = torch.ones_like(ranked, dtype=torch.bool)
    ends = found.new_tensor([0, 0, 1, 1])  # pixels, whose last one belongs to the box
    kept = suppress(found + ends, alive, options.threshold, None)
    first = (~kept).to(torch.uint8).sort(dim=1, stable=True).indices
    count = kept.sum(1, keepdim=True).clamp(max=min(options.post_nms, compared))
    numbers = torch.arange(options.post_nms, device=boxes.device).expand(batch, -1)
    chosen = first.gather(1, numbers % count)
    result = found.gather(1, chosen.unsqueeze(-1).expand(-1, -1, 4))
    images = torch.arange(batch, device=boxes.device).to(boxes).reshape(-1, 1, 1)
    rows = torch.cat([images.expand(-1, options.post_nms, 1), result], -1)
    return rows.reshape(-1, 5), ranked.gather(1, chosen).reshape(-1, 1)


def _moved(anchors: Tensor, offsets: Tensor, *, iou_loss: bool) -> Tensor:
    """Return corners of anchors that are moved."""
    if iou_loss:
        return anchors + offsets
    sizes = anchors[..., 2:] - anchors[..., :2] + 1
    centers = anchors[..., :2] + 0.5 * (sizes - 1)
    centers = offsets[..., :2] * sizes + centers
    halves = 0.5 * (torch.exp(offsets[..., 2:]) * sizes - 1)
    return torch.cat([centers - halves, centers + halves], -1)


def _anchors(options: Options) -> Tensor:
    """Return corners of the anchors at the first place: each scale of each ratio."""
    rows = []
    center = 0.5 * (options.stride - 1)
    for ratio in options.ratios:
        width = math.floor(math.sqrt(math.floor(options.stride**2 / ratio)) + 0.5)
        height = math.floor(width * ratio + 0.5)
        for scale in options.scales:
            across, along = 0.5 * (width * scale - 1), 0.5 * (height * scale - 1)
            rows.append([center - across, center - along, center + across, center + along])
    return torch.tensor(rows, dtype=torch.float64)
