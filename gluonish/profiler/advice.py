"""What to do about a slow training, by where its time goes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import torch

from gluonish.errors.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

_MUCH = 0.25  # of the time


class Finding(NamedTuple):
    """Where the time of a training went; see `Explanation`.

    `labels` are what was called in each stage; `has_graphs`, whether captured graphs ran.
    """

    seconds: float
    steps: int
    stages: Mapping[str, float]
    lines: Mapping[str, str]
    labels: Mapping[str, set[str]]
    in_python: Mapping[str, str]
    has_graphs: bool = False

    def share(self, *names: str) -> float:
        """Return the share of some stages."""
        spent = sum(self.stages.get(name, 0.0) for name in names)
        return spent / self.seconds if self.seconds else 0.0

    def at(self, stage: str) -> str:
        """Return where most of a stage's time is spent."""
        return self.lines.get(stage, "unknown")


def advise(found: Finding) -> list[str]:
    """Return what takes much time, the most first, and what to do about each.

    Examples
    --------
    >>> from gluonish.profiler.advice import Finding, advise
    >>> found = Finding(1.0, 10, {"data": 0.9}, {"data": "train.py:3"}, {}, {})
    >>> print(advise(found)[0])  # doctest: +ELLIPSIS
    90% of the time goes into the data, at train.py:3. ...
    """
    if not found.steps:
        told = (
            "No step was seen: neither Trainer.step, FusedStep nor Module.update was called. "
            "Expected a program that trains, and runs in this process."
        )
        return [told]
    parts = {
        found.share("data"): _on_data(found),
        found.share("forward", "backward"): _on_computing(found),
        found.share("update"): _on_updates(found),
        found.share("step"): _on_steps(found),
        found.share("metrics"): _on_metrics(found),
        found.share("waiting"): _on_waiting(found),
        found.share("rest"): _on_the_rest(found),
    }
    shares = sorted((share for share in parts if share >= _MUCH), reverse=True)
    return [f"{share:.0%} of the time goes into {parts[share]}" for share in shares]


def _on_data(found: Finding) -> str:
    where = f"the data, at {found.at('data')}. "
    if any("num_workers=0" in label for label in found.labels.get("data", ())):
        count = max((os.cpu_count() or 2) - 1, 1)
        return where + (
            f"Have other processes read them: DataLoader(..., num_workers={count}). If the data "
            f"fit into memory, transform them once, before training."
        )
    return where + (
        "Give the DataLoader more workers, or make a batch cheaper: smaller files, transforms "
        "done once before training, bigger batches."
    )


def _on_computing(found: Finding) -> str:
    where = f"forward ({found.at('forward')}) and backward ({found.at('backward')}). "
    if found.in_python:
        return where + (
            "Some of it is Python's: have the Blocks above captured as graphs, with "
            "net.hybridize() and without what keeps them in Python."
        )
    if torch.cuda.is_available():
        return where + (
            "That is launching work for the GPU: bigger batches, or gluon.FusedStep, which is one "
            "graph for all of it."
        )
    graphs = " A captured graph counts as one layer: without hybridize() you see those inside."
    return where + (
        f"The layers above compute, on {counted(torch.get_num_threads(), 'thread')} "
        f"(OMP_NUM_THREADS); net.summary(x, details=True) shows which are large. A GPU would be "
        f"faster.{graphs if found.has_graphs else ''}"
    )


def _on_updates(found: Finding) -> str:
    return (
        f"updates, at {found.at('update')}. gluon.FusedStep puts them into one graph with the rest "
        f"of the step; fewer updates of bigger batches take less."
    )


def _on_steps(found: Finding) -> str:
    return (
        f"FusedStep, at {found.at('step')}: forward, backward and update in one. "
        f"step.hybrid_report() says whether it is compiled already, or why not."
    )


def _on_metrics(found: Finding) -> str:
    return (
        f"metrics, at {found.at('metrics')}. Update them every few batches, or once for a whole "
        f"epoch's results."
    )


def _on_waiting(found: Finding) -> str:
    where = f"waiting for values, at {found.at('waiting')}. "
    if torch.cuda.is_available():
        return where + (
            "The GPU is busy until then. If it idles otherwise (nvidia-smi), read values rarely, "
            "every 100 batches: each reading stops Python. If it does not, mixed precision "
            "(contrib.amp) makes it faster."
        )
    return where + "Read values rarely: each reading of asnumpy() or asscalar() copies them."


def _on_the_rest(_: Finding) -> str:
    return (
        "the rest: Python between these calls, imports, and what was not timed. "
        "python -m cProfile -s cumtime program.py shows its functions."
    )
