"""What can still be read of `.npz` files that were cut off, and so lost their directory."""

from __future__ import annotations

import io
import struct
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

from gluonish.errors import FileFormatError
from gluonish.serialization.cursor import Cursor
from gluonish.serialization.packing import growth_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torch import Tensor

_HEAD: Final = struct.Struct("<4s5H3I2H")
_MARK: Final = b"PK\x03\x04"
_METHODS: Final = (0, 8)  # as it is, and deflated; NumPy writes no others
_SIZE_FOLLOWS: Final = 8  # flag: lengths stand behind the data
_LONG: Final = 0xFFFFFFFF
_LONG_LENGTHS: Final = struct.Struct("<2H2Q")  # an extra field with lengths of 64 bits
_LONG_KIND: Final = 1
_MOST: Final = 1_000_000


class _Member(NamedTuple):
    """What stands before a member: its name, its checksum, if it is packed, and its length."""

    name: str
    checksum: int
    is_packed: bool
    unpacked: int

    def content(self, data: bytes) -> bytes | None:
        """Return it unpacked, or None if that is not what was packed."""
        if self.is_packed:
            try:
                data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, self.unpacked + 1)
            except zlib.error:
                return None
        is_whole = len(data) == self.unpacked and zlib.crc32(data) == self.checksum
        return data if is_whole else None


def whole_arrays(archive: Cursor, read: Callable[[Cursor], Tensor]) -> dict[str, Tensor]:
    """Return the arrays that stand before the damage, by name.

    Parameters
    ----------
    archive : Cursor
        The file.
    read : callable
        Reads a member.

    Notes
    -----
    They may take as much memory as those of an archive that is whole, `growth_problem`.
    """
    found: dict[str, Tensor] = {}
    total = 0
    for member, data in _members(archive):
        total += member.unpacked
        if growth_problem(archive.size, total) is not None or member.name in found:
            break
        content = member.content(data)
        if content is None:
            break
        try:
            found[member.name] = read(Cursor(io.BytesIO(content), len(content), archive.source))
        except FileFormatError:
            break
    return found


def _members(archive: Cursor) -> Iterator[tuple[_Member, bytes]]:
    archive.stream.seek(0)
    for _ in range(_MOST):
        head = archive.stream.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return
        mark, _, flags, method, _, _, checksum, packed, unpacked, *lengths = _HEAD.unpack(head)
        name = archive.stream.read(lengths[0])
        extra = archive.stream.read(lengths[1])
        if packed == _LONG:
            unpacked, packed = _long_lengths(extra)
        if (
            mark != _MARK
            or method not in _METHODS
            or flags & _SIZE_FOLLOWS
            or packed > archive.size - archive.stream.tell()
        ):
            return
        data = archive.stream.read(packed)
        if name.endswith(b".npy"):
            label = name.decode("utf-8", "replace").removesuffix(".npy")
            yield _Member(label, checksum, bool(method), unpacked), data


def _long_lengths(extra: bytes) -> tuple[int, int]:
    """Return the lengths that an extra field tells; what no file has if there is none."""
    place = 0
    while place + _LONG_LENGTHS.size <= len(extra):
        kind, size, unpacked, packed = _LONG_LENGTHS.unpack_from(extra, place)
        if kind == _LONG_KIND and size >= 16:
            return unpacked, packed
        place += 4 + size
    return 0, 1 << 63
