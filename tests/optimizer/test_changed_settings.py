"""Settings that are changed after the first step hold from the next one on, as in MXNet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from changed_settings import OPTIMIZERS, names, train

import gluonish as mx

GOLDEN = Path(__file__).parents[1] / "golden" / "changed_settings.json"
EXPECTED = json.loads(GOLDEN.read_text())["results"]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_changed_settings_hold_from_the_next_step_on(optimizer):
    for name in names(mx):
        if name[0] == optimizer:
            key = "/".join(map(str, name))
            found = train(mx, *name)
            assert found == pytest.approx(EXPECTED[key], rel=1e-4, abs=2e-5), key


def test_changes_matter():
    same = [
        key for key in EXPECTED if EXPECTED[key] == EXPECTED[f"{key.split('/')[0]}/aggregate_num/1"]
    ]
    assert len(EXPECTED) - len(same) > 150
