"""Writes torchvision.json.gz and torchvision.npz: names in state_dicts, and what networks give.

Run with gluonish's Python, where torchvision 0.28.0 and timm 1.0.31 are installed as well.
"""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path

import numpy as onp
import timm
import torch
from torchvision import models

HERE = Path(__file__).parent
NAMES = [
    "alexnet",
    *[f"vgg{depth}{norm}" for depth in (11, 13, 16, 19) for norm in ("", "_bn")],
    *[f"resnet{depth}" for depth in (18, 34, 50, 101, 152)],
    "squeezenet1_0",
    "squeezenet1_1",
    *[f"densenet{depth}" for depth in (121, 161, 169, 201)],
    "inception_v3",
    "mobilenet_v2",
]
# Those whose names differ from torchvision's.
OTHERS = ["vgg11_bn", "mobilenetv2_100"]
# Length of the image's sides for networks whose outputs are computed.
SIZES = {
    "resnet18": 64,
    "resnet50": 64,
    "squeezenet1_1": 224,
    "densenet121": 224,
    "inception_v3": 299,
    "mobilenet_v2": 64,
}


def noise(name: str, shape: tuple[int, ...]) -> onp.ndarray:
    """Return values that depend on the name alone, for outputs of moderate size."""
    values = onp.random.default_rng(zlib.crc32(name.encode())).standard_normal(shape, "float32")
    if len(shape) > 1:
        return values * onp.float32((2 / onp.prod(shape[1:])) ** 0.5)
    if name.endswith(("bias", "mean")):
        return values * onp.float32(0.1)
    return 1 + onp.float32(0.1) * abs(values)


def main() -> None:
    """Write both files."""
    names, outputs = {}, {}
    for name in NAMES:
        options = {"init_weights": False} if name == "inception_v3" else {}
        net = getattr(models, name)(weights=None, num_classes=10, **options).eval()
        state = net.state_dict()
        names[name] = {key: list(value.shape) for key, value in state.items()}
        if name in SIZES:
            for key, value in state.items():
                if value.is_floating_point():
                    value.copy_(torch.from_numpy(noise(key, tuple(value.shape))))
            size = SIZES[name]
            pixels = onp.random.default_rng(size).standard_normal((1, 3, size, size), "float32")
            with torch.no_grad():
                outputs[name] = net(torch.from_numpy(pixels)).numpy()
    for name in OTHERS:
        state = timm.create_model(name, num_classes=10).state_dict()
        names[f"timm {name}"] = {key: list(value.shape) for key, value in state.items()}
    text = json.dumps(names, separators=(",", ":"))
    with gzip.GzipFile(HERE / "torchvision.json.gz", "wb", mtime=0) as stream:
        stream.write(text.encode())
    onp.savez(HERE / "torchvision.npz", **outputs)


if __name__ == "__main__":
    main()
