"""Bounded reading: every length is compared with the bytes left before anything is allocated."""

from __future__ import annotations

import functools
import math
import mmap
import struct
import sys
from typing import TYPE_CHECKING, Final, NoReturn

import torch

from gluonish.errors import FileFormatError
from gluonish.process.environment import is_off
from gluonish.serialization.elements import byte_view
from gluonish.serialization.refusals import refuse_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

    from torch import Tensor

_MAPPED_FROM: Final = 2**20  # bytes; below, reading costs nothing worth the trouble
# bytes; to memory that is aligned otherwise than the file, systems copy several times as slowly
_EVEN: Final = 32
_PIECE: Final = 2**22  # bytes that are copied from a mapped file at a time
_DAMAGED: Final = "The file is damaged or incomplete; save, copy or download it again."


def refuse(source: str, where: str, problem: str, fix: str = _DAMAGED) -> NoReturn:
    """Raise `FileFormatError` in the one form that all readers share.

    Parameters
    ----------
    source : str
        Name of the file, or of the buffer.
    where : str
        Place in it: a byte offset, a record, a name; may be empty.
    problem : str
        What was found, and what was expected.
    fix : str, optional
        What to do about it.
    """
    place = f", {where}" if where else ""
    msg = f"Loading {source!r}{place}: {problem}. {fix}"
    raise FileFormatError(msg)


@functools.lru_cache(maxsize=256)
def _record(layout: str) -> struct.Struct:
    return struct.Struct("<" + layout)


def _may_map() -> bool:
    # Windows refuses to replace a file that is mapped.
    return sys.platform != "win32" and not is_off("GLUONISH_MAP_FILES")


class Cursor:
    """Reading position in a seekable stream of known size.

    Parameters
    ----------
    stream : BinaryIO
        Open for reading, at its beginning.
    size : int
        Length of the stream in bytes.
    source : str
        Name for messages.
    path : str, optional
        The local file that the stream reads.
    maps : bool, default False
        Whether the stream, a file, may be mapped if it is large: for good by `values`, and for a
        moment by `fill` where that is faster. `GLUONISH_MAP_FILES=0` forbids it.
    """

    __slots__ = ("_map", "label", "maps", "offset", "path", "size", "source", "stream")

    def __init__(
        self,
        stream: BinaryIO,
        size: int,
        source: str,
        path: str | None = None,
        *,
        maps: bool = False,
    ) -> None:
        self.stream = stream
        self.path = path
        self.size = size
        self.source = source
        self.maps = maps and size >= _MAPPED_FROM and _may_map()
        self._map: mmap.mmap | None = None
        self.offset = 0
        self.label = "header"

    @property
    def left(self) -> int:
        """Number of bytes after the position."""
        return self.size - self.offset

    def refuse(self, problem: str) -> NoReturn:
        """Raise `FileFormatError` that names the part being read and the position."""
        refuse(self.source, f"{self.label}, byte {self.offset}", problem)

    def check(self, problem: str | None) -> None:
        """Raise a FileFormatError that says what is wrong at this place, if anything is."""
        if problem is not None:
            self.refuse(problem)

    def need(self, count: int, what: str) -> None:
        """Refuse the file unless `count` more bytes are there."""
        if count > self.left:
            self.refuse(
                f"{what} takes {count} bytes; expected at most {self.left}, all that is left"
            )

    def seek(self, offset: int) -> None:
        """Go to a place that was visited before."""
        self.stream.seek(offset)
        self.offset = offset

    def skip(self, count: int, what: str) -> None:
        """Pass over bytes that are read later, or never."""
        self.need(count, what)
        self.seek(self.offset + count)

    def take(self, count: int, what: str) -> bytes:
        """Read exactly `count` bytes."""
        if count > self.size - self.offset:
            self.need(count, what)
        try:
            data = self.stream.read(count)
        except OSError as error:
            refuse_file(error, "Loading", self.source)
        if len(data) != count:
            self.refuse(f"{what} ends {count - len(data)} bytes early: the file shrank meanwhile")
        self.offset += count
        return data

    def unpack(self, layout: str, what: str) -> tuple[int, ...]:
        """Read little-endian integers laid out as `struct` says."""
        record = _record(layout)
        return record.unpack(self.take(record.size, what))

    def tensor(self, shape: Sequence[int], dtype: torch.dtype, what: str) -> Tensor:
        """Read the values of an array into a new tensor of its own."""
        count = dtype.itemsize
        for dim in shape:
            count *= dim
        self.need(count, what)
        result = torch.empty(tuple(shape), dtype=dtype, device="cpu")
        self.fill(result, what)
        return result

    def values(self, shape: Sequence[int], dtype: torch.dtype, what: str) -> Tensor:
        """Return the values of an array: of a large file its pages, which are read when needed.

        Notes
        -----
        A mapped tensor is written to like any other; what is written stays in this process.
        Values that are not aligned in the file, and bools, of which some bytes are none, are read.
        """
        count = math.prod(shape)
        self.need(count * dtype.itemsize, what)
        pages = self._pages() if self.maps and count and self._is_aligned(dtype) else None
        if pages is None:
            return self.tensor(shape, dtype, what)
        flat = torch.frombuffer(pages, dtype=dtype, count=count, offset=self.offset)
        self.offset += flat.nbytes
        return flat.view(tuple(shape))

    def _is_aligned(self, dtype: torch.dtype) -> bool:
        """Return whether values here can be used where they lie, whatever bytes they are."""
        return dtype is not torch.bool and self.offset % dtype.itemsize == 0

    def _pages(self) -> mmap.mmap | None:
        """Return the file as memory, or None if its file system cannot do that."""
        if self._map is None:
            try:
                self._map = mmap.mmap(self.stream.fileno(), self.size, access=mmap.ACCESS_COPY)
            except OSError:
                self.maps = False
            except ValueError:
                self.refuse(f"expected {self.size} bytes: the file shrank meanwhile")
        return self._map

    def _copy_pages(self, target: Tensor) -> bool:
        """Copy values from the file as memory, if it can be had as such; return whether."""
        pages = self._pages()
        if pages is None:
            return False
        flat = target.view(-1)
        if not self._is_aligned(target.dtype):
            flat = byte_view(target)
        values = torch.frombuffer(pages, dtype=flat.dtype, count=len(flat), offset=self.offset)
        step = _PIECE // flat.element_size()
        for start in range(0, len(flat), step):
            piece = flat[start : start + step]
            piece.copy_(values[start : start + step])
            begin = self.offset - self.offset % mmap.PAGESIZE
            self.offset += piece.nbytes
            # Nothing was written to these pages, so they can be given back: no second copy grows.
            pages.madvise(mmap.MADV_DONTNEED, begin, self.offset - begin)
        return True

    def fill(self, target: Tensor, what: str) -> None:
        """Read the values of an array into a contiguous tensor in CPU memory."""
        size = target.nbytes
        self.need(size, what)
        if not size:
            return
        is_uneven = (self.offset - target.data_ptr()) % _EVEN > 0
        if self.maps and size >= _MAPPED_FROM and is_uneven and self._copy_pages(target):
            return
        # NumPy has no bfloat16; for all others this is several times as fast as a view of bytes.
        whole = byte_view(target) if target.dtype is torch.bfloat16 else target
        try:
            got = self.stream.readinto(whole.numpy())  # type: ignore[attr-defined]
            while got < size:
                rest = byte_view(target)[got:].numpy()
                more = self.stream.readinto(rest)  # type: ignore[attr-defined]
                if not more:
                    self.refuse(f"{what} ends {size - got} bytes early: the file shrank meanwhile")
                got += more
        except OSError as error:
            refuse_file(error, "Loading", self.source)
        self.offset += size
