"""Non-maximum suppression."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import WIDEST, Graph, op
from gluonish.ops.table.explain import check_floats
from gluonish.ops.vision.boxes import FORMATS, check_format
from gluonish.ops.vision.checks import wrong_shape
from gluonish.ops.vision.overlap import suppress, to_centers, to_corners
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Callable

_WHERE = "box_nms"
_BOX = 4


@op(
    nd=("contrib.box_nms", "contrib.box_non_maximum_suppression"),
    output_names=("output0",),
    graph=Graph(outputs=2),
    precision=WIDEST,
    choices={"in_format": FORMATS, "out_format": FORMATS},
)
def box_nms(
    data: Tensor,
    overlap_thresh: float = 0.5,
    valid_thresh: float = 0.0,
    topk: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = -1,
    background_id: int = -1,
    force_suppress: bool = False,
    in_format: str = "corner",
    out_format: str = "corner",
) -> Tensor:
    """Sort boxes by score and drop those that overlap a better one too much.

    Parameters
    ----------
    data : Tensor, shape (*batch, boxes, numbers)
        For each box its corners, its score and, possibly, its class and other numbers.
    overlap_thresh : float, default 0.5
        Intersection over union above which the worse box goes.
    valid_thresh : float, default 0
        Boxes need a score above it.
    topk : int, default -1
        How many boxes with the best scores are looked at; below 0 for all. With 0 the data is
        returned as it is.
    coord_start : int, default 2
        Place of the first of the four coordinates.
    score_index : int, default 1
        Place of the score.
    id_index : int, default -1
        Place of the class, -1 if there is none.
    background_id : int, default -1
        Class whose boxes go from the start, if there are classes.
    force_suppress : bool, default False
        Whether boxes of different classes drop each other, too.
    in_format, out_format : {'corner', 'center'}, default 'corner'
        Whether a box is (xmin, ymin, xmax, ymax) or (x, y, width, height).

    Returns
    -------
    Tensor, shape (*batch, boxes, numbers)
        The boxes that stay, best first; then rows of -1. The gradient of a row is that of the
        box it came from, whatever the formats.

    Examples
    --------
    >>> import gluonish as mx
    >>> boxes = mx.nd.array([[0, 0.5, 0, 0, 2, 2], [0, 0.9, 0, 0, 2, 2.1], [0, 0.3, 4, 4, 5, 5]])
    >>> print(mx.nd.contrib.box_nms(boxes).asnumpy())
    [[ 0.   0.9  0.   0.   2.   2.1]
     [ 0.   0.3  4.   4.   5.   5. ]
     [-1.  -1.  -1.  -1.  -1.  -1. ]]
    """
    check_format(_WHERE, "in_format", in_format)
    check_format(_WHERE, "out_format", out_format)
    _check_places(data, coord_start, score_index, id_index)
    check_floats(_WHERE, data=data)
    if topk == 0:
        return data.clone()
    rows = data.reshape(-1, *data.shape[-2:])
    coordinates = slice(coord_start, coord_start + _BOX)
    plain = rows.detach()
    boxes = plain[..., coordinates]
    scores = plain[..., score_index]
    classes = None if id_index < 0 else plain[..., id_index]
    valid = scores > valid_thresh
    if classes is not None:
        valid = valid & (classes != background_id)
        classes = classes.trunc()  # MXNet compares two boxes' classes as integers, this one not
    corners = to_corners(boxes) if in_format == "center" else boxes
    order = _order(
        corners, scores, valid, None if force_suppress else classes, overlap_thresh, topk
    )
    found = rows.gather(1, order.clamp(min=0).unsqueeze(-1).expand(rows.shape))
    if in_format != out_format:
        found = _convert(found, coordinates, to_centers if in_format == "corner" else to_corners)
    return torch.where(order.unsqueeze(-1) < 0, -1, found).reshape(data.shape)


def _convert(found: Tensor, coordinates: slice, conversion: Callable[[Tensor], Tensor]) -> Tensor:
    """Write the boxes in the other format; the gradient passes as if they were not.

    Boxes whose first coordinate is below 0 stay as they are, as in MXNet, which takes them for
    rows that nothing is in.
    """
    plain = found.detach()
    given = plain[..., coordinates]
    boxes = torch.where(given[..., :1] < 0, given, conversion(given))
    before, after = plain[..., : coordinates.start], plain[..., coordinates.stop :]
    return torch.cat([before, boxes, after], -1) + (found - plain)


@opaque
def _order(
    boxes: Tensor,
    scores: Tensor,
    valid: Tensor,
    classes: Tensor | None,
    threshold: float,
    topk: int,
) -> Tensor:
    """Return the places of the boxes that stay, best first, then -1: shape (batch, boxes)."""
    if boxes.is_meta:
        return scores.new_empty(scores.shape, dtype=torch.int64)
    ranked = (
        torch.where(valid, scores, -torch.inf).sort(dim=1, descending=True, stable=True).indices
    )
    alive = valid.gather(1, ranked)
    if topk > 0:
        alive[:, topk:] = False
    sorted_boxes = boxes.gather(1, ranked.unsqueeze(-1).expand(boxes.shape))
    sorted_classes = None if classes is None else classes.gather(1, ranked)
    kept = suppress(sorted_boxes, alive, threshold, sorted_classes)
    places = torch.where(kept, ranked, -1)
    packed = (~kept).to(torch.uint8).sort(dim=1, stable=True).indices
    return places.gather(1, packed)


def _check_places(data: Tensor, coord_start: int, score_index: int, id_index: int) -> None:
    """Check that coordinates, score and class are different numbers of a row."""
    if data.dim() < 2:
        expected = "at least one axis of boxes and one of the numbers of each"
        raise wrong_shape(_WHERE, expected, "Reshape the data", data=data)
    width = data.shape[-1]
    named = [*range(coord_start, coord_start + _BOX), score_index]
    if id_index >= 0:
        named.append(id_index)
    if min(named) < 0 or max(named) >= width or len(set(named)) != len(named):
        msg = (
            f"{_WHERE}: coord_start={coord_start}, score_index={score_index} and "
            f"id_index={id_index} were given for data of shape {tuple(data.shape)}. Expected "
            f"different places among the {width} numbers of a box, four in a row for the "
            f"coordinates. Say where each of them is, and id_index=-1 if there is no class."
        )
        raise InvalidArgumentError(msg)
