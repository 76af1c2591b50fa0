"""Write control_flow.json: what loops and branches give in the real MXNet."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx
from mxnet.attribute import AttrScope

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "symbol"))

from control_flow_programs import GRAPHS, PROGRAMS, in_graphs, on_arrays

results = {f"nd/{name}": on_arrays(mx, *parts) for name, parts in PROGRAMS.items()}
for name, parts in GRAPHS.items():
    AttrScope._subgraph_names.clear()
    with mx.name.NameManager():
        results[f"sym/{name}"] = in_graphs(mx, *parts)
content = {"mxnet": mx.__version__, "results": results}
(HERE / "control_flow.json").write_text(json.dumps(content) + "\n")
