"""Write lazy_updates.json: what gradients of some rows change in the real MXNet 1.9.1."""

from __future__ import annotations

import json
import pathlib
import sys

import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "optimizer"))
from lazy_programs import cases, updated

results = {title: updated(mx, *case) for title, case in cases()}
found = {"versions": {"mxnet": mx.__version__}, "results": results}
(HERE / "lazy_updates.json").write_text(json.dumps(found, indent=1) + "\n")
