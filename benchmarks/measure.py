"""The measurements: speeds in one interleaved run, cold starts and memory in fresh processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from benchmarks import (
    contestants,
    distributed,
    feeding,
    files,
    floors,
    nets,
    random_streams,
    resident,
)
from benchmarks.child import COLD
from benchmarks.local import COMPILED
from benchmarks.remote import ByHand, MXNet
from benchmarks.time_lines import STEPS, measure_lines
from benchmarks.timing import Plan, best_microseconds
from benchmarks.workloads import WORKLOADS, Workload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from benchmarks.local import Contestant
    from benchmarks.timing import Timer

__all__ = ["PARTS", "Options", "measure"]

PARTS = (
    "operators", "executor", "speed", "floors", "cold", "time", "memory", "random", "files",
    "distributed", "input", "nets",
)  # fmt: skip
_STEPS = 3
_TOLERANCE = 5e-4
_COLD = ("perceptron-2", "lenet-32", "transformer")
_MEMORY = ("lenet-256", "resnet", "transformer")
_MEMORY_CONTESTANTS = ("eager", "hybrid", "fused", "torch", "compile", "mxnet", "mxnet-hybrid")
_ROOT = Path(__file__).parents[1]
_IMPORTS = 3
_BEGIN = 1.0  # seconds for a first look at what is worth compiling
_QUICK_SETTLE = 2.0
_COMPILE_AFTER = "0.3"  # seconds that a graph has to work before it is compiled; 2 by default
_REGULAR = Plan(blocks=12, block_seconds=0.04, total_seconds=9.0)
_QUICK = Plan(blocks=5, block_seconds=0.02, total_seconds=2.5)


@dataclass
class Options:
    """What to measure, and where.

    Parameters
    ----------
    parts : tuple of str
        Which of `PARTS`.
    workloads : tuple of str
        Which workloads; of cold starts and memory, those among them that these look at.
    contestants : tuple of str
        Which contestants.
    quick : bool
        Few blocks, no torch.compile, no fresh processes.
    threads : int
        How many threads each contestant computes with.
    device : {'cpu', 'cuda'}
        Where it computes; MXNet and memory are measured on the CPU alone.
    mxnet : str, optional
        Python that has MXNet.
    settle : float
        Seconds for which a contestant that becomes faster by itself may do so, at most.
    keep : bool
        Have all contestants keep memory that they free, as gluonish does by itself.
    """

    parts: tuple[str, ...] = PARTS
    workloads: tuple[str, ...] = tuple(WORKLOADS)
    contestants: tuple[str, ...] = tuple(contestants.TITLES)
    quick: bool = False
    threads: int = 1
    device: str = "cpu"
    mxnet: str | None = None
    settle: float = 90.0
    keep: bool = False

    @property
    def plan(self) -> Plan:
        """How long to measure."""
        return _QUICK if self.quick else _REGULAR


def measure(options: Options, say: Callable[[str], None], results: dict[str, Any]) -> None:
    """Add results to a dictionary as they come; `say` is given lines that tell how far it is."""
    torch.set_num_threads(options.threads)
    os.environ.setdefault("GLUONISH_COMPILE_AFTER", _COMPILE_AFTER)
    results.update(quick=options.quick, threads=options.threads, keep=options.keep)
    heap = resident.KEEP if options.keep else {}
    with ExitStack() as stack:
        mxnet = by_hand = None
        if options.mxnet is not None:
            mxnet = stack.enter_context(MXNet(options.mxnet, options.threads, heap))
        if options.device == "cpu" and "speed" in options.parts:
            by_hand = stack.enter_context(ByHand(options.threads, heap))
        results["machine"] = _machine(options.device, mxnet)
        present = tuple(_present(options, mxnet, say))
        if "operators" in options.parts:
            say("operators")
            results["operators"] = _operators(options, mxnet)
        if "executor" in options.parts and options.device == "cpu":
            say("executor")
            results["executor"] = _executor(options, mxnet)
        if "speed" in options.parts:
            results["speed"] = []
            for name in options.workloads:
                results["speed"] += _speeds(
                    WORKLOADS[name], present, options, (mxnet, by_hand), say
                )
    if "floors" in options.parts and options.device == "cpu":
        say("products and convolutions alone")
        results["floors"] = floors.table_rows(options.workloads, options.plan)
    if "cold" in options.parts:
        results["import"] = _import_seconds()
        results["cold"] = _cold(present, options, say)
    if "time" in options.parts and options.device == "cpu":
        results["time"] = _lines(options, say)
    if "memory" in options.parts and resident.is_available():
        results["memory"] = _memory(present, options, say)
    if "random" in options.parts:
        say("random streams")
        results["random"] = random_streams.table_rows(random_streams.SIZES)
    if "files" in options.parts:
        say("files")
        results["files"] = files.table_rows(quick=options.quick)
    if "distributed" in options.parts:
        say("distributed")
        results["distributed"] = distributed.table_rows(quick=options.quick)
    if "input" in options.parts and options.device == "cpu":
        say("input")
        results["input"] = feeding.table_rows(quick=options.quick, mxnet=options.mxnet)
    if "nets" in options.parts and options.device == "cpu":
        results["nets"] = nets.table_rows(
            quick=options.quick,
            threads=options.threads,
            mxnet=options.mxnet,
            settle=options.settle,
            say=say,
        )


def _present(options: Options, mxnet: MXNet | None, say: Callable[[str], None]) -> Iterator[str]:
    """Give the contestants that can run here, and say why the others cannot."""
    for name in options.contestants:
        reason = contestants.why_absent(name)
        if name.startswith("mxnet") and mxnet is None:
            reason = "no Python with MXNet is given"
        if name.startswith("mxnet") and options.device != "cpu":
            reason = "it is measured on the CPU alone"
        if name in COMPILED and options.quick:
            reason = "--quick"
        if name == "torch-last":
            continue  # which the part of the real nets has
        if reason is None:
            yield name
        else:
            say(f"{contestants.TITLES[name]} is left out: {reason}")


# --- speed ----------------------------------------------------------------------------------


def _operators(options: Options, mxnet: MXNet | None) -> list[dict[str, Any]]:
    timers = contestants.local_operators(options.device)
    theirs = mxnet.operators() if mxnet is not None and options.device == "cpu" else {}
    cases = []
    for name, alternatives in timers.items():
        if name in theirs:
            alternatives["mxnet"] = theirs[name]
        cases.append({"name": name, "microseconds": _best(alternatives, options)})
    return cases


def _executor(options: Options, mxnet: MXNet | None) -> dict[str, float]:
    """Measure a training iteration with an Executor, when its graphs have found a backend."""
    ours = contestants.executor()
    ours.settle(_QUICK_SETTLE if options.quick else options.settle)
    timers = {"eager": ours.timer("step"), "torch": contestants.iteration().timer("step")}
    if mxnet is not None:
        timers["mxnet"] = mxnet.executor().timer("step")
    return _best(timers, options)


def _speeds(
    workload: Workload,
    names: tuple[str, ...],
    options: Options,
    processes: tuple[MXNet | None, ByHand | None],
    say: Callable[[str], None],
) -> Iterator[dict[str, Any]]:
    mxnet, by_hand = processes
    say(f"{workload.title}: {', '.join(names)}")
    runners: dict[str, Contestant] = {}
    losses = {}
    for name in names:
        if mxnet is not None and name.startswith("mxnet"):
            runners[name] = mxnet.build(workload, hybrid=name == "mxnet-hybrid")
        elif by_hand is not None and name not in contestants.OURS:
            runners[name] = by_hand.build(name, workload)
        else:
            runners[name] = contestants.build(name, workload, options.device)
        losses[name] = runners[name].losses(_STEPS)
        runners[name].settle(_BEGIN)  # ours compile in the background while others are built
    _check_losses(workload, losses)
    for name, runner in runners.items():
        if not runner.settle(_QUICK_SETTLE if options.quick else options.settle):
            say(f"  {name} is not settled yet")
    for mode in ("forward", "step"):
        timers = {n: r.timer(mode) for n, r in runners.items() if mode in r.modes}
        if timers:
            best = _best(timers, options)
            say("  " + mode + ": " + ", ".join(f"{n} {v:.1f} us" for n, v in best.items()))
            yield {
                "workload": workload.name,
                "title": workload.title,
                "mode": mode,
                "microseconds": best,
                "reports": {n: text for n, r in runners.items() if (text := r.report())},
            }
    runners.clear()
    for process in processes:
        if process is not None:
            process.ask("clear")
    torch.compiler.reset()


def _check_losses(workload: Workload, losses: Mapping[str, list[float]]) -> None:
    """Refuse to compare contestants that compute something else.

    Raises
    ------
    RuntimeError
        The losses of the first training steps differ.
    """
    reference = next(iter(losses.values()))
    for name, values in losses.items():
        if not onp.allclose(values, reference, rtol=_TOLERANCE, atol=_TOLERANCE):
            msg = (
                f"{workload.title}: the first losses of {name!r} are {values}. Expected "
                f"{reference}, as {next(iter(losses))!r} has them. Measure nothing before both "
                f"compute the same."
            )
            raise RuntimeError(msg)


def _best(timers: Mapping[str, Timer], options: Options) -> dict[str, float]:
    found = best_microseconds(timers, options.plan)
    return {name: round(value, 3) for name, value in found.items()}


# --- fresh processes --------------------------------------------------------------------------


def _cold(
    present: tuple[str, ...], options: Options, say: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Measure first calls, with nothing compiled on disk yet."""
    cases = []
    for workload in _among(_COLD, options):
        seconds = {}
        for name in COLD:
            if name.partition("-")[0] in present:
                say(f"cold start: {workload}, {name}")
                with tempfile.TemporaryDirectory() as empty:
                    cache = {"TORCHINDUCTOR_CACHE_DIR": empty}
                    seconds[name] = _child("cold", workload, name, options, cache)
        if "mxnet-hybrid" in present and options.mxnet is not None:
            with MXNet(options.mxnet, options.threads) as mxnet:
                seconds["mxnet-hybrid"] = mxnet.ask("cold", workload=WORKLOADS[workload].as_dict())
        cases.append({"workload": workload, "title": WORKLOADS[workload].title, "seconds": seconds})
    return cases


def _lines(options: Options, say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Measure how far trainings are, some seconds after they began."""
    cases = []
    for workload in _among(tuple(STEPS), options):

        def child(name: str, environment: Mapping[str, str], workload: str = workload) -> Any:  # noqa: ANN401
            usual = {"GLUONISH_COMPILE_AFTER": "2"}
            return _child("line", workload, name, options, {**usual, **environment})

        def real(workload: str = workload) -> Any:  # noqa: ANN401
            assert options.mxnet is not None  # noqa: S101 - asked for below
            with MXNet(options.mxnet, options.threads) as mxnet:
                case = WORKLOADS[workload].as_dict()
                return mxnet.ask("line", workload=case, steps=STEPS[workload])

        others = None if options.mxnet is None else real
        cases.append(measure_lines(workload, child, others, say))
    return cases


def _memory(
    present: tuple[str, ...], options: Options, say: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Measure what a training step takes over the resting state."""
    cases = []
    for workload in _among(_MEMORY, options):
        mebibytes = {}
        for name in _MEMORY_CONTESTANTS:
            if name not in present:
                continue
            say(f"memory: {workload}, {name}")
            if not name.startswith("mxnet"):
                mebibytes[name] = _child("memory", workload, name, options, resident.RETURN)
            elif options.mxnet is not None:
                with MXNet(options.mxnet, options.threads, resident.RETURN) as mxnet:
                    mebibytes[name] = mxnet.ask(
                        "memory",
                        workload=WORKLOADS[workload].as_dict(),
                        hybrid=name == "mxnet-hybrid",
                    )
        cases.append(
            {"workload": workload, "title": WORKLOADS[workload].title, "mebibytes": mebibytes}
        )
    return cases


def _among(looked_at: tuple[str, ...], options: Options) -> list[str]:
    return [] if options.quick else [name for name in looked_at if name in options.workloads]


def _child(
    kind: str, workload: str, name: str, options: Options, environment: Mapping[str, str]
) -> Any:  # noqa: ANN401 - what the child prints
    arguments = [kind, workload, name, str(options.threads)]
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.child", *arguments],
        capture_output=True,
        check=True,
        cwd=_ROOT,
        env={**os.environ, "OMP_NUM_THREADS": str(options.threads), **environment},
        text=True,
    )
    return json.loads(run.stdout.splitlines()[-1])


def _import_seconds() -> dict[str, float]:
    """Time imports in fresh processes; the fastest counts, which finds its bytecode on disk."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def seconds(statement: str) -> float:
        code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
        command = [sys.executable, "-c", code]
        runs = [
            subprocess.run(command, capture_output=True, check=True, cwd=_ROOT, env=environment)
            for _ in range(_IMPORTS)
        ]
        return min(float(run.stdout) for run in runs)

    return {name: round(seconds(f"import {name}"), 3) for name in ("torch", "gluonish")}


# --- machine ------------------------------------------------------------------------------------


def _machine(device: str, mxnet: MXNet | None) -> dict[str, str | None]:
    return {
        "device": torch.cuda.get_device_name() if device == "cuda" else _processor(),
        "python": ".".join(map(str, sys.version_info[:3])),
        "torch": torch.__version__,
        "mxnet": None if mxnet is None else mxnet.version,
    }


def _processor() -> str:
    """Return the processor's name, where Linux tells it."""
    path = Path("/proc/cpuinfo")
    if path.exists():
        for line in path.read_text().splitlines():
            if line.startswith("model name"):
                return f"{line.partition(':')[2].strip()}, {os.cpu_count()} cores"
    return f"CPU, {os.cpu_count()} cores"
