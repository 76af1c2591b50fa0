"""Sums and copies of tensors, for stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from gluonish.array import tensor_lists

if TYPE_CHECKING:
    from torch import Tensor


def copy_tensors(targets: list[Tensor], sources: list[Tensor]) -> None:
    """Copy each tensor into another one."""
    if not targets:
        return
    if not any(target.is_cuda for target in targets):
        tensor_lists.copy_(targets, sources)
        return
    for target, source in zip(targets, sources, strict=True):
        target.copy_(source, non_blocking=target.is_cuda)


def sum_into(tensors: list[Tensor], total: Tensor) -> None:
    """Write the sum of tensors, which may be elsewhere and of other dtypes, into another."""
    if len(tensors) == 1:
        total.copy_(tensors[0], non_blocking=total.is_cuda)
        return
    dtype, device = total.dtype, total.device
    first, second, *others = (
        tensor
        if tensor.dtype is dtype and tensor.device == device
        else tensor.to(device, dtype, non_blocking=total.is_cuda)
        for tensor in tensors
    )
    torch.add(first, second, out=total)
    for tensor in others:
        total.add_(tensor)
