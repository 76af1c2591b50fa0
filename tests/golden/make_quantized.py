"""Ask the real MXNet 1.9.1 to quantize small networks, and what the quantized ones answer.

Run from the repository's root under a Python that has MXNet 1.9.1; writes to
tests/golden/quantized: NAME-symbol.json and NAME-0000.params as MXNet saves them, before and after,
and quantized.npz with inputs and outputs. What MXNet gets wrong is left out: signed numbers added
before a ReLU, and LeakyReLU in dense layers.
"""

from __future__ import annotations

import types
from pathlib import Path

import mxnet as mx
import numpy as onp
from mxnet.contrib import quantization
from mxnet.gluon import nn

quantization.stats = types  # entropy asks for SciPy, and then does without it

HERE = Path(__file__).parent
TARGET = HERE / "quantized"


class Residual(nn.HybridBlock):
    """Two convolutions and a shortcut, as networks of residual blocks have them."""

    def __init__(self, channels, **options):
        super().__init__(**options)
        with self.name_scope():
            self.body = nn.HybridSequential(prefix="")
            self.body.add(
                nn.Conv2D(channels, 3, 1, 1, use_bias=False),
                nn.BatchNorm(),
                nn.Activation("relu"),
                nn.Conv2D(channels, 3, 1, 1, use_bias=False),
                nn.BatchNorm(),
            )

    def hybrid_forward(self, F, x):
        """Add the shortcut."""
        return F.Activation(x + self.body(x), act_type="relu")


class Encoder(nn.HybridBlock):
    """Attention and two dense layers, as encoders have them."""

    def __init__(self, units, **options):
        super().__init__(**options)
        with self.name_scope():
            self.query, self.key, self.value = (
                nn.Dense(units, flatten=False, prefix=f"{name}_") for name in "qkv"
            )
            self.first = nn.LayerNorm()
            self.wide = nn.Dense(4 * units, flatten=False)
            self.narrow = nn.Dense(units, flatten=False)
            self.second = nn.LayerNorm()

    def hybrid_forward(self, F, x):
        """Attend, then transform each position."""
        scores = F.batch_dot(self.query(x), self.key(x), transpose_b=True) / 4
        x = self.first(x + F.batch_dot(F.softmax(scores), self.value(x)))
        return self.second(x + self.narrow(F.LeakyReLU(self.wide(x), act_type="gelu")))


def lenet():
    """Return convolutions, poolings and dense layers."""
    net = nn.HybridSequential(prefix="lenet_")
    with net.name_scope():
        net.add(
            nn.Conv2D(6, 5, activation="relu"),
            nn.MaxPool2D(2, 2),
            nn.Conv2D(8, 3, use_bias=False),
            nn.BatchNorm(),
            nn.Activation("relu"),
            nn.AvgPool2D(2, 2),
            nn.Flatten(),
            nn.Dense(12, activation="relu"),
            nn.Dense(5),
        )
    return net


def residual():
    """Return residual blocks."""
    net = nn.HybridSequential(prefix="residual_")
    with net.name_scope():
        net.add(
            nn.Conv2D(8, 3, 1, 1, use_bias=False),
            nn.BatchNorm(),
            nn.Activation("relu"),
            Residual(8),
            Residual(8),
            nn.GlobalAvgPool2D(),
            nn.Dense(5),
        )
    return net


def dense():
    """Return dense layers with activations."""
    net = nn.HybridSequential(prefix="dense_")
    with net.name_scope():
        net.add(nn.Dense(16, activation="relu"), nn.Dense(12, activation="relu"), nn.Dense(4))
    return net


def mobile():
    """Return a block of MobileNet: depthwise convolutions and ReLU6."""
    from mxnet.gluon.model_zoo.vision.mobilenet import LinearBottleneck

    net = nn.HybridSequential(prefix="mobile_")
    with net.name_scope():
        net.add(LinearBottleneck(4, 5, 2, 1), nn.Conv2D(6, 1), nn.GlobalAvgPool2D(), nn.Flatten())
    return net


class Gates(nn.HybridBlock):
    """Two halves of a convolution's channels, multiplied, with channels last behind them."""

    def __init__(self, channels, **options):
        super().__init__(**options)
        with self.name_scope():
            self.both = nn.Conv2D(2 * channels, 3, 2, 1)

    def hybrid_forward(self, F, x):
        """Multiply the halves."""
        first, second = F.split(self.both(x), num_outputs=2, axis=1)
        return F.transpose(first * second, axes=(0, 2, 3, 1))


def branches():
    """Return branches that are joined, and convolutions of one channel each and with a slope."""
    net = nn.HybridSequential(prefix="branches_")
    with net.name_scope():
        joined = mx.gluon.contrib.nn.HybridConcurrent(axis=1)
        joined.add(nn.Conv2D(4, 1), nn.Conv2D(6, 3, 1, 1, activation="relu"), nn.MaxPool2D(3, 1, 1))
        net.add(
            joined,
            nn.Conv2D(13, 3, 1, 1, groups=13, use_bias=False),
            nn.BatchNorm(),
            nn.LeakyReLU(0.1),
            nn.Conv2D(6, 5, 2, activation="relu"),
            nn.GlobalMaxPool2D(),
            nn.Dense(4, use_bias=False),
        )
    return net


def gates():
    """Return products of channels, and a dense layer without a bias."""
    net = nn.HybridSequential(prefix="gates_")
    with net.name_scope():
        net.add(
            nn.Conv2D(6, 3, 1, 1, use_bias=False),
            nn.BatchNorm(),
            nn.Activation("relu"),
            Gates(4),
            nn.Dropout(0.5),
            nn.Dense(8, use_bias=False, activation="tanh"),
            nn.Dense(3),
        )
    return net


NETS = {
    "lenet": (lenet, (1, 16, 16)),
    "residual": (residual, (3, 8, 8)),
    "encoder": (lambda: Encoder(16, prefix="encoder_"), (6, 16)),
    "dense": (dense, (10,)),
    "mobile": (mobile, (4, 6, 6)),
    "branches": (branches, (3, 8, 8)),
    "gates": (gates, (3, 8, 8)),
}
WAYS = {
    "none": {"calib_mode": "none", "quantized_dtype": "auto"},
    "naive": {"calib_mode": "naive", "quantized_dtype": "auto"},
    "entropy": {"calib_mode": "entropy", "quantized_dtype": "auto"},
    "channels": {"calib_mode": "naive", "quantize_granularity": "channel-wise"},
    "smart": {"calib_mode": "naive", "quantize_mode": "smart"},
}


def made(build, shape, random):
    """Return a network with random parameters, and data for it."""
    data = random.uniform(-1, 1, size=(8, *shape)).astype("float32")
    net = build()
    net.initialize(mx.init.Xavier(magnitude=2))
    net(mx.nd.array(data))
    for name, param in net.collect_params().items():
        low = 0.5 if name.endswith(("gamma", "var")) else -0.2
        if name.endswith(("gamma", "beta", "mean", "var", "bias")):
            param.set_data(mx.nd.array(random.uniform(low, low + 0.6, size=param.shape)))
    net.hybridize()
    net(mx.nd.array(data))
    return net, data


def main():
    """Quantize each network in each way."""
    TARGET.mkdir(exist_ok=True)
    arrays = {}
    random = onp.random.RandomState(11)
    for name, (build, shape) in NETS.items():
        mx.random.seed(3)
        onp.random.seed(3)
        net, data = made(build, shape, random)
        net.export(str(TARGET / name), 0)
        arrays[f"{name}.data"] = data
        arrays[f"{name}.output"] = net(mx.nd.array(data)).asnumpy()
        for way, options in WAYS.items():
            fresh = mx.gluon.SymbolBlock.imports(
                str(TARGET / f"{name}-symbol.json"), ["data"], str(TARGET / f"{name}-0000.params")
            )
            given = dict(options)
            if given["calib_mode"] != "none":
                given["calib_data"] = mx.io.NDArrayIter(data, batch_size=4)
            else:
                given["data_shapes"] = [mx.io.DataDesc("data", data.shape)]
            found = quantization.quantize_net_v2(fresh, **given)
            arrays[f"{name}.{way}"] = found(mx.nd.array(data)).asnumpy()
            found.export(str(TARGET / f"{name}-{way}"), 0)
    onp.savez_compressed(TARGET / "quantized.npz", **arrays)


main()
