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


def test_angles_of_integers_are_multiplied_in_float32():
    x = nd.array([9506189, -123], dtype="int64")
    assert nd.degrees(x).asnumpy().tolist() == [544664448, -7047]
    assert nd.radians(x).asnumpy().tolist() == [165914, -2]


def test_angles_of_float64_are_multiplied_by_numbers_of_float32():
    x = nd.array([77.0, -123.0], dtype="float64")
    assert nd.degrees(x).asnumpy().tolist() == pytest.approx(
        [4411.7747802734375, -7047.3804931640625]
    )
    assert nd.radians(x).asnumpy().tolist() == pytest.approx(
        [1.3439035136252642, -2.146754963323474]
    )
