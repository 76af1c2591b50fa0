"""Write recorded.json: the graphs that MXNet 1.9.1 gives for the rows of recorded_programs.py.

Run `python tests/golden/make_recorded.py` under the real MXNet.
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
from recorded_programs import ND, NP, graph, rows

found = {"versions": {"mxnet": mx.__version__, "script": "make_recorded.py"}}
found["nd"] = {row: graph(mx, row, is_np=False) for row in rows(ND)}
mx.npx.set_np()
found["np"] = {row: graph(mx, row, is_np=True) for row in rows(NP)}
(HERE / "recorded.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
