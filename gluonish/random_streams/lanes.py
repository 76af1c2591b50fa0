"""Draws by rejection from the parallel generators: many tries at once, then those that count."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp

from gluonish.random_streams.mersenne import BLOCK, ELEMENTS_PER_STATE, ROW_LIMIT
from gluonish.random_streams.units import unit32, unit64

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from gluonish.random_streams.mersenne import TwisterBank, Words

    Array = npt.NDArray[Any]
    Float32 = npt.NDArray[onp.float32]
    Float64 = npt.NDArray[onp.float64]
    Flags = npt.NDArray[onp.bool_]
    Integers = npt.NDArray[onp.int64]
    Counts = npt.NDArray[onp.int16]
    Tried = tuple[Integers, Flags, Array]

_WINDOW = 768
_FEW_TRIES = 1 << 16
_FIRST_LOOK = 64
_KEPT = 16


class Sampler(NamedTuple):
    """A distribution with its parameters.

    Parameters
    ----------
    attempt : callable
        Tries once at each place of a `Reader`, which it receives with the parameters. Returns how
        many words each try uses, whether it gives a value, and the value.
    parameters : tuple of numpy.ndarray, each of shape (1,) or (values,)
        Parameters of all the values together, or of each one.
    words : float
        About how many words a value takes.
    in_stages : bool, default False
        Whether a value can be drawn in several tries, which then keep in `stages`, an array of NaN
        at first, where they are.
    steps_at : callable, optional
        For values that are one less than the words they take: returns for each word of a flat
        array how many a value takes that starts there. Rows end there for all but the last words.
    """

    attempt: Callable[..., Tried]
    parameters: tuple[Array, ...]
    words: float
    in_stages: bool = False
    steps_at: Callable[[Words], Counts] | None = None


class Reader:
    """The words that stand at and after some places; the first ones follow the last.

    Parameters
    ----------
    words : numpy.ndarray of uint32
        Words, flat.
    places : numpy.ndarray of int64
        Places in them.
    """

    __slots__ = ("_places", "_words")

    def __init__(self, words: Words, places: Integers) -> None:
        self._words = words
        self._places = places

    def unit32(self, ahead: int, columns: int = 0) -> Float32:
        """Return the numbers in [0, 1] that the words so far ahead give; a row for some columns."""
        places = self._places + ahead
        if columns:
            places = places[:, None] + onp.arange(columns)
        return unit32(self._words.take(places, mode="wrap"))

    def unit64(self, ahead: int) -> Float64:
        """Return what each word so far ahead gives with the next one."""
        places = self._places[:, None] + onp.array([ahead, ahead + 1])
        return unit64(self._words.take(places, mode="wrap"))[:, 0]

    def subset(self, chosen: Integers, used: Integers | None = None) -> Reader:
        """Return a reader of chosen places, moved on."""
        places = self._places.take(chosen)
        return Reader(self._words, places if used is None else places + used)


class _Table(NamedTuple):
    """What tries at consecutive words of state 0 give: of words from `start` on in `turn`."""

    turn: int
    start: int
    steps: list[int]
    accepted: list[bool]
    values: Array


def pick(chosen: Integers, *parameters: Array) -> list[Array]:
    """Return the chosen ones of each parameter; one value goes on standing for all."""
    return [one if one.size == 1 else one.take(chosen) for one in parameters]


def draw(
    bank: TwisterBank, count: int, kind: Callable[..., Sampler], *given: float | Array
) -> Array:
    """Draw values, each by the state that serves it and after those before it.

    Parameters
    ----------
    bank : TwisterBank
        Where the words come from.
    count : int
        How many values.
    kind : callable
        Makes the Sampler of what is given.
    *given : float or numpy.ndarray of shape (values,)
        Parameters of the distribution.
    """
    if 0 < count <= ELEMENTS_PER_STATE:
        if not any(isinstance(one, onp.ndarray) for one in given):
            return _draw_from_table(bank, count, kind, given)
        runs = _runs(count, *given)
        if len(runs) <= _KEPT // 2:
            with onp.errstate(all="ignore"):
                for _, these in runs:
                    if (kind, *these) not in bank.tables:
                        kind(*these)  # which refuses what it cannot draw, before anything is drawn
            return onp.concatenate(
                [_draw_from_table(bank, size, kind, these) for size, these in runs]
            )
    values = onp.empty(count, onp.float64)
    if count:
        with onp.errstate(all="ignore"):
            sampler = kind(*given)
            if not _draw_by_runs(bank, values, sampler):
                by = _draw_side_by_side if sampler.steps_at is None else _draw_in_step
                by(bank, values, sampler)
    return values


def _runs(count: int, *given: float | Array) -> list[tuple[int, tuple[float, ...]]]:
    """Return how many values have the same parameters, and these, one run after the other."""
    columns = [one.tolist() if isinstance(one, onp.ndarray) else [one] * count for one in given]
    return [(len(list(same)), these) for these, same in groupby(zip(*columns, strict=True))]


def _draw_from_table(
    bank: TwisterBank, count: int, kind: Callable[..., Sampler], given: tuple[Any, ...]
) -> Array:
    """Draw from state 0 with the help of tries that earlier calls made, or make them."""
    key = (kind, *given)
    table: _Table | None = bank.tables.get(key)
    look = _FIRST_LOOK if table is None else len(table.steps)
    while True:
        if table is not None and table.turn == bank.turn:
            at = bank.start - table.start
            places, end = _follow(table.steps, table.accepted, at, count)
            if len(places) == count:
                bank.skip(0, 1, end - at)
                return table.values.take(places)
        look = min(2 * look, ROW_LIMIT)
        words = bank.peek(0, 1, look)
        with onp.errstate(all="ignore"):
            tries = _try_runs(words, onp.zeros(1, onp.int64), kind(*given))
        if len(bank.tables) >= _KEPT:
            bank.tables.clear()
        table = bank.tables[key] = _Table(bank.turn, bank.start, *tries)


def _follow(steps: list[int], accepted: list[bool], at: int, count: int) -> tuple[list[int], int]:
    """Return where the tries are that give `count` values, or fewer if words end; and the end."""
    places: list[int] = []
    last = len(steps)
    while count and at < last:
        step = steps[at]
        if not step:
            break
        if accepted[at]:
            places.append(at)
            count -= 1
        at += step
    return places, at


def _try_runs(
    words: Words, rows: Integers, sampler: Sampler, firsts: Integers | None = None
) -> tuple[list[int], list[bool], Array]:
    """Try at all words of some rows, each time with the parameters of one value."""
    columns = words.shape[1]
    offsets = onp.arange(columns)
    places = (rows[:, None] * columns + offsets).reshape(-1)
    parameters = sampler.parameters
    if firsts is not None:
        parameters = tuple(pick(firsts.repeat(columns), *parameters))
    steps, accepted, values = sampler.attempt(Reader(words.reshape(-1), places), *parameters)
    steps = steps.reshape(rows.size, columns)
    steps[steps > columns - offsets] = 0
    return steps.reshape(-1).tolist(), accepted.tolist(), values


def _draw_by_runs(bank: TwisterBank, values: Float64, sampler: Sampler) -> bool:
    """Draw where few states serve few sets of parameters: try at each word, choose afterwards.

    Returns whether it was so.
    """
    states, step = bank.split(values.size)
    states = -(-values.size // step)
    columns = int(sampler.words * (step + 3 * math.sqrt(step))) + 16
    starts = onp.arange(values.size) % step == 0
    for one in sampler.parameters:
        if one.size > 1:
            starts[1:] |= one[1:] != one[:-1]
    firsts = onp.flatnonzero(starts)
    if firsts.size * columns > _FEW_TRIES or columns > ROW_LIMIT:
        return False
    rows = firsts // step
    steps, accepted, found = _try_runs(bank.peek(0, states, columns), rows, sampler, firsts)
    used = [0] * states
    chosen: list[int] = []
    ends = [*firsts.tolist()[1:], values.size]
    for run, (row, first, end) in enumerate(zip(rows.tolist(), firsts.tolist(), ends, strict=True)):
        base = run * columns
        places, at = _follow(steps[base : base + columns], accepted[base:], used[row], end - first)
        if len(places) < end - first:
            return False
        used[row] = at
        chosen += [base + place for place in places]
    values[:] = found.take(chosen)
    bank.skip(0, states, onp.array(used))
    return True


def _draw_in_step(bank: TwisterBank, values: Float64, sampler: Sampler) -> None:
    """Try at every word of all states, which then take value after value together."""
    states, step = bank.split(values.size)
    states = -(-values.size // step)
    least = values.size - (states - 1) * step  # values of the last state
    found = onp.empty((step, states), onp.float64)
    done = 0
    while done < step:
        active = states if done < least else states - 1
        left = step - done
        columns = min(int(sampler.words * (left + 3 * math.sqrt(left))) + 16, ROW_LIMIT)
        steps = _steps_everywhere(bank.peek(0, active, columns), sampler)
        bases = onp.arange(active) * (columns + 1)
        at = onp.zeros(active, onp.int64)
        end = least if done < least else step
        while done < end:
            used = steps.take(bases + at)
            if not used.all():
                break
            found[done, :active] = used
            at += used
            done += 1
        bank.skip(0, active, at)
    values[:] = found.T.reshape(-1)[: values.size]
    values -= 1


def _steps_everywhere(words: Words, sampler: Sampler) -> Counts:
    """Return how many words a value takes that starts at each word; 0 where they end before.

    Rows have one number more than words: 0, for what starts at their end.
    """
    rows, columns = words.shape
    steps = onp.zeros((rows, columns + 1), onp.int16)
    rest = columns - onp.arange(columns)
    at_once = max(BLOCK // columns, 1)
    assert sampler.steps_at is not None  # noqa: S101 - what chose this way
    for first in range(0, rows, at_once):
        part = words[first : first + at_once]
        counts = sampler.steps_at(part.reshape(-1)).reshape(part.shape)
        onp.multiply(counts, counts <= rest, out=steps[first : first + at_once, :-1])
    return steps.reshape(-1)


def _draw_side_by_side(bank: TwisterBank, values: Float64, sampler: Sampler) -> None:
    """Draw in all states, each of which tries at its own place."""
    states, step = bank.split(values.size)
    states = -(-values.size // step)
    rows = onp.arange(states)
    index = rows * step
    last = onp.minimum(index + step, values.size)
    taken = onp.zeros(states, onp.int64)
    at = taken.copy()
    stages = onp.full(states, onp.nan, onp.float32)
    kept: dict[str, Array] = {}
    words = bank.peek(0, states, _WINDOW).reshape(-1)
    bases = rows * _WINDOW
    while rows.size:
        if sampler.in_stages:
            kept["stages"] = stages.copy()
        reader = Reader(words, bases + at)
        steps, accepted, found = sampler.attempt(reader, *pick(index, *sampler.parameters), **kept)
        reached = at + steps
        if reached.max() > _WINDOW:
            within = reached <= _WINDOW
            taken[rows] = onp.where(within, reached, at)
            bank.skip(0, states, taken)
            taken[:] = reached[:] = 0
            words = bank.peek(0, states, _WINDOW).reshape(-1)
            accepted &= within
            if kept:
                stages = onp.where(within, kept["stages"], stages)
        else:
            stages = kept.get("stages", stages)
        at = reached
        chosen = accepted.nonzero()[0]
        values[index.take(chosen)] = found.take(chosen)
        index += accepted
        going = index != last
        if not going.all():
            taken[rows] = at
            rows, index, last, at, bases, stages = (
                one[going] for one in (rows, index, last, at, bases, stages)
            )
    bank.skip(0, states, taken)
