"""What MXNet's own tests ask of sparse arrays, with the answers of MXNet 1.9.1."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd


def csr(dtype="float32"):
    return nd.array([[1, 0], [0, 2]], dtype=dtype).tostype("csr")


def test_array_takes_scipys_matrices():
    scipy = pytest.importorskip("scipy.sparse")
    found = nd.array(scipy.csr_matrix(onp.eye(2)))
    assert (type(found).__name__, found.stype, found.dtype) == ("CSRNDArray", "csr", onp.float64)
    assert nd.array(scipy.csr_matrix(onp.eye(2)), dtype="float32").dtype == onp.float32


def test_a_quotient_by_the_function_of_equal_shapes_is_dense():
    other = nd.array([[1, 2], [3, 4]])
    assert nd.sparse.elemwise_div(csr(), other).stype == "default"
    assert (csr() / other).stype == "csr"


def test_numbers_are_added_to_what_is_stored_alone():
    found = nd._internal._scatter_plus_scalar(csr(), 9)
    assert (found.stype, found.asnumpy().tolist()) == ("csr", [[10, 0], [0, 11]])
    found = nd._internal._scatter_minus_scalar(csr(), 9)
    assert (found.stype, found.asnumpy().tolist()) == ("csr", [[-8, 0], [0, -7]])


@pytest.mark.parametrize("name", ["sgd", "nag", "sgld"])
@pytest.mark.parametrize("multi_precision", [False, True])
def test_sparse_weights_are_updated(name, multi_precision):
    mx.random.seed(1)
    options = {"learning_rate": 0.1, "multi_precision": multi_precision}
    optimizer = mx.optimizer.create(name, **options)
    weight = nd.ones((3, 2)).tostype("row_sparse")
    gradient = nd.ones((3, 2)).tostype("row_sparse")
    state = optimizer.create_state_multi_precision(0, weight)
    optimizer.update_multi_precision(0, weight, gradient, state)
    expected = [0.73571, 0.98186] if name == "sgld" else [0.9, 0.9]
    assert weight.stype == "row_sparse"
    onp.testing.assert_allclose(weight.asnumpy()[0], expected, rtol=1e-4)
