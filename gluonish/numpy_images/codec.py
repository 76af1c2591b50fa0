"""Decoding and encoding of pictures, to the bytes that OpenCV gives MXNet."""

from __future__ import annotations

import io
import struct
import threading
import warnings
import zlib
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as onp

from gluonish.errors import ImageFormatError, InvalidArgumentError, MissingExtraError
from gluonish.numpy_images.colours import grey_of
from gluonish.numpy_images.opencv import opencv

if TYPE_CHECKING:
    from types import ModuleType

    from PIL.Image import Image as Picture

Pixels: TypeAlias = "onp.ndarray[Any, Any]"

# Those that are decoded by their libraries alone; some of Pillow's others start programs.
_READ = ("JPEG", "PNG", "BMP", "TIFF", "WEBP", "GIF", "PPM", "JPEG2000")
_JPEG_START, _JPEG_END = b"\xff\xd8", b"\xff\xd9"
_JPEG_FRAMES = (0xC0, 0xC1, 0xC2)  # baseline, extended and progressive
_FRAME = struct.Struct(">BHHB")  # bits, height, width, channels
# What Pillow's readers raise for damaged files.
_FAILURES = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    OverflowError,
    AttributeError,
    MemoryError,
    RuntimeError,
    struct.error,
    zlib.error,
)
# A few bytes can announce a picture of gigabytes. Up to 64 MiB, or 1,024 times the file, which no
# compression exceeds by much, are taken as meant.
_ALWAYS_DECODED = 2**26
_MOST_GROWTH = 1024
# Libpng's shares of red, green and blue in brightness, as whole numbers of 2**15.
_PNG_GREY = (9797, 19234, 3737)
_opening = threading.Lock()


def pillow(where: str) -> ModuleType:
    """Return `PIL.Image`, ready to read every kind of file.

    Raises
    ------
    MissingExtraError
        Pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError as error:
        msg = (
            f"{where}: Pillow is not installed. Expected it for reading and writing pictures. "
            f'Install it with: pip install "gluonish[image]"'
        )
        raise MissingExtraError(msg) from error
    return Image


def decode(data: bytes, flag: int, where: str) -> Pixels:
    """Return a picture's bytes, channels last: red, green, blue, or shades of grey alone.

    Parameters
    ----------
    data : bytes
        Content of a JPEG, PNG, BMP, TIFF, WebP or GIF file, or of another that Pillow knows.
    flag : {0, 1, -1}
        0: one channel. 1: three. -1: as in the file, one, three or four.
    where : str
        Function and source, for messages.

    Raises
    ------
    ImageFormatError
        It is no picture, or a damaged one.
    MissingExtraError
        Pillow is not installed.
    """
    image = pillow(where)
    if data[:2] == _JPEG_START:
        pixels = _decode_jpeg(data, flag)
        if pixels is not None:
            return pixels
        data = data + _JPEG_END  # libjpeg then shows what there is of a file that was cut off
    try:
        with _opened(image, data) as picture:
            _check_size(picture, len(data))
            if flag == 0 and picture.format in ("JPEG", "MPO") and picture.mode != "CMYK":
                picture.draft("L", None)
            return _values(picture, flag)
    except (*_FAILURES, image.DecompressionBombError) as error:
        why = "" if "<_io.BytesIO" in str(error) else f" ({error})"  # which tells an address only
        msg = (
            f"{where}: Decoding failed, {len(data)} bytes that begin with {data[:8]!r}{why}. "
            f"Expected a whole picture as JPEG, PNG, BMP, TIFF or WebP. {_how_to_get(data)}."
        )
        raise ImageFormatError(msg) from error


def _how_to_get(data: bytes) -> str:
    """Return what to do about a file that is no picture."""
    is_page = data.lstrip()[:5].lower() in (b"<html", b"<!doc", b"<?xml")
    if is_page:
        return "It is a web page, of a server that has no such picture, perhaps: check the address"
    return "Make the file again"


def _decode_jpeg(data: bytes, flag: int) -> Pixels | None:
    """Return what OpenCV makes of a JPEG file that is whole and usual, or None.

    Both libraries decode with libjpeg-turbo; OpenCV reads no head twice, copies nothing, and leaves
    Python's lock to others.
    """
    library = opencv() if data.endswith(_JPEG_END) and flag != -1 else None
    mode = getattr(library, "IMREAD_COLOR_RGB" if flag else "IMREAD_GRAYSCALE", None)
    shape = None if mode is None else _jpeg_shape(data)
    if library is None or shape is None or not _is_meant(shape[0] * shape[1], len(data)):
        return None
    try:
        coded = onp.frombuffer(data, onp.uint8)
        pixels = library.imdecode(coded, mode | library.IMREAD_IGNORE_ORIENTATION)
    except library.error:
        return None
    if pixels is None or pixels.shape[:2] != shape:
        return None
    return onp.asarray(pixels).reshape(*shape, 3 if flag else 1)


def _jpeg_shape(data: bytes) -> tuple[int, int] | None:
    """Return height and width of a JPEG file of 8 bits in grey or three colours, or None."""
    place = 2
    while place + 10 <= len(data) and data[place] == 0xFF:
        kind = data[place + 1]
        if kind in _JPEG_FRAMES:
            bits, height, width, channels = _FRAME.unpack_from(data, place + 4)
            return (height, width) if bits == 8 and channels in (1, 3) else None
        place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return None


def _opened(image: ModuleType, data: bytes) -> Picture:
    """Return a picture of which only the head has been read."""
    # Filters of warnings belong to the process: two threads must not put them back for each other.
    with _opening, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow's, about tags and sizes
        picture: Picture = image.open(io.BytesIO(data), formats=_READ)
    return picture


def _check_size(picture: Picture, length: int) -> None:
    """Refuse pictures of more pixels than a file of some bytes can be meant to hold."""
    width, height = picture.size
    if not _is_meant(width * height, length):
        most = _most_bytes(length) // 4
        msg = f"{width} by {height} pixels are announced, expected at most {most} in all"
        raise ValueError(msg)


def _is_meant(pixels: int, length: int) -> bool:
    return 4 * pixels <= _most_bytes(length)


def _most_bytes(length: int) -> int:
    return max(_ALWAYS_DECODED, _MOST_GROWTH * length)


def encode(pixels: Pixels, quality: int, img_fmt: str) -> bytes:
    """Return the content of a file with a picture: grey, or red, green, blue.

    Parameters
    ----------
    pixels : array of uint8, shape (height, width) or (height, width, 1, 3 or 4)
        The picture.
    quality : int
        JPEG: 1 to 100. PNG: how hard to compress, 1 to 9.
    img_fmt : {'.jpg', '.jpeg', '.png', ...}
        Kind of file.

    Raises
    ------
    InvalidArgumentError
        There is no such kind of file, or the array is no picture.
    MissingExtraError
        Pillow is not installed.
    """
    image = pillow("recordio.pack_img")
    kind = image.registered_extensions().get(img_fmt.lower())
    if kind is None or kind not in image.SAVE:
        msg = (
            f"recordio.pack_img: img_fmt={img_fmt!r} was given. Expected '.jpg', '.png' or "
            f"another that Pillow writes. Leave it out for '.jpg'."
        )
        raise InvalidArgumentError(msg)
    if pixels.dtype != onp.uint8 or pixels.ndim not in (2, 3) or not pixels.size:
        msg = (
            f"recordio.pack_img: an array of shape {pixels.shape} and dtype {pixels.dtype} was "
            f"given. Expected uint8 of shape (height, width, channels). Convert it with "
            f"astype('uint8')."
        )
        raise InvalidArgumentError(msg)
    values = pixels[..., 0] if pixels.ndim == 3 and pixels.shape[2] == 1 else pixels
    options: dict[str, int] = {}
    if kind == "JPEG":
        options = {"quality": min(max(quality, 0), 100)}
        values = values[..., :3] if values.ndim == 3 else values
    elif kind == "PNG":
        options = {"compress_level": min(max(quality, 0), 9)}
    stream = io.BytesIO()
    image.fromarray(onp.ascontiguousarray(values)).save(stream, kind, **options)
    return stream.getvalue()


def _values(picture: Picture, flag: int) -> Pixels:
    if picture.mode in ("I;16", "I;16B", "I"):
        grey = (onp.asarray(picture).astype(onp.int32) >> 8).clip(0, 255).astype(onp.uint8)
        return grey[..., onp.newaxis].repeat(3 if flag == 1 else 1, axis=-1)
    if flag == -1:
        has_alpha = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
        is_grey = picture.mode in ("1", "L", "F")
        mode = "RGBA" if has_alpha else "L" if is_grey else "RGB"
        values = onp.asarray(picture.convert(mode))
        return values[..., onp.newaxis] if mode == "L" else values
    colours = _colours(picture)
    if flag == 1:
        return colours if colours.ndim == 3 else onp.repeat(colours[..., onp.newaxis], 3, axis=-1)
    if colours.ndim == 3:
        colours = _png_grey(colours) if picture.format == "PNG" else grey_of(colours)
    return colours[..., onp.newaxis]


def _colours(picture: Picture) -> Pixels:
    """Return red, green and blue without transparency; grey pictures without a last axis."""
    if picture.mode in ("1", "L", "LA", "F"):
        return onp.asarray(
            picture.getchannel("L") if picture.mode == "LA" else picture.convert("L")
        )
    if picture.mode == "CMYK":
        inks = onp.asarray(picture).astype(onp.int32)
        light = 255 - inks[..., 3:]
        return (light - (inks[..., :3] * light >> 8)).astype(onp.uint8)
    return onp.asarray(picture if picture.mode == "RGB" else picture.convert("RGB"))


def _png_grey(colours: Pixels) -> Pixels:
    """Return the brightness as libpng computes it."""
    red, green, blue = (colours[..., channel].astype(onp.int32) for channel in range(3))
    grey = red * _PNG_GREY[0] + green * _PNG_GREY[1] + blue * _PNG_GREY[2] >> 15
    return onp.where((red == green) & (red == blue), red, grey).astype(onp.uint8)
