"""Draws by rejection where what a try takes hardly hangs on what becomes of it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.random_streams.readers import Reader, Window, look, pick

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from gluonish.random_streams.lanes import Sampler
    from gluonish.random_streams.mersenne import TwisterBank

    Array = npt.NDArray[Any]
    Flags = npt.NDArray[onp.bool_]
    Float64 = npt.NDArray[onp.float64]
    Integers = npt.NDArray[onp.int64]

_RUNS = 3
_SPARE = 4
_TOGETHER = 256


def draw_along(bank: TwisterBank, values: Float64, sampler: Sampler) -> bool:
    """Draw in all states: find out where tries start, then make them all at once.

    Returns whether it was so: parameters must stay the same for most of a state's values, and
    `sampler.lengths` know how many words a try takes from its first ones.
    """
    changes = _changes(sampler, values.size)
    _, step = bank.split(values.size)
    states = -(-values.size // step)
    if sampler.lengths is None or changes.size > _RUNS * states + 1:
        return False
    for first in range(0, states, _TOGETHER):
        stop = min(first + _TOGETHER, states)
        _draw_some(bank, values, sampler, sampler.lengths, changes, first, stop)
    return True


def _draw_some(
    bank: TwisterBank,
    values: Float64,
    sampler: Sampler,
    lengths: Callable[..., Array],
    changes: Integers,
    first: int,
    stop: int,
) -> None:
    """Draw in the states from `first` up to `stop`."""
    _, step = bank.split(values.size)
    index = onp.arange(first, stop) * step
    last = onp.minimum(index + step, values.size)
    states = stop - first
    rows = onp.arange(states)
    window = look(bank, first, stop, step, sampler.words)
    at = rows * window.columns
    taken = onp.zeros(states, onp.int64)
    while rows.size:
        wanted = onp.minimum(last, changes.take(changes.searchsorted(index, "right"))) - index
        parameters = pick(index, *sampler.parameters)
        tries = _tries(sampler, wanted)
        path = _follow(at, lengths(window, rows, parameters), int(tries.max()))
        is_within = path[1:] <= (rows + 1) * window.columns
        chosen, found = _try_along(window, path, tries, sampler, parameters)
        chosen &= is_within
        chosen &= chosen.cumsum(axis=0, dtype=onp.int16) <= wanted
        numbers = onp.count_nonzero(chosen, axis=0)
        places = (index - numbers.cumsum() + numbers).repeat(numbers)
        places += onp.arange(places.size)
        values[places] = found.T[chosen.T]
        index += numbers
        used = onp.count_nonzero(is_within, axis=0)
        is_cut = (used < tries).any()
        used = onp.minimum(used, tries)
        used = onp.where(numbers == wanted, _end_of_last(chosen), used)
        at = onp.take_along_axis(path, used[None], axis=0)[0]
        taken[rows] = at - rows * window.columns
        going = index != last
        rows, index, last, at = rows[going], index[going], last[going], at[going]
        if is_cut and rows.size:
            bank.skip(first, stop, taken)
            taken[:] = 0
            window = look(bank, first, stop, int((last - index).max()), sampler.words)
            at = rows * window.columns
    bank.skip(first, stop, taken)


def _changes(sampler: Sampler, count: int) -> Integers:
    """Return the values that have other parameters than those before them, and the end."""
    is_other = onp.zeros(count, onp.bool_)
    for one in sampler.parameters:
        if one.size > 1:
            is_other[1:] |= one[1:] != one[:-1]
    return onp.append(onp.flatnonzero(is_other), count)


def _tries(sampler: Sampler, wanted: Integers) -> Integers:
    """Return about how many tries give so many values, and some to spare."""
    spare = _SPARE * onp.sqrt((sampler.tries - 1) * wanted) + _SPARE
    tries: Integers = (sampler.tries * wanted + spare).astype(onp.int64)
    return tries


def _follow(at: Integers, lengths: Array, tries: int) -> Integers:
    """Return where one try after the other starts, and the last one ends: a row of places each."""
    path = onp.empty((tries + 1, at.size), onp.int64)
    ahead = onp.empty(at.size, lengths.dtype)
    path[0] = at
    for start, end in itertools.pairwise(path):
        lengths.take(start, out=ahead, mode="clip")
        onp.add(start, ahead, out=end)
    return path


def _try_along(
    window: Window, path: Integers, tries: Integers, sampler: Sampler, parameters: list[Array]
) -> tuple[Flags, Array]:
    """Make so many tries of each generator; return which give values, and what they give."""
    shape = len(path) - 1, tries.size
    if tries.min() == shape[0]:
        spread = [one if one.size == 1 else onp.tile(one, shape[0]) for one in parameters]
        _, accepted, results = sampler.attempt(Reader(window, path[:-1].reshape(-1)), *spread)
        return accepted.reshape(shape), results.reshape(shape)
    made = onp.flatnonzero(onp.arange(shape[0])[:, None] < tries)
    reader = Reader(window, path.reshape(-1).take(made))
    _, accepted, results = sampler.attempt(reader, *pick(made % tries.size, *parameters))
    chosen, found = onp.zeros(shape, onp.bool_), onp.empty(shape, results.dtype)
    chosen.reshape(-1)[made] = accepted
    found.reshape(-1)[made] = results
    return chosen, found


def _end_of_last(chosen: Flags) -> Integers:
    """Return after how many tries the last one that was chosen ends."""
    ends: Integers = len(chosen) - chosen[::-1].argmax(axis=0)
    return ends
