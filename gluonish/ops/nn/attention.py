"""Products of attention on queries, keys and values that stand interleaved in one array."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from gluonish.ops.table import EITHER, Precision, op
from gluonish.ops.table.explain import explained
from gluonish.ops.table.inference import elementwise

_FIX = "arrays of shape (steps, batch, features), and heads that divide the features. Change heads"


def _parts(data: Tensor, heads: int, count: int) -> list[Tensor]:
    """Return what stands interleaved, each of shape (batch * heads, steps, features of a head)."""
    steps, batch, _ = data.shape
    shaped = data.reshape(steps, batch * heads, count, -1)
    return [part.transpose(0, 1) for part in shaped.unbind(2)]


def _joined(weighted: Tensor, heads: int) -> Tensor:
    """Return (batch * heads, steps, features of a head) as (steps, batch, features)."""
    steps = weighted.shape[1]
    return weighted.transpose(0, 1).reshape(steps, weighted.shape[0] // heads, -1)


def _scores(queries: Tensor, keys: Tensor) -> Tensor:
    return torch.bmm(queries * queries.shape[-1] ** -0.5, keys.transpose(1, 2))


@op(nd="contrib.interleaved_matmul_selfatt_qk", precision=Precision("widest", ""))
@explained(_FIX)
def interleaved_matmul_selfatt_qk(queries_keys_values: Tensor, heads: int) -> Tensor:
    """Multiply queries, divided by the root of their length, and keys of self-attention.

    Parameters
    ----------
    queries_keys_values : Tensor, shape (steps, batch, heads * 3 * features)
        For each head its queries, keys and values.
    heads : int
        How many heads there are.

    Returns
    -------
    Tensor, shape (batch * heads, steps, steps)

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[[2, 3, 5]]])
    >>> mx.nd.contrib.interleaved_matmul_selfatt_qk(x, heads=1).asnumpy()
    array([[[6.]]], dtype=float32)
    """
    queries, keys, _ = _parts(queries_keys_values, heads, 3)
    return _scores(queries, keys)


@op(nd="contrib.interleaved_matmul_selfatt_valatt", precision=Precision("widest", ""))
@explained(_FIX)
def interleaved_matmul_selfatt_valatt(
    queries_keys_values: Tensor, attention: Tensor, heads: int
) -> Tensor:
    """Multiply attention and the values of self-attention.

    Parameters
    ----------
    queries_keys_values : Tensor, shape (steps, batch, heads * 3 * features)
        For each head its queries, keys and values.
    attention : Tensor, shape (batch * heads, steps, steps)
        How much each step counts for each.
    heads : int
        How many heads there are.

    Returns
    -------
    Tensor, shape (steps, batch, heads * features)

    Examples
    --------
    >>> import gluonish as mx
    >>> x, a = mx.nd.array([[[2, 3, 5]]]), mx.nd.array([[[0.5]]])
    >>> mx.nd.contrib.interleaved_matmul_selfatt_valatt(x, a, heads=1).asnumpy()
    array([[[2.5]]], dtype=float32)
    """
    values = _parts(queries_keys_values, heads, 3)[2]
    return _joined(torch.bmm(attention, values), heads)


@op(nd="contrib.interleaved_matmul_encdec_qk", precision=Precision("widest", ""))
@explained(_FIX)
def interleaved_matmul_encdec_qk(queries: Tensor, keys_values: Tensor, heads: int) -> Tensor:
    """Multiply queries of one sequence, divided by the root of their length, and keys of another.

    Parameters
    ----------
    queries : Tensor, shape (steps, batch, heads * features)
        The queries of all heads.
    keys_values : Tensor, shape (other steps, batch, heads * 2 * features)
        For each head its keys and values.
    heads : int
        How many heads there are.

    Returns
    -------
    Tensor, shape (batch * heads, steps, other steps)

    Examples
    --------
    >>> import gluonish as mx
    >>> q, kv = mx.nd.array([[[2]]]), mx.nd.array([[[3, 5]]])
    >>> mx.nd.contrib.interleaved_matmul_encdec_qk(q, kv, heads=1).asnumpy()
    array([[[6.]]], dtype=float32)
    """
    return _scores(_parts(queries, heads, 1)[0], _parts(keys_values, heads, 2)[0])


@op(nd="contrib.interleaved_matmul_encdec_valatt", precision=Precision("widest", ""))
@explained(_FIX)
def interleaved_matmul_encdec_valatt(keys_values: Tensor, attention: Tensor, heads: int) -> Tensor:
    """Multiply attention and the values of another sequence.

    Parameters
    ----------
    keys_values : Tensor, shape (other steps, batch, heads * 2 * features)
        For each head its keys and values.
    attention : Tensor, shape (batch * heads, steps, other steps)
        How much each other step counts for each.
    heads : int
        How many heads there are.

    Returns
    -------
    Tensor, shape (steps, batch, heads * features)

    Examples
    --------
    >>> import gluonish as mx
    >>> kv, a = mx.nd.array([[[3, 5]]]), mx.nd.array([[[0.5]]])
    >>> mx.nd.contrib.interleaved_matmul_encdec_valatt(kv, a, heads=1).asnumpy()
    array([[[2.5]]], dtype=float32)
    """
    return _joined(torch.bmm(attention, _parts(keys_values, heads, 2)[1]), heads)


@op(nd="contrib.div_sqrt_dim", reverse=elementwise, precision=EITHER)
def div_sqrt_dim(data: Tensor) -> Tensor:
    """Divide by the square root of the length of the last axis.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.div_sqrt_dim(mx.nd.ones((4,))).asnumpy()
    array([0.5, 0.5, 0.5, 0.5], dtype=float32)
    """
    root = math.sqrt(data.shape[-1])
    if data.is_floating_point():
        return data / root
    return torch.div(data, int(root), rounding_mode="trunc")
