"""Words of some generators beside each other, and what stands at places among them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.random_streams.units import symmetric32, unit32, unit64

if TYPE_CHECKING:
    import numpy.typing as npt

    from gluonish.random_streams.mersenne import Words

    Array = npt.NDArray[Any]
    Flags = npt.NDArray[onp.bool_]
    Float32 = npt.NDArray[onp.float32]
    Float64 = npt.NDArray[onp.float64]
    Integers = npt.NDArray[onp.int64]

_ONE = onp.float32(1)
_ZERO = onp.float32(0)
_TINY = onp.float32(2.0**-40)
_UNSURE = 2e-5
_REACH = 16
_FEW = 32


class Window:
    """Words of some generators, and what is computed of all of them at once, if it is asked for.

    What stands at a place is computed of the words that follow there. Places count word by word
    through all generators: what is looked at together lies together. What reaches beyond the last
    words is nothing to go by.

    Parameters
    ----------
    words : numpy.ndarray of uint32, shape (generators, words)
        Words.
    """

    def __init__(self, words: Words) -> None:
        self.stride, self.columns = words.shape
        self.words = words.T if self.stride == 1 else onp.ascontiguousarray(words.T)

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
    def sums(self) -> Float64:
        """Sums of -log(u) over the words before each, and over all: about. Then, infinity."""
        logs = onp.log(onp.maximum(self.units, _TINY))
        sums = onp.full((self.columns + 1 + 2 * _REACH, self.stride), onp.inf)
        sums[0] = 0
        if self.stride <= _FEW:
            onp.subtract.accumulate(
                onp.concatenate((sums[:1], logs)), out=sums[: logs.shape[0] + 1]
            )
            return sums
        for before, log, after in zip(sums[:-1], logs, sums[1:], strict=False):
            onp.subtract(before, log, out=after)
        return sums


class Reader:
    """The words that stand at and after some places of a window.

    Parameters
    ----------
    window : Window
        Words.
    rows, columns : numpy.ndarray of int64
        Generators, and places in their words.
    """

    __slots__ = ("_places", "_stride", "_window")

    def __init__(self, window: Window, rows: Integers, columns: Integers) -> None:
        self._window = window
        self._stride = window.stride
        self._places = rows + columns * self._stride

    def unit32(self, ahead: int, columns: int = 0) -> Float32:
        """Return the numbers in [0, 1] that the words so far ahead give; a row for some columns."""
        places = self._places + ahead * self._stride if ahead else self._places
        if columns:
            places = places[:, None] + onp.arange(0, columns * self._stride, self._stride)
        units: Float32 = self._window.units.take(places, mode="wrap")
        return units

    def unit64(self, ahead: int) -> Any:  # noqa: ANN401 - float64, for what asks for it
        """Return what each word so far ahead gives with the next one."""
        columns = onp.array([ahead, ahead + 1]) * self._stride
        places = self._places[:, None] + columns
        return unit64(self._window.words.take(places, mode="wrap"))[:, 0]

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
        places = self._places + ahead * self._stride
        squares = window.squares.take(places, mode="wrap")
        places += self._stride
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
        sums, stride = self._window.sums, self._stride
        targets = sums.take(self._places)
        targets += onp.maximum(means, _ZERO)
        places = self._places.copy()
        step = _REACH
        while step:
            is_less = sums.take(places + step * stride) < targets
            places += is_less * (step * stride)
            step >>= 1
        unsure = targets - sums.take(places) < _UNSURE
        unsure |= sums.take(places + stride) - targets < _UNSURE
        counts: Integers = (places - self._places) // stride
        unsure |= counts == 2 * _REACH - 1
        return counts, unsure

    def subset(self, chosen: Integers, used: Integers | None = None) -> Reader:
        """Return a reader of chosen places, moved on."""
        places = self._places.take(chosen)
        return self._at(places if used is None else places + used * self._stride)

    def moved(self, used: Integers) -> Reader:
        """Return a reader of the same places, moved on."""
        return self._at(self._places + used * self._stride)

    def _at(self, places: Integers) -> Reader:
        reader = object.__new__(Reader)
        reader._window, reader._stride = self._window, self._stride
        reader._places = places
        return reader
