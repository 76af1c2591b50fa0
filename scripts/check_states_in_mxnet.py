"""Have the real MXNet 1.9.1 go on from optimizer states that gluonish wrote.

`python scripts/check_states_in_mxnet.py write FOLDER` where gluonish is installed, then
`python scripts/check_states_in_mxnet.py read FOLDER` where mxnet==1.9.1 and numpy<1.24 are.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as onp

TESTS = Path(__file__).parent.parent / "tests"
BEFORE = 5


def write(folder: Path) -> None:
    """Write a file of states, and the weights, after five steps of each golden setting."""
    sys.path.insert(0, str(TESTS.parent))
    import gluonish as mx
    from gluonish.optimizer.saving import to_mxnet
    from tests.optimizer.golden import CASES, make, start

    for name, case in CASES.items():
        if case["optimizer"] == "adamw":
            continue
        weights, steps = start(case)
        updater = mx.optimizer.get_updater(make(case))
        mx.random.seed(23)
        for grads in steps[:BEFORE]:
            updater(list(range(len(weights))), grads, weights)
        content = to_mxnet(updater.get_states(dump_optimizer=True), name)
        (folder / f"{name}.states").write_bytes(content)
        onp.savez(folder / f"{name}.npz", *[weight.asnumpy() for weight in weights])


def read(folder: Path) -> None:
    """Train on from each file, and compare with the golden values."""
    sys.path.insert(0, str(TESTS / "golden"))
    import make_optimizers as settings
    import mxnet as mx

    expected = onp.load(TESTS / "golden" / "optimizers.npz")
    worst: dict[str, float] = {}
    for name, case in settings.cases().items():
        if case["optimizer"] == "sgld":  # its random numbers begin anew
            continue
        dtype = case.get("dtype", "float32")
        _, steps = settings.start(case.get("shapes", settings.SHAPES))
        with onp.load(folder / f"{name}.npz") as found:
            weights = [mx.nd.array(found[key], dtype=dtype) for key in found.files]
        updater = mx.optimizer.get_updater(settings.make(case))
        updater.set_states((folder / f"{name}.states").read_bytes())
        for grads, row in zip(steps[BEFORE:], expected[name][BEFORE:], strict=True):
            grads = [mx.nd.array(grad, dtype=dtype) for grad in grads]
            updater(list(range(len(weights))), grads, weights)
            shown = weights if dtype == "float32" else settings.masters(updater.states, weights)
            values = onp.concatenate([array.asnumpy().ravel() for array in shown])
            worst[name] = max(worst.get(name, 0.0), float(abs(values - row).max()))
    for name, error in sorted(worst.items(), key=lambda item: -item[1])[:10]:
        sys.stdout.write(f"{error:.1e} {name}\n")
    sys.stdout.write(f"{len(worst)} settings\n")


if __name__ == "__main__":
    {"write": write, "read": read}[sys.argv[1]](Path(sys.argv[2]))
