"""The range of a histogram that 8-bit integers tell best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import op
from gluonish.ops.table.explain import describe
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from torch import Tensor

_SMOOTH = onp.float32(1e-4)  # what bins that are empty get

Numbers = onp.ndarray[tuple[int], onp.dtype[onp.float32]]


@op(
    nd="contrib.calibrate_entropy",
    outputs=2,
    output_names=("threshold", "divergence"),
)
def calibrate_entropy(
    hist: Tensor, hist_edges: Tensor, num_quantized_bins: int = 255
) -> tuple[Tensor, Tensor]:
    """Find the range of a histogram that loses least when it is quantized.

    Parameters
    ----------
    hist : Tensor, shape (bins,)
        How many numbers each bin holds; an odd number of bins around 0.
    hist_edges : Tensor, shape (bins + 1,)
        The edges of the bins.
    num_quantized_bins : int, default 255
        How many integers there are.

    Returns
    -------
    Tensor, shape (1,)
        The threshold: numbers between it and its negative are told apart.
    Tensor, shape (1,)
        How much the distribution of quantized numbers differs: the Kullback-Leibler divergence.

    Raises
    ------
    InvalidArgumentError
        There are fewer bins than integers, or the edges do not fit.

    Notes
    -----
    Neighbouring thresholds are often nearly as good, so that roundings decide which is best: as in
    MXNet, everything is computed with 32 bits, and sums from left to right.

    References
    ----------
    Migacz, "8-bit inference with TensorRT", GPU Technology Conference, 2017.

    Examples
    --------
    >>> import gluonish as mx
    >>> hist = mx.nd.array([0, 1, 4, 9, 4, 1, 0])
    >>> edges = mx.nd.arange(8) - 3.5
    >>> threshold, _ = mx.nd.contrib.calibrate_entropy(hist, edges, num_quantized_bins=3)
    >>> bool(threshold.asscalar() <= 3.5)
    True
    """
    bins = hist.numel()
    if hist_edges.numel() != bins + 1 or num_quantized_bins < 1 or bins < num_quantized_bins:
        msg = (
            f"calibrate_entropy: hist is an {describe(hist)}, hist_edges an {describe(hist_edges)} "
            f"for num_quantized_bins={num_quantized_bins}. Expected an edge more than there are "
            f"bins, and at least {num_quantized_bins} bins. Collect a finer histogram."
        )
        raise InvalidArgumentError(msg)
    return _best(hist, hist_edges, num_quantized_bins)


@opaque
def _best(hist: Tensor, hist_edges: Tensor, num_quantized_bins: int) -> tuple[Tensor, Tensor]:
    if hist.is_meta:
        return hist.new_empty((1,)), hist.new_empty((1,))
    counts = hist.detach().cpu().reshape(-1).numpy().astype("float32")
    edges = hist_edges.detach().cpu().reshape(-1).numpy()
    zero = len(counts) // 2
    least = num_quantized_bins // 2
    found = (onp.inf, float(edges[-1]))
    for half in range(least, zero + 1):
        start, stop = zero - half, min(zero + half + 1, len(counts))
        divergence = _divergence(counts, start, stop, num_quantized_bins)
        if divergence < found[0]:
            found = divergence, float(edges[stop])
    return hist.new_tensor([found[1]]), hist.new_tensor([found[0]])


def _divergence(counts: Numbers, start: int, stop: int, levels: int) -> float:
    """Return how much bins lose when they are merged; those outside count for the outermost."""
    told = counts[start:stop].copy()
    told[0] += counts[:start].sum()
    told[-1] += counts[stop:].sum()
    inside = counts[start:stop].copy()
    inside[0] = 0  # MXNet counts the first bin with what lies outside
    merged = len(inside) // levels
    starts = onp.arange(levels) * merged
    sums = onp.add.reduceat(inside, starts)
    lengths = onp.diff(onp.append(starts, len(inside)))
    numbers = onp.add.reduceat((inside != 0).astype("float32"), starts)
    means = onp.divide(sums, numbers, out=onp.zeros_like(sums), where=numbers > 0)
    quantized = onp.repeat(means, lengths) * (told != 0)
    p, q = _smoothed(told), _smoothed(quantized)
    if p is None or q is None:
        return onp.inf
    p, q = p / _total(p), q / _total(q)
    logarithms = onp.log((p / q).astype("float64")).astype("float32")
    return float(_total(p * logarithms))


def _total(numbers: Numbers) -> onp.float32:
    """Return a sum, rounded after each number."""
    return onp.float32(onp.add.accumulate(numbers)[-1])


def _smoothed(counts: Numbers) -> Numbers | None:
    """Return counts of which none is 0, with the same sum; None where there is too little."""
    empty = counts == 0
    full = len(counts) - int(empty.sum())
    if not full:
        return None
    taken = _SMOOTH * onp.float32(len(counts) - full) / onp.float32(full)
    if taken >= 1.0:
        return None
    found = onp.where(empty, _SMOOTH, counts - taken)
    return None if (found <= 0).any() else found
