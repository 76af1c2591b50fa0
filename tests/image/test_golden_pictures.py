"""Pictures: golden programs, whose numbers and random draws are those of the real MXNet."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as onp
import pytest
from picture_programs import PROGRAMS

import gluonish as mx

GOLDEN = Path(__file__).parents[1] / "golden"


def expected(name):
    with onp.load(GOLDEN / "pictures.npz") as arrays:
        return {key.split("/", 1)[1]: arrays[key] for key in arrays if key.startswith(f"{name}/")}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_give_what_mxnet_gives(name):
    wanted = expected(name)
    found = PROGRAMS[name](mx, GOLDEN / "pictures")
    assert found.keys() == wanted.keys()
    for key, value in found.items():
        other = wanted[key]
        assert (value.shape, value.dtype.kind) == (other.shape, other.dtype.kind), key
        if value.dtype.kind == "U":
            assert str(value) == str(other), key
        elif value.dtype.kind == "f":
            # Turned pictures differ by rounding of the places between pixels, others hardly.
            limit = 5e-3 if name == "rotations" else 2e-4
            assert onp.abs(value - other).max(initial=0) < limit, key
        else:
            assert (value == other).all(), key


def test_the_golden_file_is_small():
    with zipfile.ZipFile(GOLDEN / "pictures.npz") as file:
        assert sum(info.compress_size for info in file.infolist()) < 3e6
