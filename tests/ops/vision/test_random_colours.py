from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd, npx

with onp.load(Path(__file__).parents[2] / "golden" / "data.npz") as _file:
    GOLDEN = dict(_file)
PICTURE = GOLDEN["picture"][:8]
SMALL = PICTURE.astype("float32") / 255

# In the order in which the real MXNet drew them, four times each.
CALLS = {
    "brightness": lambda image, x: image.random_brightness(x, min_factor=0.5, max_factor=1.5),
    "contrast": lambda image, x: image.random_contrast(x, min_factor=0.5, max_factor=1.5),
    "saturation": lambda image, x: image.random_saturation(x, min_factor=0.5, max_factor=1.5),
    "hue": lambda image, x: image.random_hue(x, min_factor=0.5, max_factor=1.5),
    "jitter": lambda image, x: image.random_color_jitter(
        x, brightness=0.3, contrast=0.4, saturation=0.5, hue=0.1
    ),
    "jitter of two": lambda image, x: image.random_color_jitter(x, 0.3, 0, 0.5, 0),
    "lighting": lambda image, x: image.random_lighting(x, alpha_std=0.5),
    "left right": lambda image, x: image.random_flip_left_right(x),
    "top bottom": lambda image, x: image.random_flip_top_bottom(x),
}


@pytest.mark.parametrize("front", [nd, npx])
def test_random_changes_are_those_of_mxnet(front):
    array = nd.array if front is nd else mx.np.array
    mx.random.seed(5)
    for name, call in CALLS.items():
        for position in range(4):
            found = call(front.image, array(PICTURE, dtype="uint8")).asnumpy()
            expected = GOLDEN[f"{name} bytes {position}"]
            assert found.dtype == onp.uint8
            assert onp.abs(found.astype(int) - expected.astype(int)).max() <= 2
            found = call(front.image, array(SMALL)).asnumpy()
            onp.testing.assert_allclose(found, GOLDEN[f"{name} floats {position}"], atol=4e-6)


def test_results_have_memory_of_their_own():
    x = nd.array(SMALL)
    for call in CALLS.values():
        call(nd.image, x)[:] = 7
    assert (x.asnumpy() == SMALL).all()


def test_lighting_adds_principal_components():
    x = nd.image.adjust_lighting(nd.zeros((1, 2, 3)), alpha=(0.1, 0.2, -0.3))
    expected = [-2.595856, -2.945090, -4.047571]
    onp.testing.assert_allclose(x.asnumpy()[0, 1], expected, atol=1e-5)
