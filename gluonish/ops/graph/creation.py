"""Operators of MXNet's graphs that make arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.array.dtypes import torch_dtype
from gluonish.ops.arrays.creation import as_shape, full
from gluonish.ops.np import creation
from gluonish.ops.table import EITHER, op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array.dtypes import DTypeLike
    from gluonish.context import Context


_CODES = (torch.float32, torch.float64, torch.float16, torch.uint8, torch.int32, torch.int8,
          torch.int64)  # fmt: skip


@op(nd="_internal._zeros_without_dtype", open_shape="shape", precision=EITHER)
def zeros_without_dtype(
    shape: int | Sequence[int] = (),
    ctx: Context = None,  # type: ignore[assignment]
    dtype: DTypeLike | int = -1,
) -> Tensor:
    """Return an array of zeros, in float32 where no other dtype is given.

    Parameters
    ----------
    shape : tuple of int
        Length of each axis.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : int, str or dtype, default -1
        Type of the elements; a number is MXNet's code for it, and -1 leaves it open.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd._internal._zeros_without_dtype((2,), dtype=4).asnumpy()
    array([0, 0], dtype=int32)
    """
    if isinstance(dtype, int):
        kind = _CODES[dtype] if 0 <= dtype < len(_CODES) else torch.float32
    else:
        kind = torch_dtype(dtype)
    lengths = as_shape(shape, "_zeros_without_dtype")
    return torch.zeros(lengths, dtype=kind, device=ctx.device)


@op(nd="_internal._full", open_shape="shape", precision=EITHER)
def internal_full(
    shape: int | Sequence[int] = (),
    value: float = 0.0,
    ctx: Context = None,  # type: ignore[assignment]
    dtype: DTypeLike = "float32",
) -> Tensor:
    """Return an array filled with one number.

    Parameters
    ----------
    shape : tuple of int
        Length of each axis.
    value : float
        The number.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, default float32
        Type of the elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd._internal._full((2,), value=7).asnumpy()
    array([7., 7.], dtype=float32)
    """
    return full(shape, value, ctx, dtype)


@op(nd="_internal._onehot_encode", precision=EITHER)
def onehot_encode(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Return one row for each position, with 1 there and 0 elsewhere.

    Parameters
    ----------
    lhs : Tensor, shape (rows,)
        The positions.
    rhs : Tensor, shape (rows, columns)
        An array that has the result's shape and dtype.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([1, 0])
    >>> mx.nd._internal._onehot_encode(x, mx.nd.zeros((2, 2))).asnumpy()
    array([[0., 1.],
           [1., 0.]], dtype=float32)
    """
    columns = torch.arange(rhs.shape[1], device=rhs.device)
    return (columns == lhs.to(torch.int64).unsqueeze(1)).to(rhs.dtype)


@op(np="_npi_identity", open_shape="shape")
def identity(
    shape: Sequence[int] = (),
    ctx: Context | None = None,
    dtype: DTypeLike | None = "float32",
) -> Tensor:
    """Return the identity matrix of a shape.

    Examples
    --------
    >>> from gluonish.ops.graph.creation import identity
    >>> identity((2, 2)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return creation.identity(shape[0] if shape else 0, dtype, ctx)
