"""`np.isclose` with tolerances that no distance is within."""

from __future__ import annotations

import numpy as onp
import pytest

from gluonish import np

INF, NAN = onp.inf, onp.nan


# What the real MXNet answers with NumPy 1.23; of NumPy 2 equal numbers are close whatever atol is.
@pytest.mark.parametrize(
    ("tolerances", "expected"),
    [
        ({"atol": -2.5}, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
        ({"rtol": INF}, [1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0]),
        ({"atol": -1, "equal_nan": True}, [0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]),
    ],
)
def test_isclose_of_odd_tolerances_tells_infinities_apart(tolerances, expected):
    a = np.array([1, 1, 1, INF, INF, NAN, 0, -0.5, 1e4, NAN, -INF])
    b = np.array([1, INF, NAN, INF, -INF, NAN, 0, 1, 1e4, INF, 1])
    assert np.isclose(a, b, **tolerances).astype("int32").asnumpy().tolist() == expected
