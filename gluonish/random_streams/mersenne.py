"""Buffered Mersenne Twister generators: one alone, and a bank of 1024 that are read together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Words = npt.NDArray[onp.uint32]

STATES = 1024
ELEMENTS_PER_STATE = 64
MASK = 0xFFFFFFFF
BLOCK = 32768
"""Words handled at a time, so that what is drawn is still in the cache when it is used."""

ROW_LIMIT = 3072
"""The most words of a state that can be looked at."""

_FIRST_READ = 624
_READ_AHEAD = 2400
_ROW_WIDTH = 2 * ROW_LIMIT + 64
_LOWEST = -(2**63)


def _fill(words: Words, generators: list[torch.Generator]) -> None:
    """Fill the rows of `words`, an even number of columns, each from its own generator."""
    rows, columns = words.shape
    drawn = onp.empty((rows, columns // 2), onp.int64)
    for tensor, generator in zip(torch.from_numpy(drawn).unbind(0), generators, strict=True):
        tensor.random_(_LOWEST, None, generator=generator)
    # torch packs two draws into 64 bits, the first one in the upper half.
    pairs = drawn.view(onp.uint64)
    upper = pairs >> 32
    onp.left_shift(pairs, 32, out=pairs)
    onp.bitwise_or(pairs, upper, out=words.view(onp.uint64))


class Twister:
    """One 32-bit Mersenne Twister (MT19937) with unread words.

    Parameters
    ----------
    seed : int
        Seed, taken modulo 2**32.

    Examples
    --------
    >>> Twister(0).words(3)
    array([2357136044, 2546248239, 3071714933], dtype=uint32)
    """

    __slots__ = ("_at", "_generator", "_words")

    def __init__(self, seed: int) -> None:
        self._generator = torch.Generator()
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Start again from `seed`, taken modulo 2**32."""
        self._generator.manual_seed(seed & MASK)
        self._words: Words = onp.empty(0, onp.uint32)
        self._at = 0

    def words(self, count: int) -> Words:
        """Return the next `count` draws as a view that must not be written to."""
        start = self._at
        stop = start + count
        if stop > self._words.size:
            self._refill(count)
            start = self._at
            stop = start + count
        self._at = stop
        return self._words[start:stop]

    def peek(self, count: int) -> Words:
        """Return the next `count` draws without taking them."""
        if self._at + count > self._words.size:
            self._refill(count)
        return self._words[self._at : self._at + count]

    def skip(self, count: int) -> None:
        """Take `count` draws that `peek` showed."""
        self._at += count

    def get_state(self) -> dict[str, Any]:
        """Return a copy of the state as a dictionary of arrays."""
        return {
            "generator": self._generator.get_state().numpy().copy(),
            "unread": self._words[self._at :].copy(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue from what `get_state` returned."""
        self._generator.set_state(torch.from_numpy(state["generator"].copy()))
        self._words = state["unread"].copy()
        self._at = 0

    def _refill(self, count: int) -> None:
        unread = self._words[self._at :]
        start = unread.size + (unread.size & 1)
        fresh = max(count - unread.size, min(count, BLOCK), _READ_AHEAD)
        fresh += fresh & 1
        words = onp.empty(start + fresh, onp.uint32)
        self._at = start - unread.size
        words[self._at : start] = unread
        for first in range(start, words.size, BLOCK):
            _fill(words[None, first : first + BLOCK], [self._generator])
        self._words = words


class TwisterBank:
    """1024 Mersenne Twisters that share the elements of every output.

    State t is seeded with `seed + t` when it is first used, so seeding the bank is free.

    Parameters
    ----------
    seed : int
        Seed of state 0; all are taken modulo 2**32.

    Examples
    --------
    >>> bank = TwisterBank(0)
    >>> bank.words(0, 2, 3)
    array([[2357136044, 2546248239, 3071714933],
           [1791095845, 4282876139, 3093770124]], dtype=uint32)
    >>> TwisterBank.split(130)
    (3, 44)
    """

    __slots__ = ("_ends", "_generators", "_ready", "_seed", "_starts", "_words", "tables", "turn")

    def __init__(self, seed: int) -> None:
        self.tables: dict[tuple[Any, ...], Any] = {}
        self.turn = 0
        self._generators: list[torch.Generator] = []
        self._words: Words = onp.empty((0, _ROW_WIDTH), onp.uint32)
        self.seed(seed)

    @staticmethod
    def split(count: int) -> tuple[int, int]:
        """Return how many states serve `count` elements, and the most that one serves."""
        states = min(-(-count // ELEMENTS_PER_STATE), STATES)
        return states, -(-count // states)

    def seed(self, seed: int) -> None:
        """Start again: state t from `seed + t`, taken modulo 2**32."""
        self._seed = seed
        self._ready = 0
        self.turn += 1
        self._starts = onp.zeros(STATES, onp.int64)
        self._ends = onp.zeros(STATES, onp.int64)

    @property
    def start(self) -> int:
        """Where the words of state 0 start, of those that are kept in this `turn`."""
        return int(self._starts[0])

    def words(self, first: int, last: int, count: int) -> Words:
        """Return the next `count` draws of the states from `first` up to `last`, one row each.

        The rows may be a view that is valid until the next call. `count` is at most 3072.
        """
        words = self.peek(first, last, count)
        self._starts[first:last] += count
        return words

    def peek(self, first: int, last: int, count: int) -> Words:
        """Return what `words` would, without taking it."""
        if last - first == 1:
            return self._peek_one(first, count)
        self._ensure(first, last, count)
        starts = self._starts[first:last]
        start = int(starts[0])
        differing = onp.flatnonzero(starts != start)
        if not differing.size:
            return self._words[first:last, start : start + count]
        if differing.size > 2 and count <= 4 * ELEMENTS_PER_STATE:
            places = (starts + onp.arange(first, last) * _ROW_WIDTH)[:, None] + onp.arange(count)
            return self._words.reshape(-1).take(places)
        copy = self._words[first:last, start : start + count].copy()
        for row in differing.tolist():
            start = starts[row]
            copy[row] = self._words[first + row, start : start + count]
        return copy

    def skip(self, first: int, last: int, counts: int | npt.NDArray[onp.int64]) -> None:
        """Take `counts` draws, of each state or per state, that `peek` showed."""
        if last - first == 1 and type(counts) is int:
            self._starts[first] += counts
        else:
            self._starts[first:last] += counts

    def blocks(self, out: npt.NDArray[Any], each: int) -> Iterator[tuple[npt.NDArray[Any], Words]]:
        """Walk over the flat array `out` with `each` draws for every element.

        Yields
        ------
        part : numpy.ndarray, shape (rows, columns)
            View of `out`.
        words : numpy.ndarray, shape (rows, columns * each)
            Draws for these elements.
        """
        for part, first, last in self.parts(out, ROW_LIMIT // each, each):
            yield part, self.words(first, last, part.shape[1] * each)

    def parts(
        self, out: npt.NDArray[Any], columns: int, weight: int
    ) -> Iterator[tuple[npt.NDArray[Any], int, int]]:
        """Cut the flat array `out` into views of at most `columns` columns by a few states.

        Yields
        ------
        part : numpy.ndarray, shape (rows, columns)
            View of `out`.
        first, last : int
            The states that serve the rows.
        """
        if not out.size:
            return
        _, step = self.split(out.size)
        full = out.size // step
        grid = out[: full * step].reshape(full, step)
        columns = min(columns, step)
        rows = max(2 * BLOCK // (columns * weight), 1)
        for first in range(0, full, rows):
            last = min(first + rows, full)
            for column in range(0, step, columns):
                yield grid[first:last, column : column + columns], first, last
        rest = out[full * step :].reshape(1, -1)
        for column in range(0, rest.shape[1], columns):
            yield rest[:, column : column + columns], full, full + 1

    def get_state(self) -> dict[str, Any]:
        """Return a copy of the state: 5 kB and the unread draws for every state used so far."""
        states = [one.get_state().numpy() for one in self._generators[: self._ready]]
        unread = [
            self._words[row, self._starts[row] : self._ends[row]].copy()
            for row in range(self._ready)
        ]
        return {
            "seed": self._seed,
            "generators": onp.stack(states) if states else onp.empty((0, 0), onp.uint8),
            "unread": unread,
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue from what `get_state` returned."""
        self.seed(state["seed"])
        self._prepare(len(state["unread"]))
        for row, unread in enumerate(state["unread"]):
            self._generators[row].set_state(torch.from_numpy(state["generators"][row].copy()))
            self._words[row, : unread.size] = unread
            self._ends[row] = unread.size

    def _peek_one(self, row: int, count: int) -> Words:
        start = self._starts[row]
        if self._ends[row] - start < count:
            self._refill(row, row + 1, count)
            start = self._starts[row]
        return self._words[row : row + 1, start : start + count]

    def _ensure(self, first: int, last: int, count: int) -> None:
        lacking = self._ends[first:last] - self._starts[first:last] < count
        if lacking.all():
            self._refill(first, last, count)
        elif lacking.any():
            unread = self._ends[first:last] - self._starts[first:last]
            if unread.max() <= ROW_LIMIT:
                self._refill(first, last, count)
                return
            rows = onp.flatnonzero(lacking) + first
            for run in onp.split(rows, onp.flatnonzero(onp.diff(rows) > 1) + 1):
                self._refill(int(run[0]), int(run[-1]) + 1, count)

    def _refill(self, first: int, last: int, count: int) -> None:
        self.turn += not first
        is_new = self._prepare(last)
        starts = self._starts[first:last]
        unread = self._ends[first:last] - starts
        most = int(unread.max())
        start = most + (most & 1)
        ahead = _FIRST_READ if is_new else _READ_AHEAD
        fresh = max(count - int(unread.min()), ahead)
        fresh += fresh & 1
        stop = start + fresh
        if most:
            self._move_unread(first, last, start)
        together = max(2 * BLOCK // fresh, 1)
        for row in range(first, last, together):
            end = min(row + together, last)
            _fill(self._words[row:end, start:stop], self._generators[row:end])
        self._starts[first:last] = start - unread
        self._ends[first:last] = stop

    def _move_unread(self, first: int, last: int, start: int) -> None:
        """Copy the unread draws of each row so that they end before column `start`."""
        begin = self._starts[first:last]
        end = self._ends[first:last]
        one, other = int(begin[0]), int(end[0])
        if (begin == one).all() and (end == other).all():
            rows = self._words[first:last]
            rows[:, start - (other - one) : start] = rows[:, one:other]
            return
        for row, one, other in zip(range(first, last), begin.tolist(), end.tolist(), strict=True):
            words = self._words[row]
            words[start - (other - one) : start] = words[one:other]

    def _prepare(self, last: int) -> bool:
        """Create and seed the states up to `last`; return whether one was not seeded yet."""
        if last <= self._ready:
            return False
        if last > len(self._words):
            rows = 1 if last == 1 else STATES
            words = onp.empty((rows, _ROW_WIDTH), onp.uint32)
            words[: len(self._words)] = self._words
            self._words = words
        missing = last - len(self._generators)
        self._generators.extend(torch.Generator() for _ in range(missing))
        for row in range(self._ready, last):
            self._generators[row].manual_seed((self._seed + row) & MASK)
        self._ready = last
        return True
