"""Timing of alternatives in one run: interleaved blocks of calls, the best block of each counts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Plan", "Timer", "best_microseconds", "seconds_of", "trained"]


class Timer(Protocol):
    """Runs something a number of times."""

    def __call__(self, calls: int, /) -> float:
        """Return the seconds that so many calls took together."""
        ...


class Plan:
    """How long to measure.

    Parameters
    ----------
    blocks : int
        Blocks of calls of each alternative, at most.
    block_seconds : float
        How long a block lasts, unless one call lasts longer.
    total_seconds : float
        How long all alternatives may take together; slow ones get fewer blocks, three at least.
    """

    def __init__(self, blocks: int, block_seconds: float, total_seconds: float) -> None:
        self.blocks = blocks
        self.block_seconds = block_seconds
        self.total_seconds = total_seconds


def seconds_of(function: Callable[[], object], calls: int) -> float:
    """Return the seconds that so many calls of a function took together."""
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return time.perf_counter() - start


def best_microseconds(alternatives: Mapping[str, Timer], plan: Plan) -> dict[str, float]:
    """Return the time of one call of each alternative, in its best block, in microseconds.

    Each round runs one block of each alternative; rounds start with another one each time, so
    that none always follows the same neighbour.
    """
    calls = {name: _calls(timer, plan) for name, timer in alternatives.items()}
    names = list(alternatives)
    best = dict.fromkeys(names, float("inf"))
    start = time.perf_counter()
    for done in range(plan.blocks):
        if done >= 3 and time.perf_counter() - start > plan.total_seconds:
            break
        turn = done % len(names)
        for name in names[turn:] + names[:turn]:
            seconds = alternatives[name](calls[name])
            best[name] = min(best[name], seconds / calls[name] * 1e6)
    return best


def _calls(timer: Timer, plan: Plan) -> int:
    """Return how many calls fill a block; the first calls, which may compile, do not count."""
    timer(1)
    timer(1)
    calls, seconds = 1, timer(1)
    while seconds < plan.block_seconds / 4 and calls < 1_000_000:
        calls *= 4
        seconds = timer(calls)
    return max(1, round(calls * plan.block_seconds / seconds))


def trained(step: Callable[[], object], steps: int, start: float) -> list[tuple[int, float]]:
    """Run training steps; return pairs of steps done and seconds since the start."""
    line = []
    marks = _marks(steps)
    for done in range(1, steps + 1):
        step()
        if done in marks:
            line.append((done, time.perf_counter() - start))
    return line


def _marks(steps: int) -> set[int]:
    """Return some thirty numbers of steps, the first one and a tenth of them among these."""
    return {1, steps // 10, *range(steps // 25, steps + 1, steps // 25)}
