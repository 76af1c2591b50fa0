"""Operators on integers, in `np` only: their bits, and least common multiples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.ops.elementwise.pairs import same_shape
from gluonish.ops.table import Graph, op
from gluonish.ops.table.explain import explained, refuse_pair
from gluonish.ops.table.operands import Value, settle_compared

if TYPE_CHECKING:
    from collections.abc import Callable


def _connect(
    name: str, function: Callable[[Value, Value], Tensor], x1: Tensor | float, x2: Tensor | float
) -> Tensor:
    x1, x2 = settle_compared(x1, x2)
    try:
        return function(x1, x2)
    except (RuntimeError, TypeError) as error:
        refuse_pair(name, x1, x2, error)


@op(np="bitwise_and", np_method=("__and__", "__rand__"), shapes=same_shape)
def bitwise_and(x1: Tensor | float, x2: Tensor | float) -> Tensor:
    """Return the bits set in both operands; for booleans, whether both are true.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([5, 6], dtype='int32') & 3
    array([1, 2], dtype=int32)
    """
    return _connect("bitwise_and", torch.bitwise_and, x1, x2)


@op(np="bitwise_or", np_method=("__or__", "__ror__"), shapes=same_shape)
def bitwise_or(x1: Tensor | float, x2: Tensor | float) -> Tensor:
    """Return the bits set in one or both operands; for booleans, whether one is true.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([5, 6], dtype='int32') | 3
    array([7, 7], dtype=int32)
    """
    return _connect("bitwise_or", torch.bitwise_or, x1, x2)


@op(np="bitwise_xor", np_method=("__xor__", "__rxor__"), shapes=same_shape)
def bitwise_xor(x1: Tensor | float, x2: Tensor | float) -> Tensor:
    """Return the bits set in exactly one operand; for booleans, whether they differ.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.array([5, 6], dtype='int32') ^ 3
    array([6, 5], dtype=int32)
    """
    return _connect("bitwise_xor", torch.bitwise_xor, x1, x2)


@op(np=("bitwise_not", "invert"), np_method="__invert__", graph=Graph(hint="bitwise_not"))
@explained("integers or booleans. Convert with x.astype('int32') or x.astype('bool')")
def invert(x: Tensor) -> Tensor:
    """Flip all bits; for booleans, negate.

    Examples
    --------
    >>> import gluonish as mx
    >>> ~mx.np.array([5, 0], dtype='int32')
    array([-6, -1], dtype=int32)
    """
    return torch.bitwise_not(x)


@op(np="lcm", shapes=same_shape)
def lcm(x1: Tensor | float, x2: Tensor | float) -> Tensor:
    """Return the least common multiple of integers.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.np.lcm(mx.np.array([4, 6], dtype='int32'), 10)
    array([20, 30], dtype=int32)
    """
    return _connect("lcm", _lcm, x1, x2)


def _lcm(x1: Value, x2: Value) -> Tensor:
    if not isinstance(x2, Tensor):
        x2 = torch.tensor(x2, dtype=x1.dtype, device=x1.device)
    elif not isinstance(x1, Tensor):
        x1 = torch.tensor(x1, dtype=x2.dtype, device=x2.device)
    if x1.dtype is torch.bool and x2.dtype is torch.bool:
        return torch.logical_and(x1, x2)
    return torch.lcm(x1, x2)
