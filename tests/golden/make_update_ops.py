"""Write update_ops.npz: three calls of each update operator, by the real MXNet 1.9.1.

Run with `python tests/golden/make_update_ops.py` where mxnet==1.9.1 and numpy<1.24 are installed.
"""

from __future__ import annotations

import json
from pathlib import Path

import mxnet as mx
import numpy as onp

DECAY = {"wd": 0.1, "rescale_grad": 0.5, "clip_gradient": 0.4}
# Name: number of states besides the float32 copy, settings.
OPS = {
    "sgd_update": (0, [{}, DECAY]),
    "sgd_mom_update": (1, [{}, {"momentum": 0.9}, {"momentum": 0.9, **DECAY}]),
    "mp_sgd_update": (0, [DECAY]),
    "mp_sgd_mom_update": (1, [{"momentum": 0.9, **DECAY}]),
    "nag_mom_update": (1, [{}, {"momentum": 0.9, **DECAY}]),
    "mp_nag_mom_update": (1, [{"momentum": 0.9, **DECAY}]),
    "signsgd_update": (0, [DECAY, {"wd": 0.1, "rescale_grad": -2.0}]),
    "signum_update": (1, [{}, {"momentum": 0.9, "wd_lh": 0.1, **DECAY}]),
    "adam_update": (2, [{}, {"beta1": 0.8, "beta2": 0.9, "epsilon": 1e-3, **DECAY}]),
    "ftml_update": (3, [{"t": 1}, {"t": 2, "wd": 0.1, "rescale_grad": 0.5, "clip_grad": 0.4}]),
    "ftrl_update": (2, [{}, {"lamda1": 0.1, "beta": 0.5, **DECAY}, {"lamda1": -0.1}]),
    "rmsprop_update": (1, [{}, {"gamma1": 0.8, "clip_weights": 0.6, **DECAY}]),
    "rmspropalex_update": (3, [{}, {"gamma1": 0.8, "gamma2": 0.7, "clip_weights": 0.6, **DECAY}]),
    "contrib.adamw_update": (2, [
        {"eta": 0.5}, {"eta": 0.5, "wd": 0.1, "rescale_grad": 2.0, "clip_gradient": 0.4},
        {"eta": 0.5, "wd": 0.1, "lr": 0.0}, {"eta": 0.5, "wd": 0.1, "rescale_grad": float("inf")},
        {"eta": 0.5, "wd": 0.1, "rescale_grad": 0.0},
    ]),
    "contrib.mp_adamw_update": (2, [{"eta": 0.5, "wd": 0.1}]),
    "lamb_update_phase1": (2, [
        {"t": 1, "wd": 0.0}, {"t": 3, "bias_correction": False, **DECAY}, {"t": 3, **DECAY}
    ]),
    "mp_lamb_update_phase1": (2, [{"t": 3, **DECAY}]),
    "lamb_update_phase2": (-1, [{}, {"lower_bound": 3.0}, {"upper_bound": 0.5}]),
}  # fmt: skip


def run(nd, name, states, options):
    """Return the last weight, returned array and states of three calls with `out=weight`."""
    random = onp.random.RandomState(5)
    function = nd
    for part in name.split("."):
        function = getattr(function, part)
    is_half = name.rpartition(".")[2].startswith("mp_")
    dtype = "float16" if is_half else "float32"
    draw = lambda *shape: random.randn(*shape).astype("float32")  # noqa: E731
    weight = nd.array(draw(4, 3), dtype=dtype)
    if states < 0:
        arrays = [nd.array([1.5]), nd.array([0.7])]
    else:
        arrays = [nd.zeros((4, 3)) for _ in range(states)]
    if is_half:
        arrays.append(weight.astype("float32"))
    options = dict(options)
    between = []
    if "adamw" in name:
        between = [nd.array([options.pop("rescale_grad", 1.0)])]
    if "phase1" not in name:
        options.setdefault("lr", 0.1)
    fresh = None
    for _ in range(3):
        kind = "float32" if "phase2" in name else dtype
        grad = nd.array(draw(4, 3), dtype=kind)
        if "phase1" in name:
            fresh = function(weight, grad, *arrays, *between, **options)
        else:
            fresh = function(weight, grad, *arrays, *between, out=weight, **options)
    return [array.asnumpy().astype("float32") for array in (weight, fresh, *arrays)]


def main():
    """Write the files."""
    found = {
        f"{name}/{number}/{place}": array
        for name, (states, settings) in OPS.items()
        for number, options in enumerate(settings)
        for place, array in enumerate(run(mx.nd, name, states, options))
    }
    here = Path(__file__).parent
    onp.savez_compressed(here / "update_ops.npz", **found)
    (here / "update_ops.json").write_text(json.dumps(OPS) + "\n")


if __name__ == "__main__":
    main()
