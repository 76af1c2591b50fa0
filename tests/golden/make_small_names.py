"""Writes small_names.json: what the real MXNet 1.9.1 makes of names that few programs use.

Run `python tests/golden/make_small_names.py` under the real MXNet.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys

# With kernels for newer processors, no call of quantized_rnn is answered.
os.environ["DNNL_MAX_CPU_ISA"] = "AVX2"
import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from small_name_programs import PROGRAMS, run

found = {
    "versions": {"mxnet": mx.__version__, "script": "make_small_names.py"},
    "results": {name: run(mx, name) for name in PROGRAMS},
}
(HERE / "small_names.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
