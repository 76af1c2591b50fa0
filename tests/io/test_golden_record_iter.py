"""ImageRecordIter: golden programs, whose numbers and random draws are those of the real MXNet."""

from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest
from record_iter_programs import CHANGES, PROGRAMS

import gluonish as mx

FOLDER = Path(__file__).parents[1] / "golden" / "pictures"
GOLDEN = Path(__file__).parents[1] / "golden" / "pictures.npz"


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_give_what_mxnet_gives(program):
    found = PROGRAMS[program](mx, FOLDER)
    with onp.load(GOLDEN) as arrays:
        for name, value in found.items():
            other = arrays[f"{program}/{name}"]
            assert (value.shape, value.dtype) == (other.shape, other.dtype), name
            assert onp.abs(value.astype(float) - other).max() < 1e-4, name


def test_all_programs_are_there():
    with onp.load(GOLDEN) as arrays:
        assert {f"changes/{name}" for name in CHANGES} <= set(arrays)
