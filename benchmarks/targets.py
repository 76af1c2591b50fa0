"""What speed must reach, and whether it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.contestants import OURS
from benchmarks.ratios import best_of, over_mxnet, over_torch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Verdict", "verdicts"]

_FUSED = {
    "perceptron-2": 4.0,
    "perceptron-256": 1.8,
    "lenet-32": 1.25,
    "lenet-256": 1.0,
    "resnet": 1.0,
    "lstm": 1.0,
    "transformer": 1.25,
}
_HYBRID = {"perceptron-2": 1.4}
_LOOP = {"perceptron-2": 5.0, "perceptron-256": 1.8, "lenet-32": 1.25, "transformer": 1.15}
_OVER_UNFUSED = 0.98
_OVER_MXNET = 2.0
_EXECUTOR_OVER_MXNET = 3.0
_FILES = 0.9
_DISTRIBUTED = {"push and pull, 100 MB": 1 / 1.2, "training step": 1 / 1.1}
_INPUT = {"torch": 1.0, "mxnet": 1.2}
_NETS = {"forward": 1.2, "step": 1.0}
_PEAK = 1 / 1.1
_COLD_ALLOWANCE = 0.05  # seconds over three eager calls


@dataclass(frozen=True)
class Verdict:
    """A measured value beside the value that it must reach."""

    what: str
    value: float
    needed: float

    def __str__(self) -> str:
        met = "met   " if self.value >= self.needed else "MISSED"
        return f"{met} {self.value:6.2f} (needed {self.needed:.2f})  {self.what}"


def verdicts(results: Mapping[str, Any]) -> list[Verdict]:
    """Return what the results say about each target that they touch."""
    return [
        *_executor(results.get("executor", {})),
        *_speed(results.get("speed", ())),
        *_cold(results.get("cold", ())),
        *_files(results.get("files", ())),
        *_distributed(results.get("distributed", ())),
        *_input(results.get("input", ())),
        *_nets(results.get("nets", ())),
    ]


def _executor(times: Mapping[str, float]) -> Iterator[Verdict]:
    for name, title, needed in (
        ("mxnet", "MXNet", _EXECUTOR_OVER_MXNET), ("torch", "PyTorch by hand", 1.0),
    ):  # fmt: skip
        if "eager" in times and name in times:
            ratio = times[name] / times["eager"]
            yield Verdict(f"iteration with an Executor x {title}", ratio, needed)


def _speed(cases: Any) -> Iterator[Verdict]:  # noqa: ANN401 - a list from JSON
    for case in cases:
        times, name = case["microseconds"], case["workload"]
        place = f"{case['title']}, {case['mode']}"
        if case["mode"] == "forward":
            best = best_of(times, ("eager", "torch", "compile"))
            if best is not None and "hybrid" in times:
                needed = _HYBRID.get(name, 1.0)
                what = f"{place}: hybrid x best of our eager and PyTorch's best"
                yield Verdict(what, best / times["hybrid"], needed)
        else:
            if "eager" in times and "torch" in times:
                what = f"{place}: eager x PyTorch eager"
                yield Verdict(what, times["torch"] / times["eager"], 1.0)
            fused = over_torch(case, "fused")
            if fused is not None:
                yield Verdict(f"{place}: fused x PyTorch's best", fused, _FUSED[name])
            loop = over_torch(case, "hybrid")
            if loop is not None and name in _LOOP:
                yield Verdict(f"{place}: plain loop x PyTorch's best", loop, _LOOP[name])
            if "hybrid" in times and "unfused" in times:
                ratio = times["unfused"] / times["hybrid"]
                yield Verdict(f"{place}: plain loop x unfused", ratio, _OVER_UNFUSED)
        for ours in OURS:
            ratio = over_mxnet(case, ours)
            if ratio is not None:
                yield Verdict(f"{place}: {ours} x MXNet", ratio, _OVER_MXNET)


def _cold(cases: Any) -> Iterator[Verdict]:  # noqa: ANN401
    for case in cases:
        seconds = case["seconds"].get("hybrid")
        if seconds is not None:
            allowed = seconds["three eager"] + _COLD_ALLOWANCE
            what = f"{case['title']}: three eager calls + 50 ms, over the first hybridized call"
            yield Verdict(what, allowed / seconds["first"], 1.0)


def _distributed(rows: Any) -> Iterator[Verdict]:  # noqa: ANN401
    for row in rows:
        times = row["milliseconds"]
        for name, needed in _DISTRIBUTED.items():
            if row["name"].startswith(name):
                ratio = times["torch"] / times["gluonish"]
                yield Verdict(f"{row['name']}: x torch.distributed", ratio, needed)


def _files(rows: Any) -> Iterator[Verdict]:  # noqa: ANN401
    for row in rows:
        times = row["milliseconds"]
        for kind in times.keys() - {"theirs"}:
            ratio = times["theirs"] / times[kind]
            yield Verdict(f"{row['name']}: .{kind} x the safetensors library", ratio, _FILES)


def _input(rows: Any) -> Iterator[Verdict]:  # noqa: ANN401
    for row in rows:
        speeds = row["speeds"]
        for who, needed in _INPUT.items():
            if who in speeds:
                ratio = speeds["gluonish"] / speeds[who]
                yield Verdict(f"{row['name']}: x {who}", ratio, needed)


def _nets(cases: Any) -> Iterator[Verdict]:  # noqa: ANN401
    for case in cases:
        times, most = case["microseconds"], case["mebibytes"]
        place = f"{case['title']}, {case['mode']}"
        best = min(times["torch"], times["torch-last"])
        yield Verdict(f"{place}: x PyTorch's best", best / times["hybrid"], _NETS[case["mode"]])
        if "mxnet-hybrid" in times:
            yield Verdict(f"{place}: x MXNet", times["mxnet-hybrid"] / times["hybrid"], 1.0)
        yield Verdict(f"{place}: PyTorch's peak over ours", most["torch"] / most["hybrid"], _PEAK)
