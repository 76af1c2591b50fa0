"""Evenly spaced numbers: bit by bit those of MXNet."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "given", [(-8.0, 8.0, 0.1), (0, 1, 0.01), (-2, 3, 0.01), (1.0, 0.1, -0.07), (0.5, 9, 1)]
)
def test_arange_multiplies_and_adds_in_its_dtype(dtype, given):
    start, _, step = given
    found = mx.nd.arange(*given, dtype=dtype).asnumpy()
    places = onp.arange(len(found), dtype=dtype)
    expected = places * onp.dtype(dtype).type(step) + onp.dtype(dtype).type(start)
    assert (found == expected).all()
    assert (found == mx.np.arange(*given, dtype=dtype).asnumpy()).all()


def test_arange_meets_zero_where_mxnets_does():
    numbers = mx.nd.arange(-8.0, 8.0, 0.1)
    assert numbers[80].asscalar() == 0
    assert mx.nd.arange(-8.0, 8.0, 0.1, repeat=2)[160:162].asnumpy().tolist() == [0, 0]
    assert mx.sym.arange(-8.0, 8.0, 0.1).eval()[0][80].asscalar() == 0
