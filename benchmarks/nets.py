"""Nets of the size that people use: predictions and training steps, and the peak of either.

Times are measured in turns in one run, as for the small nets; peaks in processes of their own, each
of which only predicts, or only trains (`benchmarks.peaks`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp

from benchmarks import contestants
from benchmarks.remote import ByHand, MXNet
from benchmarks.timing import Plan, best_microseconds
from benchmarks.workloads import NETS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.local import Contestant
    from benchmarks.workloads import Workload

__all__ = ["check_outputs", "table_rows"]

_MODES = ("forward", "step")
_ROOT = Path(__file__).parents[1]
_TOLERANCE = 2e-3
_REGULAR = Plan(blocks=5, block_seconds=0.5, total_seconds=14.0)
_QUICK = Plan(blocks=3, block_seconds=0.1, total_seconds=1.0)
_SETTLE, _QUICK_SETTLE = 12.0, 1.0  # seconds
_QUICK_NETS = ("mobilenet-v2",)


def table_rows(
    *, quick: bool, threads: int, mxnet: str | None, settle: float, say: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Return times and peaks of each net, by contestant."""
    plan = _QUICK if quick else _REGULAR
    seconds = _QUICK_SETTLE if quick else min(settle, _SETTLE)
    rows = []
    for name in _QUICK_NETS if quick else NETS:
        found = _times(NETS[name], plan, seconds, threads, mxnet, say)
        for row in found:
            row["mebibytes"] = _peaks(name, row["mode"], seconds, threads, mxnet, say)
        rows += found
    return rows


def _times(
    workload: Workload,
    plan: Plan,
    seconds: float,
    threads: int,
    mxnet: str | None,
    say: Callable[[str], None],
) -> list[dict[str, Any]]:
    """Measure one net; its processes end with it, so that few nets are in memory at a time."""
    with ExitStack() as stack:
        runners: dict[str, Contestant] = {}
        by_hand = stack.enter_context(ByHand(threads))
        for name in ("torch", "torch-last"):
            runners[name] = by_hand.build(name, workload)
        if mxnet is not None:
            real = stack.enter_context(MXNet(mxnet, threads))
            runners["mxnet-hybrid"] = real.build(workload, hybrid=True)
        ours = contestants.build("hybrid", workload)
        runners["hybrid"] = ours
        check_outputs(workload.title, {name: each.outputs() for name, each in runners.items()})
        if not ours.settle(seconds):
            say(f"{workload.title}: gluonish is not settled yet")
        return [
            {"workload": workload.name, "title": workload.title, "mode": mode, "microseconds": best}
            for mode, best in _best(runners, plan, say, workload)
        ]


def _best(
    runners: dict[str, Contestant], plan: Plan, say: Callable[[str], None], workload: Workload
) -> Iterator[tuple[str, dict[str, float]]]:
    for mode in _MODES:
        timers = {name: each.timer(mode) for name, each in runners.items()}
        best = {name: round(each, 1) for name, each in best_microseconds(timers, plan).items()}
        told = ", ".join(f"{name} {each / 1e3:.0f} ms" for name, each in best.items())
        say(f"{workload.title}, {mode}: {told}")
        yield mode, best


def check_outputs(title: str, outputs: dict[str, list[float]]) -> None:
    """Refuse to compare contestants that predict something else.

    Raises
    ------
    RuntimeError
        Their predictions differ.
    """
    name, expected = next(iter(outputs.items()))
    for other, values in outputs.items():
        if not onp.allclose(values, expected, rtol=_TOLERANCE, atol=_TOLERANCE):
            msg = (
                f"{title}: {other!r} predicts {values}. Expected {expected}, as {name!r} does. "
                f"Measure nothing before both compute the same."
            )
            raise RuntimeError(msg)


def _peaks(
    net: str,
    mode: str,
    seconds: float,
    threads: int,
    mxnet: str | None,
    say: Callable[[str], None],
) -> dict[str, float]:
    """Return the mebibytes that processes of their own have, at most."""
    pythons = dict.fromkeys(("hybrid", "torch", "torch-last"), sys.executable)
    if mxnet is not None:
        pythons["mxnet-hybrid"] = mxnet
    found = {}
    for name, python in pythons.items():
        limit = seconds if name == "hybrid" else 0.0
        run = subprocess.run(
            [python, "-m", "benchmarks.peaks", name, net, mode, str(limit)],
            capture_output=True,
            check=True,
            cwd=_ROOT,
            env={**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": str(_ROOT)},
            text=True,
        )
        found[name] = json.loads(run.stdout.splitlines()[-1])
    say(f"{net}, {mode}: " + ", ".join(f"{n} {v:,.0f} MiB" for n, v in found.items()))
    return found
