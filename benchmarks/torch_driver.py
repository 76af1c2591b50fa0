"""Runs workloads by hand in PyTorch, for another process, where nothing has imported gluonish.

`python -m benchmarks.torch_driver`; what gluonish changes in a process does not count for PyTorch.
"""

from __future__ import annotations

from typing import Any

import torch

from benchmarks.answering import answer
from benchmarks.local import Local, by_hand
from benchmarks.workloads import Workload


class Driver:
    """The programs that the other side has asked for."""

    def __init__(self) -> None:
        self._programs: dict[str, Local] = {}

    def hello(self) -> str:
        """Return PyTorch's version."""
        return torch.__version__

    def build(self, name: str, workload: dict[str, Any]) -> list[str]:
        """Make a program, and return what it can do."""
        self._programs[name] = by_hand(name, Workload.from_dict(workload))
        return list(self._programs[name].modes)

    def clear(self) -> None:
        """Forget all programs."""
        self._programs.clear()
        torch.compiler.reset()

    def losses(self, name: str, steps: int) -> list[float]:
        """Run training steps, and return the mean loss of each."""
        return self._programs[name].losses(steps)

    def outputs(self, name: str) -> list[float]:
        """Return some numbers of a prediction."""
        with torch.no_grad():
            return self._programs[name].outputs()

    def time(self, name: str, mode: str, calls: int) -> float:
        """Return the seconds that calls took together."""
        return self._programs[name].timer(mode)(calls)


if __name__ == "__main__":
    answer(Driver())
