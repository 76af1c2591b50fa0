"""How a Trainer's gradients and weights meet: in a store, or in each context by itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.array import wrap
from gluonish.array.sparse import BaseSparseNDArray, is_sparse, replace_parts, sparse_array
from gluonish.array.sparse_base import parts_of
from gluonish.array.storage import nothing
from gluonish.array.tensors import plain
from gluonish.block.parameter_memory import attachments, copies_of
from gluonish.errors import InvalidArgumentError
from gluonish.gluon.states import load_states, put_states, save_states
from gluonish.kvstore import KVStore
from gluonish.kvstore.creation import is_of_processes
from gluonish.late import LateModule
from gluonish.optimizer import Updater
from gluonish.optimizer.updater import own_names
from gluonish.serialization.files import path_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gluonish.array import NDArray
    from gluonish.array.gradients import Gradient
    from gluonish.array.sparse_tensor import SparseTensor
    from gluonish.block import Parameter
    from gluonish.context import Context
    from gluonish.gluon.trainer import Trainer
    from gluonish.kvstore.dist import DistKVStore
    from gluonish.optimizer import saving
    from gluonish.serialization.files import PathLike
else:
    saving = LateModule("gluonish.optimizer.saving")


class StoreLink(ABC):
    """A Trainer's side of a store.

    Parameters
    ----------
    trainer : Trainer
        Whose parameters the store holds, under the numbers that they have in the Trainer.
    store : KVStoreBase
        The store.
    compression : dict or None
        How gradients are compressed.
    updates : bool
        Whether the store updates the weights.
    """

    def __init__(
        self, trainer: Trainer, store: Any, compression: Mapping[str, Any] | None, *, updates: bool
    ) -> None:
        self._trainer = trainer
        self._store = store
        self._updates = updates
        if compression:
            store.set_gradient_compression(compression)
        if updates:
            self._set_optimizer()

    @abstractmethod
    def reduce(self, params: Iterable[Parameter]) -> None:
        """Sum the gradients over contexts and processes, in place."""

    @property
    @abstractmethod
    def reduces_apart(self) -> bool:
        """Whether `reduce` can do its part before `update`, in a store that updates weights."""

    @abstractmethod
    def update(self, params: Iterable[Parameter], *, is_reduced: bool) -> None:
        """Have the store sum gradients, update the weights and copy them to all contexts."""

    def agreed(self, params: list[Parameter]) -> list[Parameter]:
        """Return which parameters are updated, the same on all workers, of those that could be."""
        return params

    @abstractmethod
    def save_states(self, path: PathLike) -> None:
        """Save the states of the store's optimizer."""

    @abstractmethod
    def load_states(self, path: PathLike) -> None:
        """Load the states of the store's optimizer."""

    @abstractmethod
    def _set_optimizer(self) -> None:
        """Have the store use the Trainer's optimizer."""

    def _numbered(self, params: Iterable[Parameter]) -> list[tuple[int, list[NDArray]]]:
        """Return parameters' numbers and gradients."""
        indices = self._trainer._indices
        return [(indices[id(param)], _gradients(param)) for param in params]


class SharedMemory(StoreLink):
    """The link to a store of this process, which holds the weights of the first context.

    They are the parameters' own arrays, not copies: what a program writes to them holds.
    """

    def __init__(
        self,
        trainer: Trainer,
        store: KVStore,
        compression: Mapping[str, Any] | None,
        *,
        updates: bool,
    ) -> None:
        super().__init__(trainer, store, compression, updates=updates)
        check_keys(trainer, store)
        self._adopt(param for param in trainer._params if copies_of(param))
        store.spread(
            (trainer._indices[id(param)], copies_of(param))
            for param in trainer._params
            if copies_of(param)
        )

    @override
    def reduce(self, params: Iterable[Parameter]) -> None:
        self._store.reduce(self._numbered(params))

    @property
    @override
    def reduces_apart(self) -> bool:
        return True

    @override
    def update(self, params: Iterable[Parameter], *, is_reduced: bool) -> None:
        params = list(params)
        self._adopt(params)
        groups = self._numbered(params)
        if is_reduced:
            update_copy(self._trainer, params, 0)
        else:
            self._store.merge(groups)
        self._store.spread(
            (index, copies_of(param)) for (index, _), param in zip(groups, params, strict=True)
        )

    @override
    def save_states(self, path: PathLike) -> None:
        save_states(path, self._trainer._updaters[0], self._trainer._params)

    @override
    def load_states(self, path: PathLike) -> None:
        load_states(path, self._trainer._updaters[:1], self._trainer._params)

    @override
    def _set_optimizer(self) -> None:
        self._store.set_updater(self._trainer._updaters[0])

    def _adopt(self, params: Iterable[Parameter]) -> None:
        indices, adopt = self._trainer._indices, self._store.adopt
        for param in params:
            adopt(indices[id(param)], copies_of(param)[0])


class AnyStore(StoreLink):
    """The link to a store of another class, through what every store can do."""

    def __init__(
        self, trainer: Trainer, store: Any, compression: Mapping[str, Any] | None, *, updates: bool
    ) -> None:
        super().__init__(trainer, store, compression, updates=updates)
        self._known: set[int] = set()
        self._begin(trainer._params)

    @override
    def reduce(self, params: Iterable[Parameter]) -> None:
        params = list(params)
        self._begin(params)
        for index, gradients in self._numbered(params):
            self._store.pushpull(index, gradients, priority=-index)

    @property
    @override
    def reduces_apart(self) -> bool:
        return not self._updates

    @override
    def update(self, params: Iterable[Parameter], *, is_reduced: bool) -> None:
        params = list(params)
        self._begin(params)
        for param, (index, gradients) in zip(params, self._numbered(params), strict=True):
            self._store.pushpull(index, gradients, out=copies_of(param), priority=-index)

    @override
    def save_states(self, path: PathLike) -> None:
        self._store.save_optimizer_states(path, dump_optimizer=True)

    @override
    def load_states(self, path: PathLike) -> None:
        self._store.load_optimizer_states(path)

    @override
    def _set_optimizer(self) -> None:
        self._store.set_optimizer(self._trainer._optimizer)

    def _begin(self, params: Iterable[Parameter]) -> None:
        """Give the store first values of parameters that it does not know."""
        for param in params:
            index = self._trainer._indices[id(param)]
            arrays = copies_of(param)
            if arrays and index not in self._known:
                self._store.broadcast(index, arrays[0], arrays)
                self._known.add(index)


class Processes(StoreLink):
    """The link to a store of several processes, whose arrays are those of the first context."""

    def __init__(
        self,
        trainer: Trainer,
        store: DistKVStore,
        compression: Mapping[str, Any] | None,
        *,
        updates: bool,
    ) -> None:
        super().__init__(trainer, store, compression, updates=updates)
        store.name_keys({index: param.name for index, param in enumerate(trainer._params)})
        check_keys(trainer, store)
        self._begin(trainer._params)

    @override
    def reduce(self, params: Iterable[Parameter]) -> None:
        params = list(params)
        self._begin(params)
        self._store.sum_gradients(self._attached(params))

    @property
    @override
    def reduces_apart(self) -> bool:
        in_step: bool = self._store.is_in_step
        return in_step

    @override
    def update(self, params: Iterable[Parameter], *, is_reduced: bool) -> None:
        params = list(params)
        self._begin(params)
        groups = self._numbered(params)
        if is_reduced:  # all workers have the sum, one gives it
            groups = [
                (index, grads[:1] if self._store.rank == 0 else [_zeros(grads[0])])
                for index, grads in groups
            ]
        self._store.merge(groups)
        self._store.spread(
            (index, copies_of(param)) for (index, _), param in zip(groups, params, strict=True)
        )

    def _attached(self, params: Iterable[Parameter]) -> list[tuple[int, list[Gradient]]]:
        """Return parameters' numbers and what is attached to them."""
        indices = self._trainer._indices
        return [(indices[id(param)], attachments(param)) for param in params]

    @override
    def agreed(self, params: list[Parameter]) -> list[Parameter]:
        """Return the parameters whose gradient is new on any worker.

        Where it is old, it counts as 0.
        """
        trained = [param for param in self._trainer._params if param._grad_req != "null"]
        found = self._store.any_of([param in params for param in trained], "Trainer.step")
        for param, is_chosen in zip(trained, found, strict=True):
            if is_chosen and param not in params:
                for gradient in _gradients(param):
                    _clear(gradient)
        return [param for param, is_chosen in zip(trained, found, strict=True) if is_chosen]

    @override
    def save_states(self, path: PathLike) -> None:
        self._store.save_named_states(path)

    @override
    def load_states(self, path: PathLike) -> None:
        content = self._store.read(path, "Trainer.load_states")
        trainer = self._trainer
        whole = Updater(trainer._optimizer)
        saved = saving.unpack(content, path_text(path), own_names(trainer._optimizer))
        put_states([saved], [whole], trainer._params, path_text(path))
        self._store.put_states(whole.states)

    @override
    def _set_optimizer(self) -> None:
        self._store.set_optimizer(self._trainer._optimizer)

    def _begin(self, params: Iterable[Parameter]) -> None:
        """Have the store use the parameters' arrays; new ones get the values of worker 0."""
        indices, store = self._trainer._indices, self._store
        found = [(indices[id(param)], copies_of(param)) for param in params]
        found = [(index, arrays) for index, arrays in found if arrays]
        new = [(index, arrays) for index, arrays in found if not store.has(index)]
        store.begin([(index, arrays[0]) for index, arrays in found], "Trainer")
        if new:
            store.spread(new)


def _zeros(array: NDArray) -> NDArray:
    if is_sparse(array):
        zeros: NDArray = sparse_array(_nothing(array), array.context)
        return zeros
    return wrap(torch.zeros_like(plain(array)), array.context, type(array))


def _clear(array: NDArray) -> None:
    if is_sparse(array):
        replace_parts(array, _nothing(array))
    else:
        array[:] = 0


def _nothing(array: BaseSparseNDArray) -> SparseTensor:
    return nothing(array.shape, parts_of(array).dtype, array.context.device, array.stype)


def check_keys(trainer: Trainer, store: KVStore) -> None:
    """Refuse a store that has arrays under the numbers of a Trainer's parameters."""
    for param in trainer._params:
        if store.has(trainer._indices[id(param)]):
            msg = (
                f"Trainer: kvstore has an array for key {trainer._indices[id(param)]} already: "
                f"duplicate init. Expected a store without the keys 0 to "
                f"{len(trainer._params) - 1}. Make one for each Trainer."
            )
            raise InvalidArgumentError(msg)


def _gradients(param: Parameter) -> list[NDArray]:
    if param.is_read_by_methods:
        return param.list_grad()
    return [one.buffer for one in attachments(param)]


def link_to(
    trainer: Trainer, store: Any, compression: Mapping[str, Any] | None, *, updates: bool
) -> StoreLink:
    """Return the link between a Trainer and a store."""
    kind: type[StoreLink] = AnyStore
    if is_of_processes(store):
        kind = Processes
    elif type(store) is KVStore:
        kind = SharedMemory
    return kind(trainer, store, compression, updates=updates)


def update_copy(trainer: Trainer, params: Iterable[Parameter], device: int) -> None:
    """Update the parameters' copies on one context by their gradients."""
    indices, grads, weights = [], [], []
    positions = trainer._indices
    for param in params:
        arrays = param._arrays
        if len(arrays) == 1:
            (array,) = arrays.values()
        else:
            array = _nth(arrays, device)
        try:
            attached = array._attached  # noqa: SLF001 - a slot, read for each Parameter
        except AttributeError:  # none is
            continue
        attached.is_fresh = False
        indices.append(positions[id(param)])
        if param.is_read_by_methods:
            grads.append(param.list_grad()[device])
            weights.append(param.list_data()[device])
            continue
        grads.append(attached.buffer)
        weights.append(array)
    if indices:
        trainer._updaters[device](indices, grads, weights)


def _nth(arrays: dict[Context, NDArray], position: int) -> NDArray:
    values = iter(arrays.values())
    for _ in range(position):
        next(values)
    return next(values)
