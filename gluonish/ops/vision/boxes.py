"""Operators on boxes: overlap, matching, coding against anchors."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import EITHER, WIDEST, op
from gluonish.ops.table.choices import unknown_choice
from gluonish.ops.table.explain import check_floats
from gluonish.ops.vision.checks import check_boxes, wrong_shape
from gluonish.ops.vision.overlap import overlaps, to_centers, to_corners
from gluonish.process.replay_marks import opaque

FORMATS = ("center", "corner")


def check_format(where: str, name: str, value: str) -> None:
    """Check the name of a way to write boxes.

    Raises
    ------
    InvalidArgumentError
        It is neither 'center' nor 'corner'.
    """
    if value not in FORMATS:
        error = unknown_choice(value, where, name, FORMATS)
        meant = "'corner' is (xmin, ymin, xmax, ymax), 'center' (x, y, width, height)"
        msg = f"{error} {meant}."
        raise InvalidArgumentError(msg)


@op(
    nd="contrib.box_iou",
    precision=WIDEST,
    choices={"format": FORMATS},
)
def box_iou(lhs: Tensor, rhs: Tensor, format: str = "corner") -> Tensor:  # noqa: A002 - MXNet's
    """Return the intersection over union of all pairs of boxes, without gradient.

    Parameters
    ----------
    lhs : Tensor, shape (*n, 4)
        Boxes.
    rhs : Tensor, shape (*m, 4)
        Boxes.
    format : {'corner', 'center'}, default 'corner'
        Whether a box is (xmin, ymin, xmax, ymax) or (x, y, width, height).

    Returns
    -------
    Tensor, shape (*n, *m)
        Numbers from 0 to 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> one = mx.nd.array([[0.5, 0.5, 1, 1], [0, 0, 0.5, 0.5]])
    >>> other = mx.nd.array([[0.25, 0.25, 0.75, 0.75]])
    >>> mx.nd.contrib.box_iou(one, other).asnumpy().round(4)
    array([[0.1429],
           [0.1429]], dtype=float32)
    """
    check_format("box_iou", "format", format)
    check_boxes("box_iou", lhs=lhs, rhs=rhs)
    one, other = lhs.detach().reshape(-1, 4), rhs.detach().reshape(-1, 4)
    if format == "center":
        one, other = to_corners(one), to_corners(other)
    return overlaps(one, other).reshape(lhs.shape[:-1] + rhs.shape[:-1])


@op(nd="contrib.bipartite_matching", outputs=2, precision=EITHER)
@opaque
def bipartite_matching(
    data: Tensor, is_ascend: bool = False, threshold: float | None = None, topk: int = -1
) -> list[Tensor]:
    """Match rows with columns one to one, best score first, without gradient.

    Parameters
    ----------
    data : Tensor, shape (*batch, rows, columns)
        Scores.
    is_ascend : bool, default False
        Whether the lowest score is the best.
    threshold : float
        A pair needs a score above it, or below it with `is_ascend`; must be given.
    topk : int, default -1
        End with the match that makes more than this many; up to 0 for no limit.

    Returns
    -------
    list of two Tensor, shapes (*batch, rows) and (*batch, columns)
        The column of each row and the row of each column; -1 where there is none.

    Notes
    -----
    `topk=1` gives two matches, as it does in MXNet 1.9.1.

    Examples
    --------
    >>> import gluonish as mx
    >>> scores = mx.nd.array([[0.5, 0.6], [0.1, 0.2], [0.3, 0.4]])
    >>> columns, rows = mx.nd.contrib.bipartite_matching(scores, threshold=1e-12)
    >>> columns.asnumpy(), rows.asnumpy()
    (array([ 1., -1.,  0.], dtype=float32), array([2., 0.], dtype=float32))
    """
    where = "bipartite_matching"
    if data.dim() < 2:
        expected = "one axis of rows and one of columns"
        raise wrong_shape(where, expected, "Reshape the data", data=data)
    check_floats(where, data=data)
    if threshold is None:
        msg = (
            f"{where}: no threshold was given. Expected the score that a pair must pass. "
            f"Write threshold=1e-12, for example."
        )
        raise InvalidArgumentError(msg)
    rows, columns = data.shape[-2:]
    limit = min(rows, columns) if topk <= 0 else min(rows, columns, topk + 1)
    scores = data.detach().reshape(-1, rows, columns)
    lowest = -threshold if is_ascend else threshold
    of_rows, of_columns = match(-scores if is_ascend else scores, limit, lowest)
    batch = data.shape[:-2]
    found = of_rows.reshape(*batch, rows), of_columns.reshape(*batch, columns)
    return [each.to(data.dtype) for each in found]


def match(scores: Tensor, limit: int, threshold: float) -> tuple[Tensor, Tensor]:
    """Match rows with columns, highest score first, the earliest pair among equals.

    Parameters
    ----------
    scores : Tensor, shape (batch, rows, columns)
        Scores.
    limit : int
        Largest number of matches.
    threshold : float
        A pair needs a score above it.

    Returns
    -------
    tuple of two Tensor, shapes (batch, rows) and (batch, columns)
        The column of each row and the row of each column, int64; -1 where there is none.
    """
    batch, rows, columns = scores.shape
    of_rows = scores.new_full((batch, rows), -1, dtype=torch.int64)
    of_columns = scores.new_full((batch, columns), -1, dtype=torch.int64)
    free = torch.where(scores > threshold, scores, -torch.inf)
    each = torch.arange(batch, device=scores.device)
    for _ in range(limit):
        best, place = free.flatten(1).max(1)
        row, column = place // columns, place % columns
        is_match = best > -torch.inf
        of_rows[each, row] = torch.where(is_match, column, of_rows[each, row])
        of_columns[each, column] = torch.where(is_match, row, of_columns[each, column])
        free[each, row] = -torch.inf
        free[each, :, column] = -torch.inf
    return of_rows, of_columns


@op(nd="contrib.box_encode", outputs=2)
def box_encode(
    samples: Tensor, matches: Tensor, anchors: Tensor, refs: Tensor, means: Tensor, stds: Tensor
) -> list[Tensor]:
    """Express matched boxes as offsets from their anchors, without gradient.

    Parameters
    ----------
    samples : Tensor, shape (batch, n)
        1 for anchors that learn an offset; -1 or 0 for the others.
    matches : Tensor, shape (batch, n)
        Which box of `refs` each anchor is matched with.
    anchors : Tensor, shape (batch, n, 4)
        Corners of the anchors.
    refs : Tensor, shape (batch, m, 4)
        Corners of the true boxes.
    means, stds : Tensor, shape (4,)
        Subtracted from the offsets, which are then divided.

    Returns
    -------
    list of two Tensor, shape (batch, n, 4)
        Offsets and a mask that is 1 where they count.

    Examples
    --------
    >>> import gluonish as mx
    >>> array = mx.nd.array
    >>> anchors, refs = array([[[0, 0, 2, 2]]]), array([[[1, 1, 3, 3]]])
    >>> offsets, mask = mx.nd.contrib.box_encode(
    ...     array([[1]]), array([[0]]), anchors, refs, mx.nd.zeros((4,)), mx.nd.ones((4,)))
    >>> offsets.asnumpy()
    array([[[0.5, 0.5, 0. , 0. ]]], dtype=float32)
    """
    where = "box_encode"
    check_boxes(where, anchors=anchors, refs=refs)
    if samples.shape != matches.shape or anchors.shape[:-1] != samples.shape:
        raise wrong_shape(
            where,
            "samples and matches of shape (batch, n), anchors of shape (batch, n, 4)",
            "Reshape them",
            samples=samples,
            matches=matches,
            anchors=anchors,
        )
    index = matches.detach().long().clamp(0, max(refs.shape[1] - 1, 0))  # -1 matches none
    index = index.unsqueeze(-1).expand(*matches.shape, 4)
    offsets = encode(anchors.detach(), refs.detach().gather(1, index))
    scaled = (offsets - means.detach()) / stds.detach()
    counts = samples.detach().unsqueeze(-1).expand_as(scaled) > 0.5
    return [torch.where(counts, scaled, 0), counts.to(scaled.dtype)]


def encode(anchors: Tensor, boxes: Tensor) -> Tensor:
    """Return boxes relative to anchors, both given by corners: offset of centre, log of size."""
    base, found = to_centers(anchors), to_centers(boxes)
    shift = (found[..., :2] - base[..., :2]) / base[..., 2:]
    return torch.cat([shift, (found[..., 2:] / base[..., 2:]).log()], -1)


@op(
    nd="contrib.box_decode",
    choices={"format": FORMATS},
)
def box_decode(
    data: Tensor,
    anchors: Tensor,
    std0: float = 1.0,
    std1: float = 1.0,
    std2: float = 1.0,
    std3: float = 1.0,
    clip: float = -1.0,
    format: str = "center",  # noqa: A002 - MXNet's name
) -> Tensor:
    """Turn offsets from anchors into boxes, given by their corners, without gradient.

    Parameters
    ----------
    data : Tensor, shape (batch, n, 4)
        Offsets of the centre, in sizes of the anchor, and logarithms of the size.
    anchors : Tensor, shape (1, n, 4)
        Anchors.
    std0, std1, std2, std3 : float, default 1
        What the offsets are multiplied by.
    clip : float, default -1
        Largest logarithm of a size, if above 0.
    format : {'center', 'corner'}, default 'center'
        How the anchors are written: (x, y, width, height) or (xmin, ymin, xmax, ymax).

    Examples
    --------
    >>> import gluonish as mx
    >>> anchors = mx.nd.array([[[1, 1, 2, 2]]])
    >>> offsets = mx.nd.array([[[0.5, 0.5, 0, 0]]])
    >>> mx.nd.contrib.box_decode(offsets, anchors).asnumpy()
    array([[[1., 1., 3., 3.]]], dtype=float32)
    """
    where = "box_decode"
    check_format(where, "format", format)
    check_boxes(where, data=data, anchors=anchors)
    if data.dim() != 3 or anchors.shape != (1, *data.shape[1:]):
        expected = "data of shape (batch, n, 4) and anchors of shape (1, n, 4)"
        raise wrong_shape(where, expected, "Reshape them", data=data, anchors=anchors)
    base = to_centers(anchors.detach()) if format == "corner" else anchors.detach()
    scales = (std0, std1, std2, std3)
    return decode(data.detach(), base, scales, clip if clip > 0 else None)


def decode(
    offsets: Tensor, anchors: Tensor, scales: tuple[float, ...], limit: float | None = None
) -> Tensor:
    """Return the corners of boxes from offsets and anchors, these as centres and sizes.

    Parameters
    ----------
    offsets, anchors : Tensor, shape (*, n, 4)
        Offsets as `encode` makes them, and the anchors; they broadcast.
    scales : tuple of 4 float
        What the offsets are multiplied by.
    limit : float, optional
        Largest logarithm of a size.
    """
    scaled = offsets * offsets.new_tensor(scales)
    size = anchors[..., 2:]
    center = scaled[..., :2] * size + anchors[..., :2]
    growth = scaled[..., 2:]
    if limit is not None:
        growth = growth.nan_to_num(limit, math.inf, -math.inf).clamp(max=limit)  # as MXNet cuts
    half = growth.exp() * size / 2
    return torch.cat([center - half, center + half], -1)
