"""Ask the real MXNet 1.9.1 to quantize the networks of quantized_programs.py.

Run `python tests/golden/make_quantized_drawn.py` under a Python that has MXNet 1.9.1, on a
processor with VNNI. Each network runs in a process of its own: some end MXNet's. Such networks are
left out.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
import tempfile

import mxnet as mx
from mxnet.contrib import quantization

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from quantized_programs import programs, run

found = {}
for seed, (name, (symbol, way)) in enumerate(programs(mx).items()):
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "answer.json"
        child = os.fork()
        if not child:
            target.write_text(json.dumps(run(mx, quantization, symbol, way, seed)))
            os._exit(0)
        os.waitpid(child, 0)
        if target.exists():
            found[name] = json.loads(target.read_text())


for answer in found.values():  # with six digits: a step of 8 bits is much more than the last one
    answer["outputs"] = [[float(f"{x:.6g}") for x in output] for output in answer["outputs"]]
made = {"versions": {"mxnet": mx.__version__, "script": "make_quantized_drawn.py"}, "found": found}
(HERE / "quantized_drawn.json").write_text(json.dumps(made, separators=(",", ":")) + "\n")
