"""Writes output_ops.json and output_ops.npz: operators with gradients of their own.

Run it under the real MXNet 1.9.1: `python tests/golden/make_output_ops.py`. Each row has an
operator, its data and label, its other arguments, its result, and the gradients that it has,
whatever the head gradient.
"""

from __future__ import annotations

import json
import pathlib
import zlib

import mxnet as mx
import numpy as onp
from mxnet import autograd, nd

HERE = pathlib.Path(__file__).parent
CLASSES = [1, 0, 3]
PLACES = [[1, -1, 2, 0], [2, 2, -1, -1]]
ROWS = [[1, -1, 2], [2, 3, -1]]
IGNORED = {"use_ignore": True, "normalization": "valid"}


def rows():
    """Yield operator, shape of the data, label (a shape, or numbers) and other arguments."""
    softmax = "SoftmaxOutput"
    for options in (
        {},
        {"grad_scale": 2.5},
        {"normalization": "batch"},
        {"normalization": "valid"},
        {"use_ignore": True, "ignore_label": 0},
        {"ignore_label": 3, **IGNORED},
        {"smooth_alpha": 0.1},
        {"smooth_alpha": 0.2, "ignore_label": 0, "grad_scale": 3, **IGNORED},
        {"preserve_shape": True},
    ):
        yield softmax, (3, 4), CLASSES, options
    yield "Softmax", (3, 4), CLASSES, {"grad_scale": 2}
    yield softmax, (3, 4), [-1, 4, 2], {}
    yield softmax, (3, 4), [-1, 7, 2], {"smooth_alpha": 0.3}
    yield softmax, (3, 4), [1.7, 0.2, -0.5], {"ignore_label": 0, **IGNORED}
    yield softmax, (3, 4), [-1, -1, -1], IGNORED
    yield softmax, (3, 4), [[-1], [3], [1]], {"multi_output": True}
    for options in ({}, {"grad_scale": 2}, {"normalization": "batch"}, IGNORED):
        yield softmax, (2, 3, 4), (2, 3, 4), options
        yield softmax, (2, 3, 4), PLACES, {"multi_output": True, **options}
        yield softmax, (2, 3, 4), ROWS, {"preserve_shape": True, **options}
        yield softmax, (2, 3, 4), ROWS, options
    yield softmax, (2, 3, 4), (2, 3, 4), {"multi_output": True}
    yield softmax, (2, 3, 2, 2), PLACES, {"multi_output": True, "normalization": "valid"}
    yield softmax, (2, 3, 4), [[row] for row in PLACES], {"multi_output": True, **IGNORED}
    yield softmax, (2, 3, 4), ROWS, {"preserve_shape": True, "smooth_alpha": 0.1}
    yield softmax, (4,), [1, 0, 2, 0], {}
    for name in ("LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput"):
        yield name, (2, 3), (2, 3), {}
        yield name, (2, 3), (2, 3), {"grad_scale": 2.5}
        yield name, (2, 1), (2,), {}
        yield name, (3,), (3,), {}
        yield name, (2, 3, 2, 2), (2, 3, 4), {}
    yield "MAERegressionOutput", (1, 2), [[0, 0]], {"zeros": True}
    for options in (
        {},
        {"margin": 0.5},
        {"regularization_coefficient": 0.3},
        {"use_linear": True},
        {"use_linear": True, "margin": 0.5, "regularization_coefficient": 0.3},
    ):
        yield "SVMOutput", (3, 4), CLASSES, options
    yield "SVMOutput", (3, 4), [1, -1, 7], {}
    yield "SVMOutput", (2, 3, 4), ROWS, {}


def run(number, op, shape, label, options, arrays):
    """Ask MXNet, and return a description of the row."""
    name = f"{op}.{number}"
    random = onp.random.RandomState(zlib.crc32(name.encode()) % 2**31)
    data = random.normal(size=shape).astype("float32")
    if options.pop("zeros", False):
        data[:] = 0
    label = random.uniform(size=label) if isinstance(label, tuple) else onp.array(label)
    head = random.normal(size=shape).astype("float32")
    x, y = nd.array(data), nd.array(label)
    x.attach_grad()
    y.attach_grad("add")
    y.grad[:] = 1
    with autograd.record():
        result = getattr(nd, op)(x, y, **options)
    result.backward(nd.array(head))
    found = {"data": data, "label": y.asnumpy(), "head": head, "result": result.asnumpy()}
    found["gradient"], by_label = x.grad.asnumpy(), y.grad.asnumpy()
    assert (by_label == 1).all()
    arrays.update({f"{name}/{key}": value for key, value in found.items()})
    return {"name": name, "op": op, "options": options}


def sparse(arrays):
    """Ask for the operator with a moving average, which works in symbols alone."""
    random = onp.random.RandomState(7)
    options = {"sparseness_target": 0.2, "penalty": 0.5, "momentum": 0.8}
    symbol = mx.sym.IdentityAttachKLSparseReg(mx.sym.Variable("data"), name="kl", **options)
    executor = symbol.simple_bind(mx.cpu(), data=(3, 4))
    average = executor.aux_dict["kl_moving_avg"]
    average[:] = nd.array(random.uniform(0.1, 0.9, 4))
    arrays["sparse/before"] = average.asnumpy()
    for step in range(2):
        data, head = random.uniform(size=(2, 3, 4)).astype("float32")
        executor.forward(is_train=True, data=nd.array(data))
        executor.backward(nd.array(head))
        arrays[f"sparse/data{step}"], arrays[f"sparse/head{step}"] = data, head
        arrays[f"sparse/result{step}"] = executor.outputs[0].asnumpy()
        arrays[f"sparse/gradient{step}"] = executor.grad_dict["data"].asnumpy()
        arrays[f"sparse/after{step}"] = average.asnumpy()
    return options


def main():
    """Write both files."""
    arrays = {}
    described = [
        run(number, op, shape, label, dict(options), arrays)
        for number, (op, shape, label, options) in enumerate(rows())
    ]
    manifest = {
        "versions": {"mxnet": mx.__version__, "script": "make_output_ops.py"},
        "sparse": sparse(arrays),
        "rows": described,
    }
    onp.savez_compressed(HERE / "output_ops.npz", **arrays)
    (HERE / "output_ops.json").write_text(json.dumps(manifest, indent=1) + "\n")


if __name__ == "__main__":
    main()
