from __future__ import annotations

import json
import random
import re
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd, np
from gluonish.gluon.data.vision import transforms

FOLDER = Path(__file__).parents[3] / "golden"
MANIFEST = json.loads((FOLDER / "data.json").read_text())
with onp.load(FOLDER / "data.npz") as _file:
    GOLDEN = dict(_file)
PICTURE = GOLDEN["picture"]
SMALL = PICTURE.astype("float32") / 255
JITTERS = {
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


def on(front, values):
    return front.array(values, dtype=values.dtype)


def equal(found, expected, tolerance=0):
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    difference = onp.abs(found.asnumpy().astype("float64") - expected.astype("float64"))
    assert difference.max() <= tolerance


@pytest.mark.parametrize("front", [nd, np])
def test_to_tensor_and_normalize_are_those_of_mxnet(front):
    x = transforms.ToTensor()(on(front, PICTURE))
    assert type(x) is (np.ndarray if front is np else nd.NDArray)
    equal(x, GOLDEN["to_tensor"])
    normalize = transforms.Normalize((0.1, 0.2, 0.3), (1, 2, 3))
    equal(normalize(x), GOLDEN["normalize"], 1e-7)
    together = transforms.Compose([transforms.ToTensor(), normalize])
    equal(together(on(front, PICTURE)), GOLDEN["normalize"], 1e-7)


def test_to_tensor_takes_batches():
    batch = nd.array(onp.stack([PICTURE, PICTURE]), dtype="uint8")
    equal(transforms.ToTensor()(batch)[1], GOLDEN["to_tensor"])


@pytest.mark.parametrize("position", range(len(MANIFEST["resizes"])))
def test_resize_is_that_of_mxnet(position):
    resize = transforms.Resize(**MANIFEST["resizes"][position])
    equal(resize(on(nd, PICTURE)), GOLDEN[f"resize {position}"], 1)
    equal(resize(on(nd, SMALL)), GOLDEN[f"resize float {position}"], 2e-5)


def test_resize_takes_batches():
    batch = nd.array(onp.stack([PICTURE, PICTURE]), dtype="uint8")
    assert transforms.Resize((7, 4))(batch).shape == (2, 4, 7, 3)


@pytest.mark.parametrize("position", range(len(MANIFEST["crops"])))
def test_center_crop_is_that_of_mxnet(position):
    crop = transforms.CenterCrop(MANIFEST["crops"][position])
    equal(crop(on(nd, PICTURE)), GOLDEN[f"center {position}"], 1)


def test_crop_resize_is_that_of_mxnet():
    x = on(nd, PICTURE)
    equal(transforms.CropResize(1, 2, 5, 4)(x), GOLDEN["crop"])
    equal(transforms.CropResize(1, 2, 5, 4, (3, 3), 1)(x), GOLDEN["crop resized"], 1)
    assert transforms.CropResize(1, 2, 5, 4, 2)(x).shape == (2, 2, 3)


def test_random_resized_crop_takes_the_parts_that_mxnet_takes():
    random.seed(3)
    crop = transforms.RandomResizedCrop((6, 5))
    for position in range(5):
        equal(crop(on(nd, PICTURE)), GOLDEN[f"resized crop {position}"], 1)


def test_random_resized_crop_falls_back_to_the_middle():
    crop = transforms.RandomResizedCrop(4, scale=(30, 40))
    assert crop(on(np, PICTURE)).shape == (4, 4, 3)


@pytest.mark.parametrize("front", [nd, np])
def test_random_colours_and_flips_are_those_of_mxnet(front):
    mx.random.seed(5)
    for name, jitter in JITTERS.items():
        rounding = 2 if "jitter" in name else 1
        for position in range(4):
            equal(jitter(on(front, PICTURE[:8])), GOLDEN[f"{name} bytes {position}"], rounding)
            equal(jitter(on(front, SMALL[:8])), GOLDEN[f"{name} floats {position}"], 4e-6)


def test_grey_pictures_keep_their_colour():
    grey = on(nd, SMALL[:, :, :1])
    for name in ("saturation", "hue", "lighting"):
        equal(JITTERS[name](grey), SMALL[:, :, :1])
    assert JITTERS["jitter"](grey).shape == grey.shape


def test_hybridized_jitter_draws_anew_each_time():
    jitter = transforms.RandomBrightness(0.5)
    jitter.hybridize()
    found = {float(jitter(nd.ones((2, 2, 3)))[0, 0, 0].asscalar()) for _ in range(8)}
    assert len(found) == 8


def test_cast_and_random_apply():
    x = nd.ones((2, 2))
    assert transforms.Cast("float64")(x).dtype is onp.float64
    assert transforms.Cast()(x.astype("uint8")).dtype is onp.float32
    random.seed(0)
    apply = transforms.RandomApply(transforms.Cast("float64"), p=0.5)
    kinds = [apply(x).dtype for _ in range(100)]
    assert 30 < kinds.count(onp.float64) < 70
    with pytest.raises(ValueError, match="p=2 was given"):
        transforms.RandomApply(transforms.Cast(), p=2)


def test_compose_prints_as_mxnet_prints_and_takes_any_callable():
    compose = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.13, 0.31)])
    assert repr(compose) == (
        "Compose(\n  (0): HybridSequential(\n    (0): ToTensor(\n    \n    )\n    (1): Normalize(\n"
        "    \n    )\n  )\n)"
    )
    assert repr(transforms.Resize(3)) == "Resize(\n\n)"
    mixed = transforms.Compose([transforms.ToTensor(), lambda x: x + 1])
    assert mixed(nd.zeros((1, 1, 1))).asnumpy().item() == 1.0


@pytest.mark.parametrize(
    ("transform", "shape", "message"),
    [
        (transforms.ToTensor(), (28, 28), "Expected (height, width, channels) or (batch,"),
        (transforms.Resize(3), (28, 28), "Expected (height, width, channels) or (batch,"),
        (transforms.Resize(0), (4, 4, 1), "size=0 was given"),
        (transforms.Resize(3, interpolation=9), (4, 4, 1), "interp=9 was given"),
        (transforms.Normalize(0.5), (28, 28), "with 1 or 3 channels. Put ToTensor() before"),
        (transforms.Normalize((1.0, 2.0)), (3, 4, 4), "Invalid mean for data of shape (3, 4, 4)"),
        (transforms.Normalize(0, (1, 2, 3)), (1, 4, 4), "Invalid std for data of shape (1, 4, 4)"),
        (transforms.CropResize(2, 0, 3, 3), (4, 4, 1), "Expected a rectangle within it"),
        (transforms.RandomFlipLeftRight(), (2, 4, 4, 1), "Expected (height, width, channels)."),
        (transforms.RandomBrightness(0.1), (4, 4), "Expected (height, width, channels)."),
        (transforms.RandomColorJitter(-1), (4, 4, 3), "Expected 0 or more. Pass 0 to leave"),
    ],
)
def test_pictures_that_do_not_fit_are_refused(transform, shape, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        transform(nd.zeros(shape))
    assert isinstance(caught.value, mx.MXNetError)


def test_construction_refuses_what_makes_no_sense():
    with pytest.raises(ValueError, match="RandomHue: -1 was given. Expected 0 or more"):
        transforms.RandomHue(-1)
    with pytest.raises(TypeError, match="size='a' was given"):
        transforms.CenterCrop("a")
    with pytest.raises(ValueError, match="Expected factors of 0 or more"):
        nd.image.random_hue(nd.zeros((2, 2, 3)), -1, 1)
    with pytest.raises(ValueError, match="Expected three amounts"):
        nd.image.adjust_lighting(nd.zeros((2, 2, 3)), (1, 2))


def test_any_function_is_a_transform_as_in_mxnet():
    prepare = transforms.Compose([lambda x: x + 1, transforms.ToTensor()])
    assert prepare(mx.nd.zeros((2, 3, 1))).shape == (1, 2, 3)
    with pytest.raises(TypeError, match="was to be a child"):
        transforms.Compose([3])
