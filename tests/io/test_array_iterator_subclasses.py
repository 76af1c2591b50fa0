"""NDArrayIter's inner methods: called where MXNet calls them, with what it gives them."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import io, nd

SEVENS = [[7.0, 7.0], [7.0, 7.0]]


class Told(io.NDArrayIter):
    """Notes its calls."""

    def __init__(self, *args, **kwargs):
        self.calls = []
        super().__init__(*args, **kwargs)

    def _getdata(self, data_source, start=None, end=None):
        self.calls.append((start, end))
        return super()._getdata(data_source, start, end)

    def _batchify(self, data_source):
        self.calls.append([name for name, _ in data_source])
        return super()._batchify(data_source)

    def _concat(self, first_data, second_data):
        self.calls.append("concat")
        return super()._concat(first_data, second_data)

    def _tile(self, data, repeats):
        self.calls.append(f"tile {repeats}")
        return super()._tile(data, repeats)

    def _shuffle_data(self):
        self.calls.append("shuffle")
        super()._shuffle_data()


def calls(epochs=1, **options):
    it = Told(nd.arange(5), nd.arange(5) * 10, **options)
    for _ in range(epochs):
        list(it)
        it.reset()
    return it.calls


def both(*steps):
    return [["data"], *steps, ["softmax_label"], *steps]


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("end", ["pad", "discard", "roll_over"])
def test_a_subclass_reads_the_rows_of_a_batch(shuffle, end):
    class Sevens(io.NDArrayIter):
        def _getdata(self, data_source, start=None, end=None):
            return [nd.array(x[1][start:end] * 0 + 7) for x in data_source]

    it = Sevens(nd.ones((4, 2)), batch_size=2, shuffle=shuffle, last_batch_handle=end)
    assert [batch.data[0].asnumpy().tolist() for batch in it] == [SEVENS, SEVENS]


def test_the_methods_are_called_as_in_mxnet():
    padded = [*both((0, 4)), *both((4, None), (None, 3), "concat")]
    assert calls(batch_size=4) == padded
    assert calls(batch_size=4, shuffle=True) == ["shuffle", *padded, "shuffle"]
    all_of_it = (0, None), (None, 5)
    assert calls(batch_size=13) == both(*all_of_it, "tile 1", (None, 3), "concat", "concat")
    assert calls(batch_size=15) == both(*all_of_it, "tile 2", "concat")
    assert calls(batch_size=4, last_batch_handle="discard") == [*both((0, 4)), *both((4, 5))]
    assert calls(2, batch_size=4, last_batch_handle="roll_over") == [
        *both((0, 4)),
        *both((4, 5)),
        *both((None, 3), "concat"),
        *both((3, 5)),
    ]


def test_the_labels_are_a_source_of_their_own():
    class Negated(io.NDArrayIter):
        def getlabel(self):
            return [-label for label in self._batchify(self.label)]

        def getdata(self):
            return self._batchify([(name, values * 2) for name, values in self.data])

    it = Negated(nd.arange(5), nd.arange(5), 4, last_batch_handle="roll_over")
    found = []
    for _ in range(2):
        for batch in it:
            found += [batch.data[0].asnumpy().tolist(), batch.label[0].asnumpy().tolist()]
        it.reset()
    assert found == [[0, 2, 4, 6], [0, -1, -2, -3], [8, 0, 2, 4], [4, 0, -1, -2]]


def test_what_rolls_over_is_kept_and_taken_once():
    it = io.NDArrayIter(nd.arange(5), nd.arange(5) * 10, 2, last_batch_handle="roll_over")
    list(it)
    assert [it._cache_data[0].asscalar(), it._cache_label[0].asscalar()] == [4, 40]
    it.reset()
    assert it.iter_next()
    assert it.getdata()[0].asnumpy().tolist() == [4, 0]
    assert it._cache_data is None
    with pytest.raises(AssertionError, match="next epoch should have cached data"):
        it.getdata()
    assert it.getlabel()[0].asnumpy().tolist() == [40, 0]
    list(it)
    it.hard_reset()
    assert it._cache_data is it._cache_label is None


def test_the_methods_join_and_repeat_arrays():
    it = io.NDArrayIter(nd.arange(5), None, 2)
    assert it._tile([nd.arange(2)], 3)[0].asnumpy().tolist() == [0, 1, 0, 1, 0, 1]
    assert it._tile([], 3) == it._concat([], []) == []
    assert it._concat([nd.arange(2)], [])[0].asnumpy().tolist() == [0, 1]
    assert it._getdata(it.data, 3)[0].asnumpy().tolist() == [3, 4]
    assert it._getdata(it.data, end=2)[0].asnumpy().tolist() == [0, 1]
    with pytest.raises(AssertionError, match="at least specify start or end"):
        it._getdata(it.data)


@pytest.mark.parametrize("dtype", ["int32", "uint8", "float64", "float16"])
def test_shuffled_arrays_are_float32(dtype):
    data = nd.ones((4, 2), dtype=dtype)
    for shuffle, wanted in ((False, onp.dtype(dtype)), (True, onp.float32)):
        it = io.NDArrayIter(data, data, 2, shuffle)
        batch = it.next()
        found = [*it.provide_data, *it.provide_label, *batch.data, *batch.label]
        assert [each.dtype for each in found] == [wanted] * 4


def test_shuffling_moves_data_and_labels_themselves():
    onp.random.seed(0)  # noqa: NPY002
    it = io.NDArrayIter(nd.arange(5), nd.arange(5) * 10, 4, shuffle=True)
    assert it.data[0][1].asnumpy().tolist() == [2, 0, 1, 3, 4]
    assert it.label[0][1].asnumpy().tolist() == [20, 0, 10, 30, 40]
    assert it.data_list[0] is it.data[0][1]
    it.reset()
    assert it.data[0][1].asnumpy().tolist() == [1, 0, 2, 4, 3]


def test_batches_of_csr_arrays_are_dense():
    x = nd.array([[0, 1], [2, 0], [0, 3]]).tostype("csr")
    for shuffle in (False, True):
        it = io.NDArrayIter(x, None, 2, shuffle, last_batch_handle="discard")
        assert it.data[0][1].stype == "csr"
        batch = it.next()
        assert batch.data[0].stype == "default"
        assert (batch.data[0].asnumpy() == it.data[0][1].asnumpy()[:2]).all()


def test_a_place_in_a_shuffled_order_is_found_again():
    it = io.NDArrayIter(nd.arange(6), nd.arange(6), 2, shuffle=True)
    it.reset()
    it.next()
    state, rest = it.get_state(), [batch.data[0].asnumpy().tolist() for batch in it]
    again = io.NDArrayIter(nd.arange(6), nd.arange(6), 2, shuffle=True)
    again.set_state(state)
    assert [batch.data[0].asnumpy().tolist() for batch in again] == rest


def test_functions_of_named_arrays_are_where_mxnet_has_them():
    named = io.utils._init_data([nd.arange(3)], False, "data")
    assert mx.io._has_instance(named, nd.NDArray)
    assert not mx.io.io._has_instance(named, nd.sparse.CSRNDArray)
    ((name, values),) = mx.io._getdata_by_idx(named, onp.array([2, 0, 1]))
    assert (name, values.asnumpy().tolist()) == ("data", [2, 0, 1])
    part = io.utils._slice_along_batch_axis(values, slice(1, 3), 0)
    assert part.asnumpy().tolist() == [0, 1]
