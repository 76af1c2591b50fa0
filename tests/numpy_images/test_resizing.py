"""Resizing with and without OpenCV."""

from __future__ import annotations

import numpy as onp
import pytest

from gluonish.numpy_images import resizing


@pytest.mark.parametrize("interp", [resizing.NEAREST, resizing.BILINEAR, resizing.AREA])
def test_opencv_gives_the_bytes_that_are_computed_without_it(monkeypatch, interp):
    assert resizing._opencv() is not None
    numbers = onp.random.default_rng(3)
    for _ in range(60):
        height, width, new_height, new_width = numbers.integers(1, 70, 4).tolist()
        pixels = numbers.integers(0, 256, (height, width, numbers.choice([1, 3, 4])), "uint8")
        pixels = pixels[:, ::-1]
        with monkeypatch.context() as patch:
            patch.setattr(resizing, "_opencv", lambda: None)
            expected = resizing.resize(pixels, new_width, new_height, interp)
        found = resizing.resize(pixels, new_width, new_height, interp)
        assert found.dtype == onp.uint8
        onp.testing.assert_array_equal(found, expected)
