"""Write svrg.json: what an SVRGModule learns in the real MXNet 1.9.1."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx
import mxnet.contrib.svrg_optimization.svrg_module

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "contrib"))

from svrg_programs import PROGRAMS

results = {}
for name, program in PROGRAMS.items():
    with mx.name.NameManager():
        results[name] = program(mx)
content = {"mxnet": mx.__version__, "results": results}
(HERE / "svrg.json").write_text(json.dumps(content) + "\n")
