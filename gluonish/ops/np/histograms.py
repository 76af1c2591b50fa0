"""NumPy's histograms and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.array.guises import plain_number
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.arrays.histogram import places_between
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import as_tensor
from gluonish.ops.table import op

if TYPE_CHECKING:
    from collections.abc import Sequence


@op(np="histogram", file="_histogram", outputs=2, recorded=recorded.histogram)
def histogram(
    a: Tensor,
    bins: int | Sequence[float] | Tensor = 10,
    range: tuple[float, float] | None = None,  # noqa: A002 - NumPy's name
    normed: bool | None = None,
    weights: Tensor | None = None,
    density: bool | None = None,
) -> list[Tensor]:
    """Return how many elements fall into each of some intervals, and the intervals' ends.

    Parameters
    ----------
    a : ndarray
        The elements.
    bins : int or ndarray, default 10
        How many equal intervals, or their ends.
    range : pair of float, optional
        First and last end; by default the least and the largest element.
    normed, density : bool, optional
        Whether to return a density, whose integral is 1.
    weights : ndarray, optional
        What each element counts.

    Examples
    --------
    >>> from gluonish import np
    >>> np.histogram(np.array([1, 2, 2, 4]), bins=3, range=(1, 4))
    [array([1, 2, 1], dtype=int64), array([1., 2., 3., 4.])]
    """
    values = as_tensor(a).reshape(-1)
    bins = plain_number(bins)
    if isinstance(bins, int):
        low, high = _ends(values, bins, range)
        dtype = torch.float64 if range is None else values.dtype
        places, edges = places_between(values, low, high, bins, dtype)
    else:
        edges = _edges(values, bins)
        wide = edges.to(torch.float64)
        places = torch.searchsorted(wide, values.to(torch.float64).contiguous(), right=True) - 1
        places = torch.where(values == wide[-1], len(edges) - 2, places)
    rounded = edges if isinstance(bins, Tensor) else edges.to(values.dtype)
    last = len(edges) - 2
    inside = (places >= 0) & (places <= last)
    share = None if weights is None else as_tensor(weights, values).reshape(-1)
    if share is not None and share.shape != values.shape:
        msg = (
            f"np.histogram: {len(share)} weights were given for {len(values)} elements. Expected "
            f"one weight for each. Reshape the weights."
        )
        raise ShapeError(msg)
    chosen = None if share is None else share[inside]
    counts = torch.bincount(places[inside], chosen, minlength=last + 1)
    if density or normed:
        total = counts.to(torch.float64)
        widths = edges.to(torch.float64).diff()
        return [(total / total.sum() / widths).to(torch.float32), rounded]
    return [counts, rounded]


def _ends(values: Tensor, bins: int, ends: tuple[float, float] | None) -> tuple[Tensor, Tensor]:
    """Return the first and the last edge, float64."""
    if bins < 1:
        msg = f"np.histogram: bins={bins} was given. Expected 1 or more. Pass how many."
        raise InvalidArgumentError(msg)
    if ends is None:
        filled = values.numel() > 0
        plain = values.detach()
        ends = (float(plain.min()), float(plain.max())) if filled else (0.0, 1.0)
    low, high = ends
    if not low <= high:
        msg = (
            f"np.histogram: range={ends!r} was given. Expected a smaller and a larger number. "
            f"Exchange them."
        )
        raise InvalidArgumentError(msg)
    first, last = torch.tensor([low, high], dtype=torch.float64, device=values.device)
    return first, last


def _edges(values: Tensor, bins: Sequence[float] | Tensor) -> Tensor:
    edges = as_tensor(bins, values)
    if edges.ndim != 1 or len(edges) < 2 or bool((edges.diff() < 0).any()):
        msg = (
            f"np.histogram: bins of shape {tuple(edges.shape)} were given. Expected a vector of "
            f"two ends or more, ascending. Sort it with np.sort."
        )
        raise InvalidArgumentError(msg)
    return edges


@op(np="bincount", recorded=recorded.bincount)
def bincount(x: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Return how often each number from 0 on comes in a vector, or the sum of its weights.

    Examples
    --------
    >>> from gluonish import np
    >>> np.bincount(np.array([0, 1, 1], dtype='int32'))
    array([1, 2], dtype=int32)
    """
    x = as_tensor(x)
    x = x if x.ndim else x.reshape(1)
    is_wrong = not x.is_meta and (x.is_floating_point() or bool((x < 0).any()))
    if x.ndim != 1 or is_wrong:  # dtypes and values are not known while shapes are inferred
        msg = (
            f"np.bincount: an array of shape {tuple(x.shape)} and dtype "
            f"{str(x.dtype).removeprefix('torch.')} was given. Expected a vector of integers, "
            f"none below 0. Write x.astype('int64')."
        )
        raise InvalidArgumentError(msg)
    values = None if weights is None else as_tensor(weights, x)
    values = values.reshape(1) if values is not None and not values.ndim else values
    if values is not None and values.shape != x.shape:
        msg = (
            f"np.bincount: weights of shape {tuple(values.shape)} were given for {len(x)} "
            f"elements. Expected one weight for each. Reshape the weights."
        )
        raise ShapeError(msg)
    values = None if values is None else values.detach()  # as in MXNet, no gradient
    counts = torch.bincount(x, values, minlength)
    return counts.to(x.dtype if values is None else values.dtype)
