"""Peak memory of a process that only predicts, or only trains: `python -m benchmarks.peaks ...`.

It runs under gluonish's Python and under the one that has the real MXNet; a contestant imports its
own library alone, and the program is what a person would write: nothing else is in memory.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.workloads import NETS

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.workloads import Workload

__all__ = ["PROGRAMS", "peak"]

_STATUS = Path("/proc/self/status")
_LEARNING_RATE = 0.002
_CALLS = 3


def _gluon(library: str, workload: Workload, mode: str) -> Callable[[], object]:
    mx = import_module(library)
    nets = import_module("benchmarks.nets_gluon")
    data, labels = map(mx.nd.array, workload.batch())
    net = getattr(nets, workload.net)(mx, **workload.sizes)
    net.initialize(mx.init.Xavier())
    net.hybridize()
    if mode == "forward":
        return lambda: net(data).wait_to_read()
    loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    loss_of.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": _LEARNING_RATE})

    def step() -> None:
        with mx.autograd.record():
            loss = loss_of(net(data), labels)
        loss.backward()
        trainer.step(len(labels))
        loss.wait_to_read()

    return step


def _torch(layout: str, workload: Workload, mode: str) -> Callable[[], object]:
    torch = import_module("torch")
    nets = import_module("benchmarks.nets_torch")
    data, labels = map(torch.from_numpy, workload.batch())
    data, labels = (data.long() if workload.ids else data), labels.long()
    model = getattr(nets, workload.net)(**workload.sizes)
    if layout == "channels last":
        model = model.to(memory_format=torch.channels_last)
        data = data.to(memory_format=torch.channels_last) if data.dim() == 4 else data
    if mode == "forward":
        model.eval()

        def predict() -> None:
            with torch.no_grad():
                model(data)

        return predict
    optimizer = torch.optim.SGD(model.parameters(), lr=_LEARNING_RATE)
    loss_of = torch.nn.CrossEntropyLoss()

    def step() -> None:
        optimizer.zero_grad()
        loss_of(model(data), labels).backward()
        optimizer.step()

    return step


PROGRAMS: dict[str, Callable[[Workload, str], Callable[[], object]]] = {
    "hybrid": lambda workload, mode: _gluon("gluonish", workload, mode),
    "torch": lambda workload, mode: _torch("plain", workload, mode),
    "torch-last": lambda workload, mode: _torch("channels last", workload, mode),
    "mxnet-hybrid": lambda workload, mode: _gluon("mxnet", workload, mode),
}


def peak(name: str, workload: Workload, mode: str, seconds: float) -> float:
    """Return the mebibytes that this process had, at most, until it ran for so long."""
    run = PROGRAMS[name](workload, mode)
    end = time.perf_counter() + seconds
    calls = 0
    while calls < _CALLS or time.perf_counter() < end:
        run()
        calls += 1
    return most_mebibytes()


def most_mebibytes() -> float:
    """Return the most memory that was ever resident, as Linux tells it."""
    (line,) = (line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def main(name: str, workload: str, mode: str, seconds: str) -> None:
    """Print the peak."""
    found: Any = peak(name, NETS[workload], mode, float(seconds))
    sys.stdout.write(json.dumps(round(found, 1)) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
