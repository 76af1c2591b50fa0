"""Boxes, drawn into pictures."""

from __future__ import annotations

import colorsys
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.numpy_images.codec import pillow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.numpy_images.codec import Pixels

_GOLDEN = 0.618034  # of a turn: hues of neighbours lie far apart


def draw_boxes(
    pixels: Pixels,
    objects: Pixels,
    color: Sequence[int] | None,
    thickness: int,
    names: dict[int, str] | None,
) -> Pixels:
    """Return a picture, uint8, with a rectangle for each object, and its name if there is one.

    Parameters
    ----------
    pixels : array, shape (height, width, 3)
        Values of 0 to 255.
    objects : array, shape (count, 5 or more)
        Class, left, top, right and bottom, the last four as shares of width and height.
    color : (int, int, int) or None
        Colour of the lines; None gives each class its own.
    thickness : int
        Width of the lines in pixels.
    names : dict or None
        Name of each class.
    """
    image = pillow("draw_next")
    from PIL import ImageDraw

    picture = image.fromarray(onp.ascontiguousarray(pixels.astype(onp.uint8)))
    draw: Any = ImageDraw.Draw(picture)
    height, width = pixels.shape[:2]
    for row in objects:
        kind = int(row[0])
        if kind < 0:
            continue
        sides = row[1:5] * onp.array([width, height, width, height])
        shade = tuple(color) if color is not None else _colour(kind)
        left, top, right, bottom = (round(float(side)) for side in sides)
        draw.rectangle((left, top, max(right, left), max(bottom, top)), None, shade, thickness)
        if names is not None and kind in names:
            draw.text((left + thickness + 1, top + thickness), str(names[kind]), fill=shade)
    return onp.asarray(picture).copy()


def _colour(kind: int) -> tuple[int, ...]:
    return tuple(int(255 * part) for part in colorsys.hsv_to_rgb(kind * _GOLDEN % 1, 1, 1))
