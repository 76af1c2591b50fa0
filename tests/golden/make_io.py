"""Write io.json: what the real MXNet's iterators give in the programs of tests/io.

Each program runs in a process of its own, again if it crashes, as the real MXNet does now and then.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "io"))

from iter_programs import PROGRAMS

if len(sys.argv) > 1:
    import mxnet as mx

    with tempfile.TemporaryDirectory() as folder:
        result = PROGRAMS[sys.argv[1]](mx, Path(folder))
    Path(sys.argv[2]).write_text(json.dumps(result))
    sys.exit()

results = {}
with tempfile.TemporaryDirectory() as folder:
    for name in PROGRAMS:
        path = Path(folder, name)
        while not path.exists():
            subprocess.run([sys.executable, __file__, name, str(path)], check=False)
        results[name] = json.loads(path.read_text())
(HERE / "io.json").write_text(json.dumps({"mxnet": "1.9.1", "results": results}) + "\n")
