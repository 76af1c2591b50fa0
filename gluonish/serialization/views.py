"""A stream over bytes in memory that copies none of them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from typing_extensions import override

if TYPE_CHECKING:
    from typing_extensions import Buffer


class ViewStream(io.RawIOBase):
    """A readable, seekable stream over a part of a larger buffer.

    Parameters
    ----------
    view : memoryview
        The bytes.
    """

    def __init__(self, view: memoryview) -> None:
        super().__init__()
        self._view = view
        self._position = 0

    @override
    def readable(self) -> bool:
        return True

    @override
    def seekable(self) -> bool:
        return True

    @override
    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: len(self._view)}
        self._position = max(0, start[whence] + offset)
        return self._position

    @override
    def tell(self) -> int:
        return self._position

    @override
    def readinto(self, buffer: Buffer, /) -> int:
        target = memoryview(buffer).cast("B")
        part = self._view[self._position : self._position + len(target)]
        target[: len(part)] = part
        self._position += len(part)
        return len(part)
