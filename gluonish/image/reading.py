"""Reading of pictures: from files, and from bytes in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.errors import ImageFormatError, InvalidArgumentError, ShapeError
from gluonish.errors.program_arguments import arguments
from gluonish.image.arrays import new_array
from gluonish.numpy_images.codec import decode
from gluonish.serialization.files import open_source

if TYPE_CHECKING:
    from gluonish.serialization.files import PathLike

__all__ = ["imdecode", "imread"]


def imread(
    filename: PathLike, flag: int = 1, to_rgb: bool | int = True, out: NDArray | None = None
) -> NDArray:
    """Return the picture in a file.

    Parameters
    ----------
    filename : path
        A JPEG, PNG, BMP, TIFF or WebP file, or a URL.
    flag : {0, 1}, default 1
        1 reads colours (three channels), 0 shades of grey (one channel).
    to_rgb : bool, default True
        Whether colours are red, green, blue, or blue, green, red.
    out : NDArray, optional
        Takes the picture, if it has its shape.

    Returns
    -------
    NDArray, shape (height, width, channels)
        uint8.

    Raises
    ------
    MissingFileError
        There is no such file.
    ImageFormatError
        It is no picture, or a damaged one.
    MissingExtraError
        Pillow is not installed.

    Notes
    -----
    As in MXNet, a camera's note of how it was held (EXIF) does not turn the picture.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.ppm")
    >>> _ = path.write_bytes(b"P6 2 1 255 " + bytes([255, 0, 0, 0, 0, 255]))
    >>> mx.image.imread(path).asnumpy().tolist()
    [[[255, 0, 0], [0, 0, 255]]]
    """
    with open_source(filename) as source:
        data = source.stream.read()
        return _decoded(data, flag, to_rgb, out, f"image.imread {source.name!r}")


def imdecode(
    buf: Any, flag: int = 1, to_rgb: bool | int = True, out: NDArray | None = None
) -> NDArray:
    """Return the picture that encoded bytes stand for.

    Parameters
    ----------
    buf : bytes, bytearray, or array of uint8
        Content of a JPEG, PNG, BMP, TIFF or WebP file.
    flag : {0, 1}, default 1
        1 reads colours (three channels), 0 shades of grey (one channel).
    to_rgb : bool, default True
        Whether colours are red, green, blue, or blue, green, red.
    out : NDArray, optional
        Takes the picture, if it has its shape.

    Returns
    -------
    NDArray, shape (height, width, channels)
        uint8.

    Raises
    ------
    InvalidArgumentError
        `buf` is something else.
    ImageFormatError
        The bytes are no picture, or a damaged one.
    MissingExtraError
        Pillow is not installed.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.imdecode(b"P6 2 1 255 " + bytes([255, 0, 0, 0, 0, 255]), flag=0).shape
    (1, 2, 1)
    """
    if isinstance(buf, NDArray):
        buf = buf.asnumpy()
    if isinstance(buf, onp.ndarray) and buf.dtype == onp.uint8:
        buf = buf.tobytes()
    if not isinstance(buf, bytes | bytearray | memoryview):
        msg = (
            f"image.imdecode: {type(buf).__name__} was given. Expected bytes, a bytearray or an "
            f"array of uint8. Read files with mx.image.imread({(arguments(1) or ['filename'])[0]})."
        )
        raise InvalidArgumentError(msg)
    return _decoded(bytes(buf), flag, to_rgb, out, "image.imdecode")


def _decoded(
    data: bytes, flag: int, to_rgb: bool | int, out: NDArray | None, where: str
) -> NDArray:
    if flag < 0:
        msg = (
            f"{where}: flag={flag!r} was given. Expected 1 for colours or 0 for shades of grey. "
            f"Leave it out for colours."
        )
        raise InvalidArgumentError(msg)
    if not data:
        msg = f"{where}: no bytes are there. Expected a picture. Check where they come from."
        raise ImageFormatError(msg)
    pixels = decode(data, 1 if flag else 0, where)
    if not to_rgb:
        pixels = pixels[..., ::-1]
    picture = new_array(pixels)
    if out is None:
        return picture
    if out.shape != picture.shape:
        msg = (
            f"{where}: out of shape {out.shape} was given. Expected {picture.shape}, the shape of "
            f"the picture. Leave out= out."
        )
        raise ShapeError(msg)
    out[:] = picture
    return out
