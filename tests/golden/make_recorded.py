"""Write recorded.json: the graphs that the real MXNet 1.9.1 has of what it recorded.

Run `python tests/golden/make_recorded.py` under the real MXNet.
"""

from __future__ import annotations

import json
import pathlib
import sys

import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from recorded_programs import NUMBERS, run

found = {"versions": {"mxnet": mx.__version__, "script": "make_recorded.py"}}
found["results"] = {program: run(mx, program) for program in NUMBERS}
(HERE / "recorded.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
