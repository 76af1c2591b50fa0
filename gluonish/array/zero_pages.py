"""Zeros that take no memory before something is written to them."""

from __future__ import annotations

import mmap
from typing import Final

import torch
from torch import Tensor

from gluonish.array.constant_results import is_captured

_PRIVATE: Final = getattr(mmap, "MAP_PRIVATE", 0) | getattr(mmap, "MAP_ANONYMOUS", 0)
_LEAST: Final = 2**16  # bytes; smaller ones are not worth pages of their own


def zeros_for(tensor: Tensor) -> Tensor:
    """Return zeros as `torch.zeros_like` does, in pages that the system fills in as they are used.

    Gradients begin as zeros that nobody writes to: the first `backward()` puts its own memory in
    their place, and a program that only predicts never has one.

    Examples
    --------
    >>> import torch
    >>> from gluonish.array.zero_pages import zeros_for
    >>> zeros_for(torch.ones(2, 3))
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    size = tensor.numel() * tensor.element_size()
    is_plain = tensor.device.type == "cpu" and tensor.is_contiguous() and not is_captured()
    if size < _LEAST or not is_plain or not _PRIVATE:
        return torch.zeros_like(tensor)
    pages = mmap.mmap(-1, size, flags=_PRIVATE)
    return torch.frombuffer(pages, dtype=tensor.dtype).view(tensor.shape)
