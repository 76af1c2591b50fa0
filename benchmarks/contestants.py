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
from benchmarks.gluon_program import GluonProgram
from benchmarks.timing import seconds_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.timing import Timer
    from benchmarks.workloads import Workload

__all__ = [
    "COMPILED", "LOCAL", "OURS", "TITLES", "Contestant", "Fused", "Local", "build",
    "local_operators", "why_absent",
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
_ONCE_MORE = 5  # looks in a row at a report that stays as it is, before a contestant is settled
_LOOK = 1.0  # seconds between them


class Contestant(Protocol):
    """Something that runs one workload."""

    modes: tuple[str, ...]

    def timer(self, mode: str) -> Timer:
        """Return what times calls of a mode."""
        ...

    def losses(self, steps: int) -> list[float]:
        """Run training steps, and return the mean loss of each."""
        ...

    def settle(self, seconds: float) -> None:
        """Run for so long at most, until it becomes no faster by itself."""
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
    net : Block, optional
        What may become faster while it runs.
    """

    program: Any
    device: str
    number: Callable[[Any], float]
    net: Any = None

    @property
    def modes(self) -> tuple[str, ...]:
        """What it can do."""
        return tuple(mode for mode in ("forward", "step") if hasattr(self.program, mode))

    def timer(self, mode: str) -> Timer:
        """Return what times calls of a mode, until their results are there."""
        function = getattr(self.program, mode)
        by_hand = isinstance(self.program, TorchProgram)
        gradients_off = torch.no_grad if by_hand and mode == "forward" else nullcontext

        def run(calls: int) -> float:
            with gradients_off():
                seconds = seconds_of(function, calls)
            return seconds + _seconds_to_finish(self.device)

        return run

    def losses(self, steps: int) -> list[float]:
        """Run training steps, and return the mean loss of each."""
        return [self.number(self.program.step()) for _ in range(steps)]

    def settle(self, seconds: float) -> None:
        """Run all modes in turns, until the net's report has stayed the same for some seconds."""
        if self.net is None:
            return
        timers = [self.timer(mode) for mode in self.modes]
        end = time.perf_counter() + seconds
        seen, same = None, 0
        while time.perf_counter() < end and same < _ONCE_MORE:
            look = time.perf_counter() + _LOOK
            while time.perf_counter() < look:
                for timer in timers:
                    timer(1)
            report = _states(self.net)
            same = same + 1 if report == seen else 0
            seen = report


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
        return Local(Fused(program), device, _mean_of_array, program.net)
    program.net.hybridize(static_alloc=device != "cpu")
    program.loss.hybridize()
    return Local(program, device, _mean_of_array, program.net)


def local_operators(device: str = "cpu") -> dict[str, dict[str, Timer]]:
    """Return timers of tiny operators: by operator, then by contestant."""
    ours = operators_gluon.calls(mx, mx.cpu() if device == "cpu" else mx.gpu())
    by_hand = operators_torch.calls(device)
    return {
        name: {"eager": _operator(call, device), "torch": _operator(by_hand[name], device)}
        for name, call in ours.items()
    }


class Fused:
    """The training step of a Gluon program as one graph."""

    def __init__(self, program: GluonProgram) -> None:
        self._step = mx.gluon.FusedStep(program.net, program.loss, program.trainer)
        self._data, self._labels = program.data, program.labels
        self._batch_size = program.batch_size

    def step(self) -> Any:  # noqa: ANN401
        """Run a training step, and return the loss."""
        return self._step(self._data, self._labels, self._batch_size)


_BY_HAND: dict[str, Callable[[Workload, str], Any]] = {
    "torch": TorchProgram,
    "compile": lambda workload, device: TorchProgram(workload, device, torch.compile),
    "whole": WholeStep,
}


def _states(net: Any) -> str:  # noqa: ANN401
    """Return which graphs there are and what runs them, or nothing where no report tells."""
    return str(net.hybrid_report()) if hasattr(net, "hybrid_report") else ""


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
