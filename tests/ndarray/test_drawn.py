"""Calls on which a fuzzer found that gluonish and MXNet differed; they agree now."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx

GOLDEN = Path(__file__).parents[1] / "golden"
Told = list | dict | float
FOUND = json.loads((GOLDEN / "drawn.json").read_text())["results"]
sys.path.insert(0, str(GOLDEN))
PROGRAMS = importlib.import_module("drawn_programs")


def check(ours: Told, theirs: Told) -> None:
    if isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            check(mine, other)
    elif isinstance(theirs, dict):
        assert (ours["dtype"], ours["shape"]) == (theirs["dtype"], theirs["shape"])
        onp.testing.assert_allclose(ours["values"], theirs["values"], rtol=1e-5, atol=1e-6)
    else:
        assert (ours["values"] if isinstance(ours, dict) else [ours]) == [theirs]


@pytest.mark.parametrize("name", PROGRAMS.PROGRAMS)
def test_what_was_drawn_comes_out_as_in_mxnet(name: str) -> None:
    check(PROGRAMS.run(mx, name), FOUND[name])
