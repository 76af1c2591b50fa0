"""RecordIO's layout: records as chunks that start with a magic word and their length."""

from __future__ import annotations

import contextlib
import os
import struct
import threading
from typing import TYPE_CHECKING, BinaryIO

from gluonish.errors import InvalidArgumentError
from gluonish.serialization.cursor import refuse
from gluonish.serialization.files import PathLike, open_source
from gluonish.serialization.other_formats import RECORD_MAGIC as MAGIC

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

HEAD = struct.Struct("<4sI")
LIMIT = 1 << 29  # bytes: a chunk keeps its length in 29 bits

_WHOLE, _FIRST, _MIDDLE, _LAST = range(4)
_KINDS = ("a whole record", "the first part of one", "a middle part", "the last part")


class RecordSource:
    """Bytes of a file of records by their place, for threads and forked processes alike.

    Parameters
    ----------
    uri : path
        File or URL. It stays open until `close`; a file is never read as a whole.
    """

    def __init__(self, uri: PathLike) -> None:
        self._open = contextlib.ExitStack()
        source = self._open.enter_context(open_source(uri))
        self.name = source.name
        self.size = source.size
        self._stream = source.stream
        self._lock = threading.Lock()
        # A read that names its place moves no position that others share.
        is_file = source.path is not None and hasattr(os, "pread")
        self._descriptor = source.stream.fileno() if is_file else None

    def at(self, offset: int, count: int) -> bytes:
        """Return `count` bytes, which must be there, from a place on."""
        if self._descriptor is not None:
            data = os.pread(self._descriptor, count, offset)
        else:
            with self._lock:
                self._stream.seek(offset)
                data = self._stream.read(count)
        if len(data) != count:
            self.refuse(offset, f"{count} bytes are not there: the file shrank meanwhile")
        return data

    def close(self) -> None:
        """Close the file."""
        self._open.close()

    def refuse(self, offset: int, problem: str) -> NoReturn:
        """Raise `FileFormatError` that names the file and a place in it."""
        refuse(self.name, f"record at byte {offset}", problem)


def chunk_head(source: RecordSource, offset: int, start: int) -> tuple[int, int]:
    """Return kind and length of the chunk at `offset`, of the record that begins at `start`."""
    left = source.size - offset
    if left < HEAD.size:
        source.refuse(start, f"{left} bytes are left; expected {HEAD.size}, the head of a chunk")
    magic, word = HEAD.unpack(source.at(offset, HEAD.size))
    if magic != MAGIC:
        source.refuse(
            start, f"{magic!r} was found at byte {offset}; expected {MAGIC!r}, which begins a chunk"
        )
    kind, length = word >> 29, word & (LIMIT - 1)
    if kind > _LAST or (kind in (_WHOLE, _FIRST)) != (offset == start):
        found = _KINDS[kind] if kind <= _LAST else f"kind {kind}"
        wanted = "the start of a record" if offset == start else "another part of the record"
        source.refuse(start, f"the chunk at byte {offset} is {found}; expected {wanted}")
    padded = length + -length % 4
    if padded > left - HEAD.size:
        source.refuse(
            start,
            f"the chunk at byte {offset} takes {padded} bytes; expected at most "
            f"{left - HEAD.size}, all that is left",
        )
    return kind, length


def read_record(source: RecordSource, start: int) -> tuple[bytes, int]:
    """Return the record that begins at `start`, and where the next one does."""
    kind, length = chunk_head(source, start, start)
    offset = start + HEAD.size
    if kind == _WHOLE:
        return source.at(offset, length), offset + length + -length % 4
    record = bytearray(source.at(offset, length))
    while kind != _LAST:
        offset += length + -length % 4
        kind, length = chunk_head(source, offset, start)
        offset += HEAD.size
        record += MAGIC
        record += source.at(offset, length)
    return bytes(record), offset + length + -length % 4


def record_starts(source: RecordSource) -> Iterator[int]:
    """Give the place of each record, reading no more than the heads of chunks."""
    offset = 0
    while offset < source.size:
        start, kind = offset, _MIDDLE
        while kind not in (_WHOLE, _LAST):
            kind, length = chunk_head(source, offset, start)
            offset += HEAD.size + length + -length % 4
        yield start


def write_record(stream: BinaryIO, record: bytes | bytearray | memoryview) -> int:
    """Write a record, in parts where it holds the magic word, and return how many bytes it took.

    Raises
    ------
    InvalidArgumentError
        The record is too long for the format.
    """
    data = bytes(record)
    if len(data) >= LIMIT:
        msg = (
            f"MXRecordIO.write: a record of {len(data)} bytes was given. RecordIO only accepts "
            f"records of less than {LIMIT} bytes. Divide it into several records."
        )
        raise InvalidArgumentError(msg)
    written, begin, kind = 0, 0, _FIRST
    for place in _magic_places(data):
        written += _write_chunk(stream, kind, data[begin:place])
        begin, kind = place + len(MAGIC), _MIDDLE
    return written + _write_chunk(stream, _LAST if begin else _WHOLE, data[begin:])


def _write_chunk(stream: BinaryIO, kind: int, data: bytes) -> int:
    padding = -len(data) % 4
    stream.write(HEAD.pack(MAGIC, kind << 29 | len(data)))
    stream.write(data)
    stream.write(bytes(padding))
    return HEAD.size + len(data) + padding


def _magic_places(data: bytes) -> Iterator[int]:
    """Give the places, multiples of 4, where a record holds the magic word."""
    place = data.find(MAGIC)
    while place >= 0:
        if place % 4 == 0:
            yield place
        place = data.find(MAGIC, place + (1 if place % 4 else 4))
