"""Writes drawn.json: what the real MXNet 1.9.1 makes of calls that the fuzzer of calls has drawn.

Run `python tests/golden/make_drawn.py` under the real MXNet.
"""

from __future__ import annotations

import json
import pathlib
import sys

import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from drawn_programs import PROGRAMS, run

found = {
    "versions": {"mxnet": mx.__version__, "script": "make_drawn.py"},
    "results": {name: run(mx, name) for name in PROGRAMS},
}
(HERE / "drawn.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
