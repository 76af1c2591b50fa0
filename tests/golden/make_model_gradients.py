"""Gradients of the golden networks from the real MXNet 1.9.1, without its oneDNN kernels.

Run with `mxnet==1.9.1` and NumPy before 1.24; writes `model_gradients.npz` beside this file.

With oneDNN, max pooling that was recorded in prediction mode is differentiated from memory that
nobody has written, so every run gives other numbers, `mxnet/models/*/io.npz` included. MXNet's own
kernels have no such fault; this script checks that they give the same numbers twice, and those of
`io.npz` in every layer after the pooling.
"""

from __future__ import annotations

import os

os.environ["MXNET_MKLDNN_ENABLED"] = "0"

import sys
from pathlib import Path

import mxnet as mx
import numpy as onp
from mxnet import autograd, npx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "mxnet"))
import make_golden

BUILDERS = {"mlp": make_golden.mlp, "lenet": make_golden.lenet, "resnet": make_golden.resnet}
AFTER_POOLING = {"mlp": ("0.", "2."), "lenet": ("9.", "10."), "resnet": ("4.", "5.", "7.")}


def gradients(name, train_mode):
    numpy_mode = name.endswith("_np")
    array = (mx.np if numpy_mode else mx.nd).array
    folder = HERE / "mxnet" / "models" / name
    net = BUILDERS[name.removesuffix("_np")](f"{name}_")
    net.load_parameters(str(folder / "net.params"))
    data = array(onp.load(folder / "io.npz")["input"])
    data.attach_grad()
    with autograd.record(train_mode=False):
        loss = (net(data) ** 2).sum()
    loss.backward(train_mode=train_mode)
    found = {
        f"{k}": p.grad().asnumpy()
        for k, p in net._collect_params_with_prefix().items()
        if p.grad_req != "null"
    }
    return {"input": data.grad.asnumpy(), **found}


def main():
    result = {}
    for name in ("mlp", "lenet", "resnet", "mlp_np", "lenet_np", "resnet_np"):
        if name.endswith("_np"):
            npx.set_np()
        recorded = onp.load(HERE / "mxnet" / "models" / name / "io.npz")
        for train_mode in (True, False):
            found = gradients(name, train_mode)
            for key, value in gradients(name, train_mode).items():
                assert (value == found[key]).all(), (name, key)
            for key, value in found.items():
                if train_mode and key.startswith(AFTER_POOLING[name.removesuffix("_np")]):
                    wanted = recorded[f"grad.{key}"]
                    assert abs(value - wanted).max() <= 1e-4 * abs(wanted).max(), (name, key)
                result[f"{name}/{train_mode}/{key}"] = value
        npx.reset_np()
    onp.savez_compressed(HERE / "model_gradients.npz", **result)


main()
