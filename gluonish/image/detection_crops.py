"""Parts of pictures with boxes, and larger pictures around them, at random."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp
from typing_extensions import override

from gluonish.errors import InvalidArgumentError, RefusedArgumentError
from gluonish.image.detection_augmenters import DetAugmenter
from gluonish.image.geometry import copyMakeBorder, fixed_crop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array import NDArray
    from gluonish.image.arrays import Values

    Range = tuple[float, float]

__all__ = ["DetRandomCropAug", "DetRandomPadAug"]

_CONSTANT = 16  # OpenCV's border of a fixed colour


class _Box(NamedTuple):
    """Left column, top row, width and height in pixels."""

    x: int
    y: int
    width: int
    height: int


class DetRandomCropAug(DetAugmenter):
    """Cutting of a random part that shows enough of the objects.

    Parameters
    ----------
    min_object_covered : float, default 0.1
        Share of each object, if it shows at all, that the part has to show at least.
    aspect_ratio_range : float or (float, float), default (0.75, 1.33)
        Bounds of the part's width divided by its height.
    area_range : float or (float, float), default (0.05, 1.0)
        Bounds of the part's share in the picture.
    min_eject_coverage : float, default 0.3
        Objects of which no larger share shows lose their boxes.
    max_attempts : int, default 50
        Tries; if all of them fail, the picture stays as it is.

    Raises
    ------
    RefusedArgumentError
        A range is neither a number nor two.
    InvalidArgumentError
        Its bounds are in the wrong order, or not above 0.

    References
    ----------
    Liu et al.: SSD: single shot multibox detector, 2016, arXiv:1512.02325.

    Examples
    --------
    >>> import numpy as onp
    >>> import gluonish as mx
    >>> crop = mx.image.DetRandomCropAug(0.5, area_range=(0.3, 0.9))
    >>> label = onp.array([[0, 0.25, 0.25, 0.75, 0.75]])
    >>> part, boxes = crop(mx.nd.zeros((40, 60, 3)), label)
    >>> boxes.shape
    (1, 5)
    """

    def __init__(
        self,
        min_object_covered: float = 0.1,
        aspect_ratio_range: float | Sequence[float] = (0.75, 1.33),
        area_range: float | Sequence[float] = (0.05, 1.0),
        min_eject_coverage: float = 0.3,
        max_attempts: int = 50,
    ) -> None:
        self.aspect_ratio_range = _bounds(
            "DetRandomCropAug", "aspect_ratio_range", aspect_ratio_range
        )
        self.area_range = _bounds("DetRandomCropAug", "area_range", area_range)
        super().__init__(
            min_object_covered=min_object_covered,
            aspect_ratio_range=self.aspect_ratio_range,
            area_range=self.area_range,
            min_eject_coverage=min_eject_coverage,
            max_attempts=max_attempts,
        )
        self.min_object_covered = min_object_covered
        self.min_eject_coverage = min_eject_coverage
        self.max_attempts = max_attempts

    @override
    def __call__(self, src: NDArray, label: Values) -> tuple[NDArray, Values]:
        height, width = src.shape[:2]
        for _ in range(self.max_attempts):
            box = self._propose(height, width)
            if box is None or not self._shows_enough(label, box, height, width):
                continue
            boxes = self._visible(label, box, height, width)
            if len(boxes):
                return fixed_crop(src, *box), boxes
        return src, label

    def _propose(self, height: int, width: int) -> _Box | None:
        """Draw a part, or None if none of these proportions has the area that is wanted."""
        ratio = random.uniform(*self.aspect_ratio_range)
        least, most = (share * height * width for share in self.area_range)
        low, high = round(math.sqrt(least / ratio)), round(math.sqrt(most / ratio))
        if round(high * ratio) > width:
            high = int((width + 0.4999999) / ratio)
        high = min(high, height)
        rows = min(low, high)
        if rows < high:
            rows = random.randint(rows, high)
        columns = round(rows * ratio)
        # Rounding may have led out of the range of areas: a row more or less leads back.
        if rows * columns < least:
            rows += 1
        elif rows * columns > most:
            rows -= 1
        columns = round(rows * ratio)
        if not least <= rows * columns <= most or columns > width or rows > height:
            return None
        y = random.randint(0, max(0, height - rows))
        x = random.randint(0, max(0, width - columns))
        return _Box(x, y, columns, rows)

    def _shows_enough(self, label: Values, box: _Box, height: int, width: int) -> bool:
        """Return whether every object that shows in a part shows well enough."""
        if box.width * box.height < 2:
            return False
        areas = _areas(label[:, 1:5])
        real = areas * width * height > 2
        left, top = box.x / width, box.y / height
        right, bottom = (box.x + box.width) / width, (box.y + box.height) / height
        boxes = label[real, 1:5]
        shown = onp.concatenate(
            [onp.maximum(boxes[:, :2], (left, top)), onp.minimum(boxes[:, 2:], (right, bottom))],
            axis=1,
        )
        covered = _areas(shown) / areas[real]
        covered = covered[covered > 0]
        return bool(covered.size and covered.min() > self.min_object_covered)

    def _visible(self, label: Values, box: _Box, height: int, width: int) -> Values:
        """Return the boxes of those objects of which enough shows, as shares of the part."""
        start = onp.array([box.x / width, box.y / height] * 2)
        share = onp.array([box.width / width, box.height / height] * 2)
        boxes = label.copy()
        boxes[:, 1:5] = ((boxes[:, 1:5] - start) / share).clip(0, 1)
        covered = _areas(boxes[:, 1:5]) * share[0] * share[1] / _areas(label[:, 1:5])
        shows = (boxes[:, 3] > boxes[:, 1]) & (boxes[:, 4] > boxes[:, 2])
        visible: Values = boxes[shows & (covered > self.min_eject_coverage)]
        return visible


class DetRandomPadAug(DetAugmenter):
    """A larger picture around, of one colour, with the picture at a random place in it.

    Parameters
    ----------
    aspect_ratio_range : float or (float, float), default (0.75, 1.33)
        Bounds of the new picture's width divided by its height.
    area_range : float or (float, float), default (1.0, 3.0)
        Bounds of the new picture's area, divided by the old one's.
    max_attempts : int, default 50
        Tries; if all of them fail, the picture stays as it is.
    pad_val : float or sequence of float, default (128, 128, 128)
        The colour.

    Raises
    ------
    RefusedArgumentError
        A range is neither a number nor two.
    InvalidArgumentError
        Its bounds are in the wrong order, or not above 0.

    Examples
    --------
    >>> import numpy as onp
    >>> import gluonish as mx
    >>> pad = mx.image.DetRandomPadAug(area_range=(2.0, 3.0))
    >>> label = onp.array([[0, 0.25, 0.25, 0.75, 0.75]])
    >>> larger, boxes = pad(mx.nd.zeros((40, 60, 3)), label)
    >>> boxes.shape
    (1, 5)
    """

    def __init__(
        self,
        aspect_ratio_range: float | Sequence[float] = (0.75, 1.33),
        area_range: float | Sequence[float] = (1.0, 3.0),
        max_attempts: int = 50,
        pad_val: float | Sequence[float] = (128, 128, 128),
    ) -> None:
        self.aspect_ratio_range = _bounds(
            "DetRandomPadAug", "aspect_ratio_range", aspect_ratio_range
        )
        self.area_range = _bounds("DetRandomPadAug", "area_range", area_range)
        super().__init__(
            aspect_ratio_range=self.aspect_ratio_range,
            area_range=self.area_range,
            max_attempts=max_attempts,
            pad_val=pad_val,
        )
        self.max_attempts = max_attempts
        self.pad_val = pad_val

    @override
    def __call__(self, src: NDArray, label: Values) -> tuple[NDArray, Values]:
        height, width, channels = src.shape
        for _ in range(self.max_attempts):
            box = self._propose(height, width)
            if box is None:
                continue
            boxes = label.copy()
            size, place = onp.array([width, height] * 2), onp.array([box.x, box.y] * 2)
            boxes[:, 1:5] = (boxes[:, 1:5] * size + place) / onp.array([box.width, box.height] * 2)
            below, right = box.height - box.y - height, box.width - box.x - width
            colour = self.pad_val
            values = [colour] * channels if isinstance(colour, int | float) else colour
            padded = copyMakeBorder(src, box.y, below, box.x, right, _CONSTANT, values=values)
            return padded, boxes
        return src, label

    def _propose(self, height: int, width: int) -> _Box | None:
        """Draw a larger picture, or None if these proportions leave no room for a border."""
        ratio = random.uniform(*self.aspect_ratio_range)
        low, high = (round(math.sqrt(share * height * width / ratio)) for share in self.area_range)
        if round(low * ratio) < width:
            low = int((width + 0.499999) / ratio)
        rows = min(max(low, height), high)
        if rows < high:
            rows = random.randint(rows, high)
        columns = round(rows * ratio)
        if rows - height < 2 or columns - width < 2:
            return None
        y = random.randint(0, max(0, rows - height))
        x = random.randint(0, max(0, columns - width))
        return _Box(x, y, columns, rows)


def _areas(boxes: Values) -> Values:
    sides = onp.maximum(boxes[:, 2:] - boxes[:, :2], 0)
    return onp.asarray(sides[:, 0] * sides[:, 1])


def _bounds(where: str, name: str, value: Any) -> Range:
    pair = (value, value) if isinstance(value, int | float) else value
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        msg = (
            f"{where}: {name}={value!r} was given. Expected a number, or two: the bounds. Write "
            f"{name}=(0.5, 1.0), for example."
        )
        raise RefusedArgumentError(msg)
    if not 0 < pair[0] <= pair[1]:
        # MXNet lets the lower bound of an area be 0, too.
        if name == "area_range" and 0 <= pair[0] <= pair[1] and pair[1] > 0:
            return tuple(pair)
        msg = (
            f"{where}: {name}={value!r} was given. Expected bounds above 0, the lower one first. "
            f"Exchange or correct them."
        )
        raise InvalidArgumentError(msg)
    return tuple(pair)
