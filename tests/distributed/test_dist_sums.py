"""Exact sums of what several processes push."""

from __future__ import annotations

import numpy as onp
import pytest
from workers import returned

import gluonish as mx

DTYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8")


def random_sums(rank, rounds, seed):
    """Push random arrays of many shapes and dtypes; return how many sums were exact."""
    kv = mx.kv.create("dist_sync")
    shared = onp.random.RandomState(seed)
    shapes = [tuple(shared.randint(1, 9, shared.randint(1, 4))) for _ in range(40)]
    shapes += [(300, 170), (70000,), (1,), (0, 3)]
    dtypes = [DTYPES[i % len(DTYPES)] for i in range(len(shapes))]
    kv.init(
        list(range(len(shapes))),
        [mx.nd.zeros(shape, dtype=dtype) for shape, dtype in zip(shapes, dtypes, strict=True)],
    )
    right = 0
    for _ in range(rounds):
        keys = [int(key) for key in shared.permutation(len(shapes))[: shared.randint(1, 20)]]
        values = {
            key: shared.randint(0, 4, (kv.num_workers, *shapes[key])).astype(dtypes[key])
            for key in keys
        }
        own = list(keys)
        onp.random.RandomState(rank).shuffle(own)  # each worker in an order of its own
        if shared.rand() < 0.5:
            kv.push(own, [mx.nd.array(values[key][rank], dtype=dtypes[key]) for key in own])
        else:
            for key in own:
                kv.push(key, mx.nd.array(values[key][rank], dtype=dtypes[key]))
        for key in own:
            out = mx.nd.zeros(shapes[key], dtype=dtypes[key])
            kv.pull(key, out=out)
            right += bool((out.asnumpy() == values[key].sum(0)).all())
            right -= len(own) * 1000 * (out.asnumpy().dtype != dtypes[key])
        right -= len(keys) - 1
    return right


@pytest.mark.parametrize("count", [1, 2, 3])
def test_random_pushes_give_exact_sums(count):
    assert returned(count, random_sums, 300, 7) == [300] * count


def sums_in_many_ways(rank, kind, update, rounds):
    from sums import random_sums as counted

    return counted(rank, kind, update, rounds, 7)


@pytest.mark.parametrize(
    ("count", "kind", "update"),
    [
        (2, "dist_device_sync", "none"),
        (3, "dist_sync", "none"),
        (2, "dist_sync", "function"),
        (3, "dist_sync", "optimizer"),
        (3, "dist_async", "function"),
        (2, "dist_async", "optimizer"),
    ],
)
def test_all_ways_to_push_give_exact_sums(count, kind, update):
    """scripts/exact_sums.py does so for thousands of rounds, with larger keys."""
    for checked, wrong in returned(count, sums_in_many_ways, kind, update, 15):
        assert checked > 75
        assert wrong == 0


def large_sums(rank):
    """Push keys that are sent in pieces, from copies and from where they are."""
    from gluonish.kvstore.exchange import shares

    shares._PIECE = 4 * 2**20
    kv = mx.kv.create("dist_sync")
    size = 8_000_001
    kv.init([0, 1], [mx.nd.zeros((size,)), mx.nd.zeros((3,))])
    numbers = mx.nd.arange(size) % 1000
    value, out = numbers * (rank + 1), mx.nd.zeros((size,))
    total = numbers.asnumpy() * sum(one + 1 for one in range(kv.num_workers))
    found = []
    for _ in range(3):
        kv.push([0, 1], [value, mx.nd.ones((3,))])
        value[:] = -1  # has no effect on what was pushed
        kv.pull(0, out=out)
        found.append(bool((out.asnumpy() == total).all()))
        value[:] = numbers * (rank + 1)
        kv.pushpull(0, value, out=out)
        found.append(bool((out.asnumpy() == total).all()))
        kv.reduce([(0, [value])])
        found.append(bool((value.asnumpy() == total).all()))
        value[:] = numbers * (rank + 1)
        kv.pull(0, out=out)
        found.append(bool((out.asnumpy() == total).all()))
    kv.set_optimizer(mx.optimizer.create("test", rescale_grad=1.0))
    for step in range(2):
        kv.push(0, value)
        kv.pull(0, out=out)
        found.append(bool((out.asnumpy() == total * (step + 2)).all()))
    return found


@pytest.mark.parametrize("count", [2, 3])
def test_large_keys_arrive_in_pieces(count):
    assert returned(count, large_sums) == [[True] * 14] * count
