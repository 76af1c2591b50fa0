"""Time to N steps: how far a training is, some seconds after it began.

Each contestant trains in a process of its own. The clock starts when libraries are imported, before
the net is made. Cold: folders for compiled graphs are empty. Warm: they are as the cold run left
them, once what it had begun is finished.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gluonish as mx
from benchmarks.by_hand import TorchProgram, WholeStep
from benchmarks.gluon_program import GluonProgram
from benchmarks.timing import trained
from benchmarks.workloads import WORKLOADS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.workloads import Workload

__all__ = ["LINES", "STEPS", "TITLES", "measure_lines"]

STEPS = {"perceptron-2": 10_000, "perceptron-256": 10_000, "lenet-32": 1_000, "transformer": 1_000}
TITLES = {
    "hybrid": "gluonish, plain loop",
    "hybrid-alone": "gluonish, plain loop, no compiler",
    "hybrid-unfused": "gluonish, plain loop, not fused",
    "torch": "PyTorch eager",
    "whole": "torch.compile, whole step",
    "mxnet-hybrid": "MXNet hybrid",
}
_AFTER_ITS_END = 150.0  # seconds, for what a program has begun to compile
_WITHOUT = {
    "hybrid-alone": {"GLUONISH_COMPILE": "0"},
    "hybrid-unfused": {"GLUONISH_FUSE_LOOPS": "0"},
}


def _hybrid(workload: Workload) -> list[tuple[int, float]]:
    start = time.perf_counter()
    program = GluonProgram(mx, workload, mx.cpu())
    program.hybridize()
    return trained(program.step, STEPS[workload.name], start)


def _torch(workload: Workload) -> list[tuple[int, float]]:
    start = time.perf_counter()
    program = TorchProgram(workload, "cpu")
    return trained(program.step, STEPS[workload.name], start)


def _whole(workload: Workload) -> list[tuple[int, float]]:
    start = time.perf_counter()
    program = WholeStep(workload, "cpu")
    return trained(program.step, STEPS[workload.name], start)


LINES: dict[str, Callable[[Workload], list[tuple[int, float]]]] = {
    "hybrid": _hybrid,
    "hybrid-alone": _hybrid,
    "hybrid-unfused": _hybrid,
    "torch": _torch,
    "whole": _whole,
}


def measure_lines(
    workload: str,
    child: Callable[[str, Mapping[str, str]], Any],
    others: Callable[[], Any] | None,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Return the lines of one workload: for each contestant, cold and, where that differs, warm.

    Parameters
    ----------
    workload : str
        Its name.
    child : callable
        Has a contestant, by name, train in a process with environment variables; returns its line.
    others : callable, optional
        Returns the line of the real MXNet.
    say : callable
        Told how far it is.
    """
    lines = {}
    for name in LINES:
        with tempfile.TemporaryDirectory() as empty:
            graphs = Path(empty) / "graphs"
            inductor = str(Path(empty) / "inductor")
            folders = {"TORCHINDUCTOR_CACHE_DIR": inductor, "GLUONISH_CACHE": str(graphs)}
            for state in ("cold", "warm"):
                say(f"time to {STEPS[workload]:,} steps: {workload}, {name}, {state}")
                lines[f"{name} {state}"] = child(name, {**folders, **_WITHOUT.get(name, {})})
                if name not in ("hybrid", "whole"):
                    break
                _wait_for(graphs)
    if others is not None:
        say(f"time to {STEPS[workload]:,} steps: {workload}, MXNet")
        lines["mxnet-hybrid cold"] = others()
    return {"workload": workload, "title": WORKLOADS[workload].title, "lines": lines}


def _wait_for(graphs: Path) -> None:
    """Wait until what a program has begun to compile is finished."""
    end = time.monotonic() + _AFTER_ITS_END
    while graphs.exists() and any(graphs.glob("*.task")) and time.monotonic() < end:
        time.sleep(0.2)
