"""Write update_lists.npz: three calls of each operator that updates lists, by MXNet 1.9.1.

Run with `python tests/golden/make_update_lists.py` where mxnet==1.9.1 and numpy<1.24 are installed.
"""

from __future__ import annotations

import json
from pathlib import Path

import mxnet as mx
import numpy as onp

RATES = {"lrs": [0.1, 0.2, 0.3], "wds": [0.0, 0.1, 0.2]}
CLIPPED = {"rescale_grad": 0.5, "clip_gradient": 0.4}
ETAS = {**RATES, "etas": [1.0, 0.5, 0.1]}
BETAS = {"beta1": 0.8, "beta2": 0.9, "epsilon": 1e-3}
STEPS = {**RATES, "step_count": [1, 2, 3]}
# Name: number of states besides the float32 copy, settings.
OPS = {
    "multi_sgd_update": (0, [RATES, {**RATES, **CLIPPED}]),
    "multi_sgd_mom_update": (1, [RATES, {**RATES, **CLIPPED, "momentum": 0.9}]),
    "multi_mp_sgd_update": (0, [{**RATES, **CLIPPED}]),
    "multi_mp_sgd_mom_update": (1, [{**RATES, **CLIPPED, "momentum": 0.9}]),
    "preloaded_multi_sgd_update": (0, [RATES, {**RATES, **CLIPPED}]),
    "preloaded_multi_sgd_mom_update": (1, [RATES, {**RATES, **CLIPPED, "momentum": 0.9}]),
    "preloaded_multi_mp_sgd_update": (0, [{**RATES, **CLIPPED}]),
    "preloaded_multi_mp_sgd_mom_update": (1, [{**RATES, **CLIPPED, "momentum": 0.9}]),
    "contrib.multi_adamw_update": (2, [
        ETAS, {**ETAS, **BETAS, "rescale_grad": 2.0, "clip_gradient": 0.4},
        {**ETAS, "rescale_grad": float("inf")}, {**ETAS, "rescale_grad": 0.0},
    ]),
    "contrib.multi_mp_adamw_update": (2, [{**ETAS, **BETAS}]),
    "contrib.multi_lamb_update": (2, [
        STEPS, {**STEPS, **BETAS, **CLIPPED}, {**STEPS, "bias_correction": False},
        {**STEPS, "lower_bound": 3.0}, {**STEPS, "upper_bound": 0.5},
    ]),
    "contrib.multi_mp_lamb_update": (2, [{**STEPS, **BETAS, **CLIPPED}]),
}  # fmt: skip
SHAPES = [(4, 3), (5,), (2, 2)]
LARS = [{"eta": 0.001, "eps": 1e-8}, {"eta": 0.5, "eps": 0.1, "rescale_grad": 0.5}]


def call(nd, name, columns, options):
    """Call an operator, which writes to the first column."""
    function = nd
    for part in name.split("."):
        function = getattr(function, part)
    options = dict(options)
    if name.startswith("contrib"):
        rates = [tuple(options.pop(key)) for key in ("lrs", "wds")]
        if "adamw" in name:
            scale = nd.array([options.pop("rescale_grad", 1.0)])
            rates = [scale, *rates, tuple(options.pop("etas"))]
        else:
            rates = [tuple(options.pop("step_count")), *rates]
        function(*columns, *rates, out=columns[0], **options)
        return
    arrays = [array for weight in zip(*columns, strict=True) for array in weight]
    if name.startswith("preloaded"):
        arrays += [nd.array(options.pop("lrs")), nd.array(options.pop("wds"))]
    function(*arrays, out=columns[0], num_weights=len(SHAPES), **options)


def run(nd, name, states, options):
    """Return weights and states after three calls."""
    random = onp.random.RandomState(5)
    is_half = "_mp_" in name
    dtype = "float16" if is_half else "float32"
    draw = lambda: [nd.array(random.randn(*s).astype("float32"), dtype=dtype) for s in SHAPES]  # noqa: E731
    columns = [draw(), None, *([nd.zeros(s) for s in SHAPES] for _ in range(states))]
    columns[0][2][:] = 0
    if is_half:
        columns.append([weight.astype("float32") for weight in columns[0]])
    for _ in range(3):
        columns[1] = draw()
        call(nd, name, columns, options)
    del columns[1]
    return [array.asnumpy().astype("float32") for column in columns for array in column]


def lars(nd, options):
    """Return what multi_lars gives."""
    squares = nd.multi_sum_sq(nd.array([[1, 2]]), nd.array([3]), nd.zeros((2,)), num_arrays=3)
    others = nd.array([2.0, 0.0, 1.0])
    rates, decays = nd.array([0.1, 0.2, 0.3]), nd.array([0.0, 0.1, 0.2])
    return nd.multi_lars(rates, squares, others, decays, **options).asnumpy()


def main():
    """Write the files."""
    found = {
        f"{name}/{number}/{place}": array
        for name, (states, settings) in OPS.items()
        for number, options in enumerate(settings)
        for place, array in enumerate(run(mx.nd, name, states, options))
    }
    found |= {f"multi_lars/{i}": lars(mx.nd, options) for i, options in enumerate(LARS)}
    here = Path(__file__).parent
    onp.savez_compressed(here / "update_lists.npz", **found)
    (here / "update_lists.json").write_text(json.dumps({"ops": OPS, "lars": LARS}) + "\n")


if __name__ == "__main__":
    main()
