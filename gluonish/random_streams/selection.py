"""Shuffles, choices and multinomials, all from the main generator."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.process.swaps import swapped
from gluonish.random_streams.logf import log32
from gluonish.random_streams.main import draw32, draw64
from gluonish.random_streams.mersenne import MASK
from gluonish.random_streams.state import streams

if TYPE_CHECKING:
    import numpy.typing as npt

    from gluonish.random_streams.mersenne import Twister

    Array = npt.NDArray[Any]
    Integers = npt.NDArray[onp.int64]
    Shape = tuple[int, ...]

_CHUNK = 16384
_BLOCK = 8192
_LEAST = 256
_SHARE = 16
_FEW = 64
_NARROW = 2**31
_SHORT = 64
_LOOP = 2000
"""Up to this many elements a Python loop of swaps is faster than sorting them out."""


def shuffle_order(count: int, generator: Twister | None = None) -> Integers:
    """Return the order in which a 1-d array of `count` elements is shuffled.

    Parameters
    ----------
    count : int
        How many there are.
    generator : Twister, optional
        What draws; the main generator by default.


    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.selection.shuffle_order(10).tolist()
    [0, 2, 3, 5, 9, 1, 6, 8, 4, 7]
    """
    partners = onp.zeros(count, onp.int64)
    if count > 1:
        partners[1:] = draw_below(onp.arange(2, count + 1, dtype=onp.uint32), generator)
    if count > _SHORT:
        order = swapped(count, 0, partners)
        if order is not None or count > _LOOP:
            return _resolve(partners) if order is None else order
    places: list[int] = []
    for place, partner in enumerate(partners.tolist()):
        places.append(place)
        places[place] = places[partner]
        places[partner] = place
    return onp.array(places, onp.int64)


def shuffle_rows_order(count: int) -> Integers:
    """Return the order in which the `count` rows of an array of two or more axes are shuffled.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.selection.shuffle_rows_order(10).tolist()
    [1, 0, 6, 2, 4, 3, 7, 8, 9, 5]
    """
    partners = onp.zeros(count, onp.int64)
    if count > 1:
        partners[:0:-1] = draw_below(onp.arange(count, 1, -1, dtype=onp.uint32))
    if count > _SHORT:
        order = swapped(count, 0, partners, backwards=True)
        if order is not None or count > _LOOP:
            return _resolve_backwards(partners) if order is None else order
    elements = list(range(count))
    swaps = partners.tolist()
    for place in range(count - 1, 0, -1):
        partner = swaps[place]
        elements[place], elements[partner] = elements[partner], elements[place]
    return onp.array(elements, onp.int64)


def draw_below(limits: npt.NDArray[onp.uint32], generator: Twister | None = None) -> Integers:
    """Return one integer in [0, limit) for every limit, without bias.

    Parameters
    ----------
    limits : array of uint32
        The limits, above 0.
    generator : Twister, optional
        What draws; the main generator by default.


    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.selection.draw_below(onp.array([10, 10, 10], onp.uint32))
    array([5, 5, 7])
    """
    source = streams.main if generator is None else generator
    if limits.size <= _FEW:
        return _draw_few_below(limits.tolist(), source)
    values = onp.empty(limits.size, onp.int64)
    done = 0
    while done < limits.size:
        chunk = max(min(_CHUNK, _NARROW // int(limits[done])), _FEW)  # of which all may be good
        part = limits[done : done + chunk].astype(onp.float64)
        # Quotients of 32 bits are exact in float64, and take half the time.
        sizes = onp.floor(MASK / part)
        quotients = source.peek(part.size).astype(onp.float64)
        quotients /= sizes
        refused = onp.flatnonzero(quotients >= part)
        count = int(refused[0]) if refused.size else part.size
        values[done : done + count] = quotients[:count]
        source.skip(min(count + 1, part.size))
        done += count
    return values


def _draw_few_below(limits: list[int], source: Twister) -> Integers:
    values: list[int] = []
    words: list[int] = []
    used = 0
    for limit in limits:
        size = MASK // limit
        while True:
            if used == len(words):
                source.skip(used)
                words, used = source.peek(len(limits) - len(values)).tolist(), 0
            word = words[used]
            used += 1
            if word < limit * size:
                break
        values.append(word // size)
    source.skip(used)
    return onp.array(values, onp.int64)


def _sorted(values: Array) -> tuple[Integers, Integers]:
    """Return integers in order and where they were; equal ones stay in order."""
    if values.size <= _LOOP:
        order = values.argsort(kind="stable")
        return values.take(order), order
    in_order, places = torch.sort(torch.from_numpy(values), stable=True)  # NumPy's takes longer
    return in_order.numpy(), places.numpy()


def _resolve(partners: Integers) -> Integers:
    """Return what swaps of place i with partners[i], for i = 1, 2, ..., make of 0, 1, 2, ...

    Place i is untouched before step i. It then takes what its partner's place holds: the element
    that an earlier step with the same partner put there, or else what that place took at its own
    step, and so on down. Later steps with partner i put their own elements there.
    """
    before, order = _steps_before(partners)
    open_ = onp.flatnonzero(order < 0)
    chain = open_
    while open_.size:
        found = before.take(chain)
        order[open_] = found
        unknown = onp.flatnonzero(found < 0)
        open_ = open_.take(unknown)
        chain = partners.take(chain.take(unknown))
    return order.astype(onp.int64)


def _resolve_backwards(partners: Integers) -> Integers:
    """Return what the same swaps make if the last one is the first: they undo the others."""
    order = onp.empty(partners.size, onp.int64)
    order[_resolve(partners)] = onp.arange(partners.size)
    return order


def _steps_before(partners: Integers) -> tuple[Array, Array]:
    """Return each step's last one before it with the same partner, and each place's last step.

    Where there is none, it is -1. Steps are looked at by blocks: each finds there what the blocks
    before it left, and then whether another of its block came after it. Few do, and are put in
    order by themselves.
    """
    count = partners.size
    dtype = onp.int32 if count <= _NARROW else onp.int64
    steps = onp.arange(count, dtype=dtype)
    before, latest = onp.empty(count, dtype), onp.empty(count, dtype)
    last = onp.full(count, -1, dtype)
    start = 0
    while start < count:
        stop = min(start + min(max(start // _SHARE, _LEAST), _BLOCK), count)
        some = partners[start:stop]
        last.take(some, out=before[start:stop], mode="clip")
        last[some] = steps[start:stop]
        last.take(some, out=latest[start:stop], mode="clip")
        start = stop
    overtaken = onp.flatnonzero(latest != steps)
    grouped = latest.take(overtaken).astype(onp.uint64)
    grouped <<= 32
    grouped |= overtaken.astype(onp.uint64)
    grouped.sort()  # by the one that comes last, and then by themselves
    groups, earlier = (part.astype(onp.int64) for part in (grouped >> 32, grouped & MASK))
    is_last = onp.append(groups[1:] != groups[:-1], [True])[: groups.size]
    before[onp.where(is_last, groups, onp.roll(earlier, -1))] = earlier
    return before, last


def choose(total: int, shape: Shape) -> Integers:
    """Draw indices below `total` with replacement.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.selection.choose(10, (5,))
    array([4, 9, 3, 0, 3])
    """
    words = streams.main.words(math.prod(shape))
    return (words % onp.uint32(total)).astype(onp.int64).reshape(shape)


def choose_without(total: int, count: int) -> Integers:
    """Draw `count` different indices below `total`.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.selection.choose_without(10, 3)
    array([4, 0, 3])
    """
    swaps = min(count, total - count)
    head = total - swaps
    tails = onp.arange(head, total)
    words = streams.main.words(swaps)
    targets = (words % (tails + 1).astype(onp.uint32)).astype(onp.int64)
    if swaps > _SHORT:
        order = swapped(total, head, onp.where(targets < head, targets, tails))
        if order is not None:
            return order[head:] if 2 * count < total else order[:head]
    moving = onp.flatnonzero(targets < head)
    groups, order = _sorted(targets[moving])
    places = moving[order]
    same = groups[1:] == groups[:-1]
    if 2 * count < total:
        taken = tails.copy()
        taken[places] = groups
        taken[places[1:][same]] = tails[places[:-1][same]]
        return taken
    kept = onp.arange(head)
    last = onp.append(~same, [True])[: places.size]
    kept[groups[last]] = tails[places[last]]
    return kept


def choose_weighted(weights: Array, shape: Shape) -> Integers:
    """Draw indices with the given probabilities, with replacement.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.selection.choose_weighted(onp.array([0.1, 0.5, 0.4]), (4,))
    array([1, 1, 2, 2])
    """
    sums = onp.cumsum(weights.astype(onp.float32), dtype=onp.float32)
    units = draw32(math.prod(shape))
    return onp.searchsorted(sums, units, side="left").astype(onp.int64).reshape(shape)


def choose_weighted_without(weights: Array, count: int) -> Integers:
    """Draw `count` different indices with the given probabilities.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.selection.choose_weighted_without(onp.array([0.1, 0.5, 0.4]), 2)
    array([2, 1])
    """
    units = draw32(weights.size)
    with onp.errstate(divide="ignore", invalid="ignore"):
        inner = _log32_or_infinity(units)
        keys = -_log32_or_infinity(-inner) + _log32_or_infinity(weights.astype(onp.float32))
    return onp.argsort(-keys, kind="stable")[:count].astype(onp.int64)


def _log32_or_infinity(values: npt.NDArray[onp.float32]) -> npt.NDArray[onp.float32]:
    positive = values > 0
    logs = log32(onp.where(positive, values, onp.float32(1)))
    return onp.where(positive, logs, onp.float32(-onp.inf))


def count_outcomes(trials: int, weights: Array, rows: int, discarded: int = 0) -> Integers:
    """Count how often each outcome comes up in `trials` trials, for each of `rows` rows.

    Parameters
    ----------
    trials : int
        Trials per row.
    weights : numpy.ndarray
        Probabilities; their running sum is taken in their own dtype.
    rows : int
        Rows of the result.
    discarded : int, default 0
        Draws that are made at the end and thrown away.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.selection.count_outcomes(10, onp.array([0.2, 0.3, 0.5]), 1)
    array([[1, 4, 5]])
    """
    sums = onp.cumsum(weights, dtype=weights.dtype).astype(onp.float64)
    units = draw64(trials * rows)
    outcomes = onp.searchsorted(sums, units, side="right")
    outcomes = onp.minimum(outcomes, weights.size - 1).reshape(rows, trials)
    outcomes += onp.arange(rows)[:, None] * weights.size
    counts = onp.bincount(outcomes.reshape(-1), minlength=rows * weights.size)
    streams.main.words(discarded)
    return counts.reshape(rows, weights.size).astype(onp.int64)


def sample_outcomes(weights: Array, count: int) -> Integers:
    """Draw `count` outcomes for each row of `weights`, as `nd.random.multinomial` does.

    Parameters
    ----------
    weights : numpy.ndarray, shape (rows, outcomes)
        Probabilities.
    count : int
        Draws per row.

    Examples
    --------
    >>> from gluonish import random_streams
    >>> random_streams.seed(0)
    >>> random_streams.selection.sample_outcomes(onp.array([[0.2, 0.3, 0.5]]), 3)
    array([[2, 2, 2]])
    """
    rows = weights.shape[0]
    units = draw32(rows * count).reshape(rows, count)
    sums = onp.cumsum(weights.astype(onp.float64), axis=1).astype(onp.float32)
    outcomes = onp.empty((rows, count), onp.int64)
    for row in range(rows):
        outcomes[row] = onp.searchsorted(sums[row], units[row], side="left")
    return outcomes
