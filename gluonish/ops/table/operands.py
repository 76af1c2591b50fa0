"""MXNet's rules for the dtypes of two operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import number_in, tensor_of

if TYPE_CHECKING:
    from typing import TypeAlias

Value: TypeAlias = Any
"""A tensor or a number; which of both it is decides what may be done with it."""


def settle(lhs: Value, rhs: Value) -> tuple[Value, Value]:
    """Return two operands such that torch computes with them in the dtype that MXNet uses.

    A number takes the dtype of the array (1.5 becomes 1 beside integers); beside a number,
    booleans become int64. Two arrays have their dtypes promoted, also where one has no axes.
    """
    lhs, rhs = _plain(lhs), _plain(rhs)
    if not isinstance(rhs, Tensor):
        return _beside_number(lhs, rhs)
    if not isinstance(lhs, Tensor):
        rhs, lhs = _beside_number(rhs, lhs)
        return lhs, rhs
    return promoted(lhs, rhs)


def promoted(lhs: Tensor, rhs: Tensor) -> tuple[Tensor, Tensor]:
    """Return two tensors in the dtype that MXNet promotes both to.

    For torch a tensor without axes gives way to one with axes.
    """
    if lhs.dtype is rhs.dtype or (lhs.ndim and rhs.ndim):
        return lhs, rhs
    dtype = torch.promote_types(lhs.dtype, rhs.dtype)
    return lhs.to(dtype), rhs.to(dtype)


def settle_compared(lhs: Value, rhs: Value) -> tuple[Value, Value]:
    """Return two operands such that torch compares them as MXNet's `np` does.

    As in `settle`, but beside booleans a number becomes a boolean.
    """
    lhs, rhs = _plain(lhs), _plain(rhs)
    if not isinstance(rhs, Tensor):
        return lhs, bool(rhs) if lhs.dtype is torch.bool else _number_like(lhs, rhs)
    if not isinstance(lhs, Tensor):
        return bool(lhs) if rhs.dtype is torch.bool else _number_like(rhs, lhs), rhs
    return promoted(lhs, rhs)


def without_bool(lhs: Value, rhs: Value) -> tuple[Value, Value] | None:
    """Return operands with the boolean one in the other's dtype; None if that is not the case."""
    if type(rhs) is bool:
        return lhs, int(rhs)
    if type(lhs) is bool:
        return int(lhs), rhs
    if not (isinstance(lhs, Tensor) and isinstance(rhs, Tensor)):
        return None
    if lhs.dtype is rhs.dtype:
        return None
    if lhs.dtype is torch.bool:
        return lhs.to(rhs.dtype), rhs
    return (lhs, rhs.to(lhs.dtype)) if rhs.dtype is torch.bool else None


def as_float(tensor: Value) -> Value:
    """Return an integer tensor as float32, anything else as it is."""
    if isinstance(tensor, Tensor) and not tensor.is_floating_point():
        return tensor.to(torch.float32)
    return tensor


def _plain(value: Value) -> Value:
    if isinstance(value, onp.generic):
        return value.item()
    if isinstance(value, onp.ndarray):
        return tensor_of(value)
    return value


def _beside_number(tensor: Tensor, number: Value) -> tuple[Tensor, Value]:
    if tensor.dtype is torch.bool:
        tensor = tensor.to(torch.int64)
    return tensor, _number_like(tensor, number)


def _number_like(tensor: Tensor, number: Value) -> Value:
    if isinstance(number, (float, bool)) and not tensor.is_floating_point():
        return number_in(number, tensor.dtype)
    return number
