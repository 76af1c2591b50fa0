"""Resizing of pictures to the values that OpenCV computes, in whole numbers for bytes."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as onp
import torch

from gluonish.numpy_images.opencv import opencv

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

Values: TypeAlias = "onp.ndarray[Any, Any]"
Taps: TypeAlias = "tuple[Values, Values]"  # places (new length, taps), and how much each counts

NEAREST, BILINEAR, BICUBIC, AREA, LANCZOS = range(5)

_SAME_IN_OPENCV = (NEAREST, BILINEAR, AREA)
_MOST_CHANNELS = 4  # of which OpenCV surely knows all kinds
_ONE = 2048  # a share of 1, as a whole number
_CLOSE = 0.4995  # to a half; float32 is off by less than the rest


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
        library = opencv()
        if library is not None:
            source = onp.ascontiguousarray(pixels)
            result = library.resize(source, (width, height), interpolation=interp)
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


def _resize_bytes(pixels: Values, across: Taps, down: Taps) -> Values:
    """Weigh bytes in whole numbers, first along rows, then along columns."""
    old_height, old_width, channels = pixels.shape
    shares = onp.rint(across[1] * _ONE).astype(onp.float32)
    columns = _turned(pixels).reshape(old_width, -1).astype(onp.float32)
    # Sums of less than 2**24: float32 holds them all.
    sums = _sum_rows(columns, across[0], shares).numpy().reshape(-1, old_height, channels)
    wide = _turned(sums).reshape(old_height, -1)
    weigh = _bilinear_rows if down[1].shape[1] == 2 else _many_rows
    shape = (len(down[0]), len(across[0]), channels)
    return weigh(wide, down[0], onp.rint(down[1] * _ONE)).reshape(shape)


def _sum_rows(table: Values, rows: Values, shares: Values) -> Tensor:
    """Return for each new row the sum of some rows of a table, times their shares."""
    places, weights = torch.from_numpy(rows), torch.from_numpy(shares)
    return torch.nn.functional.embedding_bag(
        places, torch.from_numpy(table), mode="sum", per_sample_weights=weights
    )


def _turned(values: Values) -> Values:
    """Return a picture with rows and columns exchanged, lying in memory that way."""
    library = opencv() if values.shape[2] <= _MOST_CHANNELS else None
    if library is None:
        return onp.ascontiguousarray(values.transpose(1, 0, 2))
    return onp.asarray(library.transpose(onp.ascontiguousarray(values)))


def _many_rows(wide: Values, rows: Values, shares: Values) -> Values:
    """Weigh four or eight rows for each new one."""
    taps = range(rows.shape[1])
    # OpenCV weighs four rows with floating-point numbers, eight values at a time.
    many = wide.shape[1] // 8 * 8 if len(taps) == 4 else 0
    result = onp.empty((len(rows), wide.shape[1]), onp.uint8)
    if many:
        parts = shares.astype(onp.float32) * onp.float32(1 / (_ONE * _ONE))
        sums = _sum_rows(wide, rows, parts).numpy()
        rounded = onp.rint(sums)
        result[:] = rounded.clip(0, 255)
        # Close to a half it matters in which order they were added.
        row, column = divmod(onp.flatnonzero(abs(sums - rounded) > _CLOSE), wide.shape[1])
        total: Any = sum(wide[rows[row, tap], column] * parts[row, tap] for tap in taps)
        result[row, column] = _rounded(total)
    whole, counts = wide[:, many:].astype(onp.int32), shares.astype(onp.int32)
    total = sum(whole[rows[:, tap]] * counts[:, tap, onp.newaxis] for tap in taps)
    result[:, many:] = ((total + (1 << 21)) >> 22).clip(0, 255)
    return result


def _bilinear_rows(wide: Values, rows: Values, shares: Values) -> Values:
    """Weigh two rows for each new one, with the bits that OpenCV leaves out on the way."""
    wide, counts = wide.astype(onp.int32) >> 4, shares.astype(onp.int32)
    upper, lower = onp.take(wide, rows[:, 0], axis=0), onp.take(wide, rows[:, 1], axis=0)
    upper *= counts[:, 0, onp.newaxis]
    lower *= counts[:, 1, onp.newaxis]
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
