"""Who is measured: gluonish in this process, PyTorch by hand and the real MXNet in others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gluonish as mx
from benchmarks import operators_gluon, operators_torch
from benchmarks.executor_program import ExecutorProgram
from benchmarks.executor_torch import TorchIteration
from benchmarks.gluon_program import GluonProgram
from benchmarks.local import Local, by_hand, mean_of_tensor, seconds_to_finish
from benchmarks.timing import seconds_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.timing import Timer
    from benchmarks.workloads import Workload

__all__ = [
    "OURS", "TITLES", "Fused", "build", "executor", "iteration", "local_operators", "why_absent",
]  # fmt: skip

TITLES = {
    "eager": "gluonish eager",
    "hybrid": "gluonish hybrid",
    "unfused": "gluonish hybrid, loop not fused",
    "fused": "gluonish fused",
    "torch": "PyTorch eager",
    "torch-last": "PyTorch, channels last",
    "compile": "torch.compile",
    "whole": "PyTorch, whole step compiled",
    "mxnet": "MXNet eager",
    "mxnet-hybrid": "MXNet hybrid",
}
OURS = ("eager", "hybrid", "unfused", "fused")


def why_absent(name: str) -> str | None:
    """Return why a contestant of this process cannot run here, or None."""
    if name == "fused" and not hasattr(mx.gluon, "FusedStep"):
        return "this gluonish has no gluon.FusedStep"
    return None


def build(name: str, workload: Workload, device: str = "cpu") -> Local:
    """Return a contestant of this process, ready to run."""
    if name not in OURS:
        return by_hand(name, workload, device)
    program = GluonProgram(mx, workload, mx.cpu() if device == "cpu" else mx.gpu())
    if name == "eager":
        return Local(program, device, _mean_of_array)
    if name == "fused":
        fused = Fused(program)
        return Local(fused, device, _mean_of_array, (fused.whole,))
    program.net.hybridize(static_alloc=device != "cpu", fuse_loop=name == "hybrid")
    program.loss.hybridize(fuse_loop=name == "hybrid")
    return Local(program, device, _mean_of_array, (program.net, program.loss))


def local_operators(device: str = "cpu") -> dict[str, dict[str, Timer]]:
    """Return timers of tiny operators: by operator, then by contestant."""
    ours = operators_gluon.calls(mx, mx.cpu() if device == "cpu" else mx.gpu())
    theirs = operators_torch.calls(device)
    return {
        name: {"eager": _operator(call, device), "torch": _operator(theirs[name], device)}
        for name, call in ours.items()
    }


def executor() -> Local:
    """Return the program with an Executor."""
    program = ExecutorProgram(mx)
    return Local(program, "cpu", _mean_of_array, (program.executor,))


def iteration() -> Local:
    """Return the same by hand."""
    return Local(TorchIteration(), "cpu", mean_of_tensor)


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


def _operator(call: Callable[[], object], device: str) -> Timer:
    return lambda calls: seconds_of(call, calls) + seconds_to_finish(device)


def _mean_of_array(loss: Any) -> float:  # noqa: ANN401
    return float(loss.asnumpy().mean())
