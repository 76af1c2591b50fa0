"""Writes model_zoo.json.gz and model_zoo.npz: MXNet's model zoo as graphs, and what it gives.

Run it with the real MXNet 1.9.1: `python make_model_zoo.py`.
"""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path

import mxnet as mx
import numpy as onp
from mxnet.gluon.model_zoo import vision

HERE = Path(__file__).parent
NAMES = [
    *[f"resnet{depth}_v{version}" for version in (1, 2) for depth in (18, 34, 50, 101, 152)],
    *[f"vgg{depth}{norm}" for depth in (11, 13, 16, 19) for norm in ("", "_bn")],
    "alexnet",
    *[f"densenet{depth}" for depth in (121, 161, 169, 201)],
    "squeezenet1.0",
    "squeezenet1.1",
    "inceptionv3",
    *[f"mobilenet{factor}" for factor in ("1.0", "0.75", "0.5", "0.25")],
    *[f"mobilenetv2_{factor}" for factor in ("1.0", "0.75", "0.5", "0.25")],
]
# Length of the image's sides for networks whose outputs are computed.
SIZES = {
    "resnet18_v1": 64,
    "resnet18_v2": 64,
    "resnet50_v1": 64,
    "resnet50_v2": 64,
    "vgg11": 32,
    "vgg11_bn": 32,
    "alexnet": 224,
    "densenet121": 224,
    "squeezenet1.0": 224,
    "squeezenet1.1": 224,
    "inceptionv3": 299,
    "mobilenet0.25": 64,
    "mobilenetv2_0.25": 64,
}


def value(name: str, shape: tuple[int, ...]) -> onp.ndarray:
    """Return what a parameter of a name is filled with."""
    noise = onp.random.default_rng(zlib.crc32(name.encode())).standard_normal(shape)
    if name.endswith("weight"):
        noise *= (2 / onp.prod(shape[1:])) ** 0.5
    elif name.endswith(("gamma", "var")):
        noise = 1 + 0.1 * abs(noise)
    else:
        noise *= 0.1
    return noise.astype("float32")


def image(size: int) -> onp.ndarray:
    """Return the image that networks are given."""
    return onp.random.default_rng(size).standard_normal((1, 3, size, size)).astype("float32")


def main() -> None:
    graphs = {}
    outputs = {}
    for name in NAMES:
        net = vision.get_model(name, classes=10, prefix="net_")
        symbol = net(mx.sym.var("data"))
        graphs[name] = json.loads(symbol.tojson())
        if name not in SIZES:
            continue
        net.initialize()
        data = mx.nd.array(image(SIZES[name]))
        net(data)
        for key, param in net.collect_params().items():
            param.set_data(mx.nd.array(value(key, param.shape)))
        outputs[name] = net(data).asnumpy()
        shapes = {key: param.shape for key, param in net.collect_params().items()}
        graphs[name]["shapes"] = shapes
    text = json.dumps(graphs, separators=(",", ":"))
    with gzip.GzipFile(HERE / "model_zoo.json.gz", "wb", mtime=0) as stream:
        stream.write(text.encode())
    onp.savez_compressed(HERE / "model_zoo.npz", **outputs)


if __name__ == "__main__":
    main()
