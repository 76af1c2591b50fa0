"""Which rows a gradient of some rows changes, compared with the real MXNet."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp
import pytest
from lazy_programs import cases, updated

import gluonish as mx

GOLDEN = Path(__file__).parents[1] / "golden" / "lazy_updates.json"
EXPECTED = json.loads(GOLDEN.read_text())["results"]


@pytest.mark.parametrize(("title", "case"), list(cases()))
def test_gradients_of_some_rows_change_what_they_change_in_mxnet(title, case):
    found, expected = updated(mx, *case), EXPECTED[title]
    rtol = 2e-3 if case[2] == "float16" else 1e-5
    onp.testing.assert_allclose(found, expected, rtol=rtol)
    if expected[2] == 1.0:  # untouched
        assert found[2:] == expected[2:]
