"""Tensors as bytes, which any process can open, whenever it does.

Source
------
torch's own pickles of a tensor name shared memory between processes, which goes with the
process that made it, and which processes begun by *spawn* and *forkserver* are not handed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor

if TYPE_CHECKING:
    import numpy as onp

__all__ = ["Packed", "packed", "unpacked"]


class Packed(NamedTuple):
    """The elements of a tensor, one after another, and what they are."""

    elements: onp.ndarray[Any, onp.dtype[onp.uint8]]
    dtype: torch.dtype
    shape: tuple[int, ...]


def packed(tensor: Tensor) -> Packed:
    """Return a tensor's elements as bytes, which share its memory where it is dense."""
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    return Packed(flat.view(torch.uint8).numpy(), tensor.dtype, tuple(tensor.shape))


def unpacked(values: Packed | Tensor) -> Tensor:
    """Return the tensor; one that torch itself has pickled is there already."""
    if isinstance(values, Tensor):
        return values
    elements, dtype, shape = values
    if not elements.flags.writeable:
        elements = elements.copy()
    return torch.from_numpy(elements).view(dtype).reshape(shape)
