"""Operators of MXNet's graphs that make arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import ShapeError
from gluonish.ops.arrays.creation import arange, as_shape, full
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


@op(nd="_internal._arange", open_shape="infer_range", precision=EITHER)
def internal_arange(
    start: float = 0.0,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool | Sequence[int | None] = False,
    ctx: Context = None,  # type: ignore[assignment]
    dtype: DTypeLike = "float32",
) -> Tensor:
    """Return evenly spaced numbers, as many as fit or as the rest of a graph needs.

    Parameters
    ----------
    start : float
        First number; the end where `stop` is left out and `infer_range` is False.
    stop : float, optional
        End, not included.
    step : float, default 1.0
        Distance.
    repeat : int, default 1
        How often each number comes.
    infer_range : bool or tuple of int, default False
        Whether a graph tells how many there are, if `stop` is left out; the shape that it told.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, default float32
        Type of the elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> count = mx.sym.arange(1, step=2, infer_range=True)
    >>> (mx.sym.var('x') + count).eval(x=mx.nd.zeros((3,)))[0].asnumpy()
    array([1., 3., 5.], dtype=float32)
    """
    if stop is None and not isinstance(infer_range, bool):
        (length,) = infer_range
        if length is None:
            msg = (
                f"arange: infer_range=True was given, and the graph does not tell how many numbers "
                f"follow {start}. Expected an operator that takes shapes as they are, such as "
                f"elemwise_add. Use one, or give stop."
            )
            raise ShapeError(msg)
        stop = start + step * -(-length // repeat)
        return arange(start, stop, step, repeat, None, ctx, dtype)[:length]
    return arange(start, stop, step, repeat, None, ctx, dtype)


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
    """Return the identity matrix of a shape whose n rows are n long.

    Arrays of other shapes have 1 at their first element and at each (n + 1)-th, n of them at most.

    Examples
    --------
    >>> from gluonish.ops.graph.creation import identity
    >>> identity((2, 2)).tolist(), identity((2, 3)).tolist()
    ([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    """
    lengths = as_shape(shape, "np.identity")
    result = creation.zeros(lengths, dtype, ctx=ctx)
    rows = sum(lengths[:1])
    result.view(-1)[: rows * (rows + 1) : rows + 1] = 1
    return result
