"""MXNet's rules for the dtypes of two operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor

if TYPE_CHECKING:
    from typing import TypeAlias

Value: TypeAlias = Any
"""A tensor or a number; which of both it is decides what may be done with it."""


def settle(lhs: Value, rhs: Value) -> tuple[Value, Value]:
    """Return two operands such that torch computes with them in the dtype that MXNet uses.

    A number takes the dtype of the array (1.5 becomes 1 beside integers); booleans count as
    float32.
    """
    lhs, rhs = _plain(lhs), _plain(rhs)
    if isinstance(lhs, Tensor):
        lhs, rhs = _beside(lhs, rhs)
    if isinstance(rhs, Tensor):
        rhs, lhs = _beside(rhs, lhs)
    return lhs, rhs


def settle_compared(lhs: Value, rhs: Value) -> tuple[Value, Value]:
    """Return two operands such that torch compares them in the dtype that MXNet uses."""
    lhs, rhs = _plain(lhs), _plain(rhs)
    if isinstance(lhs, Tensor):
        return lhs, _number_like(lhs, rhs)
    return _number_like(rhs, lhs), rhs


def as_float(tensor: Value) -> Value:
    """Return an integer tensor as float32, anything else as it is."""
    if isinstance(tensor, Tensor) and not tensor.is_floating_point():
        return tensor.to(torch.float32)
    return tensor


def _plain(value: Value) -> Value:
    if isinstance(value, onp.generic):
        return value.item()
    if isinstance(value, onp.ndarray):
        return torch.as_tensor(value)
    return value


def _beside(tensor: Tensor, other: Value) -> tuple[Tensor, Value]:
    if tensor.dtype is torch.bool:
        return tensor.to(torch.float32), other
    return tensor, _number_like(tensor, other)


def _number_like(tensor: Tensor, other: Value) -> Value:
    if (
        isinstance(other, float)
        and not tensor.is_floating_point()
        and tensor.dtype is not torch.bool
    ):
        return int(other)
    return other
