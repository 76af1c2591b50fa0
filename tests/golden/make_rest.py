"""Write rest.json: what the real MXNet 1.9.1 makes of the rows of rest_programs.py.

Run `python tests/golden/make_rest.py` under the real MXNet.
"""

from __future__ import annotations

import json
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")
import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from rest_programs import rows, run

found = {"versions": {"mxnet": mx.__version__, "script": "make_rest.py"}}
found["results"] = {row: run(mx, row) for row in rows()}
(HERE / "rest.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
