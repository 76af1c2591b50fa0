"""Public names that no other test of values calls: rows with MXNet's answers."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx

GOLDEN = Path(__file__).parent / "golden"
FOUND = json.loads((GOLDEN / "rest.json").read_text())["results"]
sys.path.insert(0, str(GOLDEN))
PROGRAMS = importlib.import_module("rest_programs")
# Where MXNet answers nothing: its graphs take no updates, and two functions call what is not there.
ANSWERED = ("_update(", "np.deg2rad", "np.rad2deg")


def is_answered(row: str) -> bool:
    """Return whether gluonish answers what MXNet does not."""
    return any(name in row for name in ANSWERED)


def check(ours: object, theirs: object) -> None:
    if isinstance(theirs, dict) and "raises" in theirs:
        assert isinstance(ours, dict)
        assert theirs["raises"][0] in ours["raises"]
    elif isinstance(theirs, dict) and "values" in theirs:
        assert (ours["dtype"], ours["shape"]) == (theirs["dtype"], theirs["shape"])
        onp.testing.assert_allclose(ours["values"], theirs["values"], rtol=1e-5, atol=5e-6)
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            check(mine, other)
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=1e-5)
    else:
        assert ours == theirs


def test_there_is_an_answer_for_each_row() -> None:
    assert list(FOUND) == PROGRAMS.rows()


@pytest.mark.filterwarnings("ignore")  # names that MXNet has given up say so
@pytest.mark.parametrize("row", [row for row in FOUND if not is_answered(row)])
def test_rows_are_answered_as_by_mxnet(row: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    check(PROGRAMS.run(mx, row), FOUND[row])


@pytest.mark.parametrize("row", [row for row in FOUND if is_answered(row)])
def test_what_mxnet_does_not_answer_is_answered(row: str) -> None:
    assert "raises" in FOUND[row]
    assert "raises" not in str(PROGRAMS.run(mx, row))
