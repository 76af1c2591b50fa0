"""Write cells.json.gz: what the real MXNet's symbolic cells do in the programs of tests/rnn."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "rnn"))

from cell_programs import PROGRAMS

results = {}
for name, program in PROGRAMS.items():
    results[name] = program(mx)
    mx.nd.waitall()
content = json.dumps({"mxnet": mx.__version__, "results": results}).encode()
(HERE / "cells.json.gz").write_bytes(gzip.compress(content, mtime=0))
