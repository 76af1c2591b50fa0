"""Operators that MXNet's own functions and graphs are made of, in `nd._internal`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import ShapeError
from gluonish.ops.arrays.creation import as_shape, full
from gluonish.ops.arrays.histogram import histogram
from gluonish.ops.elementwise.arithmetic import add, divide
from gluonish.ops.nn.pooling import pooling
from gluonish.ops.table import Graph, op
from gluonish.ops.table.inference import elementwise
from gluonish.ops.table.variadic import check_count, flat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from gluonish.array.dtypes import DTypeLike
    from gluonish.context import Context
    from gluonish.ops.arrays.slicing import Bounds
    from gluonish.ops.table import Shape

    Places: TypeAlias = tuple[slice, ...]

_CODES = (torch.float32, torch.float64, torch.float16, torch.uint8, torch.int32, torch.int8,
          torch.int64)  # fmt: skip


def _equal_shares(
    shapes: Mapping[str, Shape | None],
    outputs: Sequence[Shape | None] = (),
    dim: int = 1,
    **_: object,
) -> dict[str, Shape]:
    """Rule: the vectors whose lengths are not known are as long as each other.

    Those of the first layer's directions are not, all of which read the data.
    """
    known = [shape for shape in shapes.values() if shape is not None and None not in shape]
    total = None if not outputs or outputs[0] is None else outputs[0][0]
    missing = [name for name, shape in shapes.items() if shape is None or None in shape]
    if dim != 0 or total is None or not missing or any(len(shape) != 1 for shape in known):
        return {}
    rest = total - sum(shape[0] or 0 for shape in known)
    return {} if rest % len(missing) else dict.fromkeys(missing, (rest // len(missing),))


@op(nd="_internal._rnn_param_concat", reverse=_equal_shares)
def rnn_param_concat(*data: Tensor, dim: int = 1, num_args: int | None = None) -> Tensor:
    """Join the parameters of recurrent layers into the vector that `RNN` takes.

    Parameters
    ----------
    *data : Tensor
        The parameters.
    dim : int, default 1
        Axis along which they are joined.
    num_args : int, optional
        How many there are; checked if given.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, b = mx.nd.array([1, 2]), mx.nd.array([3])
    >>> mx.nd._internal._rnn_param_concat(w, b, dim=0).asnumpy()
    array([1., 2., 3.], dtype=float32)
    """
    parts = flat(data)
    check_count("_rnn_param_concat", len(parts), num_args, "num_args")
    return torch.cat(parts, dim)


@op(nd="_internal._zeros_without_dtype", open_shape="shape")
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


@op(nd="_internal._full", open_shape="shape")
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


@op(nd="_internal._identity_with_attr_like_rhs", shapes=elementwise, reverse=elementwise)
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


@op(nd="_internal._grad_add", shapes=elementwise, reverse=elementwise)
def grad_add(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Add two gradients of one shape.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd._internal._grad_add(mx.nd.ones((2,)), mx.nd.ones((2,))).asnumpy()
    array([2., 2.], dtype=float32)
    """
    return add(lhs, rhs)


@op(nd="_internal._scatter_elemwise_div", shapes=elementwise, reverse=elementwise)
def scatter_elemwise_div(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Divide two arrays of one shape.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd._internal._scatter_elemwise_div(mx.nd.ones((2,)), 2 * mx.nd.ones((2,))).asnumpy()
    array([0.5, 0.5], dtype=float32)
    """
    return divide(lhs, rhs)


@op(nd="_internal._onehot_encode")
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


def _split_count(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: that of the parts."""
    return int(given["sections"]) or len(given["indices"])


@op(nd="_internal._split_v2", outputs=_split_count, graph=Graph(hint="split"))
def split_v2(
    data: Tensor,
    indices: Sequence[int] = (),
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
) -> list[Tensor] | Tensor:
    """Cut an array into parts along an axis, sharing memory.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    indices : tuple of int
        Where each part begins, the first one at 0.
    axis : int, default 1
        The axis.
    squeeze_axis : bool, default False
        Whether to drop the axis, which must have length 1 in each part then.
    sections : int, default 0
        How many equal parts; 0 where `indices` count.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.zeros((6,))
    >>> [part.shape for part in mx.nd._internal._split_v2(x, indices=(0, 1, 3), axis=0)]
    [(1,), (2,), (3,)]
    """
    length = data.shape[axis]
    if sections:
        if length % sections:
            msg = (
                f"_split_v2: sections={sections} was given for axis {axis} of an array of shape "
                f"{tuple(data.shape)}. Expected a number that divides {length}. Pass indices "
                f"instead."
            )
            raise ShapeError(msg)
        parts = list(torch.tensor_split(data, sections, axis))
    else:
        parts = list(torch.tensor_split(data, tuple(indices)[1:], axis))
    if squeeze_axis:
        parts = [part.squeeze(axis) for part in parts]
    return parts[0] if len(parts) == 1 else parts


def _histogram_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    return ("data",) if given["bin_cnt"] is not None else ("data", "bins")


@op(nd="_internal._histogram", outputs=2, arguments=_histogram_arguments)
def internal_histogram(
    data: Tensor,
    bins: Tensor | None = None,
    bin_cnt: int | None = None,
    range: tuple[float, float] | None = None,  # noqa: A002 - MXNet's name
) -> tuple[Tensor, Tensor]:
    """Count the elements in ranges of equal width, or between given edges.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    bins : Tensor, optional
        Edges of the ranges in ascending order.
    bin_cnt : int, optional
        How many ranges, where there are no edges.
    range : pair of float, optional
        Lowest and highest edge.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([1, 2, 4])
    >>> mx.nd._internal._histogram(x, bin_cnt=2, range=(0, 4))[0].asnumpy()
    array([1, 2])
    """
    return histogram(data, bins if bin_cnt is None else bin_cnt, range)  # type: ignore[arg-type]


@op(nd=("_internal._slice_assign", "_internal._crop_assign"))
def slice_assign(lhs: Tensor, rhs: Tensor, begin: Bounds, end: Bounds, step: Bounds = ()) -> Tensor:
    """Return an array in which a rectangular part is replaced.

    Parameters
    ----------
    lhs : Tensor, any shape
        The array.
    rhs : Tensor, shape of the part
        What the part becomes.
    begin, end, step : tuple of int or None
        The part, as in `slice`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.zeros((3,))
    >>> mx.nd._internal._slice_assign(x, mx.nd.ones((2,)), begin=(1,), end=(3,)).asnumpy()
    array([0., 1., 1.], dtype=float32)
    """
    places = _places(begin, end, step)
    part = lhs[places]
    if part.shape != rhs.shape:
        msg = (
            f"_slice_assign: rhs of shape {tuple(rhs.shape)} was given for a part of shape "
            f"{tuple(part.shape)}. Expected the same shape. Change begin, end or step."
        )
        raise ShapeError(msg)
    result = lhs.clone()
    result[places] = rhs
    return result


@op(nd=("_internal._slice_assign_scalar", "_internal._crop_assign_scalar"))
def slice_assign_scalar(
    data: Tensor, scalar: float = 0.0, begin: Bounds = (), end: Bounds = (), step: Bounds = ()
) -> Tensor:
    """Return an array in which a rectangular part is one number.

    Parameters
    ----------
    data : Tensor, any shape
        The array.
    scalar : float, default 0.0
        The number.
    begin, end, step : tuple of int or None
        The part, as in `slice`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.zeros((3,))
    >>> mx.nd._internal._slice_assign_scalar(x, scalar=7, begin=(1,), end=(2,)).asnumpy()
    array([0., 7., 0.], dtype=float32)
    """
    result = data.clone()
    result[_places(begin, end, step)] = scalar
    return result


def _places(begin: Bounds, end: Bounds, step: Bounds) -> Places:
    starts, stops, steps = (
        tuple(each) if isinstance(each, (list, tuple)) else (each,) for each in (begin, end, step)
    )
    steps += (None,) * (len(starts) - len(steps))
    return tuple(slice(*bounds) for bounds in zip(starts, stops, steps, strict=True))


@op(nd="_internal._scatter_set_nd")
def scatter_set_nd(lhs: Tensor, rhs: Tensor, indices: Tensor, shape: Shape = ()) -> Tensor:
    """Return an array in which elements at given positions are replaced.

    Parameters
    ----------
    lhs : Tensor, any shape
        The array.
    rhs : Tensor
        What the elements become.
    indices : Tensor, shape (axes, *)
        The positions, one row for each of the first axes.
    shape : tuple of int
        Shape of the result: that of `lhs`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, y, places = mx.nd.zeros((3,)), mx.nd.array([5, 6]), mx.nd.array([[0, 2]])
    >>> mx.nd._internal._scatter_set_nd(x, y, places, shape=(3,)).asnumpy()
    array([5., 0., 6.], dtype=float32)
    """
    if shape and tuple(shape) != tuple(lhs.shape):
        msg = (
            f"_scatter_set_nd: shape={tuple(shape)} was given for an array of shape "
            f"{tuple(lhs.shape)}. Expected the array's shape. Leave shape out."
        )
        raise ShapeError(msg)
    result = lhs.clone()
    result[tuple(indices.to(torch.int64))] = rhs
    return result


op(nd="Pooling_v1")(pooling)
