from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd, np
from gluonish.gluon.data import (
    ArrayDataset,
    BatchSampler,
    Dataset,
    FilterSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SimpleDataset,
    dataset,
)

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "data.json").read_text())["samplers"]


def test_array_dataset_joins_arrays():
    data = ArrayDataset(nd.arange(6).reshape((3, 2)), ["a", "b", "c"], onp.arange(3))
    assert len(data) == 3
    row, letter, number = data[1]
    assert (row.asnumpy().tolist(), letter, int(number)) == ([2.0, 3.0], "b", 1)
    assert data[0:2][1] == ["a", "b"]


@pytest.mark.parametrize("front", [nd, np])
def test_array_dataset_keeps_labels_as_numpy_numbers(front):
    assert type(ArrayDataset(front.arange(5))[2]) is onp.float32
    assert type(ArrayDataset(front.ones((5, 2)))[2]) is front.NDArray if front is nd else np.ndarray


@pytest.mark.parametrize(
    ("arrays", "error", "message"),
    [
        ((), AssertionError, "Needs at least 1 arrays"),
        (([1, 2], [1]), AssertionError, "array[0] has length 2 while array[1] has 1"),
        (([1, 2], 5), TypeError, "array[1] is of type int, which has no length"),
    ],
)
def test_array_dataset_refuses_what_does_not_fit(arrays, error, message):
    with pytest.raises(error, match=re.escape(message)) as caught:
        ArrayDataset(*arrays)
    assert isinstance(caught.value, mx.MXNetError)


def test_transform_is_lazy_unless_told_otherwise():
    calls = []

    def double(x):
        calls.append(x)
        return 2 * x

    data = SimpleDataset([3, 1, 2])
    lazy = data.transform(double)
    assert calls == []
    assert [lazy[1], lazy[1]] == [2, 2]
    assert calls == [1, 1]
    eager = data.transform(double, lazy=False)
    assert list(eager) == [6, 2, 4]
    assert len(calls) == 5
    assert len(lazy) == len(eager) == 3


def test_transform_spreads_tuples_and_transform_first_keeps_the_rest():
    data = ArrayDataset([1, 2, 3], ["a", "b", "c"])
    assert data.transform(lambda number, letter: (letter, number))[0] == ("a", 1)
    assert data.transform_first(lambda number: 10 * number)[2] == (30, "c")
    assert data.transform_first(lambda number: 10 * number, lazy=False)[2] == (30, "c")
    assert SimpleDataset([1, 2]).transform_first(lambda number: -number)[1] == -2


def test_filter_take_and_sample_choose_samples():
    data = SimpleDataset([3, 1, 2, 5])
    assert list(data.filter(lambda x: x > 1)) == [3, 2, 5]
    assert list(data.take(2)) == [3, 1]
    assert len(data.take(None)) == len(data.take(99)) == 4
    assert list(data.sample(SequentialSampler(2, 1))) == [1, 2]
    with pytest.raises(TypeError, match="Invalid sampler type: list"):
        data.sample([1, 2])
    with pytest.raises(AssertionError, match="count=-1 was given"):
        data.take(-1)


def test_shards_are_those_of_mxnet():
    for count, expected in zip((1, 3, 4, 12), GOLDEN["shards"], strict=True):
        shards = [SimpleDataset(list(range(10))).shard(count, i) for i in range(count)]
        assert [list(shard) for shard in shards] == expected


@pytest.mark.parametrize(("count", "index"), [(0, 0), (3, 3), (3, -1)])
def test_shard_refuses_parts_that_are_not_there(count, index):
    with pytest.raises(AssertionError, match=f"part {index} of {count} was asked for"):
        SimpleDataset([1, 2, 3]).shard(count, index)


def test_bases_say_what_a_subclass_lacks():
    for call, method in (
        (lambda: Dataset()[0], "__getitem__(self, idx)"),
        (lambda: len(Dataset()), "__len__(self)"),
        (lambda: len(Sampler()), "__len__(self)"),
        (lambda: iter(Sampler()), "__iter__(self)"),
    ):
        with pytest.raises(NotImplementedError, match=re.escape(f"`def {method}")):
            call()


def test_random_sampler_draws_the_orders_of_mxnet():
    onp.random.seed(7)  # noqa: NPY002
    orders = [[int(i) for i in RandomSampler(6)] for _ in range(2)]
    assert orders == GOLDEN["random"]
    assert len(RandomSampler(6)) == 6


def test_filter_sampler_gives_positions():
    sampler = FilterSampler(lambda x: x % 2, [3, 2, 1])
    assert list(sampler) == [0, 2]
    assert len(sampler) == 2


def test_batch_sampler_rolls_over_as_mxnet_does():
    batches = BatchSampler(SequentialSampler(10), 4, "rollover")
    assert [[len(batches), list(batches)] for _ in range(4)] == GOLDEN["rollover"]


def test_batch_sampler_keeps_or_discards_the_last_batch():
    keep = BatchSampler(SequentialSampler(5), 2)
    assert list(keep) == [[0, 1], [2, 3], [4]]
    assert len(keep) == 3
    discard = BatchSampler(SequentialSampler(5), 2, "discard")
    assert list(discard) == [[0, 1], [2, 3]]
    assert len(discard) == 2


def test_batch_sampler_refuses_bad_arguments():
    with pytest.raises(ValueError, match="last_batch must be one of 'keep', 'discard', or"):
        BatchSampler(SequentialSampler(5), 2, "drop")
    with pytest.raises(AssertionError, match="batch_size=0 was given"):
        BatchSampler(SequentialSampler(5), 0)


class Counted(dataset._DownloadedDataset):
    def __init__(self, root, transform=None):
        super().__init__(root, transform)

    def _get_data(self):
        self._data = mx.nd.array([[1.0] * 3, [1.0] * 3])
        self._label = [0, 1]


def test_datasets_of_programs_derive_from_the_base_of_those_that_are_downloaded(tmp_path):
    data, label = Counted(tmp_path / "a" / "b", lambda x, y: (x * 2, y))[1]
    assert (data.asnumpy().tolist(), label) == ([2.0, 2.0, 2.0], 1)
    plain = Counted(str(tmp_path / "a"))
    assert plain._root == str(tmp_path / "a")
    assert len(plain) == 2
    ((batch, labels),) = mx.gluon.data.DataLoader(plain, 2)
    assert batch.shape == (2, 3)
    assert labels.asnumpy().tolist() == [0, 1]


def test_a_downloaded_dataset_says_which_method_it_lacks(tmp_path):
    with pytest.raises(NotImplementedError, match=r"def _get_data\(self\)`, which sets self._data"):
        dataset._DownloadedDataset(tmp_path, None)


def test_inner_datasets_of_mxnet_can_be_made():
    first = dataset._TransformFirstClosure(lambda x: x + 1)
    assert first(1, 2) == (2, 2)
    assert first._fn(3) == 4
    assert dataset._LazyTransformDataset([(1, 2), (3, 4)], first)[1] == (4, 4)
    chosen = dataset._FilteredDataset([3, 1, 2], lambda x: x > 1)
    assert (list(chosen), len(chosen)) == ([3, 2], 2)
    assert dataset.RecordFileDataset is mx.gluon.data.RecordFileDataset
