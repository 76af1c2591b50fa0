"""AsyncKVStore: one object that updates arrays for processes, each at its own pace."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, TypeVar

import torch
from typing_extensions import override

from gluonish.array.sparse_tensor import SparseTensor
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
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.kvstore.keys import Group, Key, Keys, Values
    from gluonish.kvstore.owners.layout import Part

T = TypeVar("T")


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
        arrays = dict(rows)
        pieces = [
            piece
            for key in self._stored.in_order(arrays)
            for piece in self._rows.pieces(key, self._rows.total(key, arrays[key]))
        ]
        self._push(self._service, pieces)
        totals = {key: self._totals.total(key, found).contiguous() for key, found in groups}
        self._push(
            self._service, [(part, share(totals[part.key], part)) for part in self._parts(totals)]
        )

    @override
    def reduce(self, groups: Iterable[Group]) -> None:
        """Refuse to sum gradients, which takes all workers."""
        msg = (
            "kv: sums of gradients were asked of a 'dist_async' store. Expected updates by the "
            "store. Please set update_on_kvstore=True when training in async mode."
        )
        raise InvalidArgumentError(msg)

    def _push(self, service: Service, pieces: Sequence[tuple[Part, Tensor | SparseTensor]]) -> None:
        """Send the owners what is theirs, which is all rows or all elements."""
        own, others = self._by_worker(pieces)
        is_rows = any(isinstance(piece, SparseTensor) for _, piece in pieces)
        for rank, found in others.items():
            content = joined([tensor for _, piece in found for tensor in self._packed(piece)])
            service.push(rank, self._ids(found), content, is_rows=is_rows)
        if own:
            with self._lock:
                self._apply(own)

    def _packed(self, piece: Tensor | SparseTensor) -> list[Tensor]:
        if isinstance(piece, SparseTensor):
            return written(piece)
        return [packed(piece.cpu(), self._totals.compression)]

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
            parts = self._parts({key for key, _ in groups})
            _, others = self._by_worker([(part, None) for part in parts])
            for rank, found in others.items():
                self._service.ask(rank, self._ids(found))
            for rank, found in others.items():
                self._write([part for part, _ in found], self._service.answer(rank))
        with self._lock:
            super().spread(
                (key, self._rows.write(self._stored[key], arrays)) for key, arrays in groups
            )

    @override
    def _pull_rows(self, groups: Sequence[Group], ids: Sequence[Any]) -> None:
        if self._service is not None:
            self._fetch_rows(self._service, groups, wanted_rows(ids))
        with self._lock:
            super()._pull_rows(groups, ids)

    def _fetch_rows(
        self, service: Service, groups: Sequence[Group], wanted: Sequence[Tensor]
    ) -> None:
        """Take over some rows that other workers own."""
        pieces = [
            (part, piece.indices)
            for (key, _), ids in zip(groups, wanted, strict=True)
            for part, piece in self._rows.pieces(
                key, rows_without_values(ids, plain(self._stored[key]))
            )
            if piece.indices.numel()
        ]
        _, asked = self._by_worker(pieces)
        for rank, found in asked.items():
            numbers = [tensor for _, ids in found for tensor in (torch.tensor([len(ids)]), ids)]
            service.ask(rank, self._ids(found), joined(numbers))
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

    def take(self, ids: Sequence[int], payload: Tensor, *, is_rows: bool) -> None:
        """Update what this worker owns of some keys by what another one has pushed."""
        with self._changed:
            reader = Reader(payload)
            read: Callable[[Part, Reader], Tensor | SparseTensor]
            read = self._rows.read if is_rows else self._read
            self._apply([(part, read(part, reader)) for part in self._own_parts(ids)])

    def _read(self, part: Part, reader: Reader) -> Tensor:
        dtype, compression = plain(self._stored[part.key]).dtype, self._totals.compression
        like = torch.empty(part.stop - part.start, dtype=dtype)
        count = packed_size(like.numel(), compression)
        return unpacked(reader.take(packed_dtype(dtype, compression), count), like, compression)

    def give(self, ids: Sequence[int], wanted: Tensor | None) -> Tensor:
        """Return what this worker owns of some keys, or the rows that are wanted, as bytes."""
        with self._changed:
            parts = self._own_parts(ids)
            if wanted is None:
                return joined([share(plain(self._stored[part.key]), part).cpu() for part in parts])
            reader, found = Reader(wanted), []
            for part in parts:
                rows = reader.take(torch.int64, int(reader.take(torch.int64, 1)))
                values = self._rows.values(part)
                found.append(taken(values, rows.to(values.device)).cpu())
            return joined(found)

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

    def _parts(self, keys: Iterable[Key]) -> list[Part]:
        """Return the parts of keys, in order."""
        ordered = self._stored.in_order(keys)
        return [part for key in ordered for part in self._ownership.parts(key)]

    def _ids(self, found: Sequence[tuple[Part, object]]) -> list[int]:
        """Return by what numbers workers speak of keys."""
        return [self._stored.places[part.key] for part, _ in found]

    def _by_worker(
        self, pieces: Iterable[tuple[Part, T]]
    ) -> tuple[list[tuple[Part, T]], dict[int, list[tuple[Part, T]]]]:
        """Return what belongs to parts of this worker, and to those of each other one."""
        own: list[tuple[Part, T]] = []
        others: dict[int, list[tuple[Part, T]]] = {}
        for part, piece in pieces:
            found = own if part.owner == self.rank else others.setdefault(part.owner, [])
            found.append((part, piece))
        return own, others

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
