"""Write the graphs that the real MXNet 1.9.1 makes of the rows of tests/ops/samples_np.py.

Run from the repository's root under a Python that has MXNet 1.9.1; writes
np_sample_graphs.json.gz. Rows that are no expression of Symbols there are left out.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "ops"))

import mxnet as mx
import samples_np

mx.npx.set_np()


def flat(value):
    """Return all Symbols of nested lists."""
    if isinstance(value, (list, tuple)):
        return [part for each in value for part in flat(each)]
    return [value]


def graph(row):
    """Return what MXNet writes, without what only its version tells; None if it refuses."""
    names = {name: mx.sym.var(name).as_np_ndarray() for name in samples_np.data()}
    with mx.name.NameManager():
        try:
            symbol = eval(row, {"np": mx.sym.np, "npx": mx.sym.npx, **names})
            parts = flat(symbol)
            symbol = parts[0] if len(parts) == 1 else mx.sym.Group(parts)
            found = json.loads(symbol.tojson())
        except Exception:  # noqa: BLE001 - whatever MXNet refuses is no graph
            return None
    return [symbol.list_outputs(), {key: found[key] for key in ("nodes", "arg_nodes", "heads")}]


def apart(row):
    """Return what `graph` returns, from a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(writer, "w") as stream:
            json.dump(graph(row), stream)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def main():
    """Collect the graphs."""
    rows = [row for family in samples_np.FAMILIES for row in samples_np.rows(family)]
    graphs = {row: found for row in rows if (found := apart(row)) is not None}
    target = Path(__file__).with_name("np_sample_graphs.json.gz")
    text = json.dumps(graphs, separators=(",", ":"), sort_keys=True)
    target.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
