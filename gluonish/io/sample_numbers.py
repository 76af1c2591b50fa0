"""Numbers of samples in the chunks that MXNet reads, which it adds to `seed_aug`."""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHUNK = 2**23
_HEAD = 8


class SampleNumbers:
    """What distinguishes the random numbers of samples.

    MXNet numbers the samples of a chunk, beginning with the row of the batch that the first of
    them gets. By an index, it asks for as many samples as a batch has; what the end of a pass
    leaves open is what it asks for next. Otherwise a chunk is a piece of the file, and begins with
    the size of a batch if samples are shuffled.

    Parameters
    ----------
    batch_size : int
        Samples in a batch.
    inside : list of int or None
        Number of each sample in its piece of the file; None where there is an index.
    is_shuffled : bool
        Whether passes have a random order.
    """

    def __init__(self, batch_size: int, inside: Sequence[int] | None, is_shuffled: bool) -> None:
        self._batch_size = batch_size
        self._inside = inside
        self._is_shuffled = is_shuffled
        self._next = self._left = self._owed = 0

    def restart(self) -> None:
        """Forget the present chunk, since the next pass begins with another one."""
        self._left = 0

    def take(self, place: int, row: int, left: int) -> int:
        """Return the number of the next sample.

        Parameters
        ----------
        place : int
            Which sample of the file it is.
        row : int
            Its row in the batch.
        left : int
            How many samples the pass has left, this one included.
        """
        if self._inside is None:
            return self._by_index(row, left)
        if self._is_shuffled:
            return self._batch_size + self._inside[place]
        return self._numbered(row, is_first=not self._inside[place])

    def _by_index(self, row: int, left: int) -> int:
        is_first = not self._left
        if is_first:
            wanted = self._owed or self._batch_size
            self._left = min(wanted, left)
            self._owed = wanted - self._left
        self._left -= 1
        return self._numbered(row, is_first=is_first)

    def _numbered(self, row: int, *, is_first: bool) -> int:
        number = row if is_first else self._next
        self._next = number + 1
        return number


def numbers_in_chunks(starts: Sequence[int], end: int) -> list[int]:
    """Return the number of each record in the piece of the file that it is read with.

    Parameters
    ----------
    starts : list of int
        Where the records begin.
    end : int
        Where the last one ends.
    """
    inside: list[int] = []
    while len(inside) < len(starts):
        inside += range(_next_chunk(starts, len(inside), end) - len(inside))
    return inside


def _next_chunk(starts: Sequence[int], first: int, end: int) -> int:
    """Return which record begins the chunk after that which begins with another one."""
    length = _CHUNK
    while end - starts[first] >= length:
        following = bisect.bisect_right(starts, starts[first] + length - _HEAD) - 1
        if following > first:
            return following
        length *= 2
    return len(starts)
