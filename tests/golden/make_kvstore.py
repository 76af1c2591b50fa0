"""Write kvstore.json: what the real MXNet's stores do in the programs of tests/kvstore."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "kvstore"))

from store_programs import COMPRESSED, PROGRAMS, RECORDED, TRAINING, TRAINING_IN_BITS

results = {}
for kind in ("local", "device"):
    for name, program in PROGRAMS.items():
        kv = mx.kv.create(kind)
        results[f"{kind}/{name}"] = program(mx, kv)
        mx.nd.waitall()
    for name, program in TRAINING.items():
        results[f"{kind}/trained/{name}"] = program(mx, kind)
for name, program in COMPRESSED.items():
    results[f"device/{name}"] = program(mx, mx.kv.create("device"))
for name, program in TRAINING_IN_BITS.items():
    results[f"device/trained/{name}"] = program(mx, "device")
for name, program in RECORDED.items():
    results[f"recorded/{name}"] = program(mx, None)
for kind in ("local", "device"):
    results[f"{kind}/of one's own"] = TRAINING["alone"](mx, mx.kv.create(kind))

content = {"mxnet": mx.__version__, "results": results}
(HERE / "kvstore.json").write_text(json.dumps(content) + "\n")
