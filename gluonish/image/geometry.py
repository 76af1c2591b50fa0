"""Size and parts of pictures: resizing, cropping and borders."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import ArgumentKindError, InvalidArgumentError, RefusedArgumentError
from gluonish.image.arrays import array_like, check_picture, pixels_of
from gluonish.numpy_images.resizing import resize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array import NDArray

    Size = Sequence[int]
    Box = tuple[int, int, int, int]

__all__ = [
    "center_crop",
    "copyMakeBorder",
    "fixed_crop",
    "imresize",
    "random_crop",
    "random_size_crop",
    "resize_short",
    "scale_down",
]

_TRIES = 10  # of random_size_crop
_CONSTANT = 0
_CHANNELS = (1, 3, 4)
_PADDINGS = {1: "edge", 2: "symmetric", 3: "wrap", 4: "reflect"}
_ISOLATED = 16  # OpenCV's flag for parts of larger pictures; arrays are whole


def imresize(src: NDArray, w: int, h: int, interp: int = 1, out: NDArray | None = None) -> NDArray:
    """Return a picture in another size.

    Parameters
    ----------
    src : NDArray, shape (height, width, channels)
        uint8, or floating-point numbers.
    w, h : int
        New width and height.
    interp : {0, 1, 2, 3, 4, 9, 10}, default 1
        Nearest pixel, bilinear, bicubic (4 by 4 pixels), mean over the area, Lanczos (8 by 8).
        9 takes bicubic for enlarging, the area for shrinking and bilinear for both; 10 draws one.
    out : NDArray, optional
        Takes the result.

    Raises
    ------
    InvalidArgumentError
        A length is less than 1, or `interp` is unknown.
    DTypeError
        The picture has other numbers.

    Notes
    -----
    The numbers are those of OpenCV, which MXNet calls: pixels have their middles at halves, and
    bicubic shrinking leaves pixels out.

    Examples
    --------
    >>> import gluonish as mx
    >>> src = mx.nd.array([[[0], [100]]], dtype="uint8")
    >>> mx.image.imresize(src, 4, 1).asnumpy().ravel().tolist()
    [0, 25, 75, 100]
    """
    pixels = pixels_of(src, "image.imresize")
    width, height = _length(w, "w"), _length(h, "h")
    method = get_interp_method(interp, (*pixels.shape[:2], height, width))
    values = pixels.astype(onp.float32) if pixels.dtype == onp.float16 else pixels
    result = array_like(resize(values, width, height, method).astype(pixels.dtype), src)
    return _into(out, result)


def _into(out: NDArray | None, result: NDArray) -> NDArray:
    if out is None:
        return result
    out[:] = result
    return out


def get_interp_method(interp: int, sizes: Sequence[int] = ()) -> int:
    """Return the method of resizing, which 9 leaves to the sizes, and 10 to chance.

    Parameters
    ----------
    interp : {0, 1, 2, 3, 4, 9, 10}
        As in `imresize`.
    sizes : (int, int, int, int), optional
        Old height and width, new height and width.
    """
    if interp == 9:
        if not sizes:
            return 2
        if len(sizes) != 4:
            msg = (
                f"interp=9: sizes={tuple(sizes)} was given. Expected old height and width, and "
                f"new height and width. Give four numbers, or none."
            )
            raise RefusedArgumentError(msg)
        old_height, old_width, height, width = sizes
        if height > old_height and width > old_width:
            return 2
        return 3 if height < old_height and width < old_width else 1
    if interp == 10:
        return random.randint(0, 4)
    if interp in (0, 1, 2, 3, 4):
        return interp
    msg = (
        f"Unknown interp method {interp!r} was given. Expected 0 (nearest), 1 (bilinear), 2 "
        f"(bicubic), 3 (area), 4 (Lanczos), 9 (by size) or 10 (random). Leave it out."
    )
    raise InvalidArgumentError(msg)


def scale_down(src_size: Size, size: Size) -> tuple[int, int]:
    """Return a size of the same proportions that fits into a picture.

    Parameters
    ----------
    src_size : (int, int)
        Width and height of the picture.
    size : (int, int)
        Width and height that are wanted.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.scale_down((640, 480), (720, 120))
    (640, 106)
    """
    return _scaled_down("scale_down", src_size, size)


def _scaled_down(where: str, src_size: Size, size: Size) -> tuple[int, int]:
    width: float
    height: float
    try:
        width, height = size
    except (TypeError, ValueError):
        side = size if isinstance(size, int) else 224
        msg = (
            f"{where}: size={size!r} was given. Expected width and height, two numbers. Write "
            f"size=({side}, {side}), for a square."
        )
        raise ArgumentKindError(msg) from None
    most_width, most_height = src_size
    if most_height < height:
        width, height = width * most_height / height, most_height
    if most_width < width:
        width, height = most_width, height * most_width / width
    return int(width), int(height)


def resize_short(src: NDArray, size: int, interp: int = 2) -> NDArray:
    """Return a picture whose shorter side has another length, in the same proportions.

    Parameters
    ----------
    src : NDArray, shape (height, width, channels)
        uint8, or floating-point numbers.
    size : int
        New length of the shorter side.
    interp : int, default 2
        As in `imresize`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.resize_short(mx.nd.zeros((40, 60, 3)), 20).shape
    (20, 30, 3)
    """
    check_picture(src, "image.resize_short")
    height, width = src.shape[:2]
    if height > width:
        new_width, new_height = size, size * height // width
    else:
        new_width, new_height = size * width // height, size
    return imresize(src, new_width, new_height, interp)


def _how_to_crop(src: NDArray) -> str:
    first, _, last = src.shape
    if first in _CHANNELS and last not in _CHANNELS:
        return "Channels come last here: write src.transpose((1, 2, 0))"
    return "Make the part smaller"


def fixed_crop(
    src: NDArray, x0: int, y0: int, w: int, h: int, size: Size | None = None, interp: int = 2
) -> NDArray:
    """Return a part of a picture, and in another size if that is wanted.

    Parameters
    ----------
    src : NDArray, shape (height, width, channels)
        uint8, or floating-point numbers.
    x0, y0 : int
        Left column and top row of the part.
    w, h : int
        Its width and height. What lies outside of the picture is left out.
    size : (int, int), optional
        New width and height.
    interp : int, default 2
        As in `imresize`.

    Raises
    ------
    InvalidArgumentError
        The part begins outside of the picture.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.fixed_crop(mx.nd.zeros((40, 60, 3)), 10, 0, 20, 40, size=(5, 5)).shape
    (5, 5, 3)
    """
    check_picture(src, "image.fixed_crop")
    rows, columns = src.shape[:2]
    if not (0 <= x0 < columns and 0 <= y0 < rows and w > 0 and h > 0):
        msg = (
            f"image.fixed_crop: x0={x0}, y0={y0}, w={w}, h={h} were given for a picture {columns} "
            f"wide and {rows} high. Expected a part that begins within it. {_how_to_crop(src)}."
        )
        raise InvalidArgumentError(msg)
    part: NDArray = src[int(y0) : int(y0 + h), int(x0) : int(x0 + w)]
    if size is not None and (w, h) != tuple(size):
        method = get_interp_method(interp, (h, w, size[1], size[0]))
        return imresize(part, size[0], size[1], method)
    return part


def random_crop(src: NDArray, size: Size, interp: int = 2) -> tuple[NDArray, Box]:
    """Return a part of a picture at a random place.

    Parameters
    ----------
    src : NDArray, shape (height, width, channels)
        uint8, or floating-point numbers.
    size : (int, int)
        Width and height of the result. Where the picture is smaller, a part of the same
        proportions is taken and enlarged.
    interp : int, default 2
        As in `imresize`.

    Returns
    -------
    part : NDArray
        The part.
    box : (int, int, int, int)
        Its left column, top row, width and height.

    Notes
    -----
    The place comes from Python's `random`, as in MXNet.

    Examples
    --------
    >>> import gluonish as mx
    >>> part, box = mx.image.random_crop(mx.nd.zeros((40, 60, 3)), (20, 30))
    >>> part.shape, box[2:]
    ((30, 20, 3), (20, 30))
    """
    check_picture(src, "image.random_crop")
    rows, columns = src.shape[:2]
    width, height = _scaled_down("random_crop", (columns, rows), size)
    x0 = random.randint(0, columns - width)
    y0 = random.randint(0, rows - height)
    return fixed_crop(src, x0, y0, width, height, size, interp), (x0, y0, width, height)


def center_crop(src: NDArray, size: Size, interp: int = 2) -> tuple[NDArray, Box]:
    """Return the middle of a picture.

    Parameters
    ----------
    src : NDArray, shape (height, width, channels)
        uint8, or floating-point numbers.
    size : (int, int)
        Width and height of the result. Where the picture is smaller, a part of the same
        proportions is taken and enlarged.
    interp : int, default 2
        As in `imresize`.

    Returns
    -------
    part : NDArray
        The part.
    box : (int, int, int, int)
        Its left column, top row, width and height.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.center_crop(mx.nd.zeros((40, 60, 3)), (20, 30))[1]
    (20, 5, 20, 30)
    """
    check_picture(src, "image.center_crop")
    rows, columns = src.shape[:2]
    width, height = _scaled_down("center_crop", (columns, rows), size)
    x0, y0 = int((columns - width) / 2), int((rows - height) / 2)
    return fixed_crop(src, x0, y0, width, height, size, interp), (x0, y0, width, height)


def random_size_crop(
    src: NDArray,
    size: Size,
    area: float | Sequence[float],
    ratio: Sequence[float],
    interp: int = 2,
    **kwargs: Any,
) -> tuple[NDArray, Box]:
    """Return a part of a picture of random place, area and proportions, in a fixed size.

    Parameters
    ----------
    src : NDArray, shape (height, width, channels)
        uint8, or floating-point numbers.
    size : (int, int)
        Width and height of the result.
    area : float or (float, float)
        Bounds of the part's share in the picture, in (0, 1]; a single number is the lower one.
    ratio : (float, float)
        Bounds of the part's width divided by its height.
    interp : int, default 2
        As in `imresize`.
    **kwargs
        `min_area`, an older name of `area`.

    Returns
    -------
    part : NDArray
        The part.
    box : (int, int, int, int)
        Its left column, top row, width and height.

    Raises
    ------
    RefusedArgumentError
        There is another keyword.

    Notes
    -----
    The draws are those of MXNet, from Python's `random`. After ten tries of which none fits, the
    middle is taken.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.random_size_crop(mx.nd.zeros((40, 60, 3)), (8, 9), 0.3, (0.5, 2))[0].shape
    (9, 8, 3)
    """
    check_picture(src, "image.random_size_crop")
    area = kwargs.pop("min_area", area)
    if kwargs:
        msg = (
            f"unexpected keyword arguments for `random_size_crop`: {sorted(kwargs)} were given. "
            f"Expected min_area at most. Leave them out."
        )
        raise RefusedArgumentError(msg)
    rows, columns = src.shape[:2]
    bounds = (area, 1.0) if isinstance(area, int | float) else (area[0], area[1])
    logs = math.log(ratio[0]), math.log(ratio[1])
    for _ in range(_TRIES):
        wanted = random.uniform(bounds[0], bounds[1]) * rows * columns
        proportion = math.exp(random.uniform(logs[0], logs[1]))
        width = round(math.sqrt(wanted * proportion))
        height = round(math.sqrt(wanted / proportion))
        if width <= columns and height <= rows:
            x0 = random.randint(0, columns - width)
            y0 = random.randint(0, rows - height)
            return fixed_crop(src, x0, y0, width, height, size, interp), (x0, y0, width, height)
    return center_crop(src, size, interp)


def copyMakeBorder(  # noqa: N802 - MXNet's name
    src: NDArray,
    top: int,
    bot: int,
    left: int,
    right: int,
    type: int = 0,  # noqa: A002 - MXNet's name
    value: float = 0.0,
    values: Sequence[float] = (),
    out: NDArray | None = None,
) -> NDArray:
    """Return a picture with a border around it.

    Parameters
    ----------
    src : NDArray, shape (height, width, channels)
        uint8, or floating-point numbers.
    top, bot, left, right : int
        Width of the border on each side, 0 or more.
    type : {0, 1, 2, 3, 4}, default 0
        A fixed colour; the outermost pixels repeated; the picture mirrored with its outermost
        pixels; the picture repeated; the picture mirrored without its outermost pixels. OpenCV's
        flag 16 may be added, and changes nothing.
    value : float, default 0
        The fixed colour, the same in all channels.
    values : sequence of float, optional
        The fixed colour, channel by channel.
    out : NDArray, optional
        Takes the result.

    Raises
    ------
    InvalidArgumentError
        A width is negative, `type` is unknown, or `values` has another number of channels.

    Examples
    --------
    >>> import gluonish as mx
    >>> src = mx.nd.array([[[1], [2]]], dtype="uint8")
    >>> mx.image.copyMakeBorder(src, 0, 0, 1, 2, type=1).asnumpy().ravel().tolist()
    [1, 1, 2, 2, 2]
    """
    pixels = pixels_of(src, "image.copyMakeBorder")
    kind = type & ~_ISOLATED
    if min(top, bot, left, right) < 0 or (kind != _CONSTANT and kind not in _PADDINGS):
        msg = (
            f"image.copyMakeBorder: top={top}, bot={bot}, left={left}, right={right}, type={type} "
            f"were given. Expected widths of 0 or more, and a type from 0 to 4. Correct them."
        )
        raise InvalidArgumentError(msg)
    widths = ((top, bot), (left, right), (0, 0))
    if kind != _CONSTANT:
        mode: Any = _PADDINGS[kind]
        return _into(out, array_like(onp.pad(pixels, widths, mode=mode), src))
    channels = pixels.shape[2]
    if len(values) not in (0, channels):
        msg = (
            f"image.copyMakeBorder: values={tuple(values)} was given for {channels} channels. "
            f"Expected one number for each. Give value=, one number for all channels."
        )
        raise InvalidArgumentError(msg)
    colour = onp.asarray(values if len(values) else [value] * channels, onp.float64)
    if pixels.dtype == onp.uint8:
        colour = onp.rint(colour).clip(0, 255)
    bordered = onp.empty(
        (pixels.shape[0] + top + bot, pixels.shape[1] + left + right, channels), pixels.dtype
    )
    bordered[:] = colour.astype(pixels.dtype)
    bordered[top : top + pixels.shape[0], left : left + pixels.shape[1]] = pixels
    return _into(out, array_like(bordered, src))


def _length(value: Any, name: str) -> int:
    length = int(value)
    if length < 1:
        msg = (
            f"image.imresize: {name}={value!r} was given. Expected 1 or more. Write "
            f"imresize(src, 224, 224), for example."
        )
        raise InvalidArgumentError(msg)
    return length
