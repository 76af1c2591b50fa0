"""Write estimator.json: what the Estimator does in the real MXNet 1.9.1."""

from __future__ import annotations

import json
import math
import sys
import tempfile
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "gluon"))

from estimator_programs import PROGRAMS, run


def finite(value):
    """Return a value with infinite and missing numbers as text, as JSON has none."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(each) for each in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def results():
    """Return the results of all programs."""
    found = {}
    for name in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder, mx.name.NameManager():
            found[name] = finite(run(mx, name, Path(folder)))
    return found


if __name__ == "__main__":
    content = {"mxnet": mx.__version__, "results": results()}
    (HERE / "estimator.json").write_text(json.dumps(content) + "\n")
