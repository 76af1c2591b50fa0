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
    with pytest.raises(InvalidArgumentError, match="stype='csr' was given"):
        test_utils.rand_ndarray((2,), "csr")


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
