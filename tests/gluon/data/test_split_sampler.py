"""SplitSampler: parts of a dataset for several workers."""

from __future__ import annotations

import re

import numpy as onp
import pytest
from workers import returned

import gluonish as mx
from gluonish.errors import RefusedArgumentError
from gluonish.gluon.data import ArrayDataset, DataLoader, SplitSampler


@pytest.mark.parametrize(("length", "count"), [(12, 3), (13, 3), (2, 5), (0, 2), (100, 1)])
@pytest.mark.parametrize("seed", [None, 4])
def test_parts_hold_each_sample_once(length, count, seed):
    parts = [SplitSampler(length, count, part, seed=seed) for part in range(count)]
    found = [list(part) for part in parts]
    assert sorted(position for part in found for position in part) == list(range(length))
    assert [len(part) for part in parts] == [len(part) for part in found]
    assert max(map(len, found)) - min(map(len, found)) <= 1


@pytest.mark.parametrize(("length", "count"), [(12, 3), (13, 3), (2, 5), (0, 2)])
@pytest.mark.parametrize("seed", [None, 4])
def test_even_parts_are_as_long_as_the_longest(length, count, seed):
    parts = [SplitSampler(length, count, part, even_size=True, seed=seed) for part in range(count)]
    found = [list(part) for part in parts]
    assert {len(part) for part in [*found, *parts]} == {-(-length // count)}
    assert {position for part in found for position in part} == set(range(length))


def test_samples_are_repeated():
    sampler = SplitSampler(6, 2, 1, repeat=3)
    assert len(sampler) == 9
    assert sorted(sampler) == [3, 3, 3, 4, 4, 4, 5, 5, 5]
    assert list(SplitSampler(4, 2, 0, repeat=2, shuffle=False)) == [0, 1, 0, 1]


def test_without_a_seed_a_part_is_shuffled_by_numpys_generator():
    sampler = SplitSampler(40, 2, 0)
    onp.random.seed(1)  # noqa: NPY002 - what MXNet programs do
    first, second = list(sampler), list(sampler)
    assert first != second
    assert sorted(first) == sorted(second) == list(range(20))
    onp.random.seed(1)  # noqa: NPY002 - what MXNet programs do
    assert list(sampler) == first


def test_a_common_seed_splits_anew_at_each_iteration():
    own, other = SplitSampler(40, 2, 0, seed=1), SplitSampler(40, 2, 1, seed=1)
    first, second = list(own), list(own)
    assert sorted(first) != sorted(second)
    assert set(first).isdisjoint(other)
    assert set(second).isdisjoint(other)
    again = SplitSampler(40, 2, 0, seed=1)
    again.epoch = 1
    assert list(again) == second
    assert list(SplitSampler(4, 2, 1, shuffle=False, seed=1)) == [2, 3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1,), "length=-1 was given. Expected a whole number of at least 0"),
        ((4, 0), "num_parts=0 was given. Expected a whole number of at least 1"),
        ((4, 2, 1.5), "part_index=1.5 was given. Expected a whole number of at least 0"),
        ((4, 2, 2), "part_index=2 was given with num_parts=2. Expected a part from 0 to 1"),
        ((4, 2, 0, False, 0), "repeat=0 was given. Expected a whole number of at least 1"),
    ],
)
def test_parts_that_are_not_there_are_refused(arguments, message):
    with pytest.raises(RefusedArgumentError, match=re.escape(f"SplitSampler: {message}")):
        SplitSampler(*arguments)


def loaded(rank):
    """Read one's part with processes of the loader, while a store is there."""
    kv = mx.kv.create("dist_sync")
    data = ArrayDataset(onp.arange(20, dtype="float32"))
    sampler = SplitSampler(len(data), kv.num_workers, kv.rank, seed=3)
    loader = DataLoader(data, batch_size=5, sampler=sampler, num_workers=2)
    found = [batch.asnumpy().tolist() for _ in range(2) for batch in loader]
    kv.barrier()
    return found


def test_workers_read_their_parts_in_processes_of_their_own():
    first, second = returned(2, loaded, timeout=60)
    for epoch in (slice(0, 2), slice(2, 4)):
        samples = [value for batch in first[epoch] + second[epoch] for value in batch]
        assert sorted(samples) == list(range(20))
