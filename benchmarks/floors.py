"""What of a workload's time would be left if all but products and convolutions cost nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from typing_extensions import override

import gluonish as mx
from benchmarks.gluon_program import GluonProgram
from benchmarks.timing import best_microseconds, seconds_of
from benchmarks.workloads import WORKLOADS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.timing import Plan, Timer

__all__ = ["heavy_calls", "table_rows"]

_HEAVY = frozenset(
    f"aten.{name}.default"
    for name in (
        "addmm", "mm", "bmm", "convolution", "convolution_backward", "mkldnn_rnn_layer",
        "mkldnn_rnn_layer_backward",
    )
)  # fmt: skip


def table_rows(workloads: Sequence[str], plan: Plan) -> list[dict[str, Any]]:
    """Return microseconds of products and convolutions alone, beside the whole.

    They are called as the Gluon program calls them, with the same arrays in the same order of
    memory, one after the other; a program that calls them can't be faster.
    """
    rows = []
    for name in workloads:
        workload = WORKLOADS[name]
        program = GluonProgram(mx, workload, mx.cpu())
        for mode in ("forward", "step"):
            calls = heavy_calls(program, mode)
            timers = {"whole": _timer(getattr(program, mode)), "alone": _timer(_replay(calls))}
            found = best_microseconds(timers, plan)
            row = {"workload": name, "title": workload.title, "mode": mode, "calls": len(calls)}
            rows.append({**row, "microseconds": found})
    return rows


def heavy_calls(program: GluonProgram, mode: str) -> list[Callable[[], object]]:
    """Return the products and convolutions of a forward or a step, ready to be called again."""
    with _Recorder() as recorder:
        getattr(program, mode)()
    return recorder.calls


class _Recorder(TorchDispatchMode):
    """Keeps calls of heavy operators, with their arguments."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[Callable[[], object]] = []

    @override
    def __torch_dispatch__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        keywords = kwargs or {}
        if str(func) in _HEAVY:
            self.calls.append(lambda: func(*args, **keywords))
        return func(*args, **keywords)


def _replay(calls: Sequence[Callable[[], object]]) -> Callable[[], None]:
    def replay() -> None:
        with torch.no_grad():
            for call in calls:
                call()

    return replay


def _timer(function: Callable[[], object]) -> Timer:
    return lambda calls: seconds_of(function, calls)
