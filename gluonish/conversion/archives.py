"""What can still be read of `.npz` files that were cut off, and so lost their directory."""

from __future__ import annotations

import io
import struct
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

from gluonish.errors import FileFormatError
from gluonish.serialization import npz_format
from gluonish.serialization.cursor import Cursor, refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from gluonish.serialization.files import Source

_HEAD: Final = struct.Struct("<4s5H3I2H")
_MARK: Final = b"PK\x03\x04"
_METHODS: Final = (0, 8)  # as it is, and deflated; NumPy writes no others
_SIZE_FOLLOWS: Final = 8  # flag: lengths stand behind the data
_LONG: Final = 0xFFFFFFFF
_LONG_LENGTHS: Final = 1  # kind of the extra field that has lengths of 64 bits
_MOST: Final = 1_000_000


class Member(NamedTuple):
    """An array that is whole: its name, where its `.npy` begins and ends, and if it is packed."""

    name: str
    start: int
    end: int
    is_packed: bool

    def cursor(self, source: Source) -> Cursor:
        """Return a cursor at the beginning of what is packed or not."""
        if self.is_packed:
            source.stream.seek(self.start)
            packed = source.stream.read(self.end - self.start)
            try:
                content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed)
            except zlib.error as error:
                refuse(source.name, f"array {self.name!r}", f"it cannot be unpacked ({error})")
            return Cursor(io.BytesIO(content), len(content), source.name)
        cursor = Cursor(source.stream, self.end, source.name)
        cursor.seek(self.start)
        return cursor

    def header(self, source: Source) -> npz_format.Header:
        """Return what it says of itself."""
        return npz_format.scan_npy(self.cursor(source))

    def read(self, source: Source) -> Tensor:
        """Return its values."""
        return npz_format.read_npy(self.cursor(source))


def whole_members(source: Source) -> list[Member]:
    """Return the members that stand before the damage."""
    found = []
    for member in _members(source):
        try:
            member.header(source)
        except FileFormatError:
            break
        found.append(member)
    return found


def _members(source: Source) -> Iterator[Member]:
    offset = 0
    for _ in range(_MOST):
        source.stream.seek(offset)
        head = source.stream.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return
        mark, _, flags, method, _, _, _, packed, _, name_length, extra_length = _HEAD.unpack(head)
        name = source.stream.read(name_length)
        extra = source.stream.read(extra_length)
        start = offset + _HEAD.size + name_length + extra_length
        length = _long_length(extra) if packed == _LONG else packed
        if (
            mark != _MARK
            or method not in _METHODS
            or flags & _SIZE_FOLLOWS
            or start + length > source.size
        ):
            return
        offset = start + length
        if name.endswith(b".npy"):
            label = name.decode("utf-8", "replace").removesuffix(".npy")
            yield Member(label, start, offset, bool(method))


def _long_length(extra: bytes) -> int:
    """Return the packed length that an extra field tells; one that no file has otherwise."""
    place = 0
    while place + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, place)
        if kind == _LONG_LENGTHS and size >= 16 and place + 20 <= len(extra):
            return int(struct.unpack_from("<Q", extra, place + 12)[0])
        place += 4 + size
    return 1 << 63
