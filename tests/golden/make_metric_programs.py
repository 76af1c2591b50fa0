"""Writes metric_programs.json: what programs with metrics return in the real MXNet 1.9.1.

Run `python tests/golden/make_metric_programs.py` under the real MXNet.
"""

from __future__ import annotations

import json
import pathlib
import sys

import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from metric_programs import run

found = {"versions": {"mxnet": mx.__version__}, "cases": run(mx)}
(HERE / "metric_programs.json").write_text(json.dumps(found, indent=1) + "\n")
