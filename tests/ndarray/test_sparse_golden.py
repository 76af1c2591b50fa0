"""Sparse arrays answer as those of the real MXNet 1.9.1 did."""

from __future__ import annotations

import json
import pathlib

import numpy as onp
import pytest
import sparse_programs

import gluonish as mx

ANSWERS = json.loads(
    (pathlib.Path(__file__).parents[1] / "golden" / "sparse.json").read_text("utf-8")
)


def same(found, wanted):
    if isinstance(wanted, list) and len(wanted) == 5 and isinstance(wanted[3], list):
        assert found[:3] == wanted[:3]
        assert found[4] == wanted[4]
        values = [onp.array(each[3], dtype="float64") for each in (found, wanted)]
        onp.testing.assert_allclose(*values, rtol=1e-5, atol=3e-6)
    elif isinstance(wanted, list):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            same(one, other)
    else:
        assert found == wanted


@pytest.mark.parametrize("name", sparse_programs.EXPRESSIONS)
def test_expressions_give_mxnets_values_and_storage_types(name):
    same(sparse_programs.shown(eval(name, sparse_programs.arrays(mx))), ANSWERS[name])


@pytest.mark.parametrize("name", sparse_programs.PROGRAMS)
def test_programs_give_mxnets_values_and_storage_types(name):
    same(json.loads(json.dumps(sparse_programs.PROGRAMS[name](mx))), ANSWERS[name])
