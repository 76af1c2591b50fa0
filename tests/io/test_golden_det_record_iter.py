"""ImageDetRecordIter: golden programs, whose numbers and random draws are the real MXNet's."""

from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest
from det_record_iter_programs import PROGRAMS

import gluonish as mx

FOLDER = Path(__file__).parents[1] / "golden" / "pictures"
GOLDEN = Path(__file__).parents[1] / "golden" / "pictures.npz"


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_give_what_mxnet_gives(program):
    found = PROGRAMS[program](mx, FOLDER)
    # Of changes of hue, lightness and saturation, one byte in 400 is off by 1.
    most = 1 if program == "detection_colours" else 0
    with onp.load(GOLDEN) as arrays:
        for name, value in found.items():
            other = arrays[f"{program}/{name}"]
            assert (value.shape, value.dtype) == (other.shape, other.dtype), name
            off = onp.abs(value - other)
            assert off.max() < most + 1e-4, name
            assert (off > 1e-4).mean() < 1 / 200, name


def test_all_programs_are_there():
    with onp.load(GOLDEN) as arrays:
        there = {name.split("/")[0] for name in arrays}
    assert set(PROGRAMS) <= there
