"""Write gluon_contrib.json: what layers of gluon.contrib do in the real MXNet."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "gluon"))

from contrib_programs import PROGRAMS

results = {}
for name, program in PROGRAMS.items():
    with mx.name.NameManager():
        results[name] = program(mx)
content = {"mxnet": mx.__version__, "results": results}
(HERE / "gluon_contrib.json").write_text(json.dumps(content) + "\n")
