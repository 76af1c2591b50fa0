"""Arithmetic and comparison of two arrays, or of an array and a number, with their operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.ops.table import op

if TYPE_CHECKING:
    from typing import TypeAlias

Operand: TypeAlias = "Tensor | float"


def same_shape(
    shapes: dict[str, tuple[int | None, ...] | None], **_: object
) -> dict[str, tuple[int | None, ...]]:
    """Rule for unknown shapes: both operands have the same."""
    known = [s for s in shapes.values() if s is not None and None not in s]
    return {name: known[0] for name in shapes} if known else {}


def _like(lhs: Tensor, rhs: Operand) -> Operand:
    """MXNet computes an integer array with a number in the array's dtype."""
    if type(rhs) is float and not lhs.is_floating_point():
        return int(rhs)
    return rhs


@op(
    nd=("broadcast_add", "broadcast_plus", "elemwise_add", "add"),
    np="add",
    method=("__add__", "__radd__"),
    shapes=same_shape,
)
def add(lhs: Tensor, rhs: Operand) -> Tensor:
    """Add element by element, with broadcasting.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([1, 2]) + mx.np.array([[10], [20]])
    array([[11., 12.],
           [21., 22.]])
    """
    if type(rhs) is float and not lhs.is_floating_point():
        rhs = int(rhs)
    return lhs + rhs


@op(
    nd=("broadcast_sub", "broadcast_minus", "elemwise_sub", "subtract"),
    np="subtract",
    method="__sub__",
    shapes=same_shape,
)
def subtract(lhs: Operand, rhs: Operand) -> Tensor:
    """Subtract element by element, with broadcasting.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([1, 2]) - 3
    array([-2., -1.])
    """
    if isinstance(lhs, Tensor):
        return lhs - _like(lhs, rhs)
    return _like(rhs, lhs) - rhs  # type: ignore[arg-type,return-value]


@op(method="__rsub__")
def reversed_subtract(lhs: Tensor, rhs: Operand) -> Tensor:
    """Subtract the first operand from the second."""
    return _like(lhs, rhs) - lhs


@op(
    nd=("broadcast_mul", "elemwise_mul", "multiply"),
    np="multiply",
    method=("__mul__", "__rmul__"),
    shapes=same_shape,
)
def multiply(lhs: Tensor, rhs: Operand) -> Tensor:
    """Multiply element by element, with broadcasting.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([1, 2]) * 3
    array([3., 6.])
    """
    if type(rhs) is float and not lhs.is_floating_point():
        rhs = int(rhs)
    return lhs * rhs
