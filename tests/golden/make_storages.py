"""Ask the real MXNet 1.9.1 for the storage types and values of the graphs in storage_programs.py.

Run from the repository's root under a Python that has MXNet 1.9.1; writes
tests/golden/storages.json.
"""

from __future__ import annotations

import json
import pathlib
import sys

import mxnet as mx

ROOT = pathlib.Path(__file__).parent
sys.path.insert(0, str(ROOT.parent / "symbol"))

import storage_programs

answers = {name: program(mx) for name, program in storage_programs.PROGRAMS.items()}
rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in answers.items())
(ROOT / "storages.json").write_text(f"{{\n{rows}\n}}\n")
