"""`nd.imdecode`, MXNet's first function for encoded pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ndarray.creation import array
from gluonish.numpy_images.codec import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array import NDArray

__all__ = ["imdecode"]


def imdecode(
    str_img: bytes,
    clip_rect: Sequence[int] = (0, 0, 0, 0),
    out: NDArray | None = None,
    index: int = 0,
    channels: int = 3,
    mean: NDArray | None = None,
) -> NDArray:
    """Return the picture that encoded bytes stand for, channels first: blue, green, red.

    MXNet has given it up for `mx.image.imdecode`, which has colours last, and in the usual order.

    Parameters
    ----------
    str_img : bytes
        Content of a JPEG, PNG, BMP, TIFF or WebP file.
    clip_rect : tuple of int, default (0, 0, 0, 0)
        Left, top, right and bottom of what is returned; the whole picture if bottom is top.
    out : NDArray, optional
        Takes the picture: shape (channels, height, width), or (batch, channels, height, width).
    index : int, default 0
        Which picture of such a batch it becomes.
    channels : {1, 3}, default 3
        1 gives shades of grey.
    mean : NDArray, optional
        What is subtracted, of the picture's shape.

    Returns
    -------
    NDArray, shape (channels, height, width)
        float32, or `mean`'s dtype; `out` where it is given.

    Raises
    ------
    InvalidArgumentError
        `channels` is another number, or `clip_rect` goes beyond the picture.
    ShapeError
        `mean` or `out` has another shape.
    ImageFormatError
        The bytes are no picture, or a damaged one.

    Examples
    --------
    >>> import gluonish as mx
    >>> red_and_blue = b"P6 2 1 255 " + bytes([255, 0, 0, 0, 0, 255])
    >>> mx.nd.imdecode(red_and_blue).asnumpy().tolist()
    [[[0.0, 255.0]], [[0.0, 0.0]], [[255.0, 0.0]]]
    """
    if channels not in (1, 3):
        msg = (
            f"nd.imdecode: channels={channels!r} was given. Expected 3 for colours, 1 for shades "
            f"of grey. Leave it out for colours."
        )
        raise InvalidArgumentError(msg)
    pixels = decode(bytes(str_img), int(channels == 3), "nd.imdecode")
    shown = pixels.reshape((*pixels.shape[:2], channels))[:, :, ::-1]
    left, top, right, bottom = clip_rect
    height, width = shown.shape[:2]
    if bottom != top:
        if not (0 <= left <= right <= width and 0 <= top <= bottom <= height):
            msg = (
                f"nd.imdecode: clip_rect={tuple(clip_rect)} was given for a picture of width "
                f"{width} and height {height}. Expected left, top, right and bottom within it. "
                f"Leave it out for the whole picture."
            )
            raise InvalidArgumentError(msg)
        shown = shown[top:bottom, left:right]
    values = shown.transpose(2, 0, 1)
    if mean is None:
        dtype = onp.float32 if out is None else out.dtype
        result = array(onp.ascontiguousarray(values), dtype=dtype)
    else:
        _check(mean, values.shape, "mean")
        result = array(onp.ascontiguousarray(values), dtype=mean.dtype) - mean.reshape(values.shape)
    if out is None:
        return result
    part = out[index] if out.ndim == 4 else out
    _check(part, values.shape, "out" if out.ndim != 4 else "a picture of out")
    part[:] = result
    return out


def _check(given: NDArray, shape: tuple[int, ...], what: str) -> None:
    found = given.shape[1:] if given.ndim == 4 and given.shape[0] == 1 else given.shape
    if found != shape:
        msg = (
            f"nd.imdecode: {what} has shape {given.shape}. Expected {shape}, channels, height and "
            f"width of the picture or of its clip_rect. Make an array of that shape."
        )
        raise ShapeError(msg)
