"""Write what the real MXNet 1.9.1 makes of the expressions of symbol_programs.py.

Run from the repository's root under a Python that has MXNet 1.9.1; writes symbols.json.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from symbol_programs import EXPRESSIONS, describe, from_registry

results = {}
for text in [*EXPRESSIONS, *from_registry(HERE / "mxnet_registry.json")]:
    try:
        results[text] = describe(mx, np, text)
    except Exception as error:  # noqa: BLE001 - whatever MXNet raises
        results[text] = f"{type(error).__name__}: {str(error).strip().splitlines()[-1]}"[:200]
lines = [f"{json.dumps(text)}: {json.dumps(result)}" for text, result in results.items()]
(HERE / "symbols.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
