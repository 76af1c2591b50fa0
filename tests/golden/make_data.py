"""Ask the real MXNet 1.9.1 for what its samplers, loaders and transforms make of given data.

Run from the repository's root under a Python that has MXNet 1.9.1; writes tests/golden/data.json
and tests/golden/data.npz.
"""

from __future__ import annotations

import json
import pathlib
import random

import mxnet as mx
import numpy as onp
from mxnet import nd
from mxnet.gluon import data as gdata
from mxnet.gluon.data.vision import transforms

PICTURE = onp.random.RandomState(0).randint(0, 256, (9, 12, 3)).astype("uint8")
RESIZES = [
    {"size": 5},
    {"size": (7, 4)},
    {"size": (20, 16)},
    {"size": 6, "keep_ratio": True},
    {"size": (20, 16), "interpolation": 0},
    {"size": (20, 16), "interpolation": 2},
    {"size": (5, 4), "interpolation": 3},
]
CROPS = [5, (4, 7), 9, (16, 10), 20]


def samplers():
    """Return orders of samplers."""
    onp.random.seed(7)
    rollover = gdata.BatchSampler(gdata.SequentialSampler(10), 4, "rollover")
    return {
        "random": [[int(i) for i in gdata.RandomSampler(6)] for _ in range(2)],
        "rollover": [[len(rollover), list(rollover)] for _ in range(4)],
        "shards": [
            [[part[i] for i in range(len(part))] for part in shards]
            for shards in (
                [gdata.SimpleDataset(list(range(10))).shard(count, i) for i in range(count)]
                for count in (1, 3, 4, 12)
            )
        ],
    }


def batches():
    """Return what a DataLoader makes of samples, as shapes, dtypes and values."""
    samples = {
        "integers": [3, 1, 2],
        "floats": [1.5, 2.5, 3.5],
        "pairs": [(1, 2.5), (2, 3.5), (3, 4.5)],
        "nested": [(1, (2, 3)), (4, (5, 6)), (7, (8, 9))],
        "lists": [[1, 2], [3, 4], [5, 6]],
        "booleans": [True, False, True],
        "float32": [onp.float32(1), onp.float32(2), onp.float32(3)],
        "int64 arrays": [onp.arange(3, dtype="int64")] * 3,
    }

    def describe(batch):
        if isinstance(batch, list):
            return [describe(part) for part in batch]
        return [list(batch.shape), onp.dtype(batch.dtype).name, batch.asnumpy().tolist()]

    return {
        name: [describe(batch) for batch in gdata.DataLoader(values, 2)]
        for name, values in samples.items()
    }


def pictures():
    """Return what transforms make of one picture."""
    x = nd.array(PICTURE, dtype="uint8")
    small = nd.array(PICTURE.astype("float32") / 255)
    found = {"picture": PICTURE, "to_tensor": transforms.ToTensor()(x).asnumpy()}
    normalize = transforms.Normalize((0.1, 0.2, 0.3), (1, 2, 3))
    found["normalize"] = normalize(transforms.ToTensor()(x)).asnumpy()
    for position, options in enumerate(RESIZES):
        found[f"resize {position}"] = transforms.Resize(**options)(x).asnumpy()
        found[f"resize float {position}"] = transforms.Resize(**options)(small).asnumpy()
    for position, size in enumerate(CROPS):
        found[f"center {position}"] = transforms.CenterCrop(size)(x).asnumpy()
    found["crop"] = transforms.CropResize(1, 2, 5, 4)(x).asnumpy()
    found["crop resized"] = transforms.CropResize(1, 2, 5, 4, (3, 3), 1)(x).asnumpy()
    random.seed(3)
    resized_crop = transforms.RandomResizedCrop((6, 5))
    for position in range(5):
        found[f"resized crop {position}"] = resized_crop(x).asnumpy()
    mx.random.seed(5)
    jitters = {
        "brightness": transforms.RandomBrightness(0.5),
        "contrast": transforms.RandomContrast(0.5),
        "saturation": transforms.RandomSaturation(0.5),
        "hue": transforms.RandomHue(0.5),
        "jitter": transforms.RandomColorJitter(0.3, 0.4, 0.5, 0.1),
        "jitter of two": transforms.RandomColorJitter(0.3, 0, 0.5),
        "lighting": transforms.RandomLighting(0.5),
        "left right": transforms.RandomFlipLeftRight(),
        "top bottom": transforms.RandomFlipTopBottom(),
    }
    for name, jitter in jitters.items():
        for position in range(4):
            # Rows and columns are even in number: MXNet leaves the middle one of a flip unset.
            for kind, values in (("bytes", x[:8]), ("floats", small[:8])):
                found[f"{name} {kind} {position}"] = jitter(values).asnumpy()
    return found


manifest = {
    "mxnet": mx.__version__,
    "numpy": onp.__version__,
    "resizes": RESIZES,
    "crops": CROPS,
    "samplers": samplers(),
    "batches": batches(),
}
path = pathlib.Path("tests/golden/data.json")
path.write_text(json.dumps(manifest, separators=(",", ":")) + "\n")
onp.savez_compressed(path.with_suffix(".npz"), **pictures())
