"""Histograms."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.array.guises import plain_number
from gluonish.errors import InvalidArgumentError
from gluonish.ops.np import recorded
from gluonish.ops.table import op


@op(nd="histogram", outputs=2, recorded=recorded.histogram)
def histogram(
    a: Tensor,
    bins: int | Tensor = 10,
    range: tuple[float, float] | None = None,  # noqa: A002 - MXNet's name
) -> tuple[Tensor, Tensor]:
    """Count the elements in ranges of equal width, or between given edges.

    Parameters
    ----------
    a : Tensor, any shape
        Numbers.
    bins : int or Tensor, default 10
        How many ranges, or their edges in ascending order.
    range : pair of float, optional
        Lowest and highest edge; the smallest and largest element by default.

    Returns
    -------
    tuple of Tensor
        Counts (int64; float32 where `range` was found in the data, as in MXNet) and edges.

    Examples
    --------
    >>> import gluonish as mx
    >>> counts, edges = mx.nd.histogram(mx.nd.array([1, 2, 4]), bins=2, range=(0, 4))
    >>> counts.asnumpy(), edges.asnumpy()
    (array([1, 2]), array([0., 2., 4.], dtype=float32))
    """
    values, bins = a.reshape(-1), plain_number(bins)
    if isinstance(bins, Tensor):
        edges = bins.to(a.dtype)
        places = torch.searchsorted(edges, values, right=True) - 1
        places = torch.where(values == edges[-1], len(edges) - 2, places)
        return _counted(places, len(edges) - 1), edges
    if not isinstance(bins, int) or bins < 1 or (range is not None and range[0] > range[1]):
        msg = (
            f"histogram: bins={bins!r}, range={range} was given. Expected at least one range, and "
            f"the lowest edge first. Write bins=10, range=(0, 1)."
        )
        raise InvalidArgumentError(msg)
    exact = values.to(torch.float64)
    if range is not None:
        low, high = exact.new_tensor(range[0]), exact.new_tensor(range[1])
        places, edges = places_between(values, low, high, bins, a.dtype)
        return _counted(places, bins), edges
    places, edges = places_between(values, exact.min(), exact.max(), bins, torch.float64)
    return _counted(places, bins).to(torch.float32), edges.to(torch.float32)


def places_between(
    values: Tensor, low: Tensor, high: Tensor, bins: int, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    """Return in which range each value is, -1 outside, and the edges.

    The edges, rounded to `dtype`, decide where rounding has made them another range. Where first
    and last edge are one, they are half a number to both sides of it, as in NumPy.
    """
    apart = torch.where(low == high, 0.5, 0.0)
    low, high = low - apart, high + apart
    steps = torch.arange(bins + 1, dtype=torch.float64, device=values.device) / bins
    edges = (low + (high - low) * steps).to(dtype)
    exact = values.to(torch.float64)
    places = ((exact - low) * bins / (high - low)).nan_to_num(0).to(torch.int64).clamp(0, bins - 1)
    places = places - (values < edges[places]).to(torch.int64)
    following = (places + 1).clamp(0, bins - 1)
    places = torch.where((following > places) & (values >= edges[following]), following, places)
    return torch.where((exact >= low) & (exact <= high), places, -1), edges


def _counted(places: Tensor, bins: int) -> Tensor:
    """Return how often each range occurs among places, of which others are outside."""
    is_inside = (places >= 0) & (places < bins)
    tally = torch.zeros(bins + 1, dtype=torch.int64, device=places.device)
    places = torch.where(is_inside, places, bins)
    return tally.scatter_add(0, places, torch.ones_like(places))[:bins]
