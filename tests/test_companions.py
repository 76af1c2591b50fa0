"""Names that need packages beside MXNet, notebooks' charts and ONNX: MXNet's answers."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

import gluonish as mx

GOLDEN = Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))
PROGRAMS = importlib.import_module("companion_programs")
FOUND = json.loads((GOLDEN / "companions.json").read_text())["results"]
ONNX = ("imported", "exported")


def check(ours, theirs):
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        for name, value in theirs.items():
            check(ours[name], value)
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            check(mine, other)
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=1e-5, abs=1e-6)
    else:
        assert ours == theirs


@pytest.mark.parametrize("name", FOUND)
def test_answers_are_those_of_mxnet(name):
    if name.startswith(ONNX):
        pytest.importorskip("onnx")
        pytest.importorskip("onnxscript")
    check(PROGRAMS.run(mx, name), FOUND[name])
