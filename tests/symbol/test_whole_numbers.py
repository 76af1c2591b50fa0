"""Graphs say of numbers whether they are whole, as MXNet 1.9.1 writes them."""

from __future__ import annotations

import json

import numpy as onp
import pytest

from gluonish import sym

NUMBERS = [(3, True), (onp.int64(3), True), (onp.int32(3), True), (onp.int8(3), False),
           (onp.bool_(True), False), (3.0, False), (onp.float32(3), False)]  # fmt: skip


@pytest.mark.parametrize(("number", "is_whole"), NUMBERS)
def test_whole_numbers_of_numpy_are_told_in_graphs(number: object, is_whole: bool) -> None:
    x = sym.var("x").as_np_ndarray()
    for made in (sym.np.add(x, number), sym.np.ldexp(x, number), sym.np.maximum(x, number)):
        assert json.loads(made.tojson())["nodes"][-1]["attrs"]["is_int"] == str(is_whole)
    turned = json.loads(sym.np.add(number, x).tojson())["nodes"][-1]["attrs"]
    assert turned["is_int"] == "False"
