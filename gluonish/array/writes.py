"""Tells whether somebody may have written to the memory of arrays."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

import torch

from gluonish.process.needed_memory import needed, spare
from gluonish.process.torch_names import increment_versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

# Torch keeps the same object for a storage as long as its memory lives.
_storages: weakref.WeakSet[torch.UntypedStorage] = weakref.WeakSet()


def versions(tensors: Sequence[Tensor]) -> list[int]:
    """Return numbers that change when tensors, or others on the same memory, are written to."""
    return [0 if each.is_inference() else each._version for each in tensors]


def wrote_to(tensors: Sequence[Tensor]) -> None:
    """Note that tensors were written to, by code of which torch knows nothing."""
    increment_versions(tensors)


def give_out(tensor: Tensor) -> Tensor:
    """Note that others share a tensor's memory from now on; return the tensor.

    What was computed of its values once can't be used on, since nobody tells of their writes.
    """
    if needed:
        spare(tensor)
    _storages.add(tensor.untyped_storage())
    torch.autograd.graph.increment_version(tensor)
    return tensor


def is_given_out(tensor: Tensor) -> bool:
    """Return whether others may write to a tensor's memory."""
    return tensor.untyped_storage() in _storages
