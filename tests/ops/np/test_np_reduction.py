"""Reductions and matrices of `np` where MXNet's answer is not NumPy's first thought."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import np
from gluonish.errors import InvalidArgumentError


def test_extremes_of_nothing_are_refused_unless_nothing_is_asked_for():
    assert np.max(np.zeros((0, 0, 3, 0)), axis=-3).shape == (0, 3, 0)
    with pytest.raises(InvalidArgumentError, match="zero-size array"):
        np.max(np.zeros((0, 3)), axis=0)


def test_eye_is_float32_where_no_dtype_is_given():
    assert np.eye(2, dtype=None).dtype == "float32"


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("share", [0.5, [0.25, 0.5]])
def test_quantiles_along_an_axis_beside_one_of_length_0_are_empty(share, keepdims):
    found = np.quantile(np.zeros((0, 3)), np.array(share), axis=1, keepdims=keepdims)
    expected = onp.quantile(onp.zeros((0, 3)), share, axis=1, keepdims=keepdims)
    assert found.shape == expected.shape


def test_quantiles_of_nothing_are_refused():
    with pytest.raises(mx.MXNetError, match=r"np\.quantile: an array of shape \(3, 0\)"):
        np.quantile(np.zeros((3, 0)), 0.5, axis=1)


@pytest.mark.parametrize("shape", [(), [], ((),)])
def test_one_element_is_viewed_without_axes(shape):
    assert np.ones(1).reshape_view(*shape if isinstance(shape, tuple) else (shape,)).shape == ()


def test_positions_in_graphs_are_taken_by_calls_that_are_written_for_arrays():
    x, i = mx.sym.var("x").as_np_ndarray(), mx.sym.var("i").as_np_ndarray()
    assert mx.sym.np.take(x, i, out=None).infer_shape(x=(2, 3), i=(4,))[1] == [(4,)]
