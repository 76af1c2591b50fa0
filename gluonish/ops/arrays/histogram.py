"""Histograms."""

from __future__ import annotations

import torch
from torch import Tensor

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
    values = a.reshape(-1)
    if isinstance(bins, Tensor):
        edges = bins.to(a.dtype)
    else:
        edges = _edges(values, bins, range).to(a.dtype)
    places = torch.searchsorted(edges, values, right=True) - 1
    count = edges.numel() - 1
    places = torch.where(values == edges[-1], count - 1, places)
    is_inside = (places >= 0) & (places < count)
    places = torch.where(is_inside, places, count)
    tally = torch.zeros(count + 1, dtype=torch.int64, device=a.device)
    counts = tally.scatter_add(0, places, torch.ones_like(places))[:count]
    is_found = range is None and not isinstance(bins, Tensor)
    if is_found:
        return counts.to(torch.float32), edges.to(torch.float32)
    return counts, edges


def _edges(values: Tensor, bins: int, span: tuple[float, float] | None) -> Tensor:
    if not isinstance(bins, int) or bins < 1 or (span is not None and span[0] > span[1]):
        msg = (
            f"histogram: bins={bins!r}, range={span} was given. Expected at least one range, and "
            f"the lowest edge first. Write bins=10, range=(0, 1)."
        )
        raise InvalidArgumentError(msg)
    if span is None:
        low, high = values.min(), values.max()
    else:
        low, high = values.new_tensor(span[0]), values.new_tensor(span[1])
    steps = torch.arange(bins, dtype=torch.float64, device=values.device) / bins
    return torch.cat([low + (high - low) * steps, high.reshape(1)])
