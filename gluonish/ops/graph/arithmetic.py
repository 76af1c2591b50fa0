"""Arithmetic of gradients and of sparse arrays, as MXNet's graphs have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from gluonish.ops.arrays.reduction import at_least_1d, reduced_axes
from gluonish.ops.table.explain import explained

if TYPE_CHECKING:
    from gluonish.ops.arrays.reduction import Axes

from torch import Tensor

from gluonish.ops.elementwise.arithmetic import add, divide
from gluonish.ops.table import EITHER, FULL, WIDEST, Sparse, op
from gluonish.ops.table.inference import elementwise
from gluonish.process.device_positions import within


@op(
    nd="_internal._identity_with_attr_like_rhs",
    shapes=elementwise,
    reverse=elementwise,
    precision=EITHER,
)
def identity_with_attr_like_rhs(lhs: Tensor, rhs: Tensor) -> Tensor:  # noqa: ARG001
    """Return the first array; the second only tells graphs its shape and dtype.

    Parameters
    ----------
    lhs : Tensor, any shape
        What is returned.
    rhs : Tensor, shape of lhs
        An array that is like it.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([1, 2])
    >>> mx.nd._internal._identity_with_attr_like_rhs(x, mx.nd.zeros((2,))).asnumpy()
    array([1., 2.], dtype=float32)
    """
    return lhs.clone()


@op(nd="_internal._grad_add", shapes=elementwise, reverse=elementwise, precision=EITHER)
def grad_add(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Add two gradients of one shape.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd._internal._grad_add(mx.nd.ones((2,)), mx.nd.ones((2,))).asnumpy()
    array([2., 2.], dtype=float32)
    """
    return add(lhs, rhs)


@op(
    nd="_internal._scatter_elemwise_div",
    shapes=elementwise,
    reverse=elementwise,
    precision=WIDEST,
    sparse=Sparse("scatters"),
)
def scatter_elemwise_div(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Divide two arrays of one shape.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd._internal._scatter_elemwise_div(mx.nd.ones((2,)), 2 * mx.nd.ones((2,))).asnumpy()
    array([0.5, 0.5], dtype=float32)
    """
    return divide(lhs, rhs)


@op(
    nd="_internal._square_sum",
    precision=FULL,
    sparse=Sparse("sums squares", functions=("square_sum",)),
)
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


@op(
    nd="_internal._sparse_retain",
    reverse=elementwise,
    precision=EITHER,
    sparse=Sparse("retains rows", names=("retain",)),
)
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
    rows = within(indices.to(torch.int64), len(data))
    return torch.zeros_like(data).index_copy(0, rows, data.index_select(0, rows))
