"""The comparisons and random arrays of test_utils."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import test_utils
from gluonish.errors import DifferentArraysError, InvalidArgumentError


def test_arrays_of_all_kinds_are_compared() -> None:
    test_utils.assert_almost_equal(mx.nd.ones((2,)), onp.ones(2))
    assert test_utils.same(mx.np.ones(2), [1, 1])
    assert not test_utils.almost_equal(onp.ones(2), onp.ones(2) * 1.1)
    assert test_utils.almost_equal(onp.array([onp.nan]), onp.array([onp.nan]), equal_nan=True)
    assert not test_utils.almost_equal(onp.ones((1, 2)), onp.ones(2), use_broadcast=False)


def test_the_message_tells_where_arrays_differ() -> None:
    with pytest.raises(AssertionError, match=r"Items are not equal: error 9090.*\(1,\): x=1.0000"):
        test_utils.assert_almost_equal(onp.ones(2), onp.array([1, 1.1]), names=("x", "y"))
    with pytest.raises(DifferentArraysError, match="Shapes are not equal: a has"):
        test_utils.assert_almost_equal(onp.ones((1, 2)), onp.ones(2), use_broadcast=False)


def test_tolerances_are_those_of_the_coarser_dtype() -> None:
    single, double = onp.ones(1, dtype="float32"), onp.ones(1) + 1e-4
    test_utils.assert_almost_equal(single, double)
    assert not test_utils.almost_equal(onp.ones(1), double)


def test_random_arrays_have_the_shapes_asked_for() -> None:
    assert test_utils.rand_ndarray((2, 3), dtype="float64").dtype is onp.float64
    assert all(1 <= length <= 4 for length in test_utils.rand_shape_nd(5, 4))
    assert len(test_utils.rand_shape_3d()) == 3
    with pytest.raises(InvalidArgumentError, match="'csr' was asked for"):
        test_utils.rand_ndarray((2,), "csr")


def test_random_sparse_arrays_store_the_share_asked_for() -> None:
    rows = test_utils.rand_ndarray((1000, 2), "row_sparse", density=0.3, dtype="float64")
    assert rows.stype == "row_sparse"
    assert rows.dtype is onp.float64
    assert 200 < len(rows.indices) < 400
    elements = test_utils.rand_ndarray((50, 40), "csr", 0.5, modifier_func=lambda x: -x)
    assert 800 < len(elements.data) < 1200
    assert (elements.data.asnumpy() < 0).all()
    power = test_utils.rand_ndarray((5, 8), "csr", 1.0, distribution="powerlaw")
    assert onp.diff(power.indptr.asnumpy()).tolist() == [1, 2, 4, 8, 8]
    mixed = test_utils.rand_ndarray((4, 30), "csr", 1.0, shuffle_csr_indices=True)
    assert (onp.diff(mixed.indices.asnumpy()[:30]) < 0).any()
    with pytest.raises(InvalidArgumentError, match="Distribution not supported"):
        test_utils.rand_ndarray((2, 2), "csr", distribution="normal")


def test_random_sparse_arrays_come_with_their_parts() -> None:
    rows, (data, indices) = test_utils.rand_sparse_ndarray(
        (5, 2), "row_sparse", rsp_indices=[3, 1, 3], data_init=2, ctx=mx.cpu(1)
    )
    assert indices.tolist() == [1, 3]
    assert (data == 2).all()
    assert rows.context == mx.cpu(1)
    matrix, (starts, columns, values) = test_utils.rand_sparse_ndarray((5, 4), "csr", 0.5)
    again = mx.nd.sparse.csr_matrix((values, columns, starts), shape=(5, 4))
    test_utils.assert_almost_equal(matrix, again, rtol=0, atol=0)
    own = test_utils.rand_sparse_ndarray((5, 2), "row_sparse", rsp_indices=[0], modifier_func=abs)
    assert (own[1][0] > 0).all()


def test_expected_errors_have_to_come() -> None:
    with pytest.raises(DifferentArraysError, match=r"int did not raise\. Expected ValueError"):
        test_utils.assert_exception(int, ValueError, "1")


def test_environment_is_put_back() -> None:
    with test_utils.environment({"GLUONISH_TEST_VARIABLE": "1"}):
        assert mx.util.getenv("GLUONISH_TEST_VARIABLE") == "1"
    assert mx.util.getenv("GLUONISH_TEST_VARIABLE") is None
    with (
        pytest.raises(InvalidArgumentError, match="Expected a name and a value"),
        test_utils.environment("NAME"),
    ):
        pass
