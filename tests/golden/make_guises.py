"""Writes guises.json: what the real MXNet 1.9.1 makes of numbers and shapes in every guise.

Run `python tests/golden/make_guises.py` under the real MXNet.
"""

from __future__ import annotations

import json
import pathlib
import sys

import mxnet as mx
import numpy as onp

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from guise_programs import PROGRAMS, UFUNCS, written
from number_programs import run

found = {
    "versions": {"mxnet": mx.__version__, "script": "make_guises.py"},
    **{name: run(mx, programs, guises) for name, (programs, guises) in PROGRAMS.items()},
    "ufuncs": {name: written(mx, program) for name, program in UFUNCS.items()},
}
(HERE / "guises.json").write_text(
    json.dumps(found, separators=(",", ":"), default=lambda value: onp.asarray(value).tolist())
    + "\n"
)
