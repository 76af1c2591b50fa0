"""What wrappers read of Trainers, beside the real MXNet (golden/trainer.json)."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

import gluonish as mx

_SPEC = importlib.util.spec_from_file_location(
    "trainer_programs", Path(__file__).with_name("trainer_programs.py")
)
trainer_programs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(trainer_programs)
ANSWERS = json.loads((Path(__file__).parents[1] / "golden" / "trainer.json").read_text())


@pytest.mark.parametrize("name", trainer_programs.PROGRAMS)
def test_trainers_keep_what_mxnets_do(name):
    assert json.loads(json.dumps(trainer_programs.PROGRAMS[name](mx))) == ANSWERS[name]
