"""DistKVStore: what all stores of several processes have in common."""

from __future__ import annotations

import contextlib
import itertools
import weakref
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array.dtypes import dtype_name
from gluonish.array.gradients import rebind
from gluonish.array.sparse import is_sparse, memory
from gluonish.array.tensors import plain
from gluonish.errors import MXNetError
from gluonish.kvstore.base import OfProcesses
from gluonish.kvstore.compression import Compression
from gluonish.kvstore.exchange.rows import Rows
from gluonish.kvstore.kvstore import KVStore, no_optimizer
from gluonish.kvstore.owners.ownership import Ownership
from gluonish.kvstore.owners.states import gathered, load_content
from gluonish.kvstore.owners.updates import Shards
from gluonish.kvstore.workers.agreement import Call, Steps
from gluonish.kvstore.workers.group import before_leaving, join
from gluonish.kvstore.workers.messages import any_of, read_shared, share_tensors, write_once
from gluonish.optimizer import Optimizer, Updater
from gluonish.optimizer.settings import settings_of
from gluonish.serialization.files import path_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from gluonish.array import NDArray
    from gluonish.array.gradients import Gradient
    from gluonish.kvstore.keys import Key, Keys, Values
    from gluonish.serialization.files import PathLike

_numbers = itertools.count()
_alive: weakref.WeakSet[DistKVStore] = weakref.WeakSet()


class DistKVStore(KVStore, OfProcesses, ABC):
    """Arrays by key, which several processes share, each of which owns a part of them.

    Parameters
    ----------
    type : str
        Its name, which `create` has checked.
    cuts_rows : bool
        Whether parts may begin and end within rows, as long as no rows are pushed.

    Attributes
    ----------
    number : int
        Which one it is among all stores of the process, the same on all workers.
    steps : Steps or None
        The steps that all workers take; None for one worker.
    """

    def __init__(self, type: str, *, cuts_rows: bool) -> None:  # noqa: A002 - MXNet's name
        super().__init__(type)
        self._group = join()
        self.number = next(_numbers)
        self.steps: Steps | None = None
        self._ownership = Ownership(
            self._stored, self._group.rank, self._group.size, self._forget, cuts_rows=cuts_rows
        )
        self._shards = Shards(self._ownership)
        self._rows = Rows(self._ownership)
        if self._group.size > 1:
            self.steps = Steps(self._group, f"store{self.number}")
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
        if self.steps is None:
            super().init(key, value)
            return
        found = [
            (one, self._rows.dense(one, array))
            for one, array in self._stored.new(key, value, "kv.init")
        ]
        self.share(found, "kv.init")
        for one, array in found:
            self._put(one, array)

    @abstractmethod
    def begin(self, pairs: Sequence[tuple[Key, NDArray]], where: str) -> None:
        """Store arrays of a Trainer; new keys get the values of worker 0."""

    @property
    @abstractmethod
    def is_in_step(self) -> bool:
        """Whether all workers make the same calls."""

    @abstractmethod
    def settle(self) -> None:
        """Send what was pushed, and wait for what comes of it.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.kv.create('dist_sync').settle()
        """

    @abstractmethod
    def close(self, *, waits: bool) -> None:
        """End what runs beside the program; with `waits` when all workers have come to the end."""

    @override
    def adopt(self, key: Key, array: NDArray) -> None:
        if is_sparse(array):
            if self.steps is None:
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
        if self.steps is None:
            return
        self.settle()
        keys = [
            (self._stored.names.get(key, key), array.shape, dtype_name(memory(array).dtype))
            for key, array in pairs
        ]
        share_tensors(self.steps, Call(where, keys), [memory(array).detach() for _, array in pairs])

    def any_of(self, flags: Sequence[bool], where: str) -> list[bool]:
        """Return, for each of several questions, whether any worker has said yes.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.kv.create('dist_sync').any_of([True, False], 'example')
        [True, False]
        """
        if self.steps is None:
            return list(flags)
        self.settle()
        return any_of(self.steps, flags, where)

    # --- updates ----------------------------------------------------------------------------

    @override
    def set_updater(self, updater: Callable[[Any, NDArray, NDArray], Any]) -> None:
        """Have a function update what is stored; see `KVStore.set_updater`.

        It runs for each key on one worker, whose result all others get.
        """
        self._agree(Call("kv.set_updater"))
        with self._undisturbed():
            super().set_updater(updater)
            self._change_updater()
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
        is_optimizer = isinstance(optimizer, Optimizer)
        if not is_optimizer:
            raise no_optimizer(optimizer)
        self._agree(Call("kv.set_optimizer", [], _described(optimizer)))
        with self._undisturbed():
            super().set_optimizer(optimizer)
            self._change_updater()
        self._after_change()

    def _change_updater(self) -> None:
        """Share all keys out anew, as the new updater allows."""
        updater = self._updater
        self._shards.use(updater)
        self._ownership.share_out(
            is_splitting=isinstance(updater, Updater) and updater.optimizer.is_elementwise
        )

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
        self._forget()

    # --- states -----------------------------------------------------------------------------

    @override
    def save_optimizer_states(self, fname: PathLike, dump_optimizer: bool = False) -> None:
        """Save the optimizer's states of all workers in a file; see `KVStore`.

        All workers call it, and worker 0 writes the file. It may be loaded by any number of
        workers, and by stores of one process.
        """
        self._write_states(fname, {}, with_optimizer=dump_optimizer)

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
        return read_shared(self.steps, fname, where)

    def save_named_states(self, fname: PathLike) -> None:
        """Save the states, the optimizer and the names of the keys; see `save_optimizer_states`."""
        self._write_states(fname, self._stored.names, with_optimizer=True)

    def put_states(self, states: Mapping[Key, Any]) -> None:
        """Replace all states by those of whole keys, the same on all workers."""
        with self._undisturbed():
            self._shards.put(self._states("load"), states)
        self._after_change()

    def _write_states(
        self, fname: PathLike, names: Mapping[Any, str], *, with_optimizer: bool
    ) -> None:
        updater = self._states("save")
        self._agree(Call("kv.save_optimizer_states"))
        with self._undisturbed():
            own = self._shards.packed(updater)
        content = gathered(
            self.steps, own, self._ownership, updater, names, with_optimizer=with_optimizer
        )
        write_once(self.steps, fname, content, "kv.save_optimizer_states")

    # --- for Trainers -----------------------------------------------------------------------

    def name_keys(self, names: Mapping[Key, str]) -> None:
        """Have keys called by names where workers compare them, and in files of states."""
        self._stored.names = dict(names)

    def sum_gradients(self, gradients: Sequence[tuple[Key, list[Gradient]]]) -> None:
        """Sum gradients as `reduce` does.

        Parameters
        ----------
        gradients : list of (key, list of Gradient)
            The gradients of each key, on all contexts.
        """
        self.reduce((key, [one.buffer for one in found]) for key, found in gradients)

    # --- what kinds of stores do in their ways ------------------------------------------------

    def _undisturbed(self) -> AbstractContextManager[Any]:
        """Return a scope in which no other worker has anything updated here."""
        return contextlib.nullcontext()

    def _after_change(self) -> None:
        """Wait for what has to be done before others ask this worker for updates."""

    def _forget(self) -> None:
        """Forget how messages were sent, since they are sent in another way from now on."""

    def _agree(self, call: Call) -> None:
        self.settle()
        self._agree_only(call)

    def _agree_only(self, call: Call) -> None:
        if self.steps is not None:
            self.steps.agree(call)

    @override
    def _put(self, key: Key, array: NDArray) -> None:
        is_new = key not in self._stored
        super()._put(key, array)
        if is_new:
            self._ownership.add(key)


def _described(optimizer: Optimizer) -> str:
    """Return what has to be the same of an optimizer on all workers."""
    settings = settings_of(optimizer)
    scheduler = settings["scheduler"]
    parts = {
        **settings["constants"],
        **({} if scheduler is None else {scheduler["name"]: scheduler["constants"]}),
    }
    return f"{settings['name']} with {parts}"


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
        store.close(waits=False)


before_leaving(_finish_all)
before_leaving(_close_all, after_errors=True)
