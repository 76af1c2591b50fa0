"""Write changed_settings.json: what MXNet does with settings that change while it trains."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "optimizer"))

from changed_settings import names, train

if __name__ == "__main__":
    results = {"/".join(map(str, name)): train(mx, *name) for name in names(mx)}
    content = {"mxnet": mx.__version__, "results": results}
    (HERE / "changed_settings.json").write_text(json.dumps(content) + "\n")
