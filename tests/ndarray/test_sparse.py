"""Sparse arrays: how they are made, read, written, copied, printed and refused."""

from __future__ import annotations

import copy
import pathlib
import pickle
import sys

import numpy as onp
import pytest
import scipy.sparse
from closeness import assert_close

import gluonish as mx
from gluonish import nd
from gluonish.errors import (
    DTypeError,
    FileFormatError,
    InvalidArgumentError,
    InvalidIndexError,
    MissingExtraError,
    RefusedArgumentError,
    ShapeError,
    SparseStorageError,
)

DENSE = onp.array([[0, 2, 0], [0, 0, 0], [3, 0, 1]], "float32")
GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "mxnet" / "containers"


def csr():
    return nd.array(DENSE).tostype("csr")


def rows():
    return nd.array(DENSE).tostype("row_sparse")


@pytest.mark.parametrize("make", [csr, rows])
def test_copies_have_memory_of_their_own(make):
    array = make()
    for other in (
        array.copy(),
        copy.copy(array),
        copy.deepcopy(array),
        pickle.loads(pickle.dumps(array)),
        array.astype("float32"),
        array.copyto(mx.cpu(1)),
    ):
        other.data[:] = 7
        assert type(other) is type(array)
    assert array.asnumpy().tolist() == DENSE.tolist()
    assert array.astype("float32", copy=False) is array
    assert array.as_in_context(mx.cpu(0)) is array


def test_arrays_tell_what_they_are():
    array = csr()
    assert (array.stype, array.shape, array.ndim, array.size, len(array)) == (
        "csr",
        (3, 3),
        2,
        9,
        3,
    )
    assert array.indices.dtype is array.indptr.dtype is onp.int64
    assert repr(array) == "\n<CSRNDArray 3x3 @cpu(0)>"
    assert repr(rows().copyto(mx.cpu(2))) == "\n<RowSparseNDArray 3x3 @cpu(2)>"
    assert nd.array([[5]]).tostype("csr").asscalar() == 5
    assert float(nd.array([[5]]).tostype("row_sparse")) == 5
    assert not nd.sparse.zeros("csr", (1, 1))
    assert array.tolist() == DENSE.tolist()
    assert array.T.asnumpy().tolist() == DENSE.T.tolist()
    assert [row.shape for row in array] == [(1, 3)] * 3
    assert onp.asarray(array).tolist() == DENSE.tolist()


def test_parts_of_scipys_matrices_and_back():
    matrix = scipy.sparse.coo_matrix(DENSE)
    for source in (matrix, matrix.tocsr(), matrix.tocsc()):
        assert nd.sparse.csr_matrix(source).asnumpy().tolist() == DENSE.tolist()
        assert nd.sparse.array(source, dtype="float64").dtype is onp.float64
    assert (csr().asscipy() != matrix.tocsr()).nnz == 0


def test_elements_of_one_place_are_added_up():
    array = nd.sparse.csr_matrix(([1, 2, 4], ([0, 1, 0], [1, 0, 1])), shape=(2, 3))
    assert array.asnumpy().tolist() == [[0, 5, 0], [2, 0, 0]]
    assert nd.sparse.csr_matrix(([1], ([2], [0]))).shape == (3, 1)


def test_indices_may_be_in_any_order():
    array = nd.sparse.csr_matrix(([1, 2, 3], [2, 0, 1], [0, 2, 3]), shape=(2, 3))
    assert array.asnumpy().tolist() == [[2, 0, 1], [0, 3, 0]]
    assert nd.dot(array, nd.ones((3, 1))).asnumpy().tolist() == [[3], [3]]
    array.check_format(full_check=False)
    with pytest.raises(InvalidIndexError, match="index 0 stands after 2. Expected ascending"):
        array.check_format()


def test_all_of_an_array_is_assigned():
    array = rows()
    array[:] = 2
    assert array.asnumpy().tolist() == [[2] * 3] * 3
    array[:] = onp.eye(3)
    assert array.indices.asnumpy().tolist() == [0, 1, 2]
    array[:] = rows()
    assert array.indices.asnumpy().tolist() == [0, 2]
    dense = nd.zeros((3, 3))
    dense[:] = csr()
    dense[1:] += rows().tostype("default")[1:]
    assert dense.asnumpy().tolist() == [[0, 2, 0], [0, 0, 0], [6, 0, 2]]
    nd.ones((3, 3)).copyto(array)
    assert array.asnumpy().tolist() == [[1] * 3] * 3


def test_results_are_written_into_sparse_arrays():
    out = csr()
    assert nd.elemwise_mul(csr(), csr(), out=out) is out
    assert out.asnumpy().tolist() == (DENSE * DENSE).tolist()
    dense = nd.zeros((3, 3))
    nd.sqrt(rows(), out=dense)
    assert_close(dense.asnumpy(), onp.sqrt(DENSE))
    nd.broadcast_add(nd.ones((3, 3)), nd.ones((3, 3)), out=out)
    assert out.asnumpy().tolist() == [[2] * 3] * 3


@pytest.mark.parametrize("dtype", ["float16", "float64", "int8", "int64", "uint8", "uint16"])
@pytest.mark.parametrize("stype", ["csr", "row_sparse"])
def test_all_dtypes_are_stored(dtype, stype):
    array = nd.array(DENSE, dtype=dtype).tostype(stype)
    assert array.asnumpy().dtype == dtype
    assert array.asnumpy().tolist() == DENSE.tolist()


def test_arrays_without_elements():
    for array in (nd.zeros((0, 3)).tostype("csr"), nd.zeros((0, 3)).tostype("row_sparse")):
        assert array.shape == (0, 3)
        assert array.asnumpy().shape == (0, 3)
    assert (
        nd.dot(nd.sparse.zeros("csr", (2, 3)), nd.ones((3, 2))).asnumpy().tolist() == [[0] * 2] * 2
    )


@pytest.mark.parametrize(
    ("name", "stypes"),
    [
        ("v2_row_sparse", {"row_sparse"}),
        ("v2_row_sparse_stale", {"row_sparse"}),
        ("v2_csr", {"csr"}),
        ("v2_mixed", {"default", "row_sparse", "csr"}),
    ],
)
def test_files_of_mxnet_are_read_and_written_byte_for_byte(name, stypes, tmp_path):
    arrays = nd.load(GOLDEN / f"{name}.params")
    wanted = onp.load(GOLDEN / f"{name.removesuffix('_stale')}.npz")
    assert {array.stype for array in arrays.values()} == stypes
    for key, array in arrays.items():
        expected = wanted[f"{key}_dense"] if f"{key}_dense" in wanted else wanted[key]
        onp.testing.assert_array_equal(array.asnumpy(), expected)
    nd.save(tmp_path / "x", arrays)
    if name != "v2_row_sparse_stale":  # its records say wrong what is stored
        assert (tmp_path / "x").read_bytes() == (GOLDEN / f"{name}.params").read_bytes()
    again = nd.load_frombuffer((tmp_path / "x").read_bytes())
    assert {key: array.stype for key, array in again.items()} == {
        key: array.stype for key, array in arrays.items()
    }
    nd.save(tmp_path / "x.safetensors", arrays)
    dense = nd.load(tmp_path / "x.safetensors")
    for key, array in arrays.items():
        onp.testing.assert_array_equal(dense[key].asnumpy(), array.asnumpy())


def test_large_sparse_arrays_need_no_dense_memory(tmp_path):
    huge = nd.sparse.row_sparse_array(([[1] * 1000], [3]), shape=(10**9, 1000))
    nd.save(tmp_path / "x", [huge])
    (found,) = nd.load(tmp_path / "x")
    assert found.shape == (10**9, 1000)
    assert (found * 2 + found).data.asnumpy().tolist() == [[3] * 1000]
    with pytest.raises(FileFormatError, match=r"would take 4000000000000 bytes of dense"):
        mx.npx.load(tmp_path / "x")


def test_parameters_take_sparse_values(tmp_path):
    net = mx.gluon.nn.Dense(3, in_units=3, use_bias=False)
    net.initialize()
    nd.save(tmp_path / "x", {"weight": csr()})
    net.load_parameters(tmp_path / "x")
    assert net.weight.data().asnumpy().tolist() == DENSE.tolist()
    net.weight.set_data(rows() * 2)
    assert net.weight.data().asnumpy().tolist() == (DENSE * 2).tolist()
    net.collect_params().load_dict({net.weight.name: rows()})
    assert net.weight.data().asnumpy().tolist() == DENSE.tolist()


REFUSED = [
    (lambda: csr()[0, 1], InvalidArgumentError, "Multi-dimension indexing is not supported"),
    (lambda: csr()[::2], InvalidArgumentError, "only supports continuous slicing on axis 0"),
    (lambda: csr()[5], InvalidIndexError, r"x\[5\] of 3 rows was asked for"),
    (lambda: csr()[2:2], InvalidIndexError, "is empty"),
    (lambda: csr()["a"], InvalidArgumentError, "Expected a number or a slice"),
    (lambda: rows()[0], InvalidIndexError, r"only supports \[:\] for __getitem__"),
    (lambda: csr().__setitem__(0, 1), InvalidIndexError, r"Expected x\[:\] = \.\.\."),
    (lambda: csr().tostype("row_sparse"), ValueError, "from csr to row_sparse is not supported"),
    (lambda: csr().tostype("x"), ValueError, "from csr to x is not known"),
    (lambda: nd.ones((2,)).tostype("csr"), ValueError, "should be 2 Dimensional"),
    (lambda: nd.ones((2, 2)).tostype("x"), ValueError, "unknown storage type: 'x'"),
    (lambda: nd.sparse.zeros("x", (2, 2)), ValueError, "unknown storage type: 'x'"),
    (lambda: mx.np.ones(()).tostype("row_sparse"), ValueError, "an array without axes"),
    (lambda: nd.cast_storage(csr(), "row_sparse"), ValueError, "is not supported"),
    (lambda: csr().copyto(rows()), TypeError, "does not support destination NDArray stype row_sp"),
    (lambda: csr().copyto(3), TypeError, "does not support destination NDArray int"),
    (lambda: csr().copyto(nd.zeros((1, 3))), ShapeError, "Expected the same shape"),
    (lambda: csr().tensor, SparseStorageError, "Expected storage type 'default'"),
    (lambda: csr().__dlpack__(), InvalidArgumentError, "DLPack: a CSRNDArray was to be shared"),
    (lambda: csr().__array__(copy=False), ValueError, "Leave copy=False out"),
    (lambda: csr().attach_grad("x"), InvalidArgumentError, "Expected 'write', 'add' or 'null'"),
    (lambda: csr().astype("int8").attach_grad(), DTypeError, "has no gradient"),
    (lambda: nd.sparse.CSRNDArray(nd.ones((2, 2))), DTypeError, "Make others with mx.nd.sparse"),
    (lambda: nd.sparse.csr_matrix((1, 2, 3, 4)), ValueError, "Unexpected length of input tuple"),
    (lambda: nd.sparse.csr_matrix(rows()), ValueError, "Unexpected input type: RowSparseNDArray"),
    (lambda: nd.sparse.csr_matrix(DENSE, shape=(2, 3)), ShapeError, "Leave shape out"),
    (lambda: nd.sparse.csr_matrix(([], [], [])), ValueError, "indptr is empty: invalid shape"),
    (lambda: nd.sparse.csr_matrix(([], [], [0])), ValueError, "there is no index, and no shape"),
    (lambda: nd.sparse.csr_matrix(([1], ([0], [1, 2]))), ShapeError, "Pass lists of one length"),
    (
        lambda: nd.sparse.csr_matrix(([1], ([0], [3])), shape=(1, 3)),
        InvalidIndexError,
        "column index 3 is outside of it. Expected 0 to 2",
    ),
    (
        lambda: nd.sparse.csr_matrix(([1], [3], [0, 1]), shape=(1, 3)),
        InvalidIndexError,
        "column index 3 is outside of the array. Expected 0 to 2",
    ),
    (
        lambda: nd.sparse.csr_matrix(([1, 2], [1, 1], [0, 2]), shape=(1, 3)),
        InvalidIndexError,
        "a column occurs twice in one row",
    ),
    (
        lambda: nd.sparse.csr_matrix(([1], [1], [0, 1]), shape=(2, 3)),
        InvalidIndexError,
        "indptr has 2 entries. Expected 3 for 2 rows",
    ),
    (lambda: nd.sparse.csr_matrix((["a"], [0], [0, 1])), DTypeError, "Expected numbers"),
    (lambda: nd.sparse.csr_matrix(([1], ["a"], [0, 1])), DTypeError, "Expected numbers"),
    (lambda: nd.sparse.row_sparse_array(csr()), ValueError, "Unexpected input type: CSRNDArray"),
    (lambda: nd.sparse.row_sparse_array(([1],)), ValueError, "Unexpected length of input tuple"),
    (
        lambda: nd.sparse.row_sparse_array(([[1], [2]], [0, 0]), shape=(2, 1)),
        InvalidIndexError,
        "a row index occurs twice",
    ),
    (
        lambda: nd.sparse.row_sparse_array(([[1, 2]], [0]), shape=(2, 1)),
        InvalidIndexError,
        r"the data have shape \(1, 2\). Expected \(1, 1\)",
    ),
    (lambda: nd.sparse.array(nd.ones((2,))), RefusedArgumentError, "Please use `tostype`"),
    (lambda: nd.sparse.array([[1]]), ValueError, "Unexpected source_array type: list"),
    (lambda: nd.sparse.zeros("csr", (2, 2), x=1), TypeError, r"\['x'\] was given"),
    (lambda: nd.sparse.retain(csr(), nd.ones((1,))), TypeError, "CSRNDArray was given"),
    (lambda: rows().retain(nd.array([7])), InvalidArgumentError, "Expected 0 to 2"),
    (lambda: nd.dot(csr(), nd.ones((2, 2))), ShapeError, "no transpose fits"),
    (lambda: nd.dot(nd.ones((2, 2)), csr()), ShapeError, "no transpose fits"),
    (lambda: nd.dot(csr(), csr(), forward_stype="x"), ValueError, "Leave forward_stype out"),
    (lambda: csr() + "a", TypeError, "Expected two arrays"),
    (lambda: nd.sqrt(csr(), out=nd.zeros((1, 3))), ShapeError, "out has shape"),
    (lambda: nd.sqrt(csr(), out=[csr(), csr()]), ShapeError, "2 arrays were given as out for 1"),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_what_can_not_be_is_refused(call, error, message):
    with pytest.raises(mx.MXNetError, match=message) as caught:
        call()
    assert isinstance(caught.value, error)


def test_parts_are_checked_when_they_were_changed():
    array = csr()
    array._parts.indices[0] = 9
    with pytest.raises(InvalidIndexError, match="check_format: .*column index 9"):
        array.check_format()
    array.check_format(full_check=False)


def test_scipy_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(MissingExtraError, match=r'pip install "gluonish\[sparse\]"'):
        csr().asscipy()


def test_metrics_and_blocks_take_sparse_arrays():
    metric = mx.metric.MSE()
    metric.update([nd.array(DENSE)], [csr() * 2])
    assert metric.get()[1] == pytest.approx(14 / 9)

    class Product(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x, y):
            return F.sparse.dot(x, y)

    net = Product()
    net.hybridize()
    y = nd.ones((3, 1))
    for x in (csr(), nd.array(DENSE), csr()):
        assert net(x, y).asnumpy().tolist() == [[2], [0], [4]]


def test_a_dense_array_as_a_dense_one_is_a_copy():
    x = mx.nd.ones((2, 2))
    y = x.tostype("default")
    y[:] = 5
    assert x.asnumpy().tolist() == [[1, 1], [1, 1]]
    x.attach_grad()
    with mx.autograd.record():
        (x.tostype("default") * 3).sum().backward()
    assert x.grad.asnumpy().tolist() == [[3, 3], [3, 3]]
