"""Write kvstore.json: what the real MXNet's stores do in the programs of tests/kvstore."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "kvstore"))

from store_programs import COMPRESSED, PROGRAMS

results = {}
for kind in ("local", "device"):
    for name, program in PROGRAMS.items():
        kv = mx.kv.create(kind)
        results[f"{kind}/{name}"] = program(mx, kv)
        mx.nd.waitall()
for name, program in COMPRESSED.items():
    results[f"device/{name}"] = program(mx, mx.kv.create("device"))

content = {"mxnet": mx.__version__, "results": results}
(HERE / "kvstore.json").write_text(json.dumps(content) + "\n")
