"""Pictures as records: `pack_img` encodes them, `unpack_img` decodes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import InvalidArgumentError
from gluonish.numpy_images.codec import decode, encode
from gluonish.recordio.headers import IRHeader, pack, unpack

if TYPE_CHECKING:
    from gluonish.numpy_images.codec import Pixels


def pack_img(header: IRHeader, img: Any, quality: int = 95, img_fmt: str = ".jpg") -> bytes:
    """Return a header and an encoded picture as one record.

    Parameters
    ----------
    header : IRHeader
        Its label may be a number or an array.
    img : array of uint8, shape (height, width) or (height, width, channels)
        The picture; colours in the order blue, green, red, as OpenCV has them.
    quality : int, default 95
        JPEG: from 1 to 100. PNG: how hard to compress, from 1 to 9.
    img_fmt : str, default '.jpg'
        '.jpg', '.png', or another ending that Pillow writes.

    Raises
    ------
    InvalidArgumentError
        `img` is no picture, or there is no such kind of file.
    RecordHeaderError
        The header holds what it cannot hold.
    MissingExtraError
        Pillow is not installed.

    Examples
    --------
    >>> import numpy as onp
    >>> import gluonish as mx
    >>> picture = onp.full((2, 3, 3), 7, onp.uint8)
    >>> header = mx.recordio.IRHeader(0, 3.0, 1, 0)
    >>> record = mx.recordio.pack_img(header, picture, quality=9, img_fmt=".png")
    >>> header, same = mx.recordio.unpack_img(record)
    >>> header.label, same.shape, int(same[0, 0, 0])
    (3.0, (2, 3, 3), 7)
    """
    pixels = img.asnumpy() if hasattr(img, "asnumpy") else onp.asarray(img)
    return pack(header, encode(_reverse_colours(pixels), quality, img_fmt))


def unpack_img(s: bytes, iscolor: int = -1) -> tuple[IRHeader, Pixels]:
    """Return the header of a record, and its decoded picture.

    Parameters
    ----------
    s : bytes
        A record that `pack_img` made, or `pack` with an encoded picture.
    iscolor : {-1, 0, 1}, default -1
        As in the file, grey, or coloured.

    Returns
    -------
    header : IRHeader
        Label and numbers.
    img : array of uint8, shape (height, width) or (height, width, channels)
        Grey, or colours in the order blue, green, red, as OpenCV has them.

    Raises
    ------
    InvalidArgumentError
        `iscolor` is something else.
    ImageFormatError
        What follows the header is no picture.
    MissingExtraError
        Pillow is not installed.
    """
    if iscolor not in (-1, 0, 1):
        msg = (
            f"recordio.unpack_img: iscolor={iscolor!r} was given. Expected -1 for what the file "
            f"has, 0 for grey or 1 for colours. Leave it out for -1."
        )
        raise InvalidArgumentError(msg)
    header, data = unpack(s)
    pixels = decode(data, int(iscolor), "recordio.unpack_img")
    if pixels.shape[2] == 1:
        return header, pixels[..., 0]
    return header, _reverse_colours(pixels)


def _reverse_colours(pixels: Pixels) -> Pixels:
    """Turn red, green, blue into blue, green, red, or back; transparency stays the last."""
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4):
        return pixels
    order = [2, 1, 0, 3][: pixels.shape[2]]
    return onp.ascontiguousarray(pixels[..., order])
