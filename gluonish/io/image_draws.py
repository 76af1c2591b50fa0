"""Random numbers for changes of pictures, in the order in which MXNet's C++ draws them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as onp

from gluonish.random_streams.mersenne import MASK, Twister

if TYPE_CHECKING:
    from collections.abc import Iterator

# What MXNet adds to every seed: of pictures, and of pictures with boxes.
SEED, DETECTION_SEED = 111, 233

_AHEAD = 64


class Draws:
    """What the distributions of C++'s standard library draw from one generator.

    Parameters
    ----------
    seed : int
        Seed of the generator.
    """

    def __init__(self, seed: int) -> None:
        self._words = _words(Twister(seed))

    def real(self, low: float, high: float) -> float:
        """Return a number in [low, high), computed in float32."""
        unit = onp.float32(next(self._words)) * onp.float32(2.0**-32)
        unit = min(unit, onp.nextafter(onp.float32(1), onp.float32(0)))
        return float(unit * onp.float32(high - low) + onp.float32(low))

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from low to high."""
        count = high - low + 1
        size = MASK // count
        while (word := next(self._words)) >= count * size:
            pass
        return low + word // size

    def toss(self) -> bool:
        """Return True with probability 1/2."""
        low, high = next(self._words), next(self._words)
        return (low + high * 2.0**32) / 2.0**64 < 0.5

    def normals(self, count: int, deviation: float) -> list[float]:
        """Return normal numbers around 0."""
        values: list[float] = []
        while len(values) < count:
            square = 0.0
            while not 0 < square <= 1:
                x, y = self.real(-1, 1), self.real(-1, 1)
                square = x * x + y * y
            scale = math.sqrt(-2 * math.log(square) / square) * deviation
            values += [y * scale, x * scale]
        return values[:count]

    def shuffled(self, items: list[int]) -> list[int]:
        """Return items in random order."""
        result = list(items)
        for place in range(1, len(result)):
            partner = self.whole(0, place)
            result[place], result[partner] = result[partner], result[place]
        return result


def _words(generator: Twister) -> Iterator[int]:
    while True:
        yield from generator.words(_AHEAD).tolist()
