"""What runs in the process that asks: PyTorch by hand, and whatever else has steps."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import torch

from benchmarks.by_hand import TorchProgram, WholeStep
from benchmarks.timing import seconds_of
from benchmarks.workloads import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.timing import Timer
    from benchmarks.workloads import Workload

__all__ = ["COMPILED", "Contestant", "Local", "by_hand", "mean_of_tensor", "seconds_to_finish"]

COMPILED = ("compile", "whole")
_BUSY = ("timing", "compiling", "racing")  # states of a graph whose backend may still change
_CALM = 5  # looks in a row at which no graph is busy
_MOST_CALLS = 64  # between two looks at the clock, while settling
_TURN = 0.2  # seconds for which one mode runs before the other one does, while settling


class Contestant(Protocol):
    """Something that runs one workload."""

    modes: tuple[str, ...]

    def timer(self, mode: str) -> Timer:
        """Return what times calls of a mode."""
        ...

    def losses(self, steps: int) -> list[float]:
        """Run training steps, and return the mean loss of each."""
        ...

    def outputs(self) -> list[float]:
        """Return some numbers of a prediction."""
        ...

    def settle(self, seconds: float) -> bool:
        """Run until it becomes no faster by itself, or so long; return whether it is settled."""
        ...

    def report(self) -> str:
        """Return what it says about its graphs, or nothing."""
        ...


@dataclass
class Local:
    """A contestant in this process.

    Parameters
    ----------
    program : object
        Has a `step`, a `forward`, or both.
    device : str
        Where it runs.
    number : callable
        Returns the mean of what a step returns.
    watched : tuple
        Blocks and steps that may become faster while they run, and report on it.
    """

    program: Any
    device: str
    number: Callable[[Any], float]
    watched: tuple[Any, ...] = ()

    @property
    def modes(self) -> tuple[str, ...]:
        """What it can do."""
        return tuple(mode for mode in ("forward", "step") if hasattr(self.program, mode))

    def timer(self, mode: str) -> Timer:
        """Return what times calls of a mode, until their results are there.

        Training begins anew each time: a net that has learnt its one batch by heart would no
        longer compute what nets in training compute.
        """
        function = getattr(self.program, mode)
        prepare = self.program.restart if mode == "step" else _nothing
        is_by_hand = isinstance(self.program, TorchProgram)
        gradients_off = torch.no_grad if is_by_hand and mode == "forward" else nullcontext

        def run(calls: int) -> float:
            prepare()
            with gradients_off():
                seconds = seconds_of(function, calls)
            return seconds + seconds_to_finish(self.device)

        return run

    def losses(self, steps: int) -> list[float]:
        """Run training steps, and return the mean loss of each."""
        return [self.number(self.program.step()) for _ in range(steps)]

    def outputs(self) -> list[float]:
        """Return some numbers of a prediction."""
        output = self.program.forward()
        is_by_hand = isinstance(output, torch.Tensor)
        return shown(output.detach().numpy() if is_by_hand else output.asnumpy())

    def settle(self, seconds: float) -> bool:
        """Run all modes in turns, until no graph waits for a better backend.

        Between two backends none waits for a moment, so that one look is not enough.
        """
        if not self.watched:
            return True
        timers = [self.timer(mode) for mode in self.modes]
        end = time.perf_counter() + seconds
        calm = 0
        while True:
            for timer in timers:
                turn = time.perf_counter() + _TURN
                calls = 1
                while time.perf_counter() < turn:
                    timer(calls)
                    calls = min(2 * calls, _MOST_CALLS)
            calm = 0 if self._is_busy() else calm + 1
            if calm == _CALM:
                return True
            if time.perf_counter() > end:
                return False

    def report(self) -> str:
        """Return what runs the graphs that there are, or nothing where there are none."""
        return "\n".join(str(one.hybrid_report()) for one in self.watched)

    def _is_busy(self) -> bool:
        rows = [row for one in self.watched for row in one.hybrid_report().rows]
        return any(row.state in _BUSY for row in rows)


def by_hand(name: str, workload: Workload, device: str = "cpu") -> Local:
    """Return PyTorch by hand, ready to run: 'torch', 'compile' or 'whole'."""
    return Local(_BY_HAND[name](workload, device), device, mean_of_tensor)


def seconds_to_finish(device: str) -> float:
    """Return the seconds that a device takes until all is done."""
    if device == "cpu":
        return 0.0
    start = time.perf_counter()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def mean_of_tensor(loss: torch.Tensor) -> float:
    """Return the mean loss of what a step by hand returns."""
    return float(loss.detach())


_BY_HAND: dict[str, Callable[[Workload, str], Any]] = {
    "torch": TorchProgram,
    "torch-last": lambda workload, device: TorchProgram(workload, device, layout="channels last"),
    "compile": lambda workload, device: TorchProgram(workload, device, torch.compile),
    "whole": WholeStep,
}


def _nothing() -> None:
    """Prepare nothing."""
