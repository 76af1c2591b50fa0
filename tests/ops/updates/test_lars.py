"""Operators of LARS beside updates, beside the real MXNet 1.9.1."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp
import pytest
from closeness import assert_close

from gluonish import nd

GOLDEN = Path(__file__).parents[2] / "golden"
SETTINGS = json.loads((GOLDEN / "update_lists.json").read_text())


@pytest.mark.parametrize("number", range(len(SETTINGS["lars"])))
def test_rates_of_lars_equal_mxnets(number):
    squares = nd.multi_sum_sq(nd.array([[1, 2]]), nd.array([3]), nd.zeros((2,)), num_arrays=3)
    rates, decays = nd.array([0.1, 0.2, 0.3]), nd.array([0.0, 0.1, 0.2])
    others = nd.array([2.0, 0.0, 1.0])
    found = nd.multi_lars(rates, squares, others, decays, **SETTINGS["lars"][number])
    golden = onp.load(GOLDEN / "update_lists.npz")[f"multi_lars/{number}"]
    assert_close(found, golden)


def test_arrays_are_reset_in_place():
    arrays = [nd.ones((2,)), nd.ones((1, 3))]
    assert nd.reset_arrays(*arrays, num_arrays=2) == []
    assert [one.asnumpy().any() for one in arrays] == [False, False]
