"""Writes callbacks.json: what callbacks and monitors of the real MXNet 1.9.1 log.

Run `python tests/golden/make_callbacks.py` under the real MXNet.
"""

from __future__ import annotations

import json
import pathlib
import sys

import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from callback_programs import run

found = {"versions": {"mxnet": mx.__version__, "script": "make_callbacks.py"}, "cases": run(mx)}
(HERE / "callbacks.json").write_text(json.dumps(found, indent=1) + "\n")
