"""Iterators: golden programs, and what a batch is."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as onp
import pytest
from iter_programs import PROGRAMS, X, Y, epochs

import gluonish as mx
from gluonish import io, nd

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "io.json").read_text())["results"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_give_what_mxnets_iterators_give(name, tmp_path):
    assert json.loads(json.dumps(PROGRAMS[name](mx, tmp_path))) == GOLDEN[name]


def test_a_description_is_a_pair_that_knows_more():
    desc = io.DataDesc("data", (3, 4), "float16", "TN")
    name, shape = desc
    assert (name, shape, desc.dtype, desc.layout) == ("data", (3, 4), "float16", "TN")
    assert desc == ("data", (3, 4))
    assert repr(io.DataDesc("d", (3,))) == "DataDesc[d,(3,),<class 'numpy.float32'>,NCHW]"
    again = pickle.loads(pickle.dumps(desc))
    assert (again, again.dtype, again.layout) == (desc, "float16", "TN")
    assert [io.DataDesc.get_batch_axis(layout) for layout in ("TN", "NCHW", None, "CHW")] == [
        1, 0, 0, -1,
    ]  # fmt: skip
    plain, typed = (
        io.DataDesc.get_list([("a", (1, 2))], types)[0] for types in (None, [("a", onp.int32)])
    )
    assert (plain.dtype, typed.dtype) == (onp.float32, onp.int32)
    assert mx.io.io.DataDesc is io.DataDesc


def test_a_batch_shows_its_shapes():
    assert str(io.DataBatch([nd.ones((2,))])) == "DataBatch: data shapes: [(2,)] label shapes: None"
    batch = io.DataBatch([nd.ones((2,))], [nd.ones((2, 3))], 1, [4, 5], 7, [("a", (2,))])
    assert str(batch) == "DataBatch: data shapes: [(2,)] label shapes: [(2, 3)]"
    assert (batch.pad, batch.index, batch.bucket_key) == (1, [4, 5], 7)
    assert (batch.provide_data, batch.provide_label) == ([("a", (2,))], None)
    for given in ((nd.ones((2,)),), ([], nd.ones((2,)))):
        with pytest.raises(AssertionError, match="must be list of NDArrays"):
            io.DataBatch(*given)


def test_an_iterator_of_ones_own_says_what_it_lacks():
    with pytest.raises(NotImplementedError, match=r"DataIter: it has no next\(\) or iter_next"):
        next(io.DataIter(3))

    class Half(io.DataIter):
        def iter_next(self):
            return True

    with pytest.raises(mx.MXNetError, match=r"Half: it has no getdata\(\)"):
        next(Half(3))
    half = Half(3)
    assert (half.getlabel(), half.getindex(), half.getpad(), half.batch_size) == (None, None, 0, 3)
    assert half.reset() is None


def test_batches_are_copies():
    x = nd.array(X)
    batch = next(io.NDArrayIter(x, None, 4))
    batch.data[0][:] = 9
    assert x[0].asnumpy().tolist() == [0, 1]


def test_arrays_keep_their_class_and_context():
    x = mx.np.ones((4, 2), ctx=mx.cpu(1))
    for shuffle in (False, True):
        found = next(io.NDArrayIter(x, None, 2, shuffle)).data[0]
        assert type(found) is mx.np.ndarray
        assert found.context == mx.cpu(1)


def test_samples_are_where_the_layout_says():
    x = nd.array(onp.arange(30).reshape(3, 10))
    it = io.NDArrayIter(x, nd.array(Y), 4, layout="TN")
    assert it.provide_data[0].shape == (3, 4)
    assert it.provide_data[0].layout == "TN"
    found = [(batch.data[0].asnumpy(), batch.label[0].asnumpy(), batch.pad) for batch in it]
    assert [pad for *_, pad in found] == [0, 0, 2]
    for data, label, _ in found:
        assert (data == x.asnumpy()[:, label.astype(int)]).all()


class _Dataset:
    """What stands for h5py's dataset: rows are read in ascending order only."""

    def __init__(self, values):
        self.values = values
        self.shape, self.dtype = values.shape, values.dtype

    def __getitem__(self, key):
        if not isinstance(key, slice):
            assert (onp.diff(key) > 0).all()
        return self.values[key]


_Dataset.__module__ = "h5py._hl.dataset"


@pytest.mark.parametrize("end", ["pad", "roll_over"])
@pytest.mark.parametrize("shuffle", [False, True])
def test_datasets_in_files_are_read_as_arrays_are(end, shuffle):
    seen = []
    for data in (_Dataset(X.astype("float32")), X):
        onp.random.seed(1)  # noqa: NPY002
        seen.append(epochs(io.NDArrayIter(data, Y, 4, shuffle, last_batch_handle=end)))
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"data": "abc"}, TypeError, "Input must be NDArray, numpy.ndarray, h5py.Dataset"),
        ({"data": {"a": "s"}}, TypeError, "'a' is of type str"),
        (
            {"data": mx.nd.sparse.zeros("row_sparse", (3, 4))},
            TypeError,
            "Expected a dense array or a CSRNDArray",
        ),
        ({"data": []}, AssertionError, "no data was given"),
        ({"data": None}, AssertionError, "no data was given"),
        ({"data": [1, 2]}, ValueError, "'_0_data' has no axes"),
        ({"data": X, "label": Y[:9]}, ValueError, "10 of 'data', 9 of 'softmax_label'"),
        ({"data": X[:0]}, ValueError, "Expected samples in each. Give some"),
        ({"data": X, "batch_size": 0}, mx.MXNetError, "batch_size=0"),
        ({"data": X, "last_batch_handle": "foo"}, ValueError, "'pad', 'discard', 'roll_over'"),
    ],
)
def test_what_can_not_be_cut_into_batches_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        io.NDArrayIter(**arguments)


def test_there_is_no_batch_before_the_first_and_after_the_last():
    it = io.NDArrayIter(X, Y, 5)
    with pytest.raises(AssertionError, match="DataIter has not begun"):
        it.getdata()
    assert len(list(it)) == 2
    with pytest.raises(AssertionError, match="DataIter needs reset"):
        it.getlabel()
    with pytest.raises(StopIteration):
        it.next()
    with pytest.raises(mx.MXNetError, match="no present batch"):
        io.ResizeIter(it, 3).getdata()


def test_a_resized_iterator_passes_batches_on():
    it = io.NDArrayIter(X, Y, 4)
    it.default_bucket_key = 7
    resized = io.ResizeIter(it, 3)
    for _ in range(3):
        assert resized.iter_next()
    assert not resized.iter_next()
    assert resized.getdata()[0].shape == (4, 2)
    assert resized.getlabel()[0].asnumpy().tolist() == [8, 9, 0, 1]
    assert (resized.getpad(), resized.getindex()) == (2, None)
    assert (resized.default_bucket_key, resized.batch_size) == (7, 4)


def test_iterators_that_do_not_match_are_not_joined():
    def joined(*its):
        return list(io.PrefetchingIter(list(its)))

    with pytest.raises(AssertionError, match="Number of entry mismatches between iterators"):
        joined(io.NDArrayIter(X, Y, 4), io.NDArrayIter(X[:4], Y[:4], 4))
    with pytest.raises(AssertionError, match=r"padded by \[0, 3\]"):
        joined(io.NDArrayIter(X[:4], Y[:4], 4), io.NDArrayIter(X[:1], Y[:1], 4))
    with pytest.raises(AssertionError, match="no iterator was given"):
        joined()


def test_errors_of_a_thread_reach_the_program():
    class Broken(io.NDArrayIter):
        def next(self):
            msg = "broken"
            raise OSError(msg)

    with pytest.raises(OSError, match="broken"):
        next(io.PrefetchingIter(Broken(X, Y, 4)))


def test_batches_are_made_ahead():
    class Counted(io.NDArrayIter):
        made = 0

        def next(self):
            self.made += 1
            return super().next()

    source = Counted(X, Y, 4)
    ahead = io.PrefetchingIter(source)
    first = next(ahead)
    ahead._coming[0].result()
    assert source.made == 2
    assert first.label[0].asnumpy().tolist() == [0, 1, 2, 3]
    assert ahead.getdata()[0].shape == (4, 2)
    assert ahead.getlabel()[0].asnumpy().tolist() == [0, 1, 2, 3]
    assert (ahead.getpad(), ahead.getindex()) == (0, None)
    ahead.reset()
    assert next(ahead).label[0].asnumpy().tolist() == [0, 1, 2, 3]


def test_a_subclass_gives_the_batches_of_its_own_methods():
    class Own(mx.io.NDArrayIter):
        def getdata(self):
            return [data * 2 for data in super().getdata()]

        def getlabel(self):
            return [label + 1 for label in super().getlabel()]

    batches = list(Own(mx.nd.arange(6).reshape((3, 2)), mx.nd.arange(3), batch_size=2))
    assert [batch.data[0].asnumpy().tolist() for batch in batches] == [
        [[0.0, 2.0], [4.0, 6.0]],
        [[8.0, 10.0], [0.0, 2.0]],
    ]
    assert [batch.label[0].asnumpy().tolist() for batch in batches] == [[1.0, 2.0], [3.0, 1.0]]


def test_a_loop_over_an_iterator_at_its_end_says_so():
    batches = io.NDArrayIter(onp.ones((5, 2)), batch_size=2)
    assert len(list(batches)) == 3
    with pytest.warns(UserWarning, match=r"at its end.*reset\(\)"):
        assert list(batches) == []
    batches.reset()
    next(batches)
    assert len(list(batches)) == 2  # which goes on
