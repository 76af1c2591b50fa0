"""Converts the golden files there and back, and has the real MXNet 1.9.1 read what comes out.

Usage: python scripts/check_conversions_in_mxnet.py PYTHON, the interpreter that has MXNet 1.9.1.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from gluonish.conversion import convert
from gluonish.errors import MXNetError

_GOLDEN = Path(__file__).parent.parent / "tests" / "golden" / "mxnet"
_UNREADABLE = ("v2_scalar",)  # by MXNet itself, which wrote it
_SPARSE = ("sparse", "csr", "mixed")
_RUN = ("mlp", "lenet", "resnet", "lstm", "gru", "rnn", "default_names")  # models with outputs

# What runs under MXNet: pairs of files whose arrays have to be equal, then graphs to be run.
_READER = """
import sys
import mxnet as mx
import numpy as np

def load(path):
    try:
        found = mx.nd.load(path)
    except mx.MXNetError:
        mx.npx.set_np()
        found = mx.npx.load(path)
        mx.npx.reset_np()
    if isinstance(found, dict):
        return found
    return dict(enumerate(found if isinstance(found, list) else [found]))

for line in sys.stdin.read().splitlines():
    kind, *paths = line.split(chr(9))
    if kind == 'arrays':
        ours, theirs = map(load, paths)
        assert ours.keys() == theirs.keys(), (paths, ours.keys(), theirs.keys())
        for name, array in theirs.items():
            found = ours[name]
            stype = lambda a: getattr(a, 'stype', 'default')
            assert stype(found) == stype(array), (paths, name)
            assert found.dtype == array.dtype and found.shape == array.shape, (paths, name)
            assert found.asnumpy().tobytes() == array.asnumpy().tobytes(), (paths, name)
    else:
        graph, params, values = paths
        net = mx.gluon.SymbolBlock.imports(graph, ['data'], params)
        expected = np.load(values)
        found = net(mx.nd.array(expected['input'])).asnumpy()
        assert np.abs(found - expected['output']).max() < 1e-5, paths
    print('equal', *paths)
"""


def main(interpreter: str) -> int:
    """Convert, let MXNet read, and return the exit status."""
    work = []
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(_GOLDEN.rglob("*.params")):
            if "bad" in path.parts or path.stem in _UNREADABLE:
                continue
            work += _there_and_back(path, Path(folder, *path.relative_to(_GOLDEN).parts[:-1]))
        done = subprocess.run(
            [interpreter, "-c", _READER],
            input="\n".join(work), capture_output=True, text=True, check=False,
        )  # fmt: skip
    count = done.stdout.count("equal")
    sys.stdout.write(f"{count} of {len(work)} results are what MXNet 1.9.1 expects\n{done.stderr}")
    return 0 if count == len(work) else 1


def _there_and_back(path: Path, folder: Path) -> list[str]:
    """Convert a file directly, by way of safetensors, and by way of PyTorch."""
    work = []
    for way in (None, "safetensors", "torch"):
        start, names = path, None
        try:
            if way is not None:
                (there,) = convert(path, way, f"{folder}/{way}/", names="keep", force=True)
                start, names = Path(there.outputs[0]), "keep"
            (back,) = convert(start, "mxnet", f"{folder}/back-{way}/", names=names)
        except MXNetError as error:
            sys.stdout.write(f"{path.name} by {way}: {error}\n")
            continue
        if way is None or not any(word in path.name for word in _SPARSE):  # dense on the way
            work.append(f"arrays\t{back.outputs[0]}\t{path}")
        graph = path.parent / f"{path.stem.rpartition('-')[0]}-symbol.json"
        values = path.parent / "io.npz"
        if "-" in path.stem and path.parent.name in _RUN:
            work.append(f"graph\t{graph}\t{back.outputs[0]}\t{values}")
    return work


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
