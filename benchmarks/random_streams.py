"""Time MXNet's random streams beside PyTorch's own generators, in one process on one thread."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import torch

from gluonish import random_streams
from gluonish.random_streams import main, parallel, selection

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS: dict[str, tuple[Callable[[int], object], Callable[[int], object]]] = {
    "np uniform": (lambda n: main.uniform(0.0, 1.0, (n,)), torch.rand),
    "np normal": (lambda n: main.normal(0.0, 1.0, (n,)), torch.randn),
    "nd uniform": (lambda n: parallel.uniform(0.0, 1.0, (n,)), torch.rand),
    "nd normal": (lambda n: parallel.normal(0.0, 1.0, (n,)), torch.randn),
    "randint": (
        lambda n: parallel.randint(0, 10, (n,)),
        lambda n: torch.randint(0, 10, (n,)),
    ),
    "dropout mask": (
        lambda n: parallel.dropout_mask(0.5, (n,)),
        lambda n: torch.empty(n).bernoulli_(0.5),
    ),
    "shuffle": (selection.shuffle_order, torch.randperm),
    "np gamma": (
        lambda n: main.gamma(2.0, 1.0, (n,)),
        lambda n: torch.distributions.Gamma(2.0, 1.0).sample((n,)),
    ),
    "nd gamma": (
        lambda n: parallel.gamma(2.0, 1.0, (n,)),
        lambda n: torch.distributions.Gamma(2.0, 1.0).sample((n,)),
    ),
    "nd poisson": (
        lambda n: parallel.poisson(3.0, (n,)),
        lambda n: torch.poisson(torch.full((n,), 3.0)),
    ),
}


SIZES = [40, 10_000, 1_000_000]


def measure(
    ours: Callable[[int], object], theirs: Callable[[int], object], size: int
) -> tuple[float, float]:
    """Return the mean seconds of a call of each, taken in turns; the slowest tenth is left out."""
    repeat = max(6, min(300, 10_000_000 // size))
    ours(size)
    theirs(size)
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeat):
        for call, seconds in zip((ours, theirs), times, strict=True):
            start = time.perf_counter()
            call(size)
            seconds.append(time.perf_counter() - start)
    kept = repeat - repeat // 10
    first, second = (sum(sorted(seconds)[:kept]) / kept for seconds in times)
    return first, second


def table_rows(sizes: list[int]) -> list[dict[str, Any]]:
    """Return the microseconds of each call, ours and torch's own, for some numbers of draws."""
    rows = []
    for name, (ours, theirs) in CALLS.items():
        for size in sizes:
            random_streams.seed(0)
            mine, other = (round(seconds * 1e6, 2) for seconds in measure(ours, theirs, size))
            rows.append({"name": name, "size": size, "gluonish": mine, "torch": other})
    return rows


def print_table(sizes: list[int]) -> None:
    """Print times and ratios for some numbers of draws."""
    torch.set_num_threads(1)
    lines = [f"{'':14}{'n':>9}{'ours, us':>12}{'torch, us':>12}{'ratio':>8}"]
    for row in table_rows(sizes):
        mine, other = row["gluonish"], row["torch"]
        lines.append(f"{row['name']:14}{row['size']:9}{mine:12.1f}{other:12.1f}{mine / other:8.2f}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    print_table([int(text) for text in sys.argv[1:]] or SIZES)
