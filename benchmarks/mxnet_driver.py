"""Runs workloads under the real MXNet, for another process.

`python -m benchmarks.mxnet_driver`, with the Python that has MXNet; nothing else is imported.
"""

from __future__ import annotations

import time
from typing import Any

import mxnet as mx

from benchmarks import input_gluon, operators_gluon, resident
from benchmarks.answering import answer
from benchmarks.executor_program import ExecutorProgram
from benchmarks.gluon_program import GluonProgram
from benchmarks.timing import trained
from benchmarks.workloads import Workload, shown

_STEPS = 3


class Driver:
    """The programs that the other side has asked for."""

    def __init__(self) -> None:
        self._programs: dict[str, Any] = {}
        self._passes: dict[str, Any] = {}

    def hello(self) -> str:
        """Return MXNet's version."""
        return str(mx.__version__)

    def build(self, name: str, workload: dict[str, Any], hybrid: bool) -> None:
        """Make a program."""
        program = GluonProgram(mx, Workload.from_dict(workload), mx.cpu())
        if hybrid:
            program.hybridize()
        self._programs[name] = program

    def operators(self) -> list[str]:
        """Make the tiny operators, and return their names."""
        calls = operators_gluon.calls(mx)
        self._programs.update({name: _Call(call) for name, call in calls.items()})
        return list(calls)

    def executor(self, name: str) -> None:
        """Make the program with an Executor."""
        self._programs[name] = ExecutorProgram(mx)

    def input(self, folder: str) -> list[str]:
        """Make the ways to feed pictures from a folder, and return their names."""
        self._passes = input_gluon.passes(mx, folder)
        return list(self._passes)

    def feed(self, name: str) -> float:
        """Go once through all pictures, and return the seconds for one."""
        start = time.perf_counter()
        count = self._passes[name]()
        return (time.perf_counter() - start) / count

    def clear(self) -> None:
        """Forget all programs."""
        self._programs.clear()

    def losses(self, name: str, steps: int) -> list[float]:
        """Run training steps, and return the mean loss of each."""
        step = self._programs[name].step
        return [float(step().asnumpy().mean()) for _ in range(steps)]

    def outputs(self, name: str) -> list[float]:
        """Return some numbers of a prediction."""
        return shown(self._programs[name].forward().asnumpy())

    def time(self, name: str, mode: str, calls: int) -> float:
        """Return the seconds that calls took together, until their results were there."""
        program = self._programs[name]
        call = getattr(program, mode)
        if mode == "step":
            program.restart()
        mx.nd.waitall()
        start = time.perf_counter()
        for _ in range(calls):
            call()
        mx.nd.waitall()
        return time.perf_counter() - start

    def cold(self, workload: dict[str, Any]) -> dict[str, float]:
        """Return the seconds of three eager calls, and of the first hybridized one."""
        self.build("cold", workload, hybrid=False)
        self.time("cold", "forward", 3)
        three = self.time("cold", "forward", 3)
        self._programs["cold"].hybridize()
        return {"three eager": three, "first": self.time("cold", "forward", 1)}

    def line(self, workload: dict[str, Any], steps: int) -> list[tuple[int, float]]:
        """Return how far a training is, some seconds after it began."""
        start = time.perf_counter()
        self.build("line", workload, hybrid=True)
        program = self._programs["line"]

        def step() -> None:
            program.step().wait_to_read()

        return trained(step, steps, start)

    def memory(self, workload: dict[str, Any], hybrid: bool) -> float:
        """Return the mebibytes that training steps take over the resting state."""
        self.build("memory", workload, hybrid)
        self.time("memory", "step", _STEPS)
        return resident.extra_mebibytes(lambda: self.time("memory", "step", _STEPS))


class _Call:
    """A program that has a forward alone."""

    def __init__(self, forward: Any) -> None:  # noqa: ANN401
        self.forward = forward


if __name__ == "__main__":
    answer(Driver())
