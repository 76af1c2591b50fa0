"""Write executor.json: what the real MXNet does in the programs of tests/symbol."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "symbol"))

from executor_programs import PROGRAMS, ZOO, animal

results = {name: program(mx) for name, program in PROGRAMS.items()}
results |= {f"zoo/{name}": animal(mx, name) for name in ZOO}
content = {"mxnet": mx.__version__, "results": results}
(HERE / "executor.json").write_text(json.dumps(content) + "\n")
