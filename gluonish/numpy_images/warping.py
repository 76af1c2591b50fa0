"""Affine maps of pictures to the values that OpenCV computes, in whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.numpy_images.resizing import BICUBIC, LANCZOS, NEAREST, kernel

if TYPE_CHECKING:
    from gluonish.numpy_images.resizing import Values

_FINE = 1024  # a pixel, in steps of coordinates
_STEPS = 32  # places between two pixels
_ONE = 1 << 15  # a share of 1, as a whole number


def warp(pixels: Values, matrix: Values, width: int, height: int, interp: int, fill: int) -> Values:
    """Return a picture of which each pixel comes from where the inverse of a map leads.

    Parameters
    ----------
    pixels : array of uint8, shape (height, width, channels)
        The picture.
    matrix : array, shape (2, 3)
        The map, from old to new (column, row, 1).
    width, height : int
        New size.
    interp : {0, 1, 2, 3, 4}
        As in `resize`; the area counts as bilinear.
    fill : int
        Value outside of the picture.
    """
    inverse = onp.linalg.inv(onp.vstack([matrix, [0, 0, 1]]))[:2]
    size = {NEAREST: 1, BICUBIC: 4, LANCZOS: 8}.get(interp, 2)
    shift = _FINE // 2 if size == 1 else _FINE // _STEPS // 2
    x, y = (_places(row, width, height, shift) for row in inverse)
    framed = onp.pad(pixels, ((size, size), (size, size), (0, 0)), constant_values=fill)
    if size == 1:
        return _pick(framed, y // _FINE, x // _FINE, size)
    x, y = x // (_FINE // _STEPS), y // (_FINE // _STEPS)
    shares = kernel(size, onp.arange(_STEPS, dtype=onp.float32) / _STEPS)
    across, down = shares[x % _STEPS], shares[y % _STEPS]
    left, top = x // _STEPS - (size // 2 - 1), y // _STEPS - (size // 2 - 1)
    total: Any = onp.zeros((height, width, pixels.shape[2]), onp.int64)
    for row in range(size):
        for column in range(size):
            share = onp.rint(down[..., row] * across[..., column] * _ONE).astype(onp.int64)
            part = _pick(framed, top + row, left + column, size)
            total += part * share[..., onp.newaxis]
    result: Values = ((total + _ONE // 2) // _ONE).clip(0, 255).astype(onp.uint8)
    return result


def _places(row: Values, width: int, height: int, shift: int) -> Values:
    """Return where one coordinate of each new pixel lies in the old picture, in fine steps."""
    columns = onp.rint(row[0] * onp.arange(width) * _FINE).astype(onp.int64)
    rows = onp.rint((row[1] * onp.arange(height) + row[2]) * _FINE).astype(onp.int64) + shift
    places: Values = columns + rows[:, onp.newaxis]
    return places


def _pick(framed: Values, rows: Values, columns: Values, frame: int) -> Values:
    """Return pixels of a picture with a frame, in which everything outside of it lies."""
    height, width = framed.shape[:2]
    picked: Values = framed[
        (rows + frame).clip(0, height - 1), (columns + frame).clip(0, width - 1)
    ]
    return picked
