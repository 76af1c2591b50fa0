"""Operators that MXNet has for arrays of rows: square_sum, retain and adagrad_update."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from gluonish.ops.arrays.reduction import at_least_1d, reduced_axes
from gluonish.ops.table import op
from gluonish.ops.table.explain import explained
from gluonish.ops.table.inference import elementwise

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.ops.arrays.reduction import Axes


@op(nd="_internal._square_sum")
@explained("axes that the array has")
def square_sum(
    data: Tensor, axis: Axes = None, keepdims: bool = False, exclude: bool = False
) -> Tensor:
    """Add up the squares of the elements over axes.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers; with rows, of storage type 'row_sparse', `keepdims=True` over axis 1 gives such.
    axis : int or tuple of int, optional
        Axes to add over; all by default.
    keepdims : bool, default False
        Whether reduced axes stay, with length 1.
    exclude : bool, default False
        Whether to add over all axes but those in `axis`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sparse.square_sum(mx.nd.array([[1, 2], [3, 4]]), axis=1).asnumpy()
    array([ 5., 25.], dtype=float32)
    """
    axes = reduced_axes(data, axis, exclude)
    squares = data * data
    return at_least_1d(squares.sum(axes, keepdims, dtype=data.dtype)) if axes else squares


@op(nd="_internal._sparse_retain", reverse=elementwise)
@explained("an array and the numbers of rows that it has")
def sparse_retain(data: Tensor, indices: Tensor) -> Tensor:
    """Return an array with some of its rows, and zeros for the others.

    Parameters
    ----------
    data : Tensor, shape (rows, *)
        The array.
    indices : Tensor
        Which rows.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 2], [3, 4]]).tostype('row_sparse')
    >>> mx.nd.sparse.retain(x, mx.nd.array([1])).asnumpy()
    array([[0., 0.],
           [3., 4.]], dtype=float32)
    """
    rows = indices.to(torch.int64)
    return torch.zeros_like(data).index_copy(0, rows, data.index_select(0, rows))


@op(nd="_internal._sparse_adagrad_update", aux=("history",))
@explained("arrays of one shape. Pass a history of zeros of the weight's shape")
def adagrad_update(
    weight: Tensor,
    grad: Tensor,
    history: Tensor,
    lr: float,
    epsilon: float = 1e-7,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Return a weight after one update of AdaGrad, of the rows that the gradient has.

    Parameters
    ----------
    weight, grad : Tensor, shape (rows, *)
        The weight and its gradient, of storage type 'row_sparse'; a dense one has all rows.
    history : Tensor
        Sum of squared gradients; changes in place.
    lr : float
        Learning rate per update.
    epsilon : float, default 1e-7
        Keeps the division finite.
    wd : float, default 0.0
        Weight decay per update.
    rescale_grad : float, default 1.0
        Factor on the gradient.
    clip_gradient : float, default -1.0
        Each element of the gradient is kept within this bound; no bound below 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.nd.array([[1.]])
    >>> g = w.tostype('row_sparse')
    >>> mx.nd.sparse.adagrad_update(w, g, mx.nd.zeros((1, 1)), lr=0.5).asnumpy()
    array([[0.5]], dtype=float32)
    """
    step = grad * rescale_grad
    if clip_gradient >= 0:
        step = step.clamp(-clip_gradient, clip_gradient)
    step = step + wd * weight if wd else step
    history.add_(step * step)
    return weight - lr * step / (history + epsilon).sqrt()
