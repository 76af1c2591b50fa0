"""Streams over bytes that are fetched part by part, and over parts of a buffer without a copy."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer


class PartStream(io.RawIOBase):
    """A readable, seekable stream, of which each reading fetches a part.

    Parameters
    ----------
    fetch : callable
        Returns the bytes from one place to another, or the first of them.
    size : int
        How many there are, in bytes.
    """

    def __init__(self, fetch: Callable[[int, int], bytes | memoryview], size: int) -> None:
        super().__init__()
        self._fetch = fetch
        self._size = size
        self._place = 0

    @override
    def readable(self) -> bool:
        return True

    @override
    def seekable(self) -> bool:
        return True

    @override
    def tell(self) -> int:
        return self._place

    @override
    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        self._place = max(0, start + offset)
        return self._place

    @override
    def readinto(self, buffer: Buffer, /) -> int:
        target = memoryview(buffer).cast("B")
        end = min(self._place + len(target), self._size)
        if end <= self._place:
            return 0
        part = self._fetch(self._place, end)
        target[: len(part)] = part
        self._place += len(part)
        return len(part)
