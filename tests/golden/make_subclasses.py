"""Write subclasses.json: what programs that subclass its classes give in the real MXNet 1.9.1."""

from __future__ import annotations

import json
import pathlib
import sys

import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from subclass_programs import run

rows = [f"{json.dumps(title)}: {json.dumps(given)}" for title, given in run(mx).items()]
versions = json.dumps({"mxnet": mx.__version__})
text = f'{{"versions": {versions}, "cases": {{\n' + ",\n".join(rows) + "\n}}\n"
(HERE / "subclasses.json").write_text(text)
