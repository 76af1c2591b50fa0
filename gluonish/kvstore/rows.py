"""Keys that are pushed as rows: each row goes to its owner, and what comes of it to all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch

from gluonish.array import NDArray, wrap
from gluonish.array.core import plain
from gluonish.array.dtypes import dtype_name
from gluonish.array.sparse import is_sparse, memory, sparse_array
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.array.storage import complete, is_complete, moved, summed, taken
from gluonish.errors import InvalidArgumentError, MXNetError
from gluonish.kvstore.agreement import Call
from gluonish.kvstore.payloads import Reader, exchanged
from gluonish.kvstore.sparse import copy_into, total_of
from gluonish.optimizer import Updater

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from torch import Tensor

    from gluonish.array.sparse import BaseSparseNDArray
    from gluonish.kvstore.dist import DistKVStore
    from gluonish.kvstore.keys import Group, Key
    from gluonish.kvstore.layout import Part

_WHOLE = -1  # instead of a number of rows: all of a part


class _Pushed(NamedTuple):
    """What waits for a key: the sum over contexts, and where the sum over workers is to go."""

    total: SparseTensor
    outs: list[NDArray] | None


class Rows:
    """What a store of several processes knows of keys that are pushed as rows.

    Parameters
    ----------
    store : DistKVStore
        The store, which holds the values of these keys as it does all others, densely.

    Attributes
    ----------
    keys : set of int or str
        Keys whose parts are whole rows.
    kept : set of int or str
        Those that came with storage type 'row_sparse', which updaters get to see.
    """

    def __init__(self, store: DistKVStore) -> None:
        self._store = store
        self.keys: set[Key] = set()
        self.kept: set[Key] = set()
        self._views: dict[Key, tuple[SparseTensor, NDArray]] = {}
        self._waiting: dict[Key, _Pushed] = {}

    # --- values -----------------------------------------------------------------------------

    def dense(self, key: Key, array: NDArray) -> NDArray:
        """Return a copy of an array of any storage type, as the store keeps it."""
        self._note(key, array)
        return array.tostype("default").detach().copy()  # type: ignore[no-any-return]

    def view(self, key: Key, array: BaseSparseNDArray) -> NDArray:
        """Return a dense array in the memory of one that stores all rows."""
        self._note(key, array)
        known = self._views.get(key)
        if known is None or known[0] is not array._parts:
            known = array._parts, wrap(memory(array), array._ctx, NDArray)
            self._views[key] = known
        return known[1]

    def write(self, stored: NDArray, arrays: Sequence[NDArray]) -> list[NDArray]:
        """Overwrite those of some arrays that are sparse, and return the others."""
        if is_sparse(stored) or not any(map(is_sparse, arrays)):
            return list(arrays)
        source = plain(stored)
        for array in filter(is_sparse, arrays):
            if array.stype == "csr" or not is_complete(array._parts):
                copy_into(array, stored)
            elif memory(array).data_ptr() != source.data_ptr():
                memory(array).copy_(source)
        return [array for array in arrays if not is_sparse(array)]

    def _note(self, key: Key, array: NDArray) -> None:
        if array.stype == "row_sparse":
            self.keys.add(key)
            self.kept.add(key)

    # --- pushes -----------------------------------------------------------------------------

    def split(self, groups: Sequence[Group]) -> tuple[list[Group], list[Group]]:
        """Return the groups that are to go as rows, and the others."""
        rows: list[Group] = []
        others: list[Group] = []
        for group in groups:
            key, arrays = group
            is_rows = key in self.keys or any(map(is_sparse, arrays))
            (rows if is_rows else others).append(group)
        return rows, others

    def total(self, key: Key, arrays: Sequence[NDArray]) -> SparseTensor:
        """Return the sum of a key's arrays over contexts, as rows."""
        stored = self._store.stored(key)
        total = total_of(arrays, arrays[0]._ctx)
        parts = total._parts if is_sparse(total) else complete(plain(total))
        return moved(parts, torch.device("cpu"), plain(stored).dtype)

    def offer(self, groups: Iterable[Group], *, is_sum: bool) -> None:
        """Take arrays that are to be summed when all is settled."""
        for key, arrays in groups:
            total = self.total(key, arrays)
            self._check_new(key)
            self._waiting[key] = _Pushed(total, list(arrays) if is_sum else None)

    @property
    def waiting(self) -> Iterable[Key]:
        """The keys that were offered since all was settled."""
        return self._waiting.keys()

    def settle(self) -> None:
        """Exchange what was offered."""
        waiting, self._waiting = self._waiting, {}
        for is_sum in (False, True):
            keys = [key for key, one in waiting.items() if (one.outs is not None) is is_sum]
            if keys:
                self._exchange(self._store.in_order(keys), waiting, is_sum=is_sum)

    def _check_new(self, key: Key) -> None:
        """Refuse rows for a key whose states belong to parts that are no rows."""
        store = self._store
        updater = store.updater
        if key in self.keys or not isinstance(updater, Updater):
            return
        is_split = sum(part.stop > part.start for part in store.parts(key)) > 1
        if is_split and key in updater.optimizer._index_update_count:
            msg = (
                f"kv.push: rows were given for key {key!r}, whose updates so far were dense. "
                f"Expected one storage type from the first push on, since several workers have "
                f"parts of its states. Write x.tostype('default')."
            )
            raise InvalidArgumentError(msg)

    # --- exchange ---------------------------------------------------------------------------

    def _exchange(
        self, keys: Sequence[Key], waiting: Mapping[Key, _Pushed], *, is_sum: bool
    ) -> None:
        store, steps = self._store, self._store.steps
        if steps is None:
            msg = "no other workers"
            raise MXNetError(msg)
        call = self._call(keys, is_sum=is_sum)
        new = [key for key in keys if key not in self.keys]
        if new:
            steps.agree(call)
            self.keys.update(new)
            store.cut_by_rows(new)
        step = store.follow(keys, call, is_sum=is_sum)
        outgoing: dict[int, list[Tensor]] = {rank: [] for rank in range(store.num_workers)}
        for key in keys:
            for part, rows in self.pieces(key, waiting[key].total):
                outgoing[part.owner] += written(rows)
        arrived = exchanged(steps, outgoing, step, lambda: call)
        parts = self._summed(keys, arrived)
        results = self._updated(keys, parts, is_sum=is_sum)
        found = exchanged(steps, dict.fromkeys(outgoing, results), step, lambda: call)
        for key in keys:
            if is_sum:
                self._copy_sum(key, found, waiting[key].outs or [])
            else:
                self._store_result(key, found)

    def _call(self, keys: Sequence[Key], *, is_sum: bool) -> Call:
        found = []
        for key in keys:
            stored = self._store.stored(key)
            dtype = dtype_name(plain(stored).dtype)
            found.append((self._store.names.get(key, key), stored.shape, f"row_sparse {dtype}"))
        return Call("Trainer.step" if is_sum else "kv.push", found)

    def pieces(self, key: Key, rows: SparseTensor) -> list[tuple[Part, SparseTensor]]:
        """Return what each owner gets of some rows in order, numbered from its first one."""
        found = []
        for part in self._store.parts(key):
            if part.stop > part.start:
                start, stop = self._range(part, rows.shape)
                cuts = torch.searchsorted(rows.indices, torch.tensor([start, stop])).tolist()
                piece = slice(*cuts)
                shape = (stop - start, *rows.shape[1:])
                values, indices = rows.values[piece], rows.indices[piece] - start
                found.append((part, SparseTensor(shape, values, indices)))
        return found

    def _range(self, part: Part, shape: Sequence[int]) -> tuple[int, int]:
        unit = row_size(shape)
        return part.start // unit, part.stop // unit

    def read(self, part: Part, reader: Reader) -> SparseTensor:
        """Return rows of a part from a message."""
        stored = plain(self._store.stored(part.key))
        start, stop = self._range(part, stored.shape)
        shape = (stop - start, *stored.shape[1:])
        count = int(reader.take(torch.int64, 1))
        if count == _WHOLE:
            values = reader.take(stored.dtype, part.stop - part.start)
            return complete(values.view(shape))
        indices = reader.take(torch.int64, count)
        values = reader.take(stored.dtype, count * row_size(shape))
        return SparseTensor(shape, values.view(count, *shape[1:]), indices)

    def _own(self, keys: Iterable[Key], rank: int) -> list[Part]:
        parts = (self._store.part_of(key, rank) for key in keys)
        return [part for part in parts if part is not None]

    def _summed(
        self, keys: Sequence[Key], arrived: Mapping[int, Reader]
    ) -> list[tuple[Part, SparseTensor]]:
        """Return the sums of what this worker owns."""
        readers = [arrived[rank] for rank in sorted(arrived)]
        return [
            (part, summed([self.read(part, reader) for reader in readers]))
            for part in self._own(keys, self._store.rank)
        ]

    def _updated(
        self, keys: Sequence[Key], parts: list[tuple[Part, SparseTensor]], *, is_sum: bool
    ) -> list[Tensor]:
        """Update what this worker owns, and return what all are to know of it."""
        updater = self._store.updater
        if is_sum or updater is None:
            return [tensor for _, rows in parts for tensor in written(rows)]
        self._store.update_parts(keys, parts)
        found = []
        for part, rows in parts:
            values = self.values(part)
            is_lazy = isinstance(updater, Updater) and updater.optimizer.is_lazy(
                self._store.stored_as(part.key)
            )
            if is_lazy:
                changed = taken(values, rows.indices.to(values.device)).cpu()
                found += written(SparseTensor(rows.shape, changed, rows.indices))
            else:
                found += [torch.tensor([_WHOLE]), values.cpu()]
        return found

    def values(self, part: Part) -> Tensor:
        """Return the rows of a part, sharing memory."""
        stored = plain(self._store.stored(part.key))
        start, stop = self._range(part, stored.shape)
        return stored[start:stop]

    def _results(self, key: Key, found: Mapping[int, Reader]) -> list[tuple[Part, SparseTensor]]:
        return [
            (part, self.read(part, found[part.owner]))
            for part in self._store.parts(key)
            if part.stop > part.start
        ]

    def _copy_sum(self, key: Key, found: Mapping[int, Reader], outs: Sequence[NDArray]) -> None:
        results = self._results(key, found)
        stored = plain(self._store.stored(key))
        shape = tuple(stored.shape)
        indices = [rows.indices + self._range(part, shape)[0] for part, rows in results]
        values = [rows.values for _, rows in results]
        none = torch.zeros(0, *shape[1:], dtype=stored.dtype)
        total = SparseTensor(
            shape,
            torch.cat([none, *values]),
            torch.cat([torch.zeros(0, dtype=torch.int64), *indices]),
        )
        for array in outs:
            copy_into(array, sparse_array(moved(total, array._ctx.device), array._ctx))

    def _store_result(self, key: Key, found: Mapping[int, Reader]) -> None:
        replaces = self._store.updater is None
        for part, rows in self._results(key, found):
            place_rows(self.values(part), rows, replaces=replaces)


def row_size(shape: Sequence[int]) -> int:
    """Return how many elements a row has, 1 at least."""
    return max(1, torch.Size(shape[1:]).numel())


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
