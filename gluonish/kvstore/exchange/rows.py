"""Keys that hold rows, or whose gradients are rows: their values, and the pieces of owners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from gluonish.array import NDArray, wrap
from gluonish.array.sparse import is_sparse, memory
from gluonish.array.sparse_base import parts_of
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.array.storage import complete, is_complete, moved
from gluonish.array.tensors import as_default, plain
from gluonish.kvstore.owners.layout import row_size
from gluonish.kvstore.sparse import copy_into, total_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.array.sparse import BaseSparseNDArray
    from gluonish.kvstore.keys import Group, Key
    from gluonish.kvstore.owners.layout import Part
    from gluonish.kvstore.owners.ownership import Ownership
    from gluonish.kvstore.workers.payloads import Reader

WHOLE = -1  # instead of a number of rows: all of a part


class Rows:
    """What a store of several processes does with rows, whose values it holds densely.

    Parameters
    ----------
    ownership : Ownership
        What is stored, and who owns it.
    """

    def __init__(self, ownership: Ownership) -> None:
        self._ownership = ownership
        self._stored = ownership.stored
        self._views: dict[Key, tuple[SparseTensor, NDArray]] = {}

    # --- values -----------------------------------------------------------------------------

    def dense(self, key: Key, array: NDArray) -> NDArray:
        """Return a copy of an array of any storage type, as the store keeps it."""
        self._note(key, array)
        return as_default(array).detach().copy()

    def view(self, key: Key, array: BaseSparseNDArray) -> NDArray:
        """Return a dense array in the memory of one that stores all rows."""
        self._note(key, array)
        known = self._views.get(key)
        if known is None or known[0] is not parts_of(array):
            known = parts_of(array), wrap(memory(array), array.context, NDArray)
            self._views[key] = known
        return known[1]

    def write(self, stored: NDArray, arrays: Sequence[NDArray]) -> list[NDArray]:
        """Overwrite those of some arrays that are sparse, and return the others."""
        if is_sparse(stored) or not any(map(is_sparse, arrays)):
            return list(arrays)
        source = plain(stored)
        for array in filter(is_sparse, arrays):
            if array.stype == "csr" or not is_complete(parts_of(array)):
                copy_into(array, stored)
            elif memory(array).data_ptr() != source.data_ptr():
                memory(array).copy_(source)
        return [array for array in arrays if not is_sparse(array)]

    def _note(self, key: Key, array: NDArray) -> None:
        if array.stype == "row_sparse":
            self._ownership.by_rows.add(key)
            self._ownership.row_sparse.add(key)

    # --- pushes -----------------------------------------------------------------------------

    def split(self, groups: Sequence[Group]) -> tuple[list[Group], list[Group]]:
        """Return the groups that are to go as rows, and the others."""
        rows: list[Group] = []
        others: list[Group] = []
        for group in groups:
            key, arrays = group
            is_rows = key in self._ownership.by_rows or any(map(is_sparse, arrays))
            (rows if is_rows else others).append(group)
        return rows, others

    def total(self, key: Key, arrays: Sequence[NDArray]) -> SparseTensor:
        """Return the sum of a key's arrays over contexts, as rows."""
        stored = self._stored[key]
        total = total_of(arrays, arrays[0].context)
        parts = parts_of(total) if is_sparse(total) else complete(plain(total))
        return moved(parts, torch.device("cpu"), plain(stored).dtype)

    def pieces(self, key: Key, rows: SparseTensor) -> list[tuple[Part, SparseTensor]]:
        """Return what each owner gets of some rows in order, numbered from its first one."""
        found = []
        for part in self._ownership.parts(key):
            start, stop = _range(part, rows.shape)
            cuts = torch.searchsorted(rows.indices, torch.tensor([start, stop])).tolist()
            piece = slice(*cuts)
            shape = (stop - start, *rows.shape[1:])
            values, indices = rows.values[piece], rows.indices[piece] - start
            found.append((part, SparseTensor(shape, values, indices)))
        return found

    def values(self, part: Part) -> Tensor:
        """Return the rows of a part, sharing memory."""
        stored = plain(self._stored[part.key])
        start, stop = _range(part, stored.shape)
        return stored[start:stop]

    def read(self, part: Part, reader: Reader) -> SparseTensor:
        """Return rows of a part from a message."""
        stored = plain(self._stored[part.key])
        start, stop = _range(part, stored.shape)
        shape = (stop - start, *stored.shape[1:])
        count = int(reader.take(torch.int64, 1))
        if count == WHOLE:
            values = reader.take(stored.dtype, part.stop - part.start)
            return complete(values.view(shape))
        indices = reader.take(torch.int64, count)
        values = reader.take(stored.dtype, count * row_size(shape))
        return SparseTensor(shape, values.view(count, *shape[1:]), indices)


def first_row(part: Part, shape: Sequence[int]) -> int:
    """Return which row of a key a part begins with."""
    return part.start // row_size(shape)


def _range(part: Part, shape: Sequence[int]) -> tuple[int, int]:
    unit = row_size(shape)
    return part.start // unit, part.stop // unit


def rows_without_values(indices: Tensor, stored: Tensor) -> SparseTensor:
    """Return numbers of rows in order, as rows of a stored tensor that are still to come."""
    return SparseTensor(tuple(stored.shape), stored.new_empty((indices.numel(), 0)), indices)


def place_rows(target: Tensor, rows: SparseTensor, *, replaces: bool) -> None:
    """Overwrite rows of a dense tensor; with `replaces` the others become 0."""
    if replaces:
        target.zero_()
    if rows.indices.numel() == target.shape[0]:
        target.copy_(rows.dense())
    else:
        target[rows.indices.to(target.device)] = rows.values.to(target.device)


def written(rows: SparseTensor) -> list[Tensor]:
    """Return what a message has of rows."""
    return [torch.tensor([rows.indices.numel()]), rows.indices, rows.values]
