"""Writes numbers.json: what the real MXNet 1.9.1 makes of numbers in every guise.

Run `python tests/golden/make_numbers.py` under the real MXNet.
"""

from __future__ import annotations

import json
import pathlib
import sys

import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from number_programs import OPERATORS, TRAINERS, run

found = {
    "versions": {"mxnet": mx.__version__, "script": "make_numbers.py"},
    "operators": run(mx, OPERATORS),
    "trainers": run(mx, TRAINERS),
}
(HERE / "numbers.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
