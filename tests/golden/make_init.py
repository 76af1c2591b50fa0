"""Writes init.json and init.npz: the initializers of the real MXNet 1.9.1.

Run it under the real MXNet: `python tests/golden/make_init.py`. Each row has the constructor call,
the array's name and shape, the seed, the values, and what `dumps()` returns.
"""

from __future__ import annotations

import json
import pathlib
import warnings

import mxnet as mx
import numpy as onp

HERE = pathlib.Path(__file__).parent
WEIGHT = "fc_weight"

ROWS = [
    ("Zero()", WEIGHT, (2, 3)),
    ("One()", WEIGHT, (2, 3)),
    ("Constant(0.3)", WEIGHT, (2, 3)),
    ("Constant([1, 2, 3])", WEIGHT, (3,)),
    ("Uniform()", WEIGHT, (5, 40)),
    ("Uniform(3)", WEIGHT, (1,)),
    ("Uniform(0.123)", WEIGHT, (7, 3, 2)),
    ("Normal()", WEIGHT, (5, 40)),
    ("Normal(2.5)", WEIGHT, (3, 3)),
    ("Orthogonal()", WEIGHT, (4, 6)),
    ("Orthogonal(1, 'normal')", WEIGHT, (6, 2, 2)),
    ("Xavier()", WEIGHT, (256, 20)),
    ("Xavier('gaussian', 'in', 2)", WEIGHT, (6, 3, 5, 5)),
    ("Xavier('uniform', 'out', 2.34)", WEIGHT, (6, 3, 2)),
    ("Xavier('gaussian', 'avg', 1)", WEIGHT, (3, 7)),
    ("MSRAPrelu()", WEIGHT, (8, 4, 3, 3)),
    ("MSRAPrelu('in', 0.1)", WEIGHT, (8, 4)),
    ("Bilinear()", WEIGHT, (2, 2, 4, 4)),
    ("Bilinear()", WEIGHT, (1, 1, 4, 3)),
    ("Bilinear()", WEIGHT, (1, 1, 5, 5)),
    ("LSTMBias(2)", WEIGHT, (8,)),
    ("Uniform()", "fc_bias", (3,)),
    ("Uniform()", "bn_gamma", (3,)),
    ("Uniform()", "bn_beta", (3,)),
    ("Uniform()", "q_min", (3,)),
    ("Uniform()", "q_max", (3,)),
    ("Xavier()", "fc_bias_quantize", (3,)),
]
LEGACY = [
    ("fc_weight", (2, 3)),
    ("fc_bias", (3,)),
    ("bn_gamma", (3,)),
    ("bn_beta", (3,)),
    ("bn_moving_mean", (3,)),
    ("bn_moving_var", (3,)),
    ("bn_moving_inv_var", (3,)),
    ("bn_moving_avg", (3,)),
    ("q_min", (3,)),
    ("q_max", (3,)),
    ("upsampling_weight", (1, 1, 4, 4)),
    ("stn_loc_weight", (3, 2)),
    ("stn_loc_bias", (6,)),
]
DUMPED = [
    "Zero()",
    "One()",
    "Constant(3)",
    "Constant(mx.nd.array([1, 2]))",
    "Uniform(0.5)",
    "Normal(0.5)",
    "Orthogonal()",
    "Xavier(magnitude=2)",
    "MSRAPrelu()",
    "Bilinear()",
    "LSTMBias(2)",
]
NETS = ["Uniform()", "Normal(0.01)", "Xavier()", "MSRAPrelu()", "Orthogonal()"]


def build(text):
    return eval(f"init.{text}", {"init": mx.init, "mx": mx})


def net(prefix):
    block = mx.gluon.nn.HybridSequential(prefix=prefix)
    with block.name_scope():
        block.add(mx.gluon.nn.Conv2D(3, 3), mx.gluon.nn.BatchNorm(), mx.gluon.nn.Dense(4))
        block.add(mx.gluon.nn.Dense(2, in_units=4))
    return block


def main():
    warnings.simplefilter("ignore")
    arrays, rows = {}, []
    for mode in ("nd", "np"):
        if mode == "np":
            mx.npx.set_np()
        zeros = mx.nd.zeros if mode == "nd" else mx.np.zeros
        for index, (text, name, shape) in enumerate(ROWS):
            for seed in (0, 42):
                key = f"{mode}_{index:02d}_{seed}"
                mx.random.seed(seed)
                array = zeros(shape)
                build(text)(mx.init.InitDesc(name), array)
                arrays[key] = array.asnumpy()
                row = {"key": key, "mode": mode, "text": text, "name": name}
                rows.append({**row, "shape": shape, "seed": seed})
        for text in NETS:
            mx.random.seed(7)
            block = net("net_")
            block.initialize(build(text))
            block(zeros((2, 2, 6, 6)))
            for name, param in block.collect_params().items():
                arrays[f"net_{mode}_{text}/{name}"] = param.data().asnumpy()
    mx.npx.reset_np()
    legacy = []
    for name, shape in LEGACY:
        mx.random.seed(0)
        array = mx.nd.zeros(shape)
        mx.init.Uniform()(name, array)
        arrays[f"legacy_{name}"] = array.asnumpy()
        legacy.append([name, shape])
    onp.savez_compressed(HERE / "init.npz", **arrays)
    found = {
        "versions": {"mxnet": mx.__version__, "script": "make_init.py"},
        "rows": rows,
        "legacy": legacy,
        "dumps": {text: build(text).dumps() for text in DUMPED},
        "nets": NETS,
    }
    (HERE / "init.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
