"""`image.resize`: OpenCV's bytes, all methods, batches, and graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish.gluon.data.vision import transforms

GOLDEN = Path(__file__).parents[2] / "golden" / "pictures.npz"


def picture(dtype):
    values = onp.random.RandomState(30).randint(0, 256, (30, 44, 3))
    return mx.nd.array(values, dtype=dtype)


@pytest.mark.parametrize("interp", range(5))
@pytest.mark.parametrize(("width", "height"), [(9, 21), (22, 15), (61, 47), (60, 11)])
def test_bytes_are_those_of_mxnet(interp, width, height):
    with onp.load(GOLDEN) as arrays:
        expected = arrays[f"sizes/size {interp} {width}"]
    found = mx.nd.image.resize(picture("uint8"), (width, height), interp=interp)
    assert (found.asnumpy() == expected).all()
    both = mx.nd.stack(picture("uint8"), picture("uint8"))
    found = mx.nd.image.resize(both, (width, height), interp=interp).asnumpy()
    assert (found == onp.stack([expected] * 2)).all()


@pytest.mark.parametrize("interp", range(5))
def test_real_numbers_are_like_bytes(interp):
    real = mx.nd.image.resize(picture("float32"), (61, 47), interp=interp).asnumpy()
    whole = mx.nd.image.resize(picture("uint8"), (61, 47), interp=interp).asnumpy()
    assert onp.abs(real.clip(0, 255) - whole).max() <= 1
    half = mx.nd.image.resize(picture("float16"), (61, 47), interp=interp)
    assert half.dtype == onp.float16


def test_transforms_of_bytes_are_captured():
    chain = transforms.Compose([transforms.Resize(20, interpolation=3), transforms.ToTensor()])
    first, again = (chain(picture("uint8")).asnumpy() for _ in range(2))
    assert first.shape == (3, 20, 20)
    assert (first == again).all()


def test_unknown_methods_are_refused():
    with pytest.raises(mx.errors.InvalidArgumentError, match="interp=5 was given"):
        mx.nd.image.resize(picture("uint8"), 3, interp=5)
