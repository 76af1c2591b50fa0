"""Write module.json: what the real MXNet's modules do in the programs of tests/module."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "module"))

from module_programs import PROGRAMS


def rounded(value):
    """Return nested lists with numbers of 8 digits, as many as float32 has."""
    if isinstance(value, float):
        return float(f"{value:.8g}")
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(part) for part in value]
    return value


lines = []
for name, program in PROGRAMS.items():
    lines.append(f"{json.dumps(name)}: {json.dumps(rounded(program(mx)))}")
    mx.nd.waitall()
text = ",\n".join(lines)
versions = json.dumps(mx.__version__)
(HERE / "module.json").write_text(f'{{"mxnet": {versions}, "results": {{\n{text}\n}}}}\n')
