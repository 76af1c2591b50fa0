"""JPEG files are decoded by OpenCV where it is installed, to the bytes that Pillow gives."""

from __future__ import annotations

import io
import struct

import numpy as onp
import pytest
from PIL import Image

from gluonish.errors import ImageFormatError
from gluonish.numpy_images import codec

KINDS = {
    "baseline": {},
    "progressive": {"progressive": True},
    "no subsampling": {"subsampling": 0},
    "half subsampling": {"subsampling": 1},
    "coarse": {"quality": 20},
    "restarts": {"restart_marker_blocks": 3},
    "with a thumbnail": {"exif": b"Exif\0\0" + b"\xff\xc0\0\x11\x08" + bytes(60)},
}


def jpeg(mode="RGB", size=(53, 37), **options):
    numbers = onp.random.default_rng(7)
    small = Image.fromarray(numbers.integers(0, 256, (6, 8, 3), "uint8"))
    stream = io.BytesIO()
    small.resize(size, Image.Resampling.BICUBIC).convert(mode).save(stream, "JPEG", **options)
    return stream.getvalue()


def decoded(data, flag):
    try:
        return codec.decode(data, flag, "test")
    except ImageFormatError:
        return None


def both(monkeypatch, data, flag):
    """Return what is decoded, and what Pillow alone makes of it."""
    found = decoded(data, flag)
    with monkeypatch.context() as patch:
        patch.setattr(codec, "opencv", lambda: None)
        return found, decoded(data, flag)


@pytest.mark.parametrize("flag", [0, 1, -1])
@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
@pytest.mark.parametrize("kind", KINDS)
def test_opencv_gives_the_bytes_of_pillow(monkeypatch, kind, mode, flag):
    found, expected = both(monkeypatch, jpeg(mode, **KINDS[kind]), flag)
    assert found.dtype == onp.uint8
    onp.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_opencv_decodes_usual_files_and_leaves_others_to_pillow(monkeypatch, mode):
    usual = codec._decode_jpeg(jpeg(mode), 1)
    assert usual is not None
    assert usual.shape == (37, 53, 3)
    for data in (jpeg("CMYK"), jpeg()[:-2], jpeg()[:300], jpeg()[:30], b"\xff\xd8\xff\xd9"):
        assert codec._decode_jpeg(data, 1) is None
    assert codec._decode_jpeg(jpeg(), -1) is None


def test_a_camera_held_upright_does_not_turn_the_picture(monkeypatch):
    exif = Image.Exif()
    exif[0x0112] = 6  # a quarter turn
    found, expected = both(monkeypatch, jpeg(exif=exif.tobytes()), 1)
    assert found.shape == (37, 53, 3)
    onp.testing.assert_array_equal(found, expected)


def test_jpeg_of_gigabytes_in_a_few_bytes_is_refused():
    data = bytearray(jpeg())
    place = data.index(b"\xff\xc0") + 5
    struct.pack_into(">HH", data, place, 60_000, 60_000)
    with pytest.raises(ImageFormatError, match="exceeds limit"):
        codec.decode(bytes(data), 1, "test")
    struct.pack_into(">HH", data, place, 12_000, 12_000)
    with pytest.raises(ImageFormatError, match="12000 by 12000 pixels are announced"):
        codec.decode(bytes(data), 1, "test")


def test_heads_that_lie_fail_or_agree(monkeypatch):
    numbers = onp.random.default_rng(11)
    usual = jpeg()
    head = usual.index(b"\xff\xda")
    answered = 0
    for _ in range(150):
        data = bytearray(usual)
        data[int(numbers.integers(2, head))] = int(numbers.integers(256))
        found, expected = both(monkeypatch, bytes(data), 1)
        if found is not None and expected is not None:
            onp.testing.assert_array_equal(found, expected)
            answered += 1
    assert answered > 50
