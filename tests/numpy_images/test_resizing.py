"""Resizing with and without OpenCV."""

from __future__ import annotations

import numpy as onp
import pytest

from gluonish.numpy_images import resizing


@pytest.mark.parametrize("interp", range(5))
def test_opencv_gives_the_bytes_that_are_computed_without_it(monkeypatch, interp):
    assert resizing.opencv() is not None
    numbers = onp.random.default_rng(3)
    for _ in range(60):
        height, width, new_height, new_width = numbers.integers(1, 70, 4).tolist()
        pixels = numbers.integers(0, 256, (height, width, numbers.choice([1, 3, 4])), "uint8")
        pixels = pixels[:, ::-1]
        with monkeypatch.context() as patch:
            patch.setattr(resizing, "opencv", lambda: None)
            expected = resizing.resize(pixels, new_width, new_height, interp)
        found = resizing.resize(pixels, new_width, new_height, interp)
        assert found.dtype == onp.uint8
        onp.testing.assert_array_equal(found, expected)


def bicubic_pixel_by_pixel(pixels, width, height):
    """What OpenCV computes: whole numbers along rows, then, eight at a time, float32."""
    (columns, across), (rows, down) = (
        resizing._bicubic_taps(old, new)
        for old, new in ((pixels.shape[1], width), (pixels.shape[0], height))
    )
    across, down = (onp.rint(shares * 2048).astype("int64") for shares in (across, down))
    wide = sum(pixels[:, columns[:, tap]] * across[:, tap, None] for tap in range(4))
    wide = wide.reshape(len(wide), -1)
    parts = (down * onp.float64(2.0**-22)).astype("float32")
    exact = sum(wide[rows[:, tap]] * down[:, tap, None] for tap in range(4))
    total = onp.zeros(exact.shape, "float32")
    for tap in range(4):
        total = total + wide[rows[:, tap]].astype("float32") * parts[:, tap, None]
    result = onp.rint(total)
    many = result.shape[1] // 8 * 8
    result[:, many:] = ((exact + 2**21) >> 22)[:, many:]
    return result.clip(0, 255).astype("uint8").reshape(height, width, -1)


def test_bicubic_bytes_are_rounded_as_opencv_does_for_mxnet():
    numbers = onp.random.default_rng(5)
    for height, width, new_height, new_width in [(61, 83, 47, 59), (9, 7, 40, 21), (120, 90, 5, 3)]:
        for channels in (1, 3):
            pixels = numbers.integers(0, 256, (height, width, channels), "uint8")
            found = resizing.resize(pixels, new_width, new_height, resizing.BICUBIC)
            expected = bicubic_pixel_by_pixel(pixels, new_width, new_height)
            onp.testing.assert_array_equal(found, expected)
