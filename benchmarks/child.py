"""Measures what needs a fresh process: `python -m benchmarks.child KIND WORKLOAD CONTESTANT`."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import torch

import gluonish as mx
from benchmarks import contestants, resident
from benchmarks.by_hand import TorchProgram, WholeStep
from benchmarks.gluon_program import GluonProgram
from benchmarks.time_lines import LINES
from benchmarks.timing import seconds_of
from benchmarks.workloads import WORKLOADS

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.workloads import Workload

__all__ = ["COLD", "memory"]

_CALLS = 3
_SETTLE_SECONDS = 60.0


def memory(workload: Workload, name: str) -> float:
    """Return the mebibytes that training steps take over the resting state."""
    contestant = contestants.build(name, workload)
    contestant.losses(_CALLS)
    contestant.settle(_SETTLE_SECONDS)
    run = contestant.timer("step")
    run(_CALLS)
    return resident.extra_mebibytes(lambda: run(_CALLS))


def _hybrid(workload: Workload, *, training: bool = False) -> dict[str, float]:
    program = GluonProgram(mx, workload, mx.cpu())
    run = program.step if training else program.forward

    def begin() -> Callable[[], object]:
        program.hybridize()
        return run

    return _first_call(run, begin)


def _fused(workload: Workload) -> dict[str, float]:
    program = GluonProgram(mx, workload, mx.cpu())
    return _first_call(program.step, lambda: contestants.Fused(program).step)


def _compile(workload: Workload) -> dict[str, float]:
    program = TorchProgram(workload, "cpu")
    with torch.no_grad():
        return _first_call(
            program.forward, lambda: TorchProgram(workload, "cpu", torch.compile).forward
        )


def _whole(workload: Workload) -> dict[str, float]:
    program = TorchProgram(workload, "cpu")
    return _first_call(program.step, lambda: WholeStep(workload, "cpu").step)


COLD: dict[str, Callable[[Workload], dict[str, float]]] = {
    "hybrid": _hybrid,
    "hybrid-step": lambda workload: _hybrid(workload, training=True),
    "fused": _fused,
    "compile": _compile,
    "whole": _whole,
}


def _first_call(
    eager: Callable[[], object], begin: Callable[[], Callable[[], object]]
) -> dict[str, float]:
    """Return the seconds of three warm eager calls, and of preparing and making the first fast one.

    What is built to prepare (a second model, by hand) is part of neither.
    """
    seconds_of(eager, _CALLS)
    three = seconds_of(eager, _CALLS)
    fast = begin()
    start = time.perf_counter()
    fast()
    return {"three eager": three, "first": time.perf_counter() - start}


def main(kind: str, workload: str, name: str, threads: str = "1") -> None:
    """Print what was asked for, as JSON."""
    torch.set_num_threads(int(threads))
    chosen = WORKLOADS[workload]
    kinds = {"cold": COLD, "line": LINES}
    found: Any = memory(chosen, name) if kind == "memory" else kinds[kind][name](chosen)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
