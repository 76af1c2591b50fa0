"""Boxes of the objects in a picture: the row of numbers they are written in, and their changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp

from gluonish.errors import LabelFormatError

if TYPE_CHECKING:
    Values = onp.ndarray[Any, Any]

_SHORTEST = 7  # header width, object width, and one object: class and four sides
_SIDES = slice(1, 5)  # left, top, right and bottom of an object


class Window(NamedTuple):
    """A part of a picture, or a frame around it: all four as shares of width and height."""

    x: onp.float32
    y: onp.float32
    width: onp.float32
    height: onp.float32

    def sides(self) -> Values:
        """Return left, top, right and bottom."""
        return onp.array([self.x, self.y, self.x + self.width, self.y + self.height], onp.float32)


class Boxes(NamedTuple):
    """Header of a label, and a row for each object: class, left, top, right, bottom, and more."""

    header: Values
    objects: Values

    def row(self) -> Values:
        """Return the label as one row of numbers."""
        return onp.concatenate([self.header, self.objects.ravel()])

    def mirrored(self) -> Boxes:
        """Return the boxes of the picture whose left is its right."""
        objects = self.objects.copy()
        objects[:, 1], objects[:, 3] = 1 - self.objects[:, 3], 1 - self.objects[:, 1]
        return self._replace(objects=objects)

    def seen_in(self, window: Window) -> Boxes:
        """Return the boxes as shares of a window, cut off at its ends."""
        objects = self.objects.copy()
        start = onp.array([window.x, window.y] * 2, onp.float32)
        size = onp.array([window.width, window.height] * 2, onp.float32)
        sides = (self.objects[:, _SIDES] - start) / size
        objects[:, 1:3], objects[:, 3:5] = (
            onp.maximum(sides[:, :2], 0),
            onp.minimum(sides[:, 2:], 1),
        )
        return self._replace(objects=objects)

    def only(self, which: Values) -> Boxes:
        """Return those objects for which `which` is true."""
        return self._replace(objects=self.objects[which])

    def areas(self) -> Values:
        """Return the area of each box."""
        return _areas(self.objects[:, _SIDES])

    def areas_in(self, window: Window) -> Values:
        """Return the area of each box inside of a window."""
        sides, outer = self.objects[:, _SIDES], window.sides()
        return _areas(
            onp.hstack([onp.maximum(sides[:, :2], outer[:2]), onp.minimum(sides[:, 2:], outer[2:])])
        )

    def centers_in(self, window: Window) -> Values:
        """Return whether the center of each box lies in a window."""
        outer = window.sides()
        centers = (self.objects[:, 1:3] + self.objects[:, 3:5]) * onp.float32(0.5)
        return onp.asarray(((centers >= outer[:2]) & (centers < outer[2:])).all(1))


def read_boxes(label: Any, where: str) -> Boxes:
    """Return what a row of numbers says, but for boxes whose right or bottom is not the larger.

    Parameters
    ----------
    label : array of float32
        Width of the header, number of columns of an object, further numbers of the header, then
        the objects.
    where : str
        Where the label is, for messages.

    Raises
    ------
    LabelFormatError
        The numbers say something else.
    """
    numbers = onp.asarray(label, onp.float32).ravel()
    header, columns = (int(numbers[0]), int(numbers[1])) if numbers.size >= _SHORTEST else (0, 0)
    if header < 2 or columns < 5 or (numbers.size - header) % columns:
        msg = (
            f"{where}: Label shape is invalid or inconsistent with annotation width: "
            f"{numbers.size} numbers that begin with {numbers[:7].tolist()}. Expected the header's "
            f"width, 2 or more, an object's, 5 or more, then the objects. Write [2, 5, class, "
            f"left, top, right, bottom]."
        )
        raise LabelFormatError(msg)
    boxes = Boxes(numbers[:header], numbers[header:].reshape(-1, columns))
    objects = boxes.objects
    return boxes.only((objects[:, 3] > objects[:, 1]) & (objects[:, 4] > objects[:, 2]))


def _areas(sides: Values) -> Values:
    lengths = onp.maximum(sides[:, 2:] - sides[:, :2], 0)
    return onp.asarray(lengths[:, 0] * lengths[:, 1])
