"""`np.where` of arrays without axes and numbers."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import np


@pytest.mark.parametrize("dtype", ["float64", "float16", "int32"])
def test_where_beside_a_number_keeps_the_dtype_of_an_array_without_axes(dtype):
    x = np.array(3, dtype=dtype)
    assert np.where(np.array([1, 0]), x, 2).dtype == onp.dtype(dtype)
    assert np.where(np.array([1, 0]), 2, x).dtype == onp.dtype(dtype)


def test_where_beside_a_number_passes_gradients_to_an_array_without_axes():
    x = np.array(3.0)
    x.attach_grad()
    with mx.autograd.record():
        y = np.where(np.array([1, 1, 0]), x, 2)
    y.backward()
    assert float(x.grad) == 2
