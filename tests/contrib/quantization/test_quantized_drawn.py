"""Quantized graphs that are drawn, or join arrays, beside those of the real MXNet."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish.contrib import quantization

GOLDEN = Path(__file__).parents[2] / "golden"
FOUND = json.loads((GOLDEN / "quantized_drawn.json").read_text())["found"]
sys.path.insert(0, str(GOLDEN))
PROGRAMS = importlib.import_module("quantized_programs")
NETS = {
    name: (seed, *net)
    for seed, (name, net) in enumerate(PROGRAMS.programs(mx).items())
    if name in FOUND
}


@pytest.mark.parametrize("name", NETS)
def test_graphs_are_quantized_to_mxnets_ranges_and_outputs(name):
    seed, symbol, way = NETS[name]
    found = PROGRAMS.run(mx, quantization, symbol, way, seed)
    expected = FOUND[name]
    assert found["ranges"].keys() == expected["ranges"].keys()
    for node, ends in expected["ranges"].items():
        assert found["ranges"][node] == pytest.approx(ends, rel=1e-4, abs=1e-6), node
    for output, right in zip(found["outputs"], expected["outputs"], strict=True):
        step = onp.abs(right).max() / 127  # and a little more where the largest output is cut
        assert onp.abs(onp.subtract(output, right)).max() <= 1.25 * step


def test_most_drawn_graphs_are_compared():
    assert sum(name.startswith("drawn") for name in NETS) > 40
    assert {f"joined: {name}" for name in PROGRAMS.joins(mx)} <= NETS.keys()
    assert "silent" in NETS
