"""Memory of long runs: `python -m benchmarks.soak`; steps and new shapes must leave nothing behind.

Each way to train a small net runs in a process of its own. What is resident is looked at after each
hundredth; from the tenth of these on it may grow by 1 %.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gluonish as mx

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["WAYS", "growth", "run"]

_STATM = Path("/proc/self/statm")
_PAGE = 4096
_LOOKS = 100
_MOST = 0.01


class Training:
    """A small net in training.

    Parameters
    ----------
    is_hybrid : bool
        Whether net and loss are hybridized.
    is_fused : bool, default False
        Whether `gluon.FusedStep` runs the step.
    fuse_loop : bool, default True
        Whether the plain loop may become one graph.
    """

    def __init__(self, *, is_hybrid: bool, is_fused: bool = False, fuse_loop: bool = True) -> None:
        self.net = mx.gluon.nn.HybridSequential()
        self.net.add(
            mx.gluon.nn.Dense(16, activation="relu", flatten=False),
            mx.gluon.nn.BatchNorm(axis=-1),
            mx.gluon.nn.Dense(3, flatten=False),
        )
        self.net.initialize()
        self.loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
        if is_hybrid:
            self.net.hybridize(fuse_loop=fuse_loop)
            self.loss.hybridize()
        self.trainer = mx.gluon.Trainer(self.net.collect_params(), "adam")
        self._fused = None
        if is_fused:
            self._fused = mx.gluon.FusedStep(self.net, self.loss, self.trainer)

    def step(self, *shape: int) -> None:
        """Train once on data of a shape."""
        data, labels = mx.nd.ones((*shape, 8)), mx.nd.zeros(shape)
        if self._fused is not None:
            self._fused(data, labels, shape[0])
            return
        with mx.autograd.record():
            loss = self.loss(self.net(data), labels)
        loss.backward()
        self.trainer.step(shape[0])

    def predict(self, *shape: int) -> None:
        """Predict once from data of a shape."""
        self.net(mx.nd.ones((*shape, 8))).wait_to_read()


WAYS: dict[str, Callable[[], Training]] = {
    "eager": lambda: Training(is_hybrid=False),
    "hybrid": lambda: Training(is_hybrid=True, fuse_loop=False),
    "loop": lambda: Training(is_hybrid=True),
    "fused": lambda: Training(is_hybrid=True, is_fused=True),
}


def run(way: str, what: str, count: int) -> list[int]:
    """Return the bytes that are resident after each hundredth of so many calls.

    Parameters
    ----------
    way : str
        Which of `WAYS`.
    what : {'steps', 'shapes', 'predictions'}
        Training steps on one shape; training steps, or predictions, each on a new one.
    count : int
        How many.
    """
    training = WAYS[way]()
    call = training.predict if what == "predictions" else training.step
    sizes = product(range(2, 2 + int(count**0.5) + 1), repeat=2)
    looks = []
    every = max(1, count // _LOOKS)
    for done in range(1, count + 1):
        call(*((4,) if what == "steps" else next(sizes)))
        if done % every == 0:
            looks.append(int(_STATM.read_text().split()[1]) * _PAGE)
    return looks


def growth(looks: list[int]) -> float:
    """Return by which part memory has grown over the last nine tenths."""
    start = looks[len(looks) // 10]
    return looks[-1] / start - 1


def main() -> None:
    """Run all ways, each in a process of its own, and say by how much they have grown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--shapes", type=int, default=10_000)
    parser.add_argument("--way", choices=WAYS, action="append")
    parser.add_argument("--alone", nargs=3, metavar=("WAY", "WHAT", "COUNT"))
    given = parser.parse_args()
    if given.alone is not None:
        way, what, count = given.alone
        sys.stdout.write(json.dumps(run(way, what, int(count))) + "\n")
        return
    is_flat = True
    for way, (what, count) in product(
        given.way or WAYS,
        (("steps", given.steps), ("shapes", given.shapes), ("predictions", given.shapes)),
    ):
        looks = _looks(way, what, count)
        part = growth(looks)
        is_flat = is_flat and part < _MOST
        sys.stdout.write(
            f"{way:7} {count:>7,} {what:12} {looks[len(looks) // 10] / 2**20:7.1f} MiB after a "
            f"tenth, {looks[-1] / 2**20:7.1f} at the end: {part:+.2%}\n"
        )
        sys.stdout.flush()
    sys.exit(0 if is_flat else 1)


def _looks(way: str, what: str, count: int) -> Any:  # noqa: ANN401 - from JSON
    command = [sys.executable, "-m", "benchmarks.soak", "--alone", way, what, str(count)]
    child = subprocess.run(command, capture_output=True, check=True, text=True)
    return json.loads(child.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
