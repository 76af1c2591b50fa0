"""Pushes random whole numbers in many ways, and counts pulls that give other sums than known."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as onp

import gluonish as mx

DTYPES = (
    "float32", "float64", "float16", "bfloat16", "int32", "int64", "int8", "uint8",
)  # fmt: skip
UPDATES = {
    "dist_sync": ("none", "function", "optimizer"),
    "dist_device_sync": ("none",),
    "dist_async": ("function", "optimizer"),
}
LARGE = (3_000_001,)  # sent in pieces


class Sums:
    """One store, and what it has to hold.

    Parameters
    ----------
    kind : str
        The store's name.
    update : str
        'none': sums replace what is stored; 'function' and 'optimizer' add them to it.
    seed : int
        The same on all workers.
    large : bool
        Whether there is a key of 12 MB or more.
    """

    def __init__(self, kind, update, seed, *, large):
        self.kv = mx.kv.create(kind)
        self.update = update
        self.shared = onp.random.RandomState(seed)
        self.own = onp.random.RandomState(seed + 1 + self.kv.rank)
        shapes = [
            tuple(self.shared.randint(1, 9, self.shared.randint(1, 4)).tolist()) for _ in range(30)
        ]
        shapes += [(), (), (1,), (0, 3), (5, 0), (300, 271), (70001,), (4, 25001), (65536,)]
        shapes += [LARGE] * large
        dtypes = [DTYPES[i % len(DTYPES)] for i in range(len(shapes))]
        if update == "optimizer":
            dtypes = [DTYPES[i % 4] for i in range(len(shapes))]
        if large:
            dtypes[-1] = "float32"
        self.shapes = {f"k{i}": shape for i, shape in enumerate(shapes)}
        self.dtypes = dict(zip(self.shapes, dtypes, strict=True))
        self.totals = {key: onp.zeros(shape, "int64") for key, shape in self.shapes.items()}
        keys = list(self.shapes)
        self.kv.init(keys, [self.array(self.totals[key], key) for key in keys])
        if update == "function":
            self.kv.set_updater(add)
        elif update == "optimizer":
            self.kv.set_optimizer(mx.optimizer.create("test", rescale_grad=1.0))
        self.checked = self.wrong = 0

    def array(self, values, key, device=0):
        """Return an array as a key has it."""
        return mx.np.array(values, dtype=self.dtypes[key], ctx=mx.cpu(device))

    def pushed(self, key):
        """Return this worker's arrays for a push, after it has been counted."""
        kv, shape = self.kv, self.shapes[key]
        devices = self.shared.randint(1, 4, kv.num_workers)
        starts = onp.cumsum(devices) - devices
        if shape == LARGE:
            few = self.shared.randint(1, 4, (devices.sum(), 1))
            values = few * (onp.arange(shape[0]) % 5)
        else:
            values = self.shared.randint(0, 4, (devices.sum(), *shape))
        if self.update != "none":
            values = onp.where(self.totals[key] > 0, -values, values)  # so that totals stay small
        total = values.sum(0)
        self.totals[key] = total if self.update == "none" else self.totals[key] + total
        begin, count = starts[kv.rank], devices[kv.rank]
        return [self.array(values[begin + i], key, i) for i in range(count)]

    def step(self):
        """Push some keys in one of several ways."""
        keys = list(self.shapes)
        if self.shapes[keys[-1]] == LARGE and self.shared.rand() < 0.8:
            keys.pop()  # it takes long
        some = [keys[i] for i in self.shared.permutation(len(keys))[: self.shared.randint(1, 16)]]
        values = {key: self.pushed(key) for key in some}
        priorities = {key: int(self.shared.randint(-9, 9)) for key in some}
        order = list(some)
        self.own.shuffle(order)  # each worker has an order of its own
        way = self.shared.randint(4)
        if way == 0:
            self.kv.push(order, [values[key] for key in order])
        elif way == 1:
            for key in order:
                self.kv.push(key, values[key], priority=priorities[key])
        elif way == 2:
            for key in some:
                first = values[key]
                self.kv.push(key, first if len(first) > 1 else first[0])
                for array in first:
                    array[...] = 3  # has no effect on what was pushed
        else:
            for key in some:
                outs = [self.array(self.totals[key] * 0, key, i) for i in range(2)]
                self.kv.pushpull(key, values[key], out=outs, priority=priorities[key])
                if "async" not in self.kv.type:
                    for out in outs:
                        self.compare(key, out)
        return some

    def check(self, keys):
        """Pull keys, into one array or several, and compare."""
        if self.own.rand() < 0.5:
            outs = [
                [self.array(self.totals[key] * 0 + 1, key, i) for i in range(2)] for key in keys
            ]
            self.kv.pull(keys, out=outs)
            for key, arrays in zip(keys, outs, strict=True):
                for array in arrays:
                    self.compare(key, array)
        else:
            for key in keys:
                out = self.array(self.totals[key] * 0 + 1, key)
                self.kv.pull(key, out=out)
                self.compare(key, out)

    def compare(self, key, out):
        expected = self.totals[key].astype(
            "float32" if self.dtypes[key] == "bfloat16" else self.dtypes[key]
        )
        self.checked += 1
        found = out.asnumpy()
        self.wrong += not (found.shape == expected.shape and (found == expected).all())


def add(key, gradient, stored):
    """Add what was pushed to what is stored."""
    stored += gradient


def random_sums(rank, kind, update, rounds, seed, large=False):
    """Push and pull for some rounds; return how many pulls there were, and how many were wrong."""
    sums = Sums(kind, update, seed, large=large)
    is_async, pushed = "async" in kind, set()
    for number in range(rounds):
        keys = sums.step()
        pushed.update(keys)
        if not is_async:
            sums.check(keys)
        elif number % 5 == 4:
            sums.kv.barrier()
            sums.check(sorted(pushed))
            pushed.clear()
            sums.kv.barrier()
    return sums.checked, sums.wrong


def main():
    """Do it for all kinds of stores, and write what came of it."""
    path, rounds = Path(sys.argv[1]), int(sys.argv[2])
    report = []
    for kind, updates in UPDATES.items():
        for update in updates:
            begin = time.monotonic()
            rank = mx.kv.create("dist_sync").rank
            checked, wrong = random_sums(rank, kind, update, rounds, len(report), large=True)
            report.append([kind, update, checked, wrong, time.monotonic() - begin])
    Path(f"{path}-{rank}").write_text(json.dumps(report))


if __name__ == "__main__":
    main()
