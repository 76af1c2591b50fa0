"""Write companions.json: what the real MXNet 1.9.1 makes of companion_programs.py.

Run it where MXNet stands beside packages of its time:
pip install pandas==1.5.3 bokeh==1.3.4 ipykernel==5.5.6 'jinja2<3.1' 'markupsafe<2.1' onnx==1.14.1
"""

from __future__ import annotations

import json
import pathlib
import sys
import warnings

import numpy as onp

warnings.simplefilter("ignore")
onp.bool = bool  # which MXNet's exporter asks of NumPy
import mxnet as mx

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from companion_programs import PROGRAMS, run

found = {"versions": {"mxnet": mx.__version__, "script": "make_companions.py"}, "results": {}}
for name in PROGRAMS:
    with mx.name.NameManager():
        found["results"][name] = run(mx, name)
(HERE / "companions.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
