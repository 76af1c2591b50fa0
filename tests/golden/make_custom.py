"""Writes custom.json: what the real MXNet 1.9.1 does with operators that are written in Python.

Run `python tests/golden/make_custom.py` under the real MXNet; its engine runs one call at a time.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys

os.environ["MXNET_ENGINE_TYPE"] = "NaiveEngine"  # before MXNet is imported
import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from custom_programs import run

found = {"versions": {"mxnet": mx.__version__, "script": "make_custom.py"}, **run(mx)}
(HERE / "custom.json").write_text(json.dumps(found) + "\n")
