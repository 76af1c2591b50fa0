"""Trains digits with checkpoints; by itself, it can be ended and started again at any moment."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import numpy as onp
from digits import BATCH, digits, make_net, values

import gluonish as mx
from gluonish import autograd, gluon


class Shard(gluon.data.Sampler):
    """Each worker's share of every batch, in a new order each epoch, the same on all workers."""

    def __init__(self, length, rank, workers):
        self._length, self._rank, self._workers = length, rank, workers
        self.epoch = 0

    def __iter__(self):
        order = onp.random.RandomState(self.epoch).permutation(self._length)
        for start in range(0, self._length, BATCH):
            yield from order[start : start + BATCH][self._rank :: self._workers].tolist()

    def __len__(self):
        return self._length // self._workers


def build(kvstore="dist_sync", update_on_kvstore=None, optimizer="adam", **more):
    net = make_net(dropout=0.2)
    options = {"learning_rate": 0.002} if optimizer == "adam" else {
        "learning_rate": 0.1, "momentum": 0.9,
    }  # fmt: skip
    return net, gluon.Trainer(
        net.collect_params(), optimizer, options, kvstore=kvstore,
        update_on_kvstore=update_on_kvstore, **more,
    )  # fmt: skip


def train(folder, epochs, *, count=640, each=5, stop=None, pause=0.0, **options):
    """Train and save every few batches; return the parameters and where it began.

    With `stop`, return after as many saves.
    """
    kv = mx.kv.create("dist_sync")
    mx.random.seed(kv.rank)  # each worker has its own dropout
    net, trainer = build(kv, **options)
    mx.random.seed(100 + kv.rank)
    sampler = Shard(count, kv.rank, kv.num_workers)
    data = gluon.data.DataLoader(
        gluon.data.ArrayDataset(*map(mx.nd.array, digits(count))),
        BATCH // kv.num_workers,
        sampler=sampler,
    )
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    checkpoint = gluon.Checkpoint(folder, net, trainer)
    found = checkpoint.restore()
    began = None if found is None else (found.epoch, found.batch)
    saves = 0
    for epoch in checkpoint.epochs(epochs):
        sampler.epoch = epoch
        for done, (inputs, labels) in enumerate(checkpoint.batches(data), 1):
            with autograd.record():
                result = loss(net(inputs), labels)
            result.backward()
            trainer.step(BATCH)
            time.sleep(pause)
            if done % each == 0:
                checkpoint.save()
                saves += 1
                if saves == stop:
                    return values(net), began
        checkpoint.save()
    return values(net), began


def accuracy(arrays):
    """Return the part of digits that the net did not learn from which it names."""
    data, labels = digits(2000)
    hidden = onp.maximum(data[1000:] @ arrays[0].T + arrays[1], 0)
    return float((onp.argmax(hidden @ arrays[2].T + arrays[3], 1) == labels[1000:]).mean())


def main():
    """Train as the command line says, and write what came of it."""
    folder, epochs, pause = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    kv = mx.kv.create("dist_sync")
    (folder / f"pid-{kv.rank}").write_text(str(os.getpid()))
    arrays, began = train(folder / "run", epochs, count=960, pause=pause)
    report = {"accuracy": accuracy(arrays), "began": began}
    if kv.rank == 0:
        onp.savez(folder / "weights.npz", *arrays)
        (folder / "report.json").write_text(json.dumps(report))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    main()
