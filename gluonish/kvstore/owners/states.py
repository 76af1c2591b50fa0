"""States of optimizers, cut into the parts that workers own and put together for files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import NDArray
from gluonish.array.tensors import plain
from gluonish.kvstore.workers.messages import gather_bytes
from gluonish.optimizer.saving import pack, unpack
from gluonish.optimizer.settings import settings_of, with_settings
from gluonish.optimizer.updater import own_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.owners.layout import Part
    from gluonish.kvstore.owners.ownership import Ownership
    from gluonish.kvstore.workers.agreement import Steps
    from gluonish.optimizer import Updater


def gathered(
    steps: Steps | None,
    own: bytes,
    ownership: Ownership,
    updater: Updater,
    names: Mapping[Any, str],
    *,
    with_optimizer: bool,
) -> bytes:
    """Return the states of all workers as the content of a file, on worker 0.

    Parameters
    ----------
    steps : Steps or None
        The store's; None for one worker.
    own : bytes
        The states of this worker.
    ownership : Ownership
        Whose parts they are of.
    updater : Updater
        Whose optimizer is added, if `with_optimizer`.
    names : dict
        Names of keys that are added.
    """
    contents = gather_bytes(steps, own, "kv.save_optimizer_states")
    if not contents:
        return b""
    found = [unpack(content, "states", ()).states for content in contents]
    merged = {
        key: _merged(
            ownership,
            key,
            {rank: states[key] for rank, states in enumerate(found) if key in states},
        )
        for key in ownership.stored.in_order({key for states in found for key in states})
    }
    settings = settings_of(updater.optimizer) if with_optimizer else None
    return pack(merged, names, settings)


def load_content(updater: Updater, content: bytes, source: str) -> dict[Any, Any]:
    """Return the states in the content of a file, after the optimizer has its settings."""
    optimizer = updater.optimizer
    saved = unpack(content, source, own_names(optimizer))
    if saved.optimizer is not None:
        optimizer.__dict__.update(with_settings(optimizer, saved.optimizer, source).__dict__)
    return saved.states


def _merged(ownership: Ownership, key: Key, states: Mapping[int, Any]) -> Any:  # noqa: ANN401
    """Return the state of a whole key from what workers have of it."""
    stored = ownership.stored.get(key)
    if stored is not None:
        parts = {rank: ownership.part_of(key, rank) for rank in states}
        owned = [(part, states[rank]) for rank, part in parts.items() if part is not None]
        if len(owned) > 1:
            joined = [state for _, state in owned], [part for part, _ in owned]
            return _joined(*joined, plain(stored).shape)
        if owned:
            return owned[0][1]
    return next(iter(states.values()))


def part_shape(part: Part, shape: Sequence[int]) -> torch.Size:
    """Return the shape of a part of a key: of whole rows, if it is that.

    Examples
    --------
    >>> from gluonish.kvstore.owners.layout import Part
    >>> from gluonish.kvstore.owners.states import part_shape
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


def sliced(state: Any, part: Part, shape: Sequence[int]) -> Any:  # noqa: ANN401 - as optimizers have it
    """Return the part of the state of a key of some shape."""
    size = torch.Size(shape).numel()
    if part.stop - part.start == size:
        return state
    if isinstance(state, (tuple, list)):
        return type(state)(sliced(one, part, shape) for one in state)
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
