"""Rows that all workers exchange in step: each goes to its owner, and what comes of it to all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch

from gluonish.array.sparse import sparse_array, with_all_rows
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.array.storage import moved, summed, taken
from gluonish.array.tensors import plain
from gluonish.errors import InvalidArgumentError
from gluonish.kvstore.exchange.order import Message
from gluonish.kvstore.exchange.rows import WHOLE, first_row, place_rows, written
from gluonish.kvstore.sparse import copy_into
from gluonish.kvstore.workers.payloads import exchanged
from gluonish.optimizer import Updater

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.kvstore.exchange.manifest import Manifest
    from gluonish.kvstore.exchange.order import Order
    from gluonish.kvstore.exchange.rows import Rows
    from gluonish.kvstore.keys import Group, Key
    from gluonish.kvstore.owners.layout import Part
    from gluonish.kvstore.owners.updates import Shards
    from gluonish.kvstore.workers.agreement import Steps
    from gluonish.kvstore.workers.payloads import Reader


class _Pushed(NamedTuple):
    """What waits for a key: the sum over contexts, and where the sum over workers is to go."""

    total: SparseTensor
    outs: list[NDArray]
    is_sum: bool


class RowExchange:
    """Keys whose rows workers sum, from the call that offers them until all is settled.

    Parameters
    ----------
    rows : Rows
        What a store does with rows.
    shards : Shards
        What this worker owns, and how it is updated.
    manifest : Manifest
        What workers tell one another.
    order : Order
        In which order messages leave.
    steps : Steps
        The store's.
    """

    def __init__(
        self, rows: Rows, shards: Shards, manifest: Manifest, order: Order, steps: Steps
    ) -> None:
        self._rows = rows
        self._shards = shards
        self._ownership = shards.ownership
        self._stored = shards.ownership.stored
        self._manifest = manifest
        self._order = order
        self._steps = steps
        self._waiting: dict[Key, _Pushed] = {}

    def holds(self, groups: Sequence[Group]) -> bool:
        """Return whether any of some keys is not settled."""
        return any(key in self._waiting for key, _ in groups)

    def offer(self, groups: Iterable[Group], *, is_sum: bool) -> None:
        """Take arrays that are to be summed when all is settled; see `Outbox.offer`."""
        for key, arrays in groups:
            total = self._rows.total(key, arrays)
            self._check_new(key)
            self._waiting[key] = _Pushed(total, list(arrays), is_sum)

    def settle(self) -> None:
        """Exchange what was offered."""
        waiting, self._waiting = self._waiting, {}
        for is_sum in (False, True):
            keys = [key for key, pushed in waiting.items() if pushed.is_sum is is_sum]
            if keys:
                self._exchange(self._stored.in_order(keys), waiting, is_sum=is_sum)

    def _check_new(self, key: Key) -> None:
        """Refuse rows for a key whose states belong to parts that are no rows."""
        updater = self._shards.updater
        if key in self._ownership.by_rows or not isinstance(updater, Updater):
            return
        if len(self._ownership.parts(key)) > 1 and updater.optimizer.has_updated(key):
            msg = (
                f"kv.push: rows were given for key {key!r}, whose updates so far were dense. "
                f"Expected one storage type from the first push on, since several workers have "
                f"parts of its states. Write x.tostype('default')."
            )
            raise InvalidArgumentError(msg)

    def _exchange(
        self, keys: Sequence[Key], waiting: Mapping[Key, _Pushed], *, is_sum: bool
    ) -> None:
        dtype = plain(self._stored[keys[0]]).dtype
        message = Message(is_sum, dtype, tuple(keys), is_rows=True)
        call = self._manifest.call([message])
        new = [key for key in keys if key not in self._ownership.by_rows]
        if new:
            self._order.agree(call)
            self._ownership.cut_by_rows(new)
        if self._order.upcoming != message:
            self._order.agree(call)
        step = self._order.take(message)
        outgoing: dict[int, list[Tensor]] = {rank: [] for rank in range(self._ownership.workers)}
        for key in keys:
            for part, rows in self._rows.pieces(key, waiting[key].total):
                outgoing[part.owner] += written(rows)
        arrived = exchanged(self._steps, outgoing, step, lambda: call)
        parts = self._summed(keys, arrived)
        results = self._updated(keys, parts, is_sum=is_sum)
        found = exchanged(self._steps, dict.fromkeys(outgoing, results), step, lambda: call)
        for key in keys:
            if is_sum:
                self._copy_sum(key, found, waiting[key].outs)
            else:
                self._store_result(key, found)

    def _summed(
        self, keys: Sequence[Key], arrived: Mapping[int, Reader]
    ) -> list[tuple[Part, SparseTensor]]:
        """Return the sums of what this worker owns."""
        readers = [arrived[rank] for rank in sorted(arrived)]
        parts = (self._ownership.part_of(key, self._ownership.rank) for key in keys)
        return [
            (part, summed([self._rows.read(part, reader) for reader in readers]))
            for part in parts
            if part is not None
        ]

    def _updated(
        self, keys: Sequence[Key], parts: list[tuple[Part, SparseTensor]], *, is_sum: bool
    ) -> list[Tensor]:
        """Update what this worker owns, and return what all are to know of it."""
        if is_sum or self._shards.updater is None:
            return [tensor for _, rows in parts for tensor in written(rows)]
        self._shards.update(keys, parts)
        found = []
        for part, rows in parts:
            values = self._rows.values(part)
            if self._is_lazy(part.key):
                changed = taken(values, rows.indices.to(values.device)).cpu()
                found += written(SparseTensor(rows.shape, changed, rows.indices))
            else:
                found += [torch.tensor([WHOLE]), values.cpu()]
        return found

    def _is_lazy(self, key: Key) -> bool:
        """Return whether an update of some rows of a key leaves all others as they are."""
        updater, array = self._shards.updater, self._stored[key]
        if not isinstance(updater, Updater):
            return False
        if key in self._ownership.row_sparse:
            array = with_all_rows(plain(array), array.context)
        return updater.optimizer.is_lazy(array)

    def _results(self, key: Key, found: Mapping[int, Reader]) -> list[tuple[Part, SparseTensor]]:
        parts = self._ownership.parts(key)
        return [(part, self._rows.read(part, found[part.owner])) for part in parts]

    def _copy_sum(self, key: Key, found: Mapping[int, Reader], outs: Sequence[NDArray]) -> None:
        results = self._results(key, found)
        stored = plain(self._stored[key])
        shape = tuple(stored.shape)
        indices = [rows.indices + first_row(part, shape) for part, rows in results]
        values = [rows.values for _, rows in results]
        none = torch.zeros(0, *shape[1:], dtype=stored.dtype)
        total = SparseTensor(
            shape,
            torch.cat([none, *values]),
            torch.cat([torch.zeros(0, dtype=torch.int64), *indices]),
        )
        for array in outs:
            copy_into(array, sparse_array(moved(total, array.context.device), array.context))

    def _store_result(self, key: Key, found: Mapping[int, Reader]) -> None:
        replaces = self._shards.updater is None
        for part, rows in self._results(key, found):
            place_rows(self._rows.values(part), rows, replaces=replaces)
