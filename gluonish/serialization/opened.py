"""Arrays of a file that stays open, whose values are read when their place is known."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import torch

from gluonish.serialization.files import open_source
from gluonish.serialization.formats import DENSE
from gluonish.serialization.kinds import format_to_load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from gluonish.serialization.cursor import Cursor
    from gluonish.serialization.elements import Tensors
    from gluonish.serialization.files import PathLike


class OpenedArrays:
    """Arrays of an open file.

    Parameters
    ----------
    tensors : list of Tensor or dict of str to Tensor
        The arrays. Those that are still to be read are meta tensors: they have shapes and dtypes
        and no values.
    cursor : Cursor
        Reads the file.
    offsets : dict of int to int
        Where the values of these are, by the identity of the meta tensor.
    """

    def __init__(self, tensors: Tensors, cursor: Cursor, offsets: dict[int, int]) -> None:
        self.tensors = tensors
        self._cursor = cursor
        self._offsets = offsets

    def is_waiting(self, tensor: Tensor) -> bool:
        """Return whether the values are still to be read."""
        return id(tensor) in self._offsets

    def read(self, tensor: Tensor) -> Tensor:
        """Return an array of the file with its values, in memory of its own.

        Raises
        ------
        FileFormatError
            The file has become shorter since it was opened.
        """
        if not self.is_waiting(tensor):
            return tensor
        result = torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu")
        self.read_into(tensor, result)
        return result

    def read_into(self, tensor: Tensor, target: Tensor) -> None:
        """Read the values of an array that waits for them into another one, without a copy.

        Parameters
        ----------
        tensor : Tensor
            One of `tensors`.
        target : Tensor
            Contiguous, in CPU memory, of the same shape and dtype.

        Raises
        ------
        FileFormatError
            The file has become shorter since it was opened.
        """
        self._cursor.seek(self._offsets[id(tensor)])
        self._cursor.fill(target, "an array")


@contextlib.contextmanager
def opened(path: PathLike) -> Iterator[OpenedArrays]:
    """Open a file of arrays; everything in it is checked but the values of large plain arrays.

    Reading large files into the memory where they belong needs no second copy of them. What lives
    as long as a net does does not hang on a file that others may overwrite or cut, as the pages
    of a mapped one would.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileAccessError
        The file cannot be read.
    FileFormatError
        The file is damaged or in another format.
    """
    with open_source(path, entire=True) as source:
        cursor = source.cursor(maps=True)
        arrays = format_to_load(source).scan(cursor)
        tensors: list[Tensor] = []
        offsets = {}
        for position, item in enumerate(arrays.items):
            # In sparse arrays and truth values something may be refused.
            if item.offset is None or item.storage != DENSE or item.dtype is torch.bool:
                tensors.append(arrays.dense(position))
            else:
                tensors.append(torch.empty(item.shape, dtype=item.dtype, device="meta"))
                offsets[id(tensors[-1])] = item.offset
        cursor.label = "values"
        yield OpenedArrays(arrays.arranged(tensors), cursor, offsets)
