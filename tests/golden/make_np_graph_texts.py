"""Write what files say of NumPy's functions: the calls of np_graph_programs.py.

Run from the repository's root under a Python that has MXNet 1.9.1; writes np_graph_texts.json.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from np_graph_programs import ROWS, nodes

mx.npx.set_np()
lines = [f"{json.dumps(row)}: {json.dumps(nodes(mx, np, row))}" for row in ROWS]
(HERE / "np_graph_texts.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
