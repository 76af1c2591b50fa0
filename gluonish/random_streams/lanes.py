"""Draws by rejection from the parallel generators: many tries at once, then those that count."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp

from gluonish.random_streams.mersenne import ELEMENTS_PER_STATE, ROW_LIMIT
from gluonish.random_streams.paths import draw_along
from gluonish.random_streams.readers import LEAST, Reader, Window, expected, look, pick
from gluonish.random_streams.units import unit32

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from gluonish.random_streams.mersenne import TwisterBank, Words

    Array = npt.NDArray[Any]
    Float64 = npt.NDArray[onp.float64]
    Flags = npt.NDArray[onp.bool_]
    Integers = npt.NDArray[onp.int64]
    Float32 = npt.NDArray[onp.float32]
    Tried = tuple[Integers, Flags, Array]

_FEW_TRIES = 1 << 16
_FIRST_LOOK = 64
_KEPT = 16
_TURNED = 64
_FEW_CHANGING = 16
_ONE = onp.float32(1)


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
    limits : numpy.ndarray of float32, shape (1,) or (values,), optional
        For values that are the number of uniform factors which keep a product above a limit: that.
    lengths : callable, optional
        Returns how far the next try is from each place of a `Window`, for some generators of it
        and their parameters.
    tries : float, default 1
        About how many tries a value takes, if `lengths` knows how long each is.
    """

    attempt: Callable[..., Tried]
    parameters: tuple[Array, ...]
    words: float
    in_stages: bool = False
    limits: Float32 | None = None
    lengths: Callable[..., Array] | None = None
    tries: float = 1


class _Table(NamedTuple):
    """What tries at consecutive words of state 0 give: of words from `start` on in `turn`."""

    turn: int
    start: int
    steps: list[int]
    accepted: list[bool]
    values: Array


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
            for way in (_draw_by_runs, draw_along, _draw_in_step, _draw_side_by_side):
                if way(bank, values, sampler):
                    break
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
    columns = _FIRST_LOOK if table is None else len(table.steps)
    while True:
        if table is not None and table.turn == bank.turn:
            at = bank.start - table.start
            places, end = _follow(table.steps, table.accepted, at, count)
            if len(places) == count:
                bank.skip(0, 1, end - at)
                return table.values.take(places)
        columns = min(2 * columns, ROW_LIMIT)
        words = bank.peek(0, 1, columns)
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
    reader = Reader(Window(words), ((rows * columns)[:, None] + offsets).reshape(-1))
    parameters = sampler.parameters
    if firsts is not None:
        parameters = tuple(pick(firsts.repeat(columns), *parameters))
    steps, accepted, values = sampler.attempt(reader, *parameters)
    steps = steps.reshape(rows.size, columns)
    steps[steps > columns - offsets] = 0
    return steps.reshape(-1).tolist(), accepted.tolist(), values


def _draw_by_runs(bank: TwisterBank, values: Float64, sampler: Sampler) -> bool:
    """Draw where few states serve few sets of parameters: try at each word, choose afterwards.

    Returns whether it was so.
    """
    states, step = bank.split(values.size)
    states = -(-values.size // step)
    columns = expected(step, sampler.words) + 16
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


def _draw_in_step(bank: TwisterBank, values: Float64, sampler: Sampler) -> bool:
    """Multiply word after word in all states, and count until products are not above limits.

    Returns whether there are limits.
    """
    limits, words = sampler.limits, sampler.words
    if limits is None:
        return False
    states, step = bank.split(values.size)
    states = -(-values.size // step)
    least = values.size - (states - 1) * step  # values of the last state
    counted = onp.empty((states, step), onp.float64)
    done = spare = 0
    while done < step:
        active = states if done < least else states - 1
        left = (least if done < least else step) - done
        columns = min(expected(left, words) + LEAST + spare, ROW_LIMIT)
        rows = onp.arange(active)
        ends = _ends(bank.peek(0, active, columns), limits, rows * step + done, left)
        numbers = ends.view(onp.int8).sum(axis=1, dtype=onp.int64)
        new = min(int(numbers.min()), left)
        spare = 0 if new else columns
        if new:
            firsts = numbers.cumsum()
            firsts -= numbers
            places = onp.flatnonzero(ends).take(firsts[:, None] + onp.arange(new))
            places -= rows[:, None] * columns
            bank.skip(0, active, places[:, -1] + 1)
            places[:, 1:] -= places[:, :-1] + 1
            counted[:active, done : done + new] = places
        done += new
    values[:] = counted.reshape(-1)[: values.size]
    return True


def _ends(words: Words, limits: Float32, index: Integers, left: int) -> Flags:
    """Return at which words of each state values end: its first one is that of `index`.

    Most states have values of one limit; of those that do not, `left` are left.
    """
    states, columns = words.shape
    ends = onp.empty((states, columns), onp.bool_)
    products = onp.ones(states, onp.float32)
    limit = limits.take(index) if limits.size > 1 else limits
    changing = _changing(limits, index, left)
    is_dense = changing.size > _FEW_CHANGING
    for start in range(0, columns, _TURNED):
        factors = unit32(onp.ascontiguousarray(words[:, start : start + _TURNED].T))
        ended = onp.empty(factors.shape, onp.bool_)
        for units, end in zip(factors, ended, strict=True):
            onp.multiply(products, units, out=products)
            onp.less_equal(products, limit, out=end)
            onp.maximum(products, end, out=products)  # where a value ends, 1
            if is_dense:
                index += end
                limits.take(index, out=limit, mode="clip")
        ends[:, start : start + _TURNED] = ended.T
    if not is_dense:
        for row in changing.tolist():
            ends[row] = _ends_of_one(unit32(words[row]), limits[index[row] :])
    return ends


def _changing(limits: Float32, index: Integers, left: int) -> Integers:
    """Return the states that have values of several limits."""
    changes = onp.flatnonzero(limits[1:] != limits[:-1]) + 1
    before = changes.searchsorted(index, "right")
    return onp.flatnonzero(changes.searchsorted(index + left) > before)


def _ends_of_one(units: Float32, limits: Float32) -> Flags:
    """Return at which numbers of a state values end."""
    ends = onp.zeros(units.size, onp.bool_)
    product = _ONE
    following = iter(limits)
    limit = next(following)
    for at, unit in enumerate(units):
        product *= unit
        if product <= limit:
            ends[at] = True
            product, limit = _ONE, next(following, limit)
    return ends


def _draw_side_by_side(bank: TwisterBank, values: Float64, sampler: Sampler) -> bool:
    """Draw in all states, each of which tries at its own place; that can always be done."""
    states, step = bank.split(values.size)
    states = -(-values.size // step)
    rows = onp.arange(states)
    index = rows * step
    last = onp.minimum(index + step, values.size)
    drawn = onp.empty((step, states), onp.float64)  # what is written together lies together
    slots = rows.copy()
    taken = onp.zeros(states, onp.int64)
    at = taken.copy()
    stages = onp.full(states, onp.nan, onp.float32)
    kept: dict[str, Array] = {}
    window = look(bank, 0, states, step, sampler.words)
    while rows.size:
        if sampler.in_stages:
            kept["stages"] = stages.copy()
        reader = Reader(window, rows * window.columns + at)
        steps, accepted, found = sampler.attempt(reader, *pick(index, *sampler.parameters), **kept)
        reached = at + steps
        if reached.max() > window.columns:
            within = reached <= window.columns
            taken[rows] = onp.where(within, reached, at)
            bank.skip(0, states, taken)
            taken[:] = reached[:] = 0
            window = look(bank, 0, states, int((last - index).max()), sampler.words)
            accepted &= within
            if kept:
                stages = onp.where(within, kept["stages"], stages)
        else:
            stages = kept.get("stages", stages)
        at = reached
        chosen = accepted.nonzero()[0]
        drawn.put(slots.take(chosen), found.take(chosen))
        index += accepted
        slots += accepted * states
        going = index != last
        if not going.all():
            taken[rows] = at
            rows, index, slots, last, at, stages = (
                one[going] for one in (rows, index, slots, last, at, stages)
            )
    bank.skip(0, states, taken)
    values[:] = drawn.T.reshape(-1)[: values.size]
    return True
