"""Resizing of pictures to the values that OpenCV computes, in whole numbers for bytes."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as onp

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

Values: TypeAlias = "onp.ndarray[Any, Any]"
Taps: TypeAlias = "tuple[Values, Values]"  # places (new length, taps), and how much each counts

NEAREST, BILINEAR, BICUBIC, AREA, LANCZOS = range(5)

_SAME_IN_OPENCV = (NEAREST, BILINEAR, AREA)
_MOST_CHANNELS = 4  # of which OpenCV surely knows all kinds
_ONE = 2048  # a share of 1, as a whole number


def resize(pixels: Values, width: int, height: int, interp: int) -> Values:
    """Return a picture in another size.

    Parameters
    ----------
    pixels : array, shape (height, width, channels)
        uint8, or floating-point numbers.
    width, height : int
        New size, 1 or more.
    interp : {0, 1, 2, 3, 4}
        Nearest pixel, bilinear, bicubic (4 by 4 pixels), mean over the area, Lanczos (8 by 8).

    Notes
    -----
    OpenCV itself does it where it is installed and gives the same bytes, which takes a tenth of
    the time. Its bicubic and Lanczos filters round otherwise from version to version.

    As OpenCV does, the area's mean is taken only where the picture becomes smaller both ways, and
    is bilinear otherwise; and bilinear halving both ways is the mean.
    """
    old_height, old_width = pixels.shape[:2]
    if (old_width, old_height) == (width, height):
        return pixels.copy()
    channels = pixels.shape[2]
    if pixels.dtype == onp.uint8 and interp in _SAME_IN_OPENCV and channels <= _MOST_CHANNELS:
        opencv = _opencv()
        if opencv is not None:
            source = onp.ascontiguousarray(pixels)
            result = opencv.resize(source, (width, height), interpolation=interp)
            return onp.asarray(result).reshape(height, width, channels)
    if interp == NEAREST:
        rows, columns = _nearest(old_height, height), _nearest(old_width, width)
        return onp.ascontiguousarray(pixels[rows[:, onp.newaxis], columns])
    is_smaller = old_height >= height and old_width >= width
    if interp == BILINEAR and (old_width, old_height) == (2 * width, 2 * height):
        interp = AREA
    if interp == AREA and is_smaller:
        return _mean(pixels, width, height)
    taps = {
        BILINEAR: _bilinear_taps,
        BICUBIC: _bicubic_taps,
        AREA: _area_up_taps,
        LANCZOS: _lanczos_taps,
    }[interp]
    if pixels.dtype != onp.uint8:
        return _weigh(_weigh(pixels, taps(old_width, width), 1), taps(old_height, height), 0)
    down = _bilinear_row_taps if interp == BILINEAR else taps
    return _resize_bytes(pixels, taps(old_width, width), down(old_height, height))


@functools.cache
def _opencv() -> ModuleType | None:
    """Return OpenCV if it is installed."""
    try:
        import cv2
    except ImportError:
        return None
    return cv2


def _resize_bytes(pixels: Values, across: Taps, down: Taps) -> Values:
    """Weigh bytes in whole numbers, first along rows, then along columns."""
    shares = onp.rint(across[1] * _ONE).astype(onp.int32)
    wide = sum(
        onp.multiply(
            onp.take(pixels, across[0][:, tap], axis=1),
            shares[:, tap, onp.newaxis],
            dtype=onp.int32,
        )
        for tap in range(shares.shape[1])
    )
    shares = onp.rint(down[1] * _ONE).astype(onp.int32)
    if shares.shape[1] == 2:
        return _bilinear_rows(onp.asarray(wide), down[0], shares)
    return _many_rows(onp.asarray(wide), down[0], shares)


def _many_rows(wide: Values, rows: Values, shares: Values) -> Values:
    """Weigh four or eight rows for each new one."""
    total: Any = sum(
        wide[rows[:, tap]] * shares[:, tap, onp.newaxis, onp.newaxis]
        for tap in range(shares.shape[1])
    )
    result: Values = ((total + (1 << 21)) >> 22).clip(0, 255).astype(onp.uint8)
    # OpenCV weighs four rows with floating-point numbers, eight values at a time.
    length = wide.shape[1] * wide.shape[2]
    if shares.shape[1] == 4 and (many := length // 8 * 8):
        flat = wide.reshape(len(wide), length)[:, :many]
        parts = shares.astype(onp.float32) * onp.float32(1 / (_ONE * _ONE))
        total = sum(
            flat[rows[:, tap]].astype(onp.float32) * parts[:, tap, onp.newaxis] for tap in range(4)
        )
        result.reshape(len(result), length)[:, :many] = onp.rint(total).clip(0, 255)
    return result


def _bilinear_rows(wide: Values, rows: Values, shares: Values) -> Values:
    """Weigh two rows for each new one, with the bits that OpenCV leaves out on the way."""
    wide = wide >> 4
    upper, lower = onp.take(wide, rows[:, 0], axis=0), onp.take(wide, rows[:, 1], axis=0)
    upper *= shares[:, 0, onp.newaxis, onp.newaxis]
    lower *= shares[:, 1, onp.newaxis, onp.newaxis]
    upper >>= 16
    lower >>= 16
    upper += lower
    upper += 2
    upper >>= 2
    return upper.astype(onp.uint8)  # shares of 1 in all keep it within 0 and 255


def _weigh(values: Values, taps: Taps, axis: int) -> Values:
    """Weigh floating-point numbers along an axis, tap by tap."""
    places, shares = taps
    shape = (-1, 1, 1) if axis == 0 else (-1, 1)
    total: Any = 0
    for tap in range(shares.shape[1]):
        share = shares[:, tap].reshape(shape).astype(values.dtype)
        total = total + onp.take(values, places[:, tap], axis=axis) * share
    return onp.asarray(total)


def _mean(pixels: Values, width: int, height: int) -> Values:
    old_height, old_width, channels = pixels.shape
    down, down_rest = divmod(old_height, height)
    across, across_rest = divmod(old_width, width)
    is_bytes = pixels.dtype == onp.uint8
    if down_rest or across_rest:
        values = pixels.astype(onp.float32) if is_bytes else pixels
        values = _weigh(values, _area_taps(old_width, width), 1)
        values = _weigh(values, _area_taps(old_height, height), 0)
        return _rounded(values) if is_bytes else values
    blocks: Any = pixels.reshape(height, down, width, across, channels)
    if not is_bytes:
        mean: Values = blocks.sum((1, 3)) * pixels.dtype.type(1 / (down * across))
        return mean
    total = blocks.sum((1, 3), dtype=onp.int32)
    if (down, across) == (2, 2):
        return _rounded(total + 2 >> 2)
    return _rounded(total.astype(onp.float32) * onp.float32(1 / (down * across)))


def _rounded(values: Values) -> Values:
    return onp.rint(values).clip(0, 255).astype(onp.uint8)


def _nearest(old: int, new: int) -> Values:
    step = 1.0 / (new / old)
    places: Values = onp.minimum(onp.floor(onp.arange(new) * step), old - 1).astype(onp.int64)
    return places


def _split(old: int, new: int) -> tuple[Values, Values]:
    """Return for each new pixel the old one at or before its middle, and how far behind it is."""
    middle = ((onp.arange(new) + 0.5) * (1.0 / (new / old)) - 0.5).astype(onp.float32)
    place = onp.floor(middle)
    return place.astype(onp.int64), middle - place


def _around(place: Values, count: int, old: int) -> Values:
    first = place[:, onp.newaxis] - (count // 2 - 1)
    return (first + onp.arange(count)).clip(0, old - 1)


def _cached(function: Callable[[int, int], Taps]) -> Callable[[int, int], Taps]:
    """Keep the taps of the sizes that were asked for last: a dataset asks for them often."""
    return functools.lru_cache(maxsize=64)(function)


@_cached
def _bilinear_taps(old: int, new: int) -> Taps:
    place, rest = _split(old, new)
    rest = onp.where((place < 0) | (place >= old - 1), onp.float32(0), rest)
    place = place.clip(0, old - 1)
    return _around(place, 2, old), onp.stack([1 - rest, rest], axis=1)


@_cached
def _bilinear_row_taps(old: int, new: int) -> Taps:
    """Return taps that count a row at the edge twice, which rounds otherwise than once."""
    place, rest = _split(old, new)
    return _around(place, 2, old), onp.stack([1 - rest, rest], axis=1)


@_cached
def _area_up_taps(old: int, new: int) -> Taps:
    scale = new / old
    step = 1.0 / scale
    numbers = onp.arange(new)
    place = onp.floor(numbers * step).astype(onp.int64)
    rest = ((numbers + 1) - (place + 1) * scale).astype(onp.float32)
    rest = onp.where(rest <= 0, onp.float32(0), rest - onp.floor(rest))
    rest = onp.where(place >= old - 1, onp.float32(0), rest)
    return _around(place.clip(0, old - 1), 2, old), onp.stack([1 - rest, rest], axis=1)


@_cached
def _bicubic_taps(old: int, new: int) -> Taps:
    place, rest = _split(old, new)
    return _around(place, 4, old), kernel(4, rest)


@_cached
def _lanczos_taps(old: int, new: int) -> Taps:
    place, rest = _split(old, new)
    return _around(place, 8, old), kernel(8, rest)


def kernel(count: int, rest: Values) -> Values:
    """Return how much the pixels around a place count, by how far it lies behind one of them.

    Parameters
    ----------
    count : {2, 4, 8}
        Number of pixels: bilinear, bicubic or Lanczos.
    rest : array of float32
        Distance behind the pixel before, in [0, 1).
    """
    if count == 2:
        return onp.stack([1 - rest, rest], axis=1)
    if count == 4:
        return _bicubic(rest)
    distance = rest[:, onp.newaxis].astype(onp.float64) + onp.arange(3, -5, -1)
    angle = math.pi * distance
    safe = onp.where(distance == 0, 1.0, angle)
    shares = 4 * onp.sin(safe) * onp.sin(safe / 4) / (safe * safe)
    shares = onp.where(onp.abs(distance) < 1e-7, 1.0, shares)
    total: Values = shares.sum(1, keepdims=True)
    result: Values = (shares / total).astype(onp.float32)
    return result


def _bicubic(x: Values) -> Values:
    a = onp.float32(-0.75)
    far = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    after = ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1
    return onp.stack([far, near, after, 1 - far - near - after], axis=1)


@_cached
def _area_taps(old: int, new: int) -> Taps:
    """Return how much of each old pixel lies in each new one, for shrinking."""
    step = 1.0 / (new / old)
    begin = onp.arange(new) * step
    end = begin + step
    cell = onp.minimum(step, old - begin)
    first = onp.floor(begin).astype(onp.int64)
    count = math.ceil(step) + 1
    places = first[:, onp.newaxis] + onp.arange(count)
    shared = onp.minimum(end[:, onp.newaxis], places + 1) - onp.maximum(
        begin[:, onp.newaxis], places
    )
    shared = onp.where(shared > 1e-3, shared, 0.0)
    shares = (shared / cell[:, onp.newaxis]).astype(onp.float32)
    return places.clip(0, old - 1), shares
