"""Write optimizers.npz: ten updates of each optimizer setting, by the real MXNet 1.9.1.

Run with `python tests/golden/make_optimizers.py` where mxnet==1.9.1 and numpy<1.24 are installed.
"""

from __future__ import annotations

import json
from pathlib import Path

import mxnet as mx
import numpy as onp

CASES = {
    "sgd": {"learning_rate": 0.1},
    "sgd_wd_clip": {"learning_rate": 0.1, "wd": 0.05, "clip_gradient": 0.3, "rescale_grad": 0.5},
    "sgd_momentum": {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01},
    "sgd_momentum_clip": {"learning_rate": 0.1, "momentum": 0.5, "wd": 0.2, "clip_gradient": 0.2},
    "nag": {"learning_rate": 0.1, "wd": 0.01},
    "nag_momentum": {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.1, "clip_gradient": 0.4},
    "adam": {},
    "adam_wd_clip": {"learning_rate": 0.05, "wd": 0.3, "clip_gradient": 0.4, "rescale_grad": 2.0},
    "adam_betas": {"learning_rate": 0.05, "beta1": 0.8, "beta2": 0.95, "epsilon": 1e-4},
}


def main():
    """Write the file."""
    random = onp.random.RandomState(11)
    weight = random.randn(4, 3).astype("float32")
    grads = random.randn(10, 4, 3).astype("float32")
    arrays = {"weight": weight, "grads": grads}
    for name, options in CASES.items():
        optimizer = mx.optimizer.create(name.split("_")[0], **options)
        array = mx.nd.array(weight)
        state = optimizer.create_state(0, array)
        steps = []
        for grad in grads:
            optimizer.update(0, array, mx.nd.array(grad), state)
            steps.append(array.asnumpy())
        arrays[name] = onp.stack(steps)
    here = Path(__file__).parent
    onp.savez(here / "optimizers.npz", **arrays)
    (here / "optimizers.json").write_text(json.dumps(CASES, indent=1) + "\n")


if __name__ == "__main__":
    main()
