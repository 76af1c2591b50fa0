"""Words of some generators beside each other, and what stands at places among them."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.random_streams.mersenne import ROW_LIMIT
from gluonish.random_streams.units import of_halves, symmetric32, unit32

if TYPE_CHECKING:
    import numpy.typing as npt

    from gluonish.random_streams.mersenne import TwisterBank, Words

    Array = npt.NDArray[Any]
    Flags = npt.NDArray[onp.bool_]
    Float32 = npt.NDArray[onp.float32]
    Float64 = npt.NDArray[onp.float64]
    Integers = npt.NDArray[onp.int64]

_ONE = onp.float32(1)
_ZERO = onp.float32(0)
_TINY = onp.float32(2.0**-40)
_HALF = onp.float32(0.5)
_PARTS = onp.float32(1 << 21)
_FAR = onp.int32(1 << 30)
_UNSURE = 42  # parts: 2e-5
_REACH = 16
LEAST = 64  # words beyond those that are expected


class Window:
    """Words of some generators, and what is computed of all of them at once, if it is asked for.

    What stands at a place is computed of the words that follow there. Places count word by word
    through one generator after the other. What reaches beyond the last words of its generator is
    nothing to go by: it takes in those of the next.

    Parameters
    ----------
    words : numpy.ndarray of uint32, shape (generators, words)
        Words.
    """

    def __init__(self, words: Words) -> None:
        self.lanes, self.columns = words.shape
        self.words = onp.ascontiguousarray(words).reshape(-1)

    @cached_property
    def units(self) -> Float32:
        """The number in [0, 1] that each word gives."""
        return unit32(self.words)

    @cached_property
    def points(self) -> Float32:
        """The number in [-1, 1] that each word gives."""
        return symmetric32(self.words)

    @cached_property
    def squares(self) -> Float32:
        """The squared distance from 0 of the point that each word gives with the next."""
        squared = self.points * self.points
        squared[:-1] += squared[1:]
        return squared

    @cached_property
    def refused(self) -> npt.NDArray[onp.int8]:
        """How many words from each on give points that no normal value is made of: 16 at most."""
        refused = (self.squares > _ONE) | (self.squares == _ZERO)
        counts: npt.NDArray[onp.int8] = refused.view(onp.int8) * onp.int8(2)
        for reach in (2, 4, 8):  # where all up to a place are refused, those after it count
            counts[:-reach] += (counts[:-reach] == reach) * counts[reach:]
        return counts

    @cached_property
    def wide_squares(self) -> Float64:
        """What `squares` are, of float64 numbers that take two words each: of every second one."""
        points = of_halves(self.words[0::2], self.words[1::2])
        points *= 2.0
        points -= 1.0
        points *= points
        points[:-1] += points[1:]
        return points

    @cached_property
    def sums(self) -> npt.NDArray[onp.int32]:
        """Sums of -log(u) over the words before each, and over all: about, in `_PARTS` of one.

        They begin anew where they would be too large: differences of near ones hold. What follows
        the last word is far from it.
        """
        sums = onp.empty(self.words.size + 1 + 2 * _REACH, onp.int32)
        sums[0] = 0
        logs = onp.maximum(self.units, _TINY)
        onp.log(logs, out=logs)
        logs *= -_PARTS
        logs += _HALF
        onp.cumsum(logs.astype(onp.int32), dtype=onp.int32, out=sums[1 : logs.size + 1])
        with onp.errstate(over="ignore"):
            sums[logs.size + 1 :] = sums[logs.size] + _FAR
        return sums


class Reader:
    """The words that stand at and after some places of a window.

    Parameters
    ----------
    window : Window
        Words.
    places : numpy.ndarray of int64
        Places.
    """

    __slots__ = ("_places", "_window")

    def __init__(self, window: Window, places: Integers) -> None:
        self._window = window
        self._places = places

    def unit32(self, ahead: int, columns: int = 0) -> Float32:
        """Return the numbers in [0, 1] that the words so far ahead give; a row for some columns."""
        places = self._places + ahead if ahead else self._places
        if columns:
            places = places[:, None] + onp.arange(columns)
        units: Float32 = self._window.units.take(places, mode="wrap")
        return units

    def unit64(self, ahead: int) -> Any:  # noqa: ANN401 - float64, for what asks for it
        """Return what each word so far ahead gives with the next one."""
        places = self._places + ahead
        lower = self._window.words.take(places, mode="wrap")
        places += 1
        return of_halves(lower, self._window.words.take(places, mode="wrap"))

    def point(self) -> tuple[Integers, Float32, Float32]:
        """Return how far the next points are that give normal values.

        Returns
        -------
        ahead : numpy.ndarray of int64
            Words before the point.
        squares : numpy.ndarray of float32
            Its squared distance from 0: of none, 0 or above 1, where too many words give none.
        y : numpy.ndarray of float32
            Its second number.
        """
        window = self._window
        ahead = window.refused.take(self._places, mode="wrap").astype(onp.int64)
        places = self._places + ahead
        squares = window.squares.take(places, mode="wrap")
        places += 1
        return ahead, squares, window.points.take(places, mode="wrap")

    def factors(self, means: Float32) -> tuple[Integers, Flags]:
        """Count about how many uniform factors keep a product above exp(-mean).

        Returns
        -------
        counts : numpy.ndarray of int64
            How many.
        unsure : numpy.ndarray of bool
            Where it may be another number: where rounding decides, or it is large.
        """
        sums = self._window.sums
        first = sums.take(self._places, mode="clip")
        targets = (onp.maximum(means, _ZERO) * _PARTS).astype(onp.int32)
        places = self._places.copy()
        step = _REACH
        while step:
            reached = sums.take(places + step, mode="clip")
            reached -= first
            places += (reached < targets).view(onp.int8) * onp.int8(step)
            step >>= 1
        first += targets
        unsure = first - sums.take(places, mode="clip") < _UNSURE
        unsure |= sums.take(places + 1, mode="clip") - first < _UNSURE
        counts: Integers = places - self._places
        unsure |= counts == 2 * _REACH - 1
        return counts, unsure

    def subset(self, chosen: Integers, used: Integers | None = None) -> Reader:
        """Return a reader of chosen places, moved on."""
        places = self._places.take(chosen)
        return Reader(self._window, places if used is None else places + used)

    def moved(self, used: Integers) -> Reader:
        """Return a reader of the same places, moved on."""
        return Reader(self._window, self._places + used)


def expected(values: int, words: float) -> int:
    """Return about how many words so many values take, of each of which one takes `words`."""
    return int(words * (values + 3 * math.sqrt(values)))


def look(bank: TwisterBank, first: int, last: int, values: int, words: float) -> Window:
    """Return about the words that so many values take, at most all that may be seen."""
    columns = min(expected(values, words) + LEAST, ROW_LIMIT)
    return Window(bank.peek(first, last, columns + (columns & 1)))


def pick(chosen: Integers, *parameters: Array) -> list[Array]:
    """Return the chosen ones of each parameter; one value goes on standing for all."""
    return [one if one.size == 1 else one.take(chosen) for one in parameters]
