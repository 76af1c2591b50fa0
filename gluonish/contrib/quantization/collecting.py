"""Collects the ranges of a network's outputs, and chooses those that quantization takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as onp

from gluonish import ndarray as nd

if TYPE_CHECKING:
    import logging
    from collections.abc import Collection, Mapping

    import numpy.typing as npt

    from gluonish.ndarray import NDArray

    Numbers = npt.NDArray[Any]

_LEVELS = 255


class Collector(Protocol):
    """What looks at the outputs of a network."""

    def collect(self, name: str, arr: NDArray) -> None:
        """Take note of an output."""


class Histogram(NamedTuple):
    """How the numbers of an output are distributed.

    Attributes
    ----------
    counts : numpy.ndarray, shape (bins,)
        How many numbers each bin holds.
    edges : numpy.ndarray, shape (bins + 1,)
        The edges of the bins.
    low, high : float
        The smallest and the largest number.
    top : float
        The edge of the last bin; that of the first is its negative.
    """

    counts: Numbers
    edges: Numbers
    low: float
    high: float
    top: float


class LayerOutputMinMaxCollector:
    """Notes the smallest and the largest number of each output.

    Parameters
    ----------
    quantized_dtype : str
        What the network is quantized to; it changes nothing.
    include_layer : collection of str, optional
        Names of the outputs; by default all.
    logger : logging.Logger, optional
        Told of each output.

    Attributes
    ----------
    min_max_dict : dict of str to (float, float)
        The ranges by the outputs' names.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib.quantization import LayerOutputMinMaxCollector
    >>> collector = LayerOutputMinMaxCollector('int8')
    >>> collector.collect('fc_output', mx.nd.array([1, -2]))
    >>> collector.collect('fc_output', mx.nd.array([3, 0]))
    >>> collector.min_max_dict
    {'fc_output': (-2.0, 3.0)}
    """

    def __init__(
        self,
        quantized_dtype: str,
        include_layer: Collection[str] | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        self.min_max_dict: dict[str, tuple[float, float]] = {}
        self.quantized_dtype = quantized_dtype
        self.include_layer = include_layer
        self.logger = logger

    def collect(self, name: str, arr: NDArray) -> None:
        """Take note of an output.

        Parameters
        ----------
        name : str
            Its name.
        arr : NDArray
            Its value.
        """
        if self.include_layer is not None and name not in self.include_layer:
            return
        low, high = float(arr.min().asscalar()), float(arr.max().asscalar())
        known = self.min_max_dict.get(name, (low, high))
        self.min_max_dict[name] = min(known[0], low), max(known[1], high)
        if self.logger is not None:
            self.logger.debug("Collecting layer %s min_range=%f, max_range=%f", name, low, high)


class LayerHistogramCollector:
    """Counts the numbers of each output, in bins around 0.

    Parameters
    ----------
    num_bins : int, default 8001
        How many bins there are: an odd number.
    include_layer : collection of str, optional
        Names of the outputs; by default all.
    logger : logging.Logger, optional
        Told of each output.

    Attributes
    ----------
    hist_dict : dict of str to tuple
        Counts, edges, the smallest number, the largest one and the last edge, by the outputs'
        names.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib.quantization import LayerHistogramCollector
    >>> collector = LayerHistogramCollector(num_bins=5)
    >>> collector.collect('fc_output', mx.nd.array([2, -2, 5]))
    >>> collector.hist_dict['fc_output'][0].tolist()
    [0, 1, 0, 1, 1]
    """

    def __init__(
        self,
        num_bins: int = 8001,
        include_layer: Collection[str] | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        self.hist_dict: dict[str, Histogram] = {}
        self.num_bins = num_bins
        self.include_layer = include_layer
        self.logger = logger

    def collect(self, name: str, arr: NDArray) -> None:
        """Take note of an output.

        Parameters
        ----------
        name : str
            Its name.
        arr : NDArray
            Its value.
        """
        if self.include_layer is not None and name not in self.include_layer:
            return
        if self.logger is not None:
            self.logger.debug("Collecting layer %s histogram of shape %s", name, arr.shape)
        values = arr.asnumpy()
        low, high = float(values.min()), float(values.max())
        top = max(abs(low), abs(high))
        if name in self.hist_dict:
            found = combine_histogram(self.hist_dict[name], values, low, high, top)
        else:
            counts, edges = onp.histogram(values, bins=self.num_bins, range=(-top, top))
            found = Histogram(counts, edges, low, high, top)
        self.hist_dict[name] = found


def combine_histogram(
    old_hist: tuple[Numbers, Numbers, float, float, float],
    arr: Numbers,
    new_min: float,
    new_max: float,
    new_th: float,
) -> Histogram:
    """Return a histogram with more numbers in it; it gets more bins where they exceed it.

    Parameters
    ----------
    old_hist : tuple
        Counts, edges, the smallest number, the largest one and the last edge.
    arr : numpy.ndarray
        The numbers.
    new_min, new_max, new_th : float
        The smallest of them, the largest one, and the largest magnitude.

    Returns
    -------
    tuple
        As `old_hist`.

    Examples
    --------
    >>> import numpy as onp
    >>> from gluonish.contrib.quantization import combine_histogram
    >>> counts, edges = onp.histogram([-1, 1], bins=3, range=(-1, 1))
    >>> found = combine_histogram((counts, edges, -1, 1, 1), onp.array([0, 2]), 0, 2, 2)
    >>> found[0].tolist()
    [0, 0, 1, 1, 1, 0, 1]
    """
    counts, edges, low, high, top = old_hist
    low, high = min(low, new_min), max(high, new_max)
    bins = len(counts)
    if new_th <= top:
        more, _ = onp.histogram(arr, bins=bins, range=(-top, top))
        return Histogram(counts + more, edges, low, high, top)
    if top == 0:  # nothing but zeros until now, which are in the middle of any histogram
        more, edges = onp.histogram(arr, bins=bins, range=(-new_th, new_th))
        more[bins // 2] += counts.sum()
        return Histogram(more, edges, low, high, new_th)
    width = 2 * top / bins
    beside = int((new_th - top) // width + 1)
    top += beside * width
    more, edges = onp.histogram(arr, bins=bins + 2 * beside, range=(-top, top))
    more[beside : beside + bins] += counts
    return Histogram(more, edges, low, high, top)


def best_thresholds(
    histograms: Mapping[str, tuple[Numbers, Numbers, float, float, float]],
    quantized_dtype: str,
    logger: logging.Logger | None = None,
) -> dict[str, tuple[float, float]]:
    """Return the ranges that lose least when they are quantized, by the outputs' names."""
    found = {}
    for name, (counts, edges, low, high, _) in histograms.items():
        is_unsigned = low >= 0 and quantized_dtype in ("auto", "uint8")
        levels = 2 * _LEVELS + 1 if is_unsigned else _LEVELS  # the negative half stays empty
        threshold, divergence = nd.contrib.calibrate_entropy(
            nd.array(counts), nd.array(edges), num_quantized_bins=levels
        )
        top = float(threshold.asscalar())
        found[name] = (0.0, top) if is_unsigned else (-top, top)
        if logger is not None:
            logger.debug(
                "layer=%s, min_val=%f, max_val=%f, th=%f, divergence=%f",
                name, low, high, top, divergence.asscalar(),
            )  # fmt: skip
    return found
