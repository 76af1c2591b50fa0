"""AsyncKVStore: one object that updates arrays for processes, each at its own pace."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.array.storage import taken
from gluonish.array.tensors import plain
from gluonish.errors import InvalidArgumentError, MissingOptimizerError
from gluonish.kvstore.dense import copy_tensors
from gluonish.kvstore.dist import DistKVStore
from gluonish.kvstore.exchange.packing import packed, packed_dtype, packed_size, unpacked
from gluonish.kvstore.exchange.rows import rows_without_values, written
from gluonish.kvstore.owners.layout import row_size, share
from gluonish.kvstore.sparse import wanted_rows
from gluonish.kvstore.workers.agreement import Call
from gluonish.kvstore.workers.payloads import Reader, joined
from gluonish.kvstore.workers.serving import Service

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.array.sparse_tensor import SparseTensor
    from gluonish.kvstore.keys import Group, Key, Keys, Values
    from gluonish.kvstore.owners.layout import Part


class AsyncKVStore(DistKVStore):
    """Arrays by key, which several processes push to and pull from, each at its own pace.

    Made by `mx.kv.create('dist_async')`. Each element has one worker that owns it. What a worker
    pushes is sent to the owners, which update at once by it alone; `pull` gets what the owners
    have then, with this worker's own pushes in it. Nobody waits for the program of another worker.

    Parameters
    ----------
    type : str
        Its name, which `create` has checked.

    Notes
    -----
    Keys are set, optimizers are set, and states are saved by all workers together; the rest is up
    to each. It takes an optimizer or a function for updates, as in MXNet. An optimizer counts the
    updates of a key by all workers.

    Examples
    --------
    >>> import gluonish as mx
    >>> kv = mx.kv.create('dist_async')
    >>> kv.init('w', mx.nd.ones((2,)))
    >>> kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.5))
    >>> a = mx.nd.zeros((2,))
    >>> kv.pushpull('w', mx.nd.ones((2,)), out=a)
    >>> print(a.asnumpy())
    [0.5 0.5]
    """

    def __init__(self, type: str) -> None:  # noqa: A002 - MXNet's name of the attribute
        super().__init__(type, cuts_rows=False)
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._by_place: dict[int, Key] = {}
        self._service: Service | None = None
        if self.steps is not None:
            self._service = Service(self, self.steps, self.number)

    @property
    @override
    def is_in_step(self) -> bool:
        return False

    # --- values -----------------------------------------------------------------------------

    @override
    def begin(self, pairs: Sequence[tuple[Key, NDArray]], where: str) -> None:
        new = [(key, array) for key, array in pairs if not self.has(key)]
        if new:
            self.share(new, where)
            for key, array in new:
                self._put(key, self._rows.dense(key, array))

    @override
    def _put(self, key: Key, array: NDArray) -> None:
        with self._changed:
            super()._put(key, array)
            self._by_place[self._stored.places[key]] = key
            self._changed.notify_all()

    @override
    def merge(self, groups: Sequence[Group]) -> None:
        if self._updater is None:
            msg = (
                "kv.push: Updater needs to be set for async mode: nothing tells how the store is "
                "updated. Expected an optimizer. Call kv.set_optimizer(optimizer) first."
            )
            raise MissingOptimizerError(msg)
        if self._service is None:
            super().merge(groups)
            return
        rows, groups = self._rows.split(groups)
        if rows:
            self._push_rows(self._service, rows)
        totals = {key: self._totals.total(key, arrays) for key, arrays in groups}
        keys = sorted(totals, key=self._stored.places.__getitem__)
        own, others = self._by_worker(keys)
        for rank, parts in others.items():
            pieces = [totals[part.key].reshape(-1)[part.start : part.stop] for part in parts]
            payload = joined([packed(piece.cpu(), self._totals.compression) for piece in pieces])
            ids = [self._stored.places[part.key] for part in parts]
            self._service.push(rank, ids, payload)
        with self._lock:
            self._apply([(part, share(totals[part.key].contiguous(), part)) for part in own])

    @override
    def reduce(self, groups: Iterable[Group]) -> None:
        """Refuse to sum gradients, which takes all workers."""
        msg = (
            "kv: sums of gradients were asked of a 'dist_async' store. Expected updates by the "
            "store. Please set update_on_kvstore=True when training in async mode."
        )
        raise InvalidArgumentError(msg)

    def _push_rows(self, service: Service, groups: Sequence[Group]) -> None:
        """Send the owners their rows of some keys."""
        own: list[tuple[Part, SparseTensor]] = []
        others: dict[int, list[tuple[int, SparseTensor]]] = {}
        for key in self._stored.in_order(key for key, _ in groups):
            total = self._rows.total(key, dict(groups)[key])
            for part, piece in self._rows.pieces(key, total):
                if part.owner == self.rank:
                    own.append((part, piece))
                else:
                    others.setdefault(part.owner, []).append((self._stored.places[key], piece))
        for rank, found in others.items():
            payload = joined([tensor for _, piece in found for tensor in written(piece)])
            service.push(rank, [place for place, _ in found], payload, is_rows=True)
        with self._lock:
            self._apply(own)

    @override
    def pushpull(
        self, key: Keys, value: Values, out: Values | None = None, priority: int = 0
    ) -> None:
        """Push arrays, and pull what is stored then; see `KVStore.pushpull`."""
        self.push(key, value, priority)
        self.pull(key, value if out is None else out, priority)

    @override
    def spread(self, groups: Iterable[Group]) -> None:
        groups = list(groups)
        if self._service is not None:
            keys = sorted({key for key, _ in groups}, key=self._stored.places.__getitem__)
            _, others = self._by_worker(keys)
            for rank, parts in others.items():
                self._service.ask(rank, [self._stored.places[part.key] for part in parts])
            for rank, parts in others.items():
                self._write(parts, self._service.answer(rank))
        with self._lock:
            super().spread(
                (key, self._rows.write(self._stored[key], arrays)) for key, arrays in groups
            )

    @override
    def row_sparse_pull(
        self,
        key: Keys,
        out: Values | None = None,
        priority: int = 0,
        row_ids: NDArray | Sequence[NDArray] | None = None,
    ) -> None:
        """Copy some rows of what the owners have into row_sparse arrays; see `KVStore`."""
        if self._service is not None and out is not None and row_ids is not None:
            groups = self._stored.found(key, out, "kv.row_sparse_pull")
            self._fetch_rows(self._service, groups, wanted_rows(key, row_ids, len(groups)))
        with self._lock:
            super().row_sparse_pull(key, out, priority, row_ids)

    def _fetch_rows(
        self, service: Service, groups: Sequence[Group], wanted: Sequence[Tensor]
    ) -> None:
        """Take over some rows that other workers own."""
        asked: dict[int, list[tuple[Part, Tensor]]] = {}
        for (key, _), ids in zip(groups, wanted, strict=True):
            stored = plain(self._stored[key])
            for part, piece in self._rows.pieces(key, rows_without_values(ids, stored)):
                if part.owner != self.rank and piece.indices.numel():
                    asked.setdefault(part.owner, []).append((part, piece.indices))
        for rank, found in asked.items():
            numbers = [tensor for _, ids in found for tensor in (torch.tensor([len(ids)]), ids)]
            service.ask(rank, [self._stored.places[part.key] for part, _ in found], joined(numbers))
        for rank, found in asked.items():
            reader = Reader(service.answer(rank))
            with self._lock:
                for part, ids in found:
                    target = self._rows.values(part)
                    count = ids.numel() * row_size(target.shape)
                    values = reader.take(target.dtype, count).view(-1, *target.shape[1:])
                    target[ids.to(target.device)] = values.to(target.device)

    @override
    def settle(self) -> None:
        """Wait until all workers have taken what this one has pushed."""
        if self._service is not None:
            self._service.settle()

    @override
    def any_of(self, flags: Sequence[bool], where: str) -> list[bool]:
        """Return the flags: workers that are not in step do not ask one another."""
        return list(flags)

    # --- what other workers ask for -------------------------------------------------------------

    def take(self, ids: Sequence[int], payload: Tensor) -> None:
        """Update what this worker owns of some keys by what another one has pushed."""
        with self._changed:
            reader, compression, found = Reader(payload), self._totals.compression, []
            for part in self._own_parts(ids):
                dtype = plain(self._stored[part.key]).dtype
                like = torch.empty(part.stop - part.start, dtype=dtype)
                count = packed_size(like.numel(), compression)
                content = reader.take(packed_dtype(dtype, compression), count)
                found.append((part, unpacked(content, like, compression)))
            self._apply(found)

    def take_rows(self, ids: Sequence[int], payload: Tensor) -> None:
        """Update rows of what this worker owns by those that another one has pushed."""
        with self._changed:
            reader = Reader(payload)
            self._apply([(part, self._rows.read(part, reader)) for part in self._own_parts(ids)])

    def give_rows(self, ids: Sequence[int], payload: Tensor) -> Tensor:
        """Return some rows of what this worker owns, as bytes."""
        with self._changed:
            reader = Reader(payload)
            found = []
            for part in self._own_parts(ids):
                count = int(reader.take(torch.int64, 1))
                values = self._rows.values(part)
                wanted = reader.take(torch.int64, count).to(values.device)
                found.append(taken(values, wanted).cpu())
            return joined(found)

    def give(self, ids: Sequence[int]) -> Tensor:
        """Return what this worker owns of some keys, as bytes."""
        with self._changed:
            parts = self._own_parts(ids)
            return joined([share(plain(self._stored[part.key]), part).cpu() for part in parts])

    def _own_parts(self, ids: Sequence[int]) -> list[Part]:
        """Return this worker's parts of keys, which it may be about to learn of."""
        is_known = self._changed.wait_for(
            lambda: all(one in self._by_place for one in ids), self._group.timeout
        )
        part_of = self._ownership.part_of
        parts = [part_of(self._by_place[one], self.rank) for one in ids if one in self._by_place]
        found = [part for part in parts if part is not None]
        if not is_known or len(found) < len(ids):
            msg = (
                f"kv: keys with the numbers {list(ids)} were asked for, worker {self.rank} does "
                f"not have them. Expected the same keys on all workers. Call kv.init on all."
            )
            raise InvalidArgumentError(msg)
        return found

    def _apply(self, parts: Sequence[tuple[Part, Tensor | SparseTensor]]) -> None:
        if parts:
            self._shards.update([part.key for part, _ in parts], parts)

    def _write(self, parts: Sequence[Part], content: Tensor) -> None:
        """Take over what another worker owns."""
        reader = Reader(content)
        targets = [share(plain(self._stored[part.key]), part) for part in parts]
        sources = [reader.take(target.dtype, target.numel()) for target in targets]
        with self._lock:
            copy_tensors(targets, sources)

    # --- messages ---------------------------------------------------------------------------

    def _by_worker(self, keys: Sequence[Key]) -> tuple[list[Part], dict[int, list[Part]]]:
        """Return this worker's parts of keys, and those of the others."""
        own: list[Part] = []
        others: dict[int, list[Part]] = {}
        for key in keys:
            for part in self._ownership.parts(key):
                if part.owner == self.rank:
                    own.append(part)
                else:
                    others.setdefault(part.owner, []).append(part)
        return own, others

    # --- what all workers do together -----------------------------------------------------------

    @override
    def _undisturbed(self) -> AbstractContextManager[Any]:
        return self._lock

    @override
    def _after_change(self) -> None:
        self._agree_only(Call("kv.set_optimizer"))

    @override
    def close(self, *, waits: bool) -> None:
        service, self._service = self._service, None
        if service is not None:
            service.close(waits=waits)
