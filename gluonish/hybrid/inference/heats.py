"""Finds out whether folding pays, in as little memory as that takes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from gluonish.hybrid.judging import CLOSE, FEWEST_ROUNDS, MOST_ROUNDS, RACE_SECONDS, Race

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from gluonish.hybrid.inference.folding import Folding


class Heats:
    """Compares the plain way, whose time is known, with the folded one.

    Two ways in turns need the memory of both: each finds what the other one has freed, which does
    not fit. So the folded way runs several times first. Only where it is about as fast, and that
    may be a matter of what else the machine does, there is a race in turns.

    Parameters
    ----------
    plain : float
        The shortest time of the plain way so far, in seconds.
    race : callable, optional
        Makes the race in turns.

    Attributes
    ----------
    turn : int
        Whose turn it is: 0 for the plain way, 1 for the folded one.
    best : list of float
        The shortest time of each so far, in seconds; the first time of the folded one is left out.
    """

    def __init__(self, plain: float, race: Callable[[], Race] = Race) -> None:
        self.turn = 1
        self.best = [plain, float("inf")]
        self._make = race
        self._race: Race | None = None
        self._rounds = 0
        self._seconds = 0.0

    def add(self, seconds: float) -> bool:
        """Take note of how long the one in turn has taken; return whether it is known who wins."""
        if self._race is None and not self.turn:  # the folded way could not
            self.best[0] = min(self.best[0], seconds)
            self.turn = 1
            return False
        if self._race is not None:
            self._race.turn = self.turn
            is_over = self._race.add(seconds)
            self.turn = self._race.turn
            self.best = list(map(min, self.best, self._race.best))
            return is_over
        self._seconds += seconds
        if self._rounds:
            self.best[1] = min(self.best[1], seconds)
        self._rounds += 1
        is_known = self._seconds >= RACE_SECONDS / 2 or self._rounds > MOST_ROUNDS
        if self._rounds <= FEWEST_ROUNDS or not is_known:
            return False
        plain, folded = self.best
        if abs(plain - folded) > CLOSE * plain:
            return True
        self._race = self._make()
        self.turn = self._race.turn
        return False


def seconds_alone(folding: Folding, tensors: Sequence[Tensor]) -> float:
    """Return how long the products of a folding take at least, one by one.

    Only one of them has its weights in order at a time, so that it is known before there is a copy
    of all of them if the folded way can be faster.
    """
    times: dict[str, float] = {}
    total = 0.0
    for text, make in folding.alone(tensors):
        if text not in times:
            times[text] = _least(make())
        total += times[text]
    return total


def _least(product: Callable[[], Tensor]) -> float:
    product()  # the first time, it is planned
    found = []
    for _ in range(FEWEST_ROUNDS):
        begin = time.perf_counter()
        product()
        found.append(time.perf_counter() - begin)
    return min(found)
