"""What `mx.test_utils` accepts, refuses and draws, beside the real MXNet."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

import gluonish as mx

GOLDEN = Path(__file__).parents[1] / "golden"
sys.path.insert(0, str(GOLDEN))
PROGRAMS = importlib.import_module("checking_programs")
THEIRS = json.loads((GOLDEN / "checking.json").read_text("utf-8"))["programs"]


@pytest.mark.parametrize("name", PROGRAMS.PROGRAMS)
def test_calls_give_what_mxnets_give(name: str) -> None:
    expected = THEIRS[name]
    found = PROGRAMS.call(mx, PROGRAMS.PROGRAMS[name])
    if "error" in expected:
        assert expected["error"] in found.get("errors", ()), found
    else:
        assert "value" in found, found
        _compare(found["value"], expected["value"])


def _compare(found: object, expected: object) -> None:
    assert type(found) is type(expected)
    if isinstance(expected, dict) and isinstance(found, dict):
        assert list(found) == list(expected)
        for key, value in expected.items():
            _compare(found[key], value)
    elif isinstance(expected, list) and isinstance(found, list):
        assert len(found) == len(expected)
        for one, two in zip(found, expected, strict=True):
            _compare(one, two)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-5, abs=1e-6, nan_ok=True)
    else:
        assert found == expected
