"""Timing of alternatives in one run: interleaved blocks, the best block of each counts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

BLOCKS = 15
BLOCK_SECONDS = 0.04


def microseconds(alternatives: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Return the best time of one call of each alternative, in microseconds."""
    counts = {name: _calls_per_block(function) for name, function in alternatives.items()}
    best = dict.fromkeys(alternatives, float("inf"))
    for _ in range(BLOCKS):
        for name, function in alternatives.items():
            best[name] = min(best[name], _time(function, counts[name]))
    return best


def _calls_per_block(function: Callable[[], object]) -> int:
    for _ in range(5):
        function()
    once = max(_time(function, 5), 0.1)
    return max(1, int(BLOCK_SECONDS * 1e6 / once))


def _time(function: Callable[[], object], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - start) / calls * 1e6


def table(title: str, times: Mapping[str, float], base: str) -> str:
    """Return a printed table: microseconds, and how many times as fast as `base`."""
    lines = [f"{title}"]
    for name, value in times.items():
        lines.append(f"  {name:<34} {value:>10.2f} us   {times[base] / value:>6.2f} x {base}")
    return "\n".join(lines)
