"""Updates of the parts of keys that a worker owns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gluonish.array import NDArray, wrap
from gluonish.array.sparse import sparse_array, with_all_rows
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.array.storage import moved
from gluonish.array.tensors import plain
from gluonish.kvstore.owners.layout import share
from gluonish.kvstore.owners.states import part_shape, sliced
from gluonish.optimizer import Updater
from gluonish.optimizer.saving import pack
from gluonish.optimizer.updater import arrays_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torch import Tensor

    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.owners.layout import Part
    from gluonish.kvstore.owners.ownership import Ownership


class _Weight(NamedTuple):
    """A part as an array, in the memory that the key had."""

    tensor: Tensor
    part: Part
    array: NDArray


class Shards:
    """The parts that one worker updates, as arrays for optimizers.

    Parameters
    ----------
    ownership : Ownership
        Which parts they are.

    Attributes
    ----------
    ownership : Ownership
        The same.
    updater : callable or None
        An Updater, or a function; None where sums replace what is stored.
    """

    def __init__(self, ownership: Ownership) -> None:
        self.updater: Callable[[Any, Any, Any], Any] | None = None
        self.ownership = ownership
        self._weights: dict[Key, _Weight] = {}
        self._whole_states: dict[Key, Any] = {}

    def use(self, updater: Callable[[Any, Any, Any], Any] | None) -> None:
        """Update by an updater, which has all states that it is to have."""
        self.updater = updater
        self._whole_states = {}

    def update(
        self, keys: Sequence[Key], parts: Sequence[tuple[Part, Tensor | SparseTensor]]
    ) -> None:
        """Update parts of what is stored by sums of gradients.

        Parameters
        ----------
        keys : list of int or str
            All keys that are updated now, by this worker or another, in order.
        parts : list of (Part, Tensor or SparseTensor)
            Those that this worker owns, each with the sum of its gradients, which may be rows.
        """
        updater = self.updater
        if updater is None:
            return
        own = {part.key: (part, gradient) for part, gradient in parts}
        if not isinstance(updater, Updater):
            for key in keys:
                if key in own:
                    updater(key, *self._pair(*own[key]))
            return
        optimizer = updater.optimizer
        for key, (part, _) in own.items():
            if key in self._whole_states:
                shape = self.ownership.stored[key].shape
                state = sliced(self._whole_states.pop(key), part, shape)
                updater.load(key, arrays_of(state))
        if optimizer.is_elementwise:
            optimizer._update_count([key for key in keys if key not in own])
            if own:
                ordered = [key for key in keys if key in own]
                pairs = [self._pair(*own[key]) for key in ordered]
                updater(ordered, [pair[0] for pair in pairs], [pair[1] for pair in pairs])
            return
        for key in keys:  # one after the other, for optimizers that count them all
            if key in own:
                updater(key, *self._pair(*own[key]))
            else:
                optimizer._update_count(key)

    def _pair(self, part: Part, gradient: Tensor | SparseTensor) -> tuple[NDArray, NDArray]:
        """Return a part's gradient and weight, as arrays."""
        stored = self.ownership.stored[part.key]
        tensor, ctx, kind = plain(stored), stored.context, type(stored)
        known = self._weights.get(part.key)
        if known is None or known.tensor is not tensor or known.part is not part:
            known = _Weight(tensor, part, self._weight(part, stored))
            self._weights[part.key] = known
        weight = known.array
        if isinstance(gradient, SparseTensor):
            return sparse_array(moved(gradient, tensor.device), ctx), weight
        return wrap(gradient.view(weight.shape).to(tensor.device), ctx, kind), weight

    def _weight(self, part: Part, stored: NDArray) -> NDArray:
        weight, tensor = stored, plain(stored)
        if part.stop - part.start < tensor.numel():
            shape = part_shape(part, tensor.shape)
            weight = wrap(share(tensor, part).view(shape), stored.context, type(stored))
        if part.key in self.ownership.row_sparse:
            weight = with_all_rows(plain(weight), stored.context)
        return weight

    # --- states -----------------------------------------------------------------------------

    def packed(self, updater: Updater) -> bytes:
        """Return the states that this worker has."""
        return pack({**updater.states, **self._unused()}, {}, None)

    def _unused(self) -> dict[Key, Any]:
        """Return this worker's parts of states that no update has met yet."""
        rank, found = self.ownership.rank, {}
        for key, state in self._whole_states.items():
            stored = self.ownership.stored.get(key)
            part = None if stored is None else self.ownership.part_of(key, rank)
            if stored is not None and part is not None:
                found[key] = sliced(state, part, stored.shape)
            elif stored is None and rank == 0:
                found[key] = state
        return found

    def put(self, updater: Updater, states: Mapping[Key, Any]) -> None:
        """Take states of whole keys, of which parts are used when these are updated."""
        is_alone = self.ownership.workers == 1  # where whole keys are updated
        arrays = {key: arrays_of(state) for key, state in states.items()} if is_alone else {}
        updater.put({}, arrays)
        self._whole_states = {} if is_alone else dict(states)
