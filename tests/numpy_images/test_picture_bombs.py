"""Pictures that announce more than they can hold: refused before anything is allocated."""

from __future__ import annotations

import struct
import zlib

import pytest

import gluonish as mx
from gluonish.errors import ImageFormatError
from gluonish.recordio import IRHeader, pack, unpack_img


def png(width: int, height: int, data: bytes) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + check

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("size", "said"),
    [(13_000, "13000 by 13000 pixels are announced, expected at most"), (60_000, "exceeds limit")],
)
def test_picture_of_gigabytes_in_a_few_bytes_is_refused(size: int, said: str) -> None:
    record = pack(IRHeader(0, 1.0, 1, 0), png(size, size, zlib.compress(bytes(100))))
    with pytest.raises(ImageFormatError, match=said):
        unpack_img(record)


def test_picture_that_is_large_and_even_is_read() -> None:
    data = png(2000, 1000, zlib.compress(bytes((3 * 2000 + 1) * 1000)))
    assert mx.recordio.unpack_img(pack(IRHeader(0, 1.0, 1, 0), data))[1].shape == (1000, 2000, 3)
