"""Arithmetic of arrays of two dtypes, beside the real MXNet."""

from __future__ import annotations

import numpy as onp
import pytest

from gluonish import autograd, gluon, np

# What MXNet 1.9.1's `np` makes of an array with axes and one without, in either order.
CASES = [
    ("uint8", 3, "int32", 300, "int32", {"add": 303, "multiply": 900, "power": None}),
    ("int8", 2, "int64", 300, "int64", {"add": 302, "multiply": 600, "mod": None}),
    ("float16", 2, "float32", 0.1, "float32", {"add": 2.1, "true_divide": None}),
    ("float32", 2, "float64", 0.1, "float64", {"add": 2.1, "multiply": 0.2, "power": None}),
    ("int32", 2, "float32", 0.5, "float32", {"add": 2.5, "multiply": 1.0}),
]


@pytest.mark.parametrize("shape", [(), (1,), (2, 3)])
@pytest.mark.parametrize(("dtype", "number", "wider", "other", "expected", "values"), CASES)
def test_an_array_without_axes_counts_as_any_other(
    dtype, number, wider, other, expected, values, shape
):
    x = np.full(shape, number, dtype=dtype)
    y = np.array(other, dtype=wider)
    for name, value in values.items():
        for found in (getattr(np, name)(x, y), getattr(np, name)(y, x)):
            assert (found.dtype, found.shape) == (expected, shape)
            if value is not None:
                onp.testing.assert_allclose(found.asnumpy(), onp.full(shape, value), 1e-6)


def test_operators_of_python_promote_arrays_without_axes():
    x, y = np.array([0.5], dtype="float32"), np.array(0.1, dtype="float64")
    for found in (x + y, y + x, x - y, x * y, y * x, x / y, y**x, x % y):
        assert found.dtype == "float64"
    assert x.__rmul__(y).dtype == "float64"


def test_gradients_have_the_dtypes_of_their_arrays():
    x, y = np.array([0.5, 2], dtype="float16"), np.array(3, dtype="float32")
    x.attach_grad()
    y.attach_grad()
    with autograd.record():
        z = x * y
    z.backward()
    assert (x.grad.dtype, y.grad.dtype) == ("float16", "float32")
    assert (x.grad.tolist(), y.grad.item()) == ([3, 3], 2.5)


def test_hybridized_blocks_promote_alike():
    class Scale(gluon.HybridBlock):
        def hybrid_forward(self, F, x, y):
            return x * y + y

    net = Scale()
    net.hybridize()
    x, y = np.ones(2, dtype="float32"), np.array(0.1, dtype="float64")
    for _ in range(3):
        assert net(x, y).dtype == "float64"


def test_numbers_of_numpy_give_way_to_the_arrays_dtype():
    x = np.ones(2, dtype="float16")
    for number in (0.5, onp.float64(0.5), onp.array(0.5)):
        assert (x * number).dtype == "float16"
