"""Ask the real MXNet 1.9.1 for what Trainers keep, by the programs in tests/gluon.

Run from the repository's root under a Python that has MXNet 1.9.1; writes
tests/golden/trainer.json.
"""

from __future__ import annotations

import json
import pathlib
import sys

import mxnet as mx

ROOT = pathlib.Path(__file__).parent
sys.path.insert(0, str(ROOT.parent / "gluon"))

import trainer_programs

answers = {name: program(mx) for name, program in trainer_programs.PROGRAMS.items()}
lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in answers.items())
(ROOT / "trainer.json").write_text(f"{{\n{lines}\n}}\n")
