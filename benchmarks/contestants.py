"""Who is measured: gluonish and PyTorch in this process, the real MXNet in another one."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import torch

import gluonish as mx
from benchmarks import operators_gluon, operators_torch
from benchmarks.by_hand import TorchProgram, WholeStep
from benchmarks.executor_program import ExecutorProgram
from benchmarks.executor_torch import TorchIteration
from benchmarks.gluon_program import GluonProgram
from benchmarks.timing import seconds_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.timing import Timer
    from benchmarks.workloads import Workload

__all__ = [
    "COMPILED", "LOCAL", "OURS", "TITLES", "Contestant", "Fused", "Local", "build", "executor",
    "iteration", "local_operators", "why_absent",
]  # fmt: skip

TITLES = {
    "eager": "gluonish eager",
    "hybrid": "gluonish hybrid",
    "fused": "gluonish fused",
    "torch": "PyTorch eager",
    "compile": "torch.compile",
    "whole": "PyTorch, whole step compiled",
    "mxnet": "MXNet eager",
    "mxnet-hybrid": "MXNet hybrid",
}
OURS = ("eager", "hybrid", "fused")
LOCAL = (*OURS, "torch", "compile", "whole")
COMPILED = ("compile", "whole")
_BUSY = ("timing", "compiling", "racing")  # states of a graph whose backend may still change
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
        by_hand = isinstance(self.program, TorchProgram)
        gradients_off = torch.no_grad if by_hand and mode == "forward" else nullcontext

        def run(calls: int) -> float:
            prepare()
            with gradients_off():
                seconds = seconds_of(function, calls)
            return seconds + _seconds_to_finish(self.device)

        return run

    def losses(self, steps: int) -> list[float]:
        """Run training steps, and return the mean loss of each."""
        return [self.number(self.program.step()) for _ in range(steps)]

    def settle(self, seconds: float) -> bool:
        """Run all modes in turns, until no graph waits for a better backend."""
        if not self.watched:
            return True
        timers = [self.timer(mode) for mode in self.modes]
        end = time.perf_counter() + seconds
        while True:
            for timer in timers:
                turn = time.perf_counter() + _TURN
                calls = 1
                while time.perf_counter() < turn:
                    timer(calls)
                    calls = min(2 * calls, _MOST_CALLS)
            if not self._is_busy():
                return True
            if time.perf_counter() > end:
                return False

    def report(self) -> str:
        """Return what runs the graphs that there are, or nothing where there are none."""
        return "\n".join(str(one.hybrid_report()) for one in self.watched)

    def _is_busy(self) -> bool:
        rows = [row for one in self.watched for row in one.hybrid_report().rows]
        return any(row.state in _BUSY for row in rows)


def why_absent(name: str) -> str | None:
    """Return why a contestant of this process cannot run here, or None."""
    if name == "fused" and not hasattr(mx.gluon, "FusedStep"):
        return "this gluonish has no gluon.FusedStep"
    return None


def build(name: str, workload: Workload, device: str = "cpu") -> Local:
    """Return a contestant of this process, ready to run."""
    if name not in OURS:
        return Local(_BY_HAND[name](workload, device), device, _mean_of_tensor)
    program = GluonProgram(mx, workload, mx.cpu() if device == "cpu" else mx.gpu())
    if name == "eager":
        return Local(program, device, _mean_of_array)
    if name == "fused":
        fused = Fused(program)
        return Local(fused, device, _mean_of_array, (fused.whole,))
    program.net.hybridize(static_alloc=device != "cpu")
    program.loss.hybridize()
    return Local(program, device, _mean_of_array, (program.net, program.loss))


def local_operators(device: str = "cpu") -> dict[str, dict[str, Timer]]:
    """Return timers of tiny operators: by operator, then by contestant."""
    ours = operators_gluon.calls(mx, mx.cpu() if device == "cpu" else mx.gpu())
    by_hand = operators_torch.calls(device)
    return {
        name: {"eager": _operator(call, device), "torch": _operator(by_hand[name], device)}
        for name, call in ours.items()
    }


def executor() -> Local:
    """Return the program with an Executor."""
    program = ExecutorProgram(mx)
    return Local(program, "cpu", _mean_of_array, (program.executor,))


def iteration() -> Local:
    """Return the same by hand."""
    return Local(TorchIteration(), "cpu", _mean_of_tensor)


class Fused:
    """The training step of a Gluon program as one graph."""

    def __init__(self, program: GluonProgram) -> None:
        self.whole = mx.gluon.FusedStep(program.net, program.loss, program.trainer)
        self._data, self._labels = program.data, program.labels
        self._batch_size = program.batch_size
        self.restart = program.restart

    def step(self) -> Any:  # noqa: ANN401
        """Run a training step, and return the loss."""
        return self.whole(self._data, self._labels, self._batch_size)


_BY_HAND: dict[str, Callable[[Workload, str], Any]] = {
    "torch": TorchProgram,
    "compile": lambda workload, device: TorchProgram(workload, device, torch.compile),
    "whole": WholeStep,
}


def _nothing() -> None:
    """Prepare nothing."""


def _operator(call: Callable[[], object], device: str) -> Timer:
    return lambda calls: seconds_of(call, calls) + _seconds_to_finish(device)


def _seconds_to_finish(device: str) -> float:
    if device == "cpu":
        return 0.0
    start = time.perf_counter()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def _mean_of_array(loss: Any) -> float:  # noqa: ANN401
    return float(loss.asnumpy().mean())


def _mean_of_tensor(loss: torch.Tensor) -> float:
    return float(loss.detach())
