"""Writes layers.json and layers.npz: the layers of the real MXNet 1.9.1.

Run it under the real MXNet: `python tests/golden/make_layers.py`. For each constructor call: how
the layer prints before and after the first batch, its parameters' names, shapes and values for a
seed, its outputs in prediction and in training, the gradients, and the parameters afterwards.
"""

from __future__ import annotations

import json
import pathlib
import zlib

import mxnet as mx
import numpy as onp
from mxnet import autograd, gluon

HERE = pathlib.Path(__file__).parent
IMAGE = (2, 3, 8, 7)

LAYERS = [
    ("Dense(3)", (2, 4)),
    ("Dense(3, activation='relu')", (2, 4)),
    ("Dense(3, 'tanh', use_bias=False, flatten=False)", (2, 4, 5)),
    ("Dense(3, in_units=4, weight_initializer='ones', bias_initializer='ones')", (2, 4)),
    ("Dense(3, 'sigmoid')", (2, 4, 5)),
    ("Dropout(0.5)", (3, 4)),
    ("Dropout(0.3, axes=(0, 1))", (2, 3, 4)),
    ("Dropout(0)", (2, 3)),
    ("Embedding(4, 5)", (2, 3)),
    ("Embedding(4, 5, weight_initializer=mx.init.Normal(1))", (3,)),
    ("BatchNorm()", IMAGE),
    ("BatchNorm()", (5, 3)),
    ("BatchNorm(axis=-1, scale=False, center=False)", (2, 3, 4)),
    ("BatchNorm(in_channels=3, use_global_stats=True, epsilon=0.001, momentum=0.5)", (2, 3, 4)),
    ("BatchNorm(gamma_initializer=mx.init.Constant(2), beta_initializer='ones')", (4, 3)),
    ("LayerNorm()", (2, 3, 4)),
    ("LayerNorm(axis=1, in_channels=3, scale=False, center=False)", (2, 3, 4)),
    ("GroupNorm(num_groups=2)", (2, 4, 3)),
    ("GroupNorm(2, scale=False, center=False, epsilon=0.001)", (2, 4, 3)),
    ("InstanceNorm()", (2, 3, 4)),
    ("InstanceNorm(axis=2, scale=True)", (2, 3, 4)),
    ("Flatten()", (2, 3, 4)),
    ("Activation('relu')", (2, 3)),
    ("Activation('softsign')", (2, 3)),
    ("LeakyReLU(0.1)", (2, 3)),
    ("LeakyReLU(1)", (2, 3)),
    ("PReLU()", (2, 3, 4)),
    ("PReLU(in_channels=3)", (2, 3, 4)),
    ("PReLU(mx.init.Constant(0.5))", (2, 3)),
    ("ELU()", (2, 3)),
    ("ELU(0.3)", (2, 3)),
    ("GELU()", (2, 3)),
    ("Swish()", (2, 3)),
    ("Swish(2.0)", (2, 3)),
    ("Conv1D(4, 3)", (2, 3, 8)),
    ("Conv1D(4, 3, 2, 1, 2, activation='relu')", (2, 3, 8)),
    ("Conv2D(4, 3)", IMAGE),
    ("Conv2D(4, (3, 2), strides=2, padding=1, dilation=2, use_bias=False)", IMAGE),
    ("Conv2D(4, 5, strides=(2, 1), padding=(2, 1), groups=2, in_channels=4)", (1, 4, 8, 8)),
    ("Conv2D(6, 1, groups=3, activation='sigmoid')", IMAGE),
    ("Conv3D(4, (1, 2, 3), activation='tanh')", (2, 3, 3, 4, 5)),
    ("Conv1DTranspose(4, 3)", (2, 3, 8)),
    ("Conv2DTranspose(4, 3, strides=2, padding=1, output_padding=1)", IMAGE),
    ("Conv2DTranspose(4, 3, in_channels=3, activation='relu')", IMAGE),
    (
        "Conv2DTranspose(4, (2, 3), strides=(1, 2), groups=2, in_channels=4, use_bias=False)",
        (1, 4, 3, 3),
    ),
    ("Conv3DTranspose(4, 2, strides=2)", (2, 3, 3, 3, 2)),
    ("ReflectionPad2D(1)", IMAGE),
    ("ReflectionPad2D((0, 0, 0, 0, 1, 1, 2, 0))", IMAGE),
    ("Lambda('tanh')", (2, 3)),
    ("HybridLambda('tanh')", (2, 3)),
    ("HybridLambda(lambda F, x: F.tanh(x))", (2, 3)),
    ("Lambda(lambda x: x + 1)", (2, 3)),
    ("AvgPool2D(3, strides=2, padding=1, count_include_pad=False)", IMAGE),
    ("MaxPool2D((2, 3), strides=(2, 1))", IMAGE),
]
for _kind in ("Max", "Avg"):
    for _axes, _shape in ((1, (2, 3, 8)), (2, IMAGE), (3, (1, 2, 5, 6, 7))):
        LAYERS.append((f"{_kind}Pool{_axes}D()", _shape))
        LAYERS.append((f"{_kind}Pool{_axes}D(3, 2, 1, ceil_mode=True)", _shape))
        LAYERS.append((f"Global{_kind}Pool{_axes}D()", _shape))

# What MXNet prints under npx.set_np(), where an unknown size is -1.
PRINTED_IN_NP = [
    "Dense(3)",
    "Dense(3, activation='relu')",
    "Conv2D(4, 3)",
    "Conv2DTranspose(4, 3)",
    "BatchNorm()",
    "LayerNorm()",
    "InstanceNorm()",
    "GroupNorm()",
    "PReLU()",
    "MaxPool2D()",
]
PRINTED = [
    "BatchNormReLU()",
    "SELU()",
    "Sequential()",
    "HybridSequential()",
    "ReflectionPad2D()",
    "Conv2D(4, 3, layout='NHWC')",
    "Conv3D(4, 3, layout='NDHWC')",
    "MaxPool2D(layout='NHWC')",
    "MaxPool1D(layout='NWC')",
]


def build(text):
    return eval(f"nn.{text}", {"nn": gluon.nn, "mx": mx})


def names(block):
    return {name: str(param) for name, param in block.collect_params().items()}


def run(key, text, shape, arrays):
    random = onp.random.RandomState(zlib.crc32(key.encode()) % 2**31)
    values = random.normal(size=shape).astype("float32")
    if text.startswith("Embedding"):
        values = random.randint(0, 4, size=shape).astype("float32")
    arrays[f"{key}/x"] = values
    mx.random.seed(42)
    with mx.name.NameManager():
        block = build(text)
    entry = {"key": key, "text": text, "shape": shape, "before": repr(block)}
    entry["params_before"] = {p.name: p.shape for p in block.collect_params().values()}
    entry["settings"] = {
        name: [p.grad_req, str(p.dtype)] for name, p in block.collect_params().items()
    }
    block.initialize()
    x = mx.nd.array(values)
    if not text.startswith("Embedding"):
        x.attach_grad()
    arrays[f"{key}/predicted"] = block(x).asnumpy()
    for name, param in block.collect_params().items():
        arrays[f"{key}/param/{name}"] = param.data().asnumpy()
    with autograd.record():
        y = block(x)
    head = random.normal(size=y.shape).astype("float32")
    arrays[f"{key}/head"] = head
    y.backward(mx.nd.array(head))
    arrays[f"{key}/trained"] = y.asnumpy()
    # oneDNN's gradient of averages divides windows at the end by the whole window.
    is_wrong = "AvgPool" in text and "ceil_mode" in text
    if x.grad is not None and not is_wrong:
        arrays[f"{key}/grad"] = x.grad.asnumpy()
    for name, param in block.collect_params().items():
        if param.grad_req != "null":
            arrays[f"{key}/grad/{name}"] = param.grad().asnumpy()
        arrays[f"{key}/after/{name}"] = param.data().asnumpy()
    entry["after"] = repr(block)
    entry["params"] = str(block.collect_params())
    return entry


def main():
    arrays = {}
    rows = [
        run(f"{index:02d}_{text.partition('(')[0]}", text, shape, arrays)
        for index, (text, shape) in enumerate(LAYERS)
    ]
    printed = {text: repr(build(text)) for text in PRINTED}
    mx.npx.set_np()
    in_np = {text: repr(build(text)) for text in PRINTED_IN_NP}
    onp.savez_compressed(HERE / "layers.npz", **arrays)
    versions = {"mxnet": mx.__version__, "script": "make_layers.py"}
    found = {"versions": versions, "rows": rows, "printed": printed, "printed_in_np": in_np}
    (HERE / "layers.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
