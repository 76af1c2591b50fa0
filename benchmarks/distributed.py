"""Time what two processes on this machine exchange, beside torch.distributed's own functions.

In turns, in an order that is drawn for each round, and the median of the rounds counts, since what
two processes get of two cores varies more than what either does: 100 MB pushed and pulled beside
one `all_reduce` of the same bytes; training steps beside those of `DistributedDataParallel`, with
weights that the store updates or each worker, in few keys or many; and the smallest messages, which
tell what one exchange costs however little it carries.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

import gluonish as mx
from gluonish import autograd, gluon

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["table_rows"]

_WORKERS = 2
_ROUNDS, _QUICK_ROUNDS = 80, 5
_LARGE = 25_000_000  # elements, 100 MB
_WIDTH, _BATCH = 1024, 64
_LAYERS, _NARROW = 80, 128  # of many keys
_SECONDS = 300


def table_rows(*, quick: bool) -> list[dict[str, Any]]:
    """Return the median milliseconds of each call, theirs and ours."""
    rounds = _QUICK_ROUNDS if quick else _ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder, "rows.json")
        command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", str(_WORKERS)]
        command += ["--master-addr", "127.0.0.1", "--master-port", "0", "--rdzv-backend", "c10d"]
        command += ["--rdzv-endpoint", "127.0.0.1:0", "-m", __name__, str(rounds), str(result)]
        environment = {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo", **os.environ}
        subprocess.run(command, check=True, timeout=_SECONDS, env=environment)
        return json.loads(result.read_text())


def _medians(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median milliseconds of calls that all workers make in turns."""
    spent: dict[str, list[float]] = {name: [] for name in calls}
    drawn = random.Random(0)  # the same on all workers
    for _ in range(rounds + 1):
        for name in drawn.sample(list(calls), len(calls)):
            distributed.barrier()
            begin = time.perf_counter()
            calls[name]()
            spent[name].append((time.perf_counter() - begin) * 1e3)
    return {name: statistics.median(found[1:]) for name, found in spent.items()}


def _exchange(kv: mx.kv.KVStore, key: int, count: int) -> dict[str, Callable[[], object]]:
    value, out, theirs = mx.nd.ones((count,)), mx.nd.zeros((count,)), torch.ones(count)
    kv.init(key, value)

    def ours() -> None:
        kv.push(key, value)
        kv.pull(key, out=out)
        out.wait_to_read()

    return {"torch": lambda: distributed.all_reduce(theirs), "gluonish": ours}


def _make_net(layers: int, width: int) -> gluon.nn.HybridSequential:
    net = gluon.nn.HybridSequential()
    for _ in range(layers):
        net.add(gluon.nn.Dense(width, activation="relu", in_units=width))
    net.add(gluon.nn.Dense(10, in_units=width))
    net.initialize(mx.init.Xavier())
    return net


def _steps(
    kvstore: str | None, *, layers: int = 4, width: int | None = None, updates: bool | None = None
) -> tuple[dict[str, Callable[[], object]], int]:
    """Return training steps, and how many bytes of gradients each has; alone without a store."""
    width = width or _WIDTH
    net = _make_net(layers, width)
    trainer = gluon.Trainer(
        net.collect_params(),
        "sgd",
        {"learning_rate": 1e-3},
        kvstore=kvstore,
        update_on_kvstore=updates,
    )
    net.hybridize()
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    x, label = mx.nd.ones((_BATCH, width)), mx.nd.zeros((_BATCH,))
    modules: list[torch.nn.Module] = []
    for _ in range(layers):
        modules += [torch.nn.Linear(width, width), torch.nn.ReLU()]
    module: torch.nn.Module = torch.nn.Sequential(*modules, torch.nn.Linear(width, 10))
    if kvstore is not None:
        module = DistributedDataParallel(module, gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(module.parameters(), lr=1e-3)
    data, target = torch.ones(_BATCH, width), torch.zeros(_BATCH, dtype=torch.int64)

    def theirs() -> None:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(module(data), target).backward()
        optimizer.step()

    def ours() -> None:
        with autograd.record():
            result = loss(net(x), label)
        result.backward()
        trainer.step(_BATCH * _WORKERS)
        mx.nd.waitall()

    size = sum(4 * parameter.numel() for parameter in module.parameters())
    return {"torch": theirs, "gluonish": ours}, size


def _main(rounds: int, path: str) -> None:
    torch.set_num_threads(1)
    kv = mx.kv.create("dist_sync")
    steps, size = _steps("dist_sync")
    apart, _ = _steps("dist_sync", updates=False)
    many, small = _steps("dist_sync", layers=_LAYERS, width=_NARROW)
    alone, _ = _steps(None)
    timed = {
        "push and pull, 100 MB": _medians(_exchange(kv, 0, _LARGE), rounds),
        "push and pull, 4 bytes": _medians(_exchange(kv, 1, 1), 10 * rounds),
        f"training step, {size / 1e6:.1f} MB of gradients": _medians(steps, rounds),
        "training step, the same, each worker updates": _medians(apart, rounds),
        f"training step, {small / 1e6:.1f} MB in {2 * _LAYERS + 2} keys": _medians(many, rounds),
        "the first step, each worker alone": _medians(alone, rounds),
    }
    if kv.rank == 0:
        rows = [{"name": name, "milliseconds": found} for name, found in timed.items()]
        Path(path).write_text(json.dumps(rows))
    kv.barrier()


if __name__ == "__main__":
    _main(int(sys.argv[1]), sys.argv[2])
