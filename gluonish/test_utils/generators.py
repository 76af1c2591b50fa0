"""Whether random numbers have the distribution that they should."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as onp
import torch

from gluonish.array import NDArray
from gluonish.errors import DifferentArraysError, RefusedArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Generator: TypeAlias = Callable[[int], Any]
    Counts: TypeAlias = onp.ndarray[Any, Any]

__all__ = [
    "chi_square_check",
    "gen_buckets_probs_with_ppf",
    "mean_check",
    "var_check",
    "verify_generator",
]


def gen_buckets_probs_with_ppf(
    ppf: Callable[[float], float], nbuckets: int
) -> tuple[list[tuple[float, float]], list[float]]:
    """Return ranges that a distribution hits equally often, and the probability of each.

    Parameters
    ----------
    ppf : callable
        The distribution's quantile function: a probability to the value that is not exceeded.
    nbuckets : int
        How many ranges, at least 1.

    Raises
    ------
    RefusedArgumentError
        `nbuckets` is less than 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.gen_buckets_probs_with_ppf(lambda p: 10 * p, 2)
    ([(0.0, 5.0), (5.0, 10.0)], [0.5, 0.5])
    """
    if nbuckets < 1:
        msg = (
            f"gen_buckets_probs_with_ppf: nbuckets={nbuckets!r} was given. Expected at least 1. "
            f"Take 5."
        )
        raise RefusedArgumentError(msg)
    edges = [ppf(number / nbuckets) for number in range(nbuckets + 1)]
    return list(itertools.pairwise(edges)), [1.0 / nbuckets] * nbuckets


def mean_check(generator: Generator, mu: float, sigma: float, nsamples: int = 1000000) -> bool:
    """Return whether random numbers have a mean, to three of its standard errors.

    Parameters
    ----------
    generator : callable
        Returns as many independent random numbers as it is told.
    mu, sigma : float
        The distribution's mean and standard deviation.
    nsamples : int, default 1000000
        How many numbers to draw.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> draws = numpy.random.RandomState(0)
    >>> mx.test_utils.mean_check(lambda n: draws.normal(1, 2, n), 1, 2, nsamples=1000)
    True
    """
    margin = 3 * sigma / onp.sqrt(nsamples)
    return bool(abs(_drawn(generator, nsamples).mean() - mu) < margin)


def var_check(generator: Generator, sigma: float, nsamples: int = 1000000) -> bool:
    """Return whether random numbers have a variance, to three of its standard errors.

    The standard error is that of normal numbers, 2 sigma^4 / (n - 1).

    Parameters
    ----------
    generator : callable
        Returns as many independent random numbers as it is told.
    sigma : float
        The distribution's standard deviation.
    nsamples : int, default 1000000
        How many numbers to draw.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> draws = numpy.random.RandomState(0)
    >>> mx.test_utils.var_check(lambda n: draws.normal(1, 2, n), 2, nsamples=1000)
    True
    """
    margin = 3 * onp.sqrt(2 * sigma**4 / (nsamples - 1))
    return bool(abs(_drawn(generator, nsamples).var(ddof=1) - sigma**2) < margin)


def chi_square_check(
    generator: Generator,
    buckets: Sequence[Any],
    probs: Sequence[float],
    nsamples: int = 1000000,
) -> tuple[float, Counts, Counts]:
    """Compare how often random numbers fall into ranges with how often they should.

    Parameters
    ----------
    generator : callable
        Returns as many independent random numbers as it is told.
    buckets : list
        For a continuous distribution the ranges, pairs (from, to) in ascending order that cover all
        values; for a discrete one the values.
    probs : list of float
        Probability of each.
    nsamples : int, default 1000000
        How many numbers to draw.

    Returns
    -------
    (float, numpy.ndarray, numpy.ndarray)
        Probability of such a deviation or a larger one if the distribution is the right one (by the
        chi-square test), how often numbers fell into each range, and how often they should have.

    Raises
    ------
    RefusedArgumentError
        `buckets` is no list, has another length than `probs`, or has ranges that are not in
        ascending order.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> draws = numpy.random.RandomState(0)
    >>> buckets, probs = mx.test_utils.gen_buckets_probs_with_ppf(lambda p: p, 4)
    >>> p, found, expected = mx.test_utils.chi_square_check(draws.rand, buckets, probs, 1000)
    >>> p > 0.05, int(found.sum()), expected.tolist()
    (True, 1000, [250, 250, 250, 250])
    """
    if not isinstance(buckets, list) or len(buckets) != len(probs):
        msg = (
            f"chi_square_check: buckets={buckets!r} and {len(probs)} probs were given. Expected a "
            f"list with a range, or a value, for each probability. Take those of "
            f"gen_buckets_probs_with_ppf."
        )
        raise RefusedArgumentError(msg)
    samples = _drawn(generator, nsamples)
    if isinstance(buckets[0], list | tuple):
        edges = onp.array([edge for each in buckets for edge in each], dtype="float32")
        if (edges[1:] < edges[:-1]).any():
            msg = (
                f"chi_square_check: buckets={buckets!r} were given. Expected ranges (from, to) in "
                f"ascending order. Sort them."
            )
            raise RefusedArgumentError(msg)
        samples = onp.searchsorted(edges, samples, side="right") // 2
        buckets = range(len(buckets))
    found = onp.array([(samples == each).sum() for each in buckets])
    expected = (nsamples * onp.array(probs, dtype="float32")).astype("int32")
    statistic = ((found - expected) ** 2 / expected).sum()
    freedom = torch.tensor((len(found) - 1) / 2, dtype=torch.float64)
    p = torch.special.gammaincc(freedom, torch.tensor(statistic / 2, dtype=torch.float64))
    return p.item(), found, expected


def verify_generator(
    generator: Generator,
    buckets: Sequence[Any],
    probs: Sequence[float],
    nsamples: int = 1000000,
    nrepeat: int = 5,
    success_rate: float = 0.2,
    alpha: float = 0.05,
) -> list[float]:
    """Check by chi-square tests that random numbers have a distribution.

    Parameters
    ----------
    generator, buckets, probs, nsamples
        As those of `chi_square_check`.
    nrepeat : int, default 5
        How many tests.
    success_rate : float, default 0.2
        Share of the tests that have to pass.
    alpha : float, default 0.05
        A test passes if its probability exceeds this.

    Returns
    -------
    list of float
        The tests' probabilities.

    Raises
    ------
    DifferentArraysError
        Too few of them pass.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> draws = numpy.random.RandomState(0)
    >>> coins = lambda n: draws.randint(0, 2, n)
    >>> len(mx.test_utils.verify_generator(coins, [0, 1], [0.5, 0.5], nsamples=1000))
    5
    """
    tests = [chi_square_check(generator, buckets, probs, nsamples) for _ in range(nrepeat)]
    chances = [p for p, _, _ in tests]
    if sum(p > alpha for p in chances) < nrepeat * success_rate:
        found = [counts.tolist() for _, counts, _ in tests]
        msg = (
            f"Generator test fails, Chi-square p={chances}, obs_freq={found}, "
            f"expected_freq={tests[0][2].tolist()}. buckets={buckets}, probs={probs}. Expected "
            f"{success_rate:.0%} of the tests above {alpha}. Correct the generator, or the probs."
        )
        raise DifferentArraysError(msg)
    return chances


def _drawn(generator: Generator, count: int) -> onp.ndarray[Any, Any]:
    samples = generator(count)
    return samples.asnumpy() if isinstance(samples, NDArray) else onp.array(samples)
