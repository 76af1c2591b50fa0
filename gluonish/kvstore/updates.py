"""Updates of the parts of keys that a worker owns, whose states are saved and loaded together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import NDArray, wrap
from gluonish.array.core import plain
from gluonish.array.sparse import sparse_array, with_all_rows
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.array.storage import moved
from gluonish.kvstore.messages import gather_bytes
from gluonish.kvstore.transfer import share
from gluonish.optimizer import Updater
from gluonish.optimizer.saving import pack, unpack
from gluonish.optimizer.settings import settings_of, with_settings
from gluonish.optimizer.updater import arrays_of, own_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence, Set as AbstractSet

    from torch import Tensor

    from gluonish.kvstore.dist import DistKVStore
    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.layout import Part


class Shards:
    """The parts that one worker updates, as arrays for optimizers.

    Parameters
    ----------
    rank : int
        The worker.
    kept : set of int or str
        Keys that updaters get to see as row_sparse arrays.
    """

    def __init__(self, rank: int, kept: AbstractSet[Key]) -> None:
        self._rank = rank
        self._kept = kept
        self._weights: dict[Key, NDArray] = {}
        self._whole_states: dict[Key, Any] = {}

    def forget(self, key: Key) -> None:
        """Take the memory of a key anew."""
        self._weights.pop(key, None)

    def update(
        self,
        updater: Callable[[Any, Any, Any], Any],
        keys: Sequence[Key],
        parts: Sequence[tuple[Part, Tensor | SparseTensor]],
        stored: Mapping[Key, NDArray],
    ) -> None:
        """Update parts of what is stored by sums of gradients.

        Parameters
        ----------
        updater : callable
            An Updater, or a function.
        keys : list of int or str
            All keys that are updated now, by this worker or another, in order.
        parts : list of (Part, Tensor or SparseTensor)
            Those that this worker owns, each with the sum of its gradients, which may be rows.
        stored : dict
            All keys' arrays.
        """
        own = {part.key: (part, gradient) for part, gradient in parts}
        if not isinstance(updater, Updater):
            for key in keys:
                if key in own:
                    updater(key, *self._pair(*own[key], stored[key]))
            return
        optimizer = updater.optimizer
        for key, (part, _) in own.items():
            if key in self._whole_states:
                state = self._whole_states.pop(key)
                updater.load(key, arrays_of(_sliced(state, part, stored[key].shape)))
        if optimizer.is_elementwise:
            optimizer._update_count([key for key in keys if key not in own])
            if own:
                ordered = [key for key in keys if key in own]
                pairs = [self._pair(*own[key], stored[key]) for key in ordered]
                updater(ordered, [pair[0] for pair in pairs], [pair[1] for pair in pairs])
            return
        for key in keys:  # one after the other, for optimizers that count them all
            if key in own:
                updater(key, *self._pair(*own[key], stored[key]))
            else:
                optimizer._update_count(key)

    def _pair(
        self, part: Part, gradient: Tensor | SparseTensor, stored: NDArray
    ) -> tuple[NDArray, NDArray]:
        """Return a part's gradient and weight, as arrays."""
        tensor = plain(stored)
        kind, ctx = type(stored), stored._ctx
        weight = self._weights.get(part.key)
        if weight is None:
            weight = stored
            if part.stop - part.start < tensor.numel():
                shape = part_shape(part, tensor.shape)
                weight = wrap(share(tensor, part).view(shape), ctx, kind)
            if part.key in self._kept:
                weight = with_all_rows(plain(weight), ctx)
            if weight is not stored:
                self._weights[part.key] = weight
        if isinstance(gradient, SparseTensor):
            return sparse_array(moved(gradient, tensor.device), ctx), weight
        return wrap(gradient.view(weight.shape).to(tensor.device), ctx, kind), weight

    # --- files ------------------------------------------------------------------------------

    def packed(self, store: DistKVStore, updater: Updater) -> bytes:
        """Return the states that this worker has."""
        return pack({**updater.states, **self._unused(store)}, {}, None)

    def gathered(
        self,
        store: DistKVStore,
        updater: Updater,
        own: bytes,
        names: Mapping[Any, str] | None = None,
        *,
        with_optimizer: bool,
    ) -> bytes:
        """Return the states of all workers as the content of a file, on worker 0."""
        contents = gather_bytes(store.steps, own, "kv.save_optimizer_states")
        if not contents:
            return b""
        found = [unpack(content, "states", ()).states for content in contents]
        keys = store.in_order({key for states in found for key in states})
        merged = {
            key: _merged(
                store,
                key,
                {rank: states[key] for rank, states in enumerate(found) if key in states},
            )
            for key in keys
        }
        settings = settings_of(updater.optimizer) if with_optimizer else None
        return pack(merged, names or {}, settings)

    def _unused(self, store: DistKVStore) -> dict[Key, Any]:
        """Return this worker's parts of loaded states that no update has met yet."""
        found = {}
        for key, state in self._whole_states.items():
            shape = store.shape_of(key)
            part = None if shape is None else store.part_of(key, self._rank)
            if shape is not None and part is not None:
                found[key] = _sliced(state, part, shape)
            elif shape is None and self._rank == 0:
                found[key] = state
        return found

    def put(self, updater: Updater, states: Mapping[Key, Any]) -> None:
        """Take states of whole keys, of which parts are used when these are updated."""
        updater.put({}, {})
        self._whole_states = dict(states)


def load_content(updater: Updater, content: bytes, source: str) -> dict[Any, Any]:
    """Return the states in the content of a file, after the optimizer has its settings."""
    optimizer = updater.optimizer
    saved = unpack(content, source, own_names(optimizer))
    if saved.optimizer is not None:
        optimizer.__dict__.update(with_settings(optimizer, saved.optimizer, source).__dict__)
    return saved.states


def _merged(store: DistKVStore, key: Key, states: Mapping[int, Any]) -> Any:  # noqa: ANN401
    """Return the state of a whole key from what workers have of it."""
    shape = store.shape_of(key)
    if shape is not None:
        parts = {rank: store.part_of(key, rank) for rank in states}
        owned = [(part, states[rank]) for rank, part in parts.items() if part is not None]
        if len(owned) > 1:
            return _joined([state for _, state in owned], [part for part, _ in owned], shape)
        if owned:
            return owned[0][1]
    return next(iter(states.values()))


def part_shape(part: Part, shape: Sequence[int]) -> torch.Size:
    """Return the shape of a part of a key: of whole rows, if it is that.

    Examples
    --------
    >>> from gluonish.kvstore.layout import Part
    >>> from gluonish.kvstore.updates import part_shape
    >>> part_shape(Part('w', 1, 6, 12), (4, 3))
    torch.Size([2, 3])
    >>> part_shape(Part('w', 1, 5, 12), (4, 3))
    torch.Size([7])
    """
    size = part.stop - part.start
    unit = torch.Size(shape[1:]).numel()
    if size == unit * (shape[0] if shape else 1):
        return torch.Size(shape)
    if unit and part.start % unit == 0 and part.stop % unit == 0:
        return torch.Size((size // unit, *shape[1:]))
    return torch.Size((size,))


def _sliced(state: Any, part: Part, shape: Sequence[int]) -> Any:  # noqa: ANN401 - as optimizers have it
    """Return the part of the state of a key of some shape."""
    size = torch.Size(shape).numel()
    if part.stop - part.start == size:
        return state
    if isinstance(state, (tuple, list)):
        return type(state)(_sliced(one, part, shape) for one in state)
    tensor = plain(state) if isinstance(state, NDArray) else state
    if isinstance(tensor, torch.Tensor) and tensor.numel() == size:
        return tensor.reshape(-1)[part.start : part.stop].clone().view(part_shape(part, shape))
    return state


def _joined(states: list[Any], parts: list[Part], shape: torch.Size) -> Any:  # noqa: ANN401
    """Return the state of a whole key."""
    first = states[0]
    if isinstance(first, (tuple, list)):
        columns = zip(*states, strict=True)
        return type(first)(_joined(list(column), parts, shape) for column in columns)
    if not isinstance(first, torch.Tensor):
        return first
    if all(one.numel() == part.stop - part.start for one, part in zip(states, parts, strict=True)):
        return torch.cat([one.reshape(-1) for one in states]).view(shape)
    return first
