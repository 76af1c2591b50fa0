"""Operators of MXNet's graphs that write into parts of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.array.dtypes import number_in
from gluonish.errors import ShapeError
from gluonish.ops.arrays.slicing import as_tuple
from gluonish.ops.nn.pooling import CONVENTIONS, POOLINGS, pooling
from gluonish.ops.table import EITHER, Graph, op

if TYPE_CHECKING:
    from typing import TypeAlias

    from gluonish.ops.arrays.slicing import Bounds
    from gluonish.ops.table import Shape

    Places: TypeAlias = tuple[slice, ...]


@op(nd=("_internal._slice_assign", "_internal._crop_assign"), precision=EITHER)
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
    places, mirrored = _places(lhs, begin, end, step)
    part = lhs[places]
    if part.shape != rhs.shape:
        msg = (
            f"_slice_assign: rhs of shape {tuple(rhs.shape)} was given for a part of shape "
            f"{tuple(part.shape)}. Expected the same shape. Change begin, end or step."
        )
        raise ShapeError(msg)
    result = lhs.clone()
    result[places] = rhs.flip(mirrored) if mirrored else rhs
    return result


@op(nd=("_internal._slice_assign_scalar", "_internal._crop_assign_scalar"), precision=EITHER)
def slice_assign_scalar(
    data: Tensor, scalar: float = 0.0, begin: Bounds = (), end: Bounds = (), step: Bounds = ()
) -> Tensor:
    """Return an array in which a rectangular part is one number.

    Parameters
    ----------
    data : Tensor, any shape
        The array.
    scalar : float, default 0.0
        The number; one that the array's dtype does not hold becomes what C's casts make of it.
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
    result[_places(data, begin, end, step)[0]] = number_in(scalar, data.dtype)
    return result


def _places(data: Tensor, begin: Bounds, end: Bounds, step: Bounds) -> tuple[Places, list[int]]:
    """Return a part as slices that go forward, and the axes along which it is read backward."""
    starts, stops, steps = map(as_tuple, (begin, end, step))
    steps += (None,) * (len(starts) - len(steps))
    places, mirrored = [], []
    for axis, bounds in enumerate(zip(starts, stops, steps, strict=True)):
        place = slice(*bounds)
        if bounds[2] is not None and bounds[2] < 0 and axis < data.ndim:
            numbers = range(*place.indices(data.shape[axis]))[::-1]
            place = slice(numbers.start, numbers.stop, numbers.step) if numbers else slice(0, 0)
            mirrored.append(axis)
        places.append(place)
    return tuple(places), mirrored


@op(nd="_internal._scatter_set_nd", precision=EITHER)
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


op(
    nd="Pooling_v1",
    graph=Graph(names_input=True),
    precision=EITHER,
    choices={"pool_type": POOLINGS, "pooling_convention": CONVENTIONS},
)(pooling)


@op(np="_npi_boolean_mask_assign_scalar", is_loose=True)
def boolean_mask_assign_scalar(
    data: Tensor, mask: Tensor, value: float = 0.0, start_axis: int = 0
) -> Tensor:
    """Return an array in which the elements where a mask is true are one number.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.assignment import boolean_mask_assign_scalar
    >>> boolean_mask_assign_scalar(torch.zeros(2), torch.tensor([True, False]), 3.).tolist()
    [3.0, 0.0]
    """
    spread = mask.reshape((1,) * start_axis + tuple(mask.shape))
    spread = spread.reshape(*spread.shape, *(1,) * (data.dim() - spread.dim()))
    return torch.where(spread.to(torch.bool), value, data)


@op(np="_npi_boolean_mask_assign_tensor", is_loose=True)
def boolean_mask_assign_tensor(
    data: Tensor, mask: Tensor, value: Tensor, start_axis: int = 0
) -> Tensor:
    """Return an array in which the elements where a mask is true are another array's.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.assignment import boolean_mask_assign_tensor
    >>> mask = torch.tensor([True, False])
    >>> boolean_mask_assign_tensor(torch.zeros(2), mask, torch.tensor([3.])).tolist()
    [3.0, 0.0]
    """
    result = data.clone()
    result[(slice(None),) * start_axis + (mask.to(torch.bool),)] = value
    return result
