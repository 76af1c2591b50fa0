"""Stored arrays: what files can hold, and tensors seen as plain bytes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypeAlias

import torch

from gluonish.array.dtypes import CODE_OF_DTYPE, dtype_name
from gluonish.errors import DTypeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.array.sparse_tensor import SparseTensor

Tensors: TypeAlias = "list[Tensor] | dict[str, Tensor]"

MAX_NDIM: Final = 32
_MAX_BYTES: Final = 2**63 - 1


def check_dtype(tensor: Tensor | SparseTensor, label: str) -> None:
    """Raise `DTypeError` unless the formats can hold the tensor's dtype."""
    if tensor.dtype not in CODE_OF_DTYPE:
        msg = (
            f"Saving {label}: its dtype is {dtype_name(tensor.dtype)}, which no parameter file "
            f"holds. Expected one of {', '.join(map(dtype_name, CODE_OF_DTYPE))}. "
            f"Convert the array with astype() first."
        )
        raise DTypeError(msg)


def byte_view(tensor: Tensor) -> Tensor:
    """Return a contiguous tensor's memory as a vector of uint8, without a copy."""
    return tensor.reshape(-1).view(torch.uint8)


def stored_form(tensor: Tensor) -> Tensor:
    """Return the tensor as files hold it: detached, contiguous, in CPU memory."""
    return tensor.detach().to("cpu").contiguous()


def byte_size(shape: Sequence[int], dtype: torch.dtype) -> int:
    """Return how many bytes the values of an array take."""
    return math.prod(shape) * dtype.itemsize


def shape_problem(shape: Sequence[int], dtype: torch.dtype) -> str | None:
    """Return what keeps a shape from being one of an array in memory, if anything.

    Notes
    -----
    Zeros count as ones: NumPy, too, refuses an empty array whose other dimensions overflow.
    """
    if shape and min(shape) < 0:
        return f"the shape is {tuple(shape)}; expected no negative dimension"
    if math.prod([dim or 1 for dim in shape]) * dtype.itemsize > _MAX_BYTES:
        return f"the shape is {tuple(shape)}; expected at most 2**63 - 1 bytes of values"
    return None


def has_foreign_bool(tensor: Tensor) -> bool:
    """Return whether a bool tensor read from a file holds a byte other than 0 and 1."""
    if tensor.dtype is not torch.bool or tensor.numel() == 0:
        return False
    return int(byte_view(tensor).max()) > 1
