"""DistKVStore: one object that sums and shares arrays between processes, in step."""

from __future__ import annotations

import contextlib
import itertools
import os
import weakref
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import torch
import torch.distributed as dist
from typing_extensions import override

from gluonish.array.core import plain, rebind
from gluonish.array.dtypes import dtype_name
from gluonish.array.sparse import is_sparse, memory, with_all_rows
from gluonish.errors import InvalidArgumentError, MXNetError
from gluonish.kvstore.agreement import Call, Steps, break_channel
from gluonish.kvstore.ahead import Ahead, Flight
from gluonish.kvstore.compression import Compression
from gluonish.kvstore.dense import copy_tensors
from gluonish.kvstore.devices import HOST, meet
from gluonish.kvstore.group import before_leaving, join
from gluonish.kvstore.kvstore import KVStore
from gluonish.kvstore.layout import Layout, Owners, grouped
from gluonish.kvstore.messages import read_shared, write_once
from gluonish.kvstore.payloads import as_bytes
from gluonish.kvstore.rows import Rows, row_size
from gluonish.kvstore.shares import Shares
from gluonish.kvstore.transfer import SUMMED, Parts, Transfer, Whole, lies_in_order, share_like
from gluonish.kvstore.updates import Shards, load_content
from gluonish.optimizer import Optimizer, Updater
from gluonish.optimizer.settings import settings_of
from gluonish.serialization.files import path_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from torch import Tensor
    from torch.distributed import ProcessGroup

    from gluonish.array import NDArray
    from gluonish.array.core import Gradient
    from gluonish.array.sparse_tensor import SparseTensor
    from gluonish.kvstore.keys import Group, Key, Keys, Values
    from gluonish.kvstore.layout import Part
    from gluonish.serialization.files import PathLike

_BOUND: Final = 2**16  # elements from which on a key is split over the workers
_LARGEST: Final = 25 * 2**20  # bytes of a message of several keys
_FIRST: Final = 4 * 2**20  # bytes of a message that leaves ahead, at least
_SHARE: Final = 2**19  # bytes of it for each worker
_FAILURES: Final = 3  # times that gradients were others in the end, after which none leave ahead
_KEPT: Final = 64  # messages whose memory is kept
_numbers = itertools.count()
_alive: weakref.WeakSet[DistKVStore] = weakref.WeakSet()


class _Waiting(NamedTuple):
    """What was pushed and is not on its way yet: in a message's memory, or by itself."""

    priority: int
    value: Tensor | Transfer


class _Message(NamedTuple):
    """What a message is about, the same on all workers."""

    is_sum: bool
    dtype: torch.dtype
    keys: tuple[Key, ...]
    device: torch.device | None = None  # where it is summed, if not in host memory
    is_rows: bool = False


class DistKVStore(KVStore):
    """Arrays by key, which all contexts of several processes push to and pull from, in step.

    Made by `mx.kv.create('dist_sync')`. What is pushed is summed over the contexts, then over the
    processes, and the sum replaces what is stored, or updates it by an optimizer or a function.
    Each worker owns a share of all elements: it sums and updates these, and sends the results to
    all others, so that an optimizer's states are in one place each.

    Parameters
    ----------
    type : str
        Its name, which `create` has checked.

    Notes
    -----
    All workers make the same calls with the same keys. Different keys may be pushed in any order:
    they are sent when a worker pulls, or pushes a key again; from the second time on as soon as
    all keys of a message are there, which then travels while the program goes on. `pull` waits.
    Differences between workers end in an error on each of them.

    Examples
    --------
    >>> import gluonish as mx
    >>> kv = mx.kv.create('dist_sync')
    >>> kv.init('w', mx.nd.zeros((2,)))
    >>> kv.push('w', mx.nd.ones((2,)) * (kv.rank + 1))
    >>> a = mx.nd.zeros((2,))
    >>> kv.pull('w', out=a)
    >>> print(a.asnumpy())
    [1. 1.]
    """

    def __init__(self, type: str) -> None:  # noqa: A002 - MXNet's name of the attribute
        super().__init__(type)
        self._group = join()
        self.number = next(_numbers)
        self.names: dict[Key, str] = {}
        self._steps: Steps | None = None
        self._waiting: dict[Key, _Waiting] = {}
        self._outs: dict[Key, list[Tensor]] = {}
        self._pulling: dict[Key, list[NDArray]] = {}
        self._copied: set[Key] = set()
        self._flying: list[tuple[_Message, Transfer]] = []
        self._transfers: OrderedDict[_Message, Transfer] = OrderedDict()
        self._homes: dict[tuple[bool, Key], Transfer] = {}
        self._following: dict[_Message | None, _Message] = {}
        self._last: _Message | None = None
        self._rows = Rows(self)
        self._ahead: Ahead | None = None
        self._channels: dict[str | None, ProcessGroup] = {}
        self._failures = 0
        self._owners = self._new_owners()
        self._shards = Shards(self._group.rank, self._rows.kept)
        if self._group.size > 1:
            self._steps = Steps(self._group, f"store{self.number}")
            _alive.add(self)

    @property
    @override
    def rank(self) -> int:
        """The number of this process among all."""
        return self._group.rank

    @property
    @override
    def num_workers(self) -> int:
        """How many processes share the store."""
        return self._group.size

    @override
    def barrier(self) -> None:
        """Wait for all workers.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.kv.create('dist_sync').barrier()
        """
        self._agree(Call("kv.barrier"))

    _barrier = barrier

    # --- values -----------------------------------------------------------------------------

    @override
    def init(self, key: Keys, value: Values) -> None:
        """Set the first value of keys to that of worker 0; see `KVStore.init`.

        Raises
        ------
        InvalidArgumentError
            A key is there already, or got several arrays. Nothing was stored.
        WorkersDifferError
            Keys, shapes or dtypes are not the same on all workers. Nothing was stored.
        """
        if self._steps is None:
            super().init(key, value)
            return
        found = [
            (one, self._rows.dense(one, array))
            for one, array in self._stored.new(key, value, "kv.init")
        ]
        self.share(found, "kv.init")
        for one, array in found:
            self._put(one, array)

    @override
    def push(self, key: Keys, value: Values, priority: int = 0) -> None:
        """Begin to sum arrays over contexts and workers; see `KVStore.push`.

        A large array that was pulled right after its last push is sent from where it is, which
        spares a copy; the call then waits for the other workers, as `pull` would.

        Parameters
        ----------
        key : int, str or list of them
            Keys that `init` has set.
        value : NDArray, list of NDArray, or list of lists of NDArray
            Arrays for each key, on any contexts. They may change as soon as the call returns.
        priority : int, default 0
            Keys of a higher one are sent first; the same on all workers.
        """
        self._offer(self._stored.grouped(key, value, "kv.push"), priority)

    @override
    def pushpull(
        self, key: Keys, value: Values, out: Values | None = None, priority: int = 0
    ) -> None:
        """Push arrays, and pull what is stored then; see `KVStore.pushpull`.

        A large array that goes alone is sent from where it is, which spares the copy of `push`.
        """
        groups = self._stored.grouped(key, value, "kv.pushpull")
        targets = self._stored.targets(key, value if out is None else out, "kv.pushpull")
        self._offer(groups, priority, is_lent=True)
        self.spread(targets)

    @override
    def merge(self, groups: Sequence[Group]) -> None:
        self._offer(groups, 0, is_lent=True)
        self.settle()

    @override
    def spread(self, groups: Iterable[Group]) -> None:
        groups = list(groups)
        self._pulling = dict(groups)
        self._copied.clear()
        self.settle()
        self._pulling = {}
        super().spread(
            (key, self._rows.write(self._stored[key], arrays))
            for key, arrays in groups
            if key not in self._copied
        )

    @override
    def row_sparse_pull(
        self,
        key: Keys,
        out: Values | None = None,
        priority: int = 0,
        row_ids: NDArray | Sequence[NDArray] | None = None,
    ) -> None:
        """Copy some rows of what is stored into row_sparse arrays; see `KVStore`."""
        self.settle()
        super().row_sparse_pull(key, out, priority, row_ids)

    @property
    def is_in_step(self) -> bool:
        """Whether all workers make the same calls."""
        return True

    def begin(self, pairs: Sequence[tuple[Key, NDArray]], where: str) -> None:
        """Store arrays themselves, and overwrite those of new keys by those of worker 0."""
        new = [(key, array) for key, array in pairs if not self.has(key)]
        for key, array in pairs:
            if self._stored.get(key) is not array or not array._tensor.is_contiguous():
                self.adopt(key, array)
        if new:
            self.share(new, where)

    def close(self, *, waits: bool) -> None:
        """End what runs beside the program; with `waits` when all workers have come to the end."""

    @override
    def adopt(self, key: Key, array: NDArray) -> None:
        if is_sparse(array):
            if self._steps is None:
                super().adopt(key, array)
                return
            array = self._rows.view(key, array)
        if self._stored.get(key) is not array:
            self.settle()
        if not plain(array).is_contiguous():
            rebind(array, plain(array).contiguous())
        super().adopt(key, array)

    def share(self, pairs: Sequence[tuple[Key, NDArray]], where: str) -> None:
        """Overwrite arrays by those of worker 0, after all workers have named the same ones.

        Parameters
        ----------
        pairs : list of (key, NDArray)
            The arrays, each with its name.
        where : str
            What is being done, for messages.

        Raises
        ------
        WorkersDifferError
            Names, shapes or dtypes are not the same on all workers.
        """
        if self._steps is None:
            return
        self._agree(
            Call(
                where,
                [
                    (self.names.get(key, key), array.shape, dtype_name(memory(array).dtype))
                    for key, array in pairs
                ],
            )
        )
        tensors = [memory(array).detach() for _, array in pairs]
        meet(self._steps, tensors, lambda: Call(where))
        step = self._steps.take()
        messages = [as_bytes(tensor.cpu()) for tensor in tensors]
        works = [
            dist.broadcast(message, group=self._group.peers, group_src=0, async_op=True)
            for message in messages
            if message.numel()
        ]
        for work in works:
            self._steps.wait(work, step, lambda: Call(where))
        if self.rank:
            for tensor, message in zip(tensors, messages, strict=True):
                tensor.copy_(message.view(tensor.dtype).view(tensor.shape))

    def any_of(self, flags: Sequence[bool], where: str) -> list[bool]:
        """Return, for each of several questions, whether any worker has said yes.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.kv.create('dist_sync').any_of([True, False], 'example')
        [True, False]
        """
        if self._steps is None:
            return list(flags)
        self._agree(Call(where, [], f"{len(flags)} questions"))
        step = self._steps.take()
        answers = torch.tensor(flags, dtype=torch.uint8)
        work = dist.all_reduce(answers, dist.ReduceOp.MAX, self._group.peers, async_op=True)
        self._steps.wait(work, step, lambda: Call(where))
        return [bool(answer) for answer in answers.tolist()]

    # --- updates ----------------------------------------------------------------------------

    @override
    def set_updater(self, updater: Callable[[Any, NDArray, NDArray], Any]) -> None:
        """Have a function update what is stored; see `KVStore.set_updater`.

        It runs for each key on one worker, whose result all others get.
        """
        self._agree(Call("kv.set_updater"))
        with self._undisturbed():
            super().set_updater(updater)
            self._change_owners()
        self._after_change()

    _set_updater = set_updater

    @override
    def set_optimizer(self, optimizer: Optimizer) -> None:
        """Have an optimizer update what is stored; see `KVStore.set_optimizer`.

        Each worker updates its share and keeps the states for it. Keys of
        MXNET_KVSTORE_BIGARRAY_BOUND elements or more, 65,536 by default, are split, if the
        optimizer updates each element by itself.

        Raises
        ------
        WorkersDifferError
            The optimizers of the workers differ in kind or settings.
        """
        if isinstance(optimizer, Optimizer):
            self._agree(Call("kv.set_optimizer", [], _described(optimizer)))
        with self._undisturbed():
            super().set_optimizer(optimizer)
            self._change_owners()
        self._after_change()

    def _undisturbed(self) -> AbstractContextManager[Any]:
        """Return a scope in which no other worker has anything updated here."""
        return contextlib.nullcontext()

    def _after_change(self) -> None:
        """Wait for what has to be done before others ask this worker for updates."""

    @override
    def set_gradient_compression(self, compression_params: Mapping[str, Any]) -> None:
        """Have what is pushed quantized before it is sent, with what is lost kept for later.

        Parameters
        ----------
        compression_params : dict
            `{'type': '2bit', 'threshold': 0.5}`: -0.5, 0 or 0.5 is sent for each element, in two
            bits; `'1bit'`, or `'fp16'`, half precision.

        Raises
        ------
        InvalidArgumentError
            Something else was given.
        """
        self.settle()
        self._totals.compression = Compression(compression_params)
        self._forget_messages()

    @override
    def save_optimizer_states(self, fname: PathLike, dump_optimizer: bool = False) -> None:
        """Save the optimizer's states of all workers in a file; see `KVStore`.

        All workers call it, and worker 0 writes the file. It may be loaded by any number of
        workers, and by stores of one process.
        """
        self._write_states(self._states("save"), fname, {}, with_optimizer=dump_optimizer)

    @override
    def load_optimizer_states(self, fname: PathLike) -> None:
        """Go on with the optimizer's states in a file, which worker 0 reads; see `KVStore`."""
        updater = self._states("load")
        content = self.read(fname, "kv.load_optimizer_states")
        with self._undisturbed():
            self._shards.put(updater, load_content(updater, content, path_text(fname)))
        self._after_change()

    def read(self, fname: PathLike, where: str) -> bytes:
        """Return a file's content, which worker 0 reads, on all workers."""
        self.settle()
        return read_shared(self._steps, fname, where)

    def save_named_states(self, fname: PathLike, names: Mapping[Any, str]) -> None:
        """Save the states, the optimizer and the names of the keys; see `save_optimizer_states`."""
        self._write_states(self._states("save"), fname, names, with_optimizer=True)

    def put_states(self, states: Mapping[Key, Any]) -> None:
        """Replace all states by those of whole keys, the same on all workers."""
        with self._undisturbed():
            self._shards.put(self._states("load"), states)
        self._after_change()

    def _write_states(
        self, updater: Updater, fname: PathLike, names: Mapping[Any, str], *, with_optimizer: bool
    ) -> None:
        self._agree(Call("kv.save_optimizer_states"))
        with self._undisturbed():
            own = self._shards.packed(self, updater)
        content = self._shards.gathered(self, updater, own, names, with_optimizer=with_optimizer)
        write_once(self._steps, fname, content, "kv.save_optimizer_states")

    # --- for Trainers -----------------------------------------------------------------------

    @override
    def reduce(self, groups: Iterable[Group]) -> None:
        self._offer(list(groups), 0, is_sum=True, is_lent=True)
        self.settle()

    def settle(self) -> None:
        """Send what was pushed, and wait for what comes of it.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.kv.create('dist_sync').settle()
        """
        if self._steps is None:
            return
        if self._waiting:
            self._launch_all()
        if self._flying:
            self._land()
        if self._rows.waiting:
            self._rows.settle()

    # --- while the backward pass goes on ----------------------------------------------------

    def sum_gradients(self, gradients: Sequence[tuple[Key, list[Gradient]]]) -> None:
        """Sum gradients as `reduce` does; the next ones leave while backward makes others.

        Parameters
        ----------
        gradients : list of (key, list of Gradient)
            The gradients of each key, on all contexts.
        """
        ahead = self._ahead
        if ahead is not None:
            self.settle()
            if ahead.depart(gradients):
                ahead.land()
                return
            self._end_ahead(ahead)
            self._failures += 1
        self.reduce((key, [one.buffer for one in found]) for key, found in gradients)
        if self._steps is not None and self.is_in_step and self._failures < _FAILURES:
            self._look_ahead(gradients, self._steps)

    def _end_ahead(self, ahead: Ahead) -> None:
        ahead.drop()
        self._ahead = None

    def break_ahead(self) -> None:
        """Wait no more for others to sum gradients that have left, when the program ends."""
        if self._ahead is not None and self._ahead.is_flying:
            for channel in self._channels.values():
                break_channel(self._group, channel)

    def _look_ahead(self, gradients: Sequence[tuple[Key, list[Gradient]]], steps: Steps) -> None:
        """Have gradients like these leave as they are made, from the next backward pass on."""
        is_fit = self._totals.compression is None and self._may_leave_ahead(gradients)
        if self.any_of([not is_fit], "Trainer.step")[0]:
            self._failures = _FAILURES
            return
        sized = [self._sized(key) for key, _ in reversed(gradients)]
        known = dict(gradients)
        messages = [
            _Message(is_sum=True, dtype=dtype, keys=tuple(keys), device=device)
            for (dtype, device), keys in grouped(sized, _bucket(self.num_workers))
        ]
        flights = [
            Flight(
                [(key, known[key]) for key in message.keys],
                self._channel(None if message.device is None else message.device.type),
                steps.wait if message.device is None else steps.follow,
            )
            for message in messages
        ]
        self._ahead = Ahead(steps, self._channel(None), flights, partial(self._call, messages))

    def _channel(self, kind: str | None) -> ProcessGroup:
        """Return connections of this store alone, whose order is not that of others."""
        found = self._channels.get(kind)
        if found is None:
            found = self._channels[kind] = self._group.open_channel(kind)
        return found

    def _may_leave_ahead(self, gradients: Sequence[tuple[Key, list[Gradient]]]) -> bool:
        """Return whether all gradients arrive once in each backward pass, where they are summed."""
        for key, found in gradients:
            stored = plain(self._stored[key])
            device = self._device(stored) or HOST
            for one in found:
                if one.grad_req != "write" or one.buffer.stype != "default":
                    return False
                tensor = plain(one.buffer)
                if tensor.device != device or tensor.dtype is not stored.dtype:
                    return False
                if tensor.dtype not in SUMMED:
                    return False
        return bool(gradients)

    # --- sending ----------------------------------------------------------------------------

    def _offer(
        self,
        groups: Sequence[Group],
        priority: int,
        *,
        is_sum: bool = False,
        is_lent: bool = False,
    ) -> None:
        """Take arrays to be summed; lent ones stay as they are until all is settled."""
        if self._steps is None:
            if is_sum:
                super().reduce(groups)
            else:
                super().merge(groups)
            return
        rows, groups = self._rows.split(groups)
        taken = self._waiting.keys() | {key for message, _ in self._flying for key in message.keys}
        if any(key in taken for key, _ in groups) or any(
            key in self._rows.waiting for key, _ in rows
        ):
            self.settle()
        self._rows.offer(rows, is_sum=is_sum)
        targets: list[Tensor] = []
        sources: list[Tensor] = []
        for key, arrays in groups:
            total = self._totals.total(key, arrays)
            if is_sum:
                self._outs[key] = [plain(array) for array in arrays]
            is_own = total.data_ptr() != plain(arrays[0]).data_ptr()
            home = self._homes.get((is_sum, key))
            if home is None or home.is_flying or home.layout.dtype is not total.dtype:
                value = total if is_own or is_lent else total.clone()
                self._waiting[key] = _Waiting(priority, value)
                continue
            home.filled.add(key)
            self._waiting[key] = _Waiting(priority, home)
            if not ((is_own or is_lent) and home.borrow(total)):
                home.put(key, total, targets, sources)
        copy_tensors(targets, sources)
        self._launch_ready(is_sum)
        for key, _ in groups:
            waiting = self._waiting.get(key)
            if waiting is not None and isinstance(waiting.value, Transfer):
                waiting.value.copy_now()

    def _launch_ready(self, is_sum: bool) -> None:
        """Send the messages that come next, as far as their keys are there."""
        while True:
            message = self._following.get(self._last)
            transfer = None if message is None else self._transfers.get(message)
            if message is None or transfer is None or message.is_sum is not is_sum:
                return
            if transfer.is_flying or len(transfer.filled) < len(message.keys):
                return
            self._launch(message, transfer)

    def _launch(self, message: _Message, transfer: Transfer) -> None:
        steps = self._steps
        if steps is None:
            return
        for key in message.keys:
            self._waiting.pop(key, None)
        self._transfers.move_to_end(message)
        transfer.call = lambda: self._call([message])
        self._flying.append((message, transfer))
        self._last = message
        is_changed = self._updater is not None or self._totals.compression is not None
        is_replaced = not message.is_sum and not is_changed
        if transfer.launch(steps.take(), self._memory(message) if is_replaced else None):
            self._collect(message, transfer)

    def _launch_all(self) -> None:
        """Send everything, after all workers have named the same, where it is not known before."""
        messages = self._messages()
        for position, message in enumerate(messages):
            if self._following.get(self._last) != message:
                self._land()
                self._agree_only(self._call(messages[position:]))
                for one in messages[position:]:
                    self._following[self._last] = one
                    self._fill_and_launch(one)
                return
            self._fill_and_launch(message)

    def _messages(self) -> list[_Message]:
        """Return how what waits is to be sent, the same on all workers."""
        places = self._stored.places
        keys = sorted(self._waiting, key=lambda key: (-self._waiting[key].priority, places[key]))
        sized = [self._sized(key) for key in keys]
        found = []
        for is_sum in (False, True):
            chosen = [one for one in sized if (one[0] in self._outs) is is_sum]
            found += [
                _Message(is_sum, dtype, tuple(group), device)
                for (dtype, device), group in grouped(chosen, _LARGEST)
            ]
        return found

    def _sized(self, key: Key) -> tuple[Key, tuple[torch.dtype, torch.device | None], int]:
        """Return a key with what is the same in a message, and its bytes."""
        tensor = plain(self._stored[key])
        size = tensor.numel() * tensor.element_size()
        return key, (tensor.dtype, self._device(tensor)), size

    def _device(self, tensor: Tensor) -> torch.device | None:
        """Return the device on which a key is summed; None for host memory."""
        connected = self._group.connected
        if not connected or self._totals.compression is not None or tensor.dtype not in SUMMED:
            return None
        return tensor.device if connected.get(tensor.device.type) is not None else None

    def _fill_and_launch(self, message: _Message) -> None:
        transfer = self._transfer(message)
        targets: list[Tensor] = []
        sources: list[Tensor] = []
        for key in message.keys:
            value = self._waiting[key].value
            if value is transfer:
                continue
            if isinstance(value, Transfer):
                value = value.take(key, plain(self._stored[key]).shape)
            self._homes[message.is_sum, key] = transfer
            if not transfer.borrow(value):
                transfer.pair_up(key, value, targets, sources)
        copy_tensors(targets, sources)
        self._launch(message, transfer)

    def _transfer(self, message: _Message) -> Transfer:
        found = self._transfers.get(message)
        if found is None:
            steps = self._steps
            if steps is None:
                msg = "no other workers"
                raise MXNetError(msg)
            layout = Layout(message.keys, message.dtype, self._owners, self.num_workers)
            is_large = len(message.keys) == 1 and layout.size >= _LARGEST
            shapes = {key: plain(self._stored[key]).shape for key in message.keys}
            device, updates = message.device, self._updater is not None
            is_whole = message.is_sum or not (updates or (is_large and device is None))
            is_fit = self._totals.compression is None and layout.total and message.dtype in SUMMED
            if is_fit and is_whole:
                found = Whole(layout, steps, shapes, device, keeps_source=not message.is_sum)
            elif is_fit and device is not None:
                found = Parts(layout, steps, shapes, device)
            else:
                found = Shares(layout, steps, shapes, self.number, self._totals.compression)
            self._transfers[message] = found
            self._drop_old()
        return found

    def _drop_old(self) -> None:
        """Forget the messages that were not sent for long, with their memory."""
        excess = len(self._transfers) - max(_KEPT, 2 * len(self._stored))
        for message in list(itertools.islice(self._transfers, max(0, excess))):
            transfer = self._transfers[message]
            if transfer.is_flying or transfer.filled:
                continue
            del self._transfers[message]
            self._homes = {
                place: home for place, home in self._homes.items() if home is not transfer
            }

    # --- receiving --------------------------------------------------------------------------

    def _land(self) -> None:
        """Wait for all messages, update what this worker owns, and wait for the others' results."""
        flying, self._flying = self._flying, []
        updater = self._updater
        later = []
        for message, transfer in flying:
            self._collect(message, transfer)
            if message.is_sum or updater is None:
                continue
            if self._owners.is_splitting:
                self._update_and_distribute([(message, transfer)])
            else:
                later.append((message, transfer))
        self._update_and_distribute(later)
        for message, transfer in flying:
            memory = self._memory(message)
            copies = [] if memory is None or message.is_sum else self._pulled(message)
            transfer.finish(memory, copies)
            self._store_results(message, transfer)

    def _collect(self, message: _Message, transfer: Transfer) -> None:
        """Sum what this worker owns; sums that nothing updates go to all others at once."""
        if message.is_sum or self._updater is None:
            transfer.collect(self._memory(message), distributes=True)
        else:
            transfer.collect(None, distributes=False)

    def _update_and_distribute(self, flying: Sequence[tuple[_Message, Transfer]]) -> None:
        """Update the parts of keys that this worker owns, and begin to send them to all."""
        updater = self._updater
        if updater is None or not flying:
            return
        parts = [pair for _, transfer in flying for pair in transfer.own]
        keys = self._stored.in_order(key for message, _ in flying for key in message.keys)
        self._shards.update(updater, keys, parts, self._stored)
        for message, transfer in flying:
            memory = self._memory(message)
            if memory is None:
                copy_tensors([place for _, place in transfer.own], self._shares(transfer.own))
            transfer.distribute(memory)

    def _pulled(self, message: _Message) -> list[Tensor]:
        """Return where a value is being pulled to, if it can be copied there as it arrives."""
        key = message.keys[0]
        arrays = [array for array in self._pulling.pop(key, []) if array.stype == "default"]
        found = [plain(array) for array in arrays]
        if not all(_is_fit(one, message) for one in found):
            return []
        self._copied.add(key)
        return [one.view(-1) for one in found]

    def _memory(self, message: _Message) -> Tensor | None:
        """Return the elements of a key that goes alone, if results can be received there."""
        if len(message.keys) > 1:
            return None
        key = message.keys[0]
        tensor = self._outs[key][0] if message.is_sum else plain(self._stored[key])
        return tensor.view(-1) if _is_fit(tensor, message) else None

    def _store_results(self, message: _Message, transfer: Transfer) -> None:
        memory = self._memory(message)
        if message.is_sum:
            self._copy_sums(message, transfer, memory)
        elif memory is None:
            updates = self._updater is not None
            parts = transfer.others if updates else transfer.own + transfer.others
            copy_tensors(self._shares(parts), [place for _, place in parts])

    def _shares(self, parts: Sequence[tuple[Part, Tensor]]) -> list[Tensor]:
        """Return what is stored of parts, each in the shape of its place in a message."""
        stored = self._stored
        return [share_like(plain(stored[part.key]), part, place) for part, place in parts]

    def _copy_sums(self, message: _Message, transfer: Transfer, memory: Tensor | None) -> None:
        targets: list[Tensor] = []
        sources: list[Tensor] = []
        for key in message.keys:
            arrays = self._outs.pop(key)
            for array in arrays:
                if memory is not None:
                    if array is not arrays[0]:
                        array.copy_(memory.view(array.shape))
                elif not array.is_contiguous():
                    array.copy_(transfer.value(key, array.shape))
                else:
                    transfer.pair_up(key, array, sources, targets)
        copy_tensors(targets, sources)

    # --- agreement --------------------------------------------------------------------------

    def _agree(self, call: Call) -> None:
        self.settle()
        self._agree_only(call)

    def _agree_only(self, call: Call) -> None:
        if self._steps is not None:
            self._steps.agree(call)

    def _call(self, messages: Sequence[_Message]) -> Call:
        keys = [
            (
                self.names.get(key, key),
                self._stored[key].shape,
                _told(message),
            )
            for message in messages
            for key in message.keys
        ]
        name = "Trainer.step" if messages and messages[0].is_sum else "kv.push"
        return Call(name, keys, f"MXNET_KVSTORE_BIGARRAY_BOUND={self._owners.bound}")

    # --- who owns what ----------------------------------------------------------------------

    @override
    def _put(self, key: Key, array: NDArray) -> None:
        is_new = key not in self._stored
        super()._put(key, array)
        self._shards.forget(key)
        if is_new:
            self._owners.add(key, array.size, self._unit(key))

    def _new_owners(self) -> Owners:
        updater = self._updater
        is_splitting = updater is None or (
            isinstance(updater, Updater) and updater.optimizer.is_elementwise
        )
        return Owners(self._group.size, _bound(), is_splitting=is_splitting)

    def _change_owners(self) -> None:
        """Share all keys out anew, as the new updater allows."""
        self._owners = self._new_owners()
        for key in sorted(self._stored, key=self._stored.places.__getitem__):
            self._owners.add(key, self._stored[key].size, self._unit(key))
        self._shards = Shards(self._group.rank, self._rows.kept)
        self._forget_messages()

    def _unit(self, key: Key) -> int:
        """Return how many elements of a key have to stay together."""
        return row_size(self._stored[key].shape) if key in self._rows.keys else 1

    def _forget_messages(self) -> None:
        if self._ahead is not None:
            self._ahead.depart([])
            self._end_ahead(self._ahead)
        self._transfers.clear()
        self._homes.clear()
        self._following.clear()
        self._last = None

    # --- for keys that are pushed as rows ---------------------------------------------------

    def cut_by_rows(self, keys: Sequence[Key]) -> None:
        """Share keys out anew, by whole rows, with nothing on its way."""
        for key in keys:
            self._shards.forget(key)
            self._owners.add(key, self._stored[key].size, self._unit(key))
        self._forget_messages()

    def follow(self, keys: Sequence[Key], call: Call, *, is_sum: bool) -> int:
        """Return the number of a step for some keys, which all workers have named before."""
        steps = self._steps
        if steps is None:
            msg = "no other workers"
            raise MXNetError(msg)
        dtype = plain(self._stored[keys[0]]).dtype
        message = _Message(is_sum, dtype, tuple(keys), is_rows=True)
        if self._following.get(self._last) != message:
            steps.agree(call)
            self._following[self._last] = message
        self._last = message
        return steps.take()

    def update_parts(self, keys: Sequence[Key], parts: Sequence[tuple[Part, SparseTensor]]) -> None:
        """Update the parts that this worker owns of some keys."""
        if self._updater is not None:
            self._shards.update(self._updater, keys, parts, self._stored)

    def stored(self, key: Key) -> NDArray:
        """Return what is stored, as a dense array."""
        return self._stored[key]

    def stored_as(self, key: Key) -> NDArray:
        """Return what is stored, with the storage type that it came with."""
        array = self._stored[key]
        return with_all_rows(plain(array), array._ctx) if key in self._rows.kept else array

    @property
    def updater(self) -> Callable[[Any, NDArray, NDArray], Any] | None:
        """What updates stored arrays."""
        return self._updater

    def parts(self, key: Key) -> list[Part]:
        """Return the parts of a key."""
        return self._owners.parts(key)

    def part_of(self, key: Key, rank: int) -> Part | None:
        """Return the part of a key that a worker owns, if it has any."""
        return self._owners.part_of(key, rank)

    def shape_of(self, key: Key) -> torch.Size | None:
        """Return the shape of what is stored, or None for keys that are not there."""
        stored = self._stored.get(key)
        return None if stored is None else plain(stored).shape

    def in_order(self, keys: Iterable[Key]) -> list[Key]:
        """Return keys in the order in which they came, and those that have not after them."""
        return self._stored.in_order(keys)

    @property
    def steps(self) -> Steps | None:
        """The steps that all workers take; None for one worker."""
        return self._steps


def _bucket(workers: int) -> int:
    """Return the bytes of a message of gradients that leaves while others are still made."""
    return min(max(_FIRST, _SHARE * workers), _LARGEST)


def _bound() -> int:
    text = os.environ.get("MXNET_KVSTORE_BIGARRAY_BOUND", "")
    if not text:
        return _BOUND
    if not text.isdecimal() or not int(text):
        msg = (
            f"kv.create: the environment has MXNET_KVSTORE_BIGARRAY_BOUND={text!r}. Expected a "
            f"whole number of elements above 0. Leave it out for {_BOUND}."
        )
        raise InvalidArgumentError(msg)
    return int(text)


def _described(optimizer: Optimizer) -> str:
    """Return what has to be the same of an optimizer on all workers."""
    settings = settings_of(optimizer)
    scheduler = settings["scheduler"]
    parts = {
        **settings["constants"],
        **({} if scheduler is None else {scheduler["name"]: scheduler["constants"]}),
    }
    return f"{settings['name']} with {parts}"


def _is_fit(tensor: Tensor, message: _Message) -> bool:
    """Return whether a message can be received in the memory of a tensor."""
    return lies_in_order(tensor, message.dtype, message.device or HOST)


def _told(message: _Message) -> str:
    """Return what has to be the same of all keys of a message on all workers."""
    device = message.device
    return dtype_name(message.dtype) + ("" if device is None else f" on {device.type}")


class SummingKVStore(DistKVStore):
    """A store of several processes that leaves updates to the workers.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.kv.create('horovod').is_capable('optimizer')
    False
    """

    @staticmethod
    @override
    def is_capable(capability: str) -> bool:
        """Return whether the store updates weights: it does not."""
        return not KVStore.is_capable(capability)


def _finish_all() -> None:
    """Send what still waits when the program ends, for the others."""
    for store in sorted(_alive, key=lambda store: store.number):
        if store.steps is None or store.steps.failure is not None:
            continue
        try:
            store.settle()
            store.close(waits=True)
        except MXNetError:
            return  # the others have ended before


def _close_all() -> None:
    """Let no thread be in the way of the end."""
    for store in list(_alive):
        store.break_ahead()
        store.close(waits=False)


before_leaving(_finish_all)
before_leaving(_close_all, after_errors=True)
