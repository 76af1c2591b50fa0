"""Elementwise functions in half precision, beside the real MXNet."""

from __future__ import annotations

import numpy as onp
import pytest

from gluonish import autograd, nd

# What MXNet 1.9.1 gives for the gradient at these numbers.
CASES = [
    ("rcbrt", [1e-4, -1e-3, 8.0], [-onp.inf, -3332.0, -0.02083]),
    ("cbrt", [1e-4, -1e-3, 8.0], [154.8, 33.31, 0.0833]),
]


@pytest.mark.parametrize(("name", "numbers", "expected"), CASES)
def test_gradients_in_half_precision_are_rounded_once(name, numbers, expected):
    x = nd.array(numbers, dtype="float16")
    x.attach_grad()
    with autograd.record():
        y = getattr(nd, name)(x)
    y.backward()
    onp.testing.assert_allclose(x.grad.asnumpy(), onp.float16(expected), 1e-3)
