"""Larger arrays of the same elements: repeat, tile, broadcast."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.arrays.slicing import as_tuple
from gluonish.ops.table import EITHER, Graph, op
from gluonish.ops.table.explain import explained

if TYPE_CHECKING:
    from collections.abc import Sequence


def _expanded(data: Tensor, shape: Sequence[int]) -> Tensor:
    """Return a tensor expanded to a shape, in memory of its own."""
    return data.expand(*shape).clone(memory_format=torch.contiguous_format)


@op(nd="tile", nd_method="tile", graph=Graph(names_input=True), precision=EITHER)
@explained("numbers of repetitions, 0 or more. Write reps=(2, 3)")
def tile(data: Tensor, reps: int | Sequence[int]) -> Tensor:
    """Repeat the whole array along axes.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    reps : int or tuple of int
        How often, for the last axes, at least once; more numbers than axes add axes in front.

    Raises
    ------
    ShapeError
        A number is less than 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.tile(mx.nd.array([1, 2]), reps=(2, 2)).asnumpy()
    array([[1., 2., 1., 2.],
           [1., 2., 1., 2.]], dtype=float32)
    """
    counts = as_tuple(reps)
    if counts and min(counts) < 1:
        msg = (
            f"tile: reps={reps!r} was given. Expected numbers of repetitions of at least 1. Take "
            f"nd.zeros(shape) for an array without elements."
        )
        raise ShapeError(msg)
    return data.repeat(counts) if len(counts) >= data.ndim else torch.tile(data, counts)


@op(nd="repeat", nd_method="repeat", graph=Graph(names_input=True), precision=EITHER)
@explained("a number of repetitions and an axis of the array. Write repeats=2, axis=0")
def repeat(data: Tensor, repeats: int, axis: int | None = None) -> Tensor:
    """Repeat each element.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    repeats : int
        How often.
    axis : int, optional
        Axis along which; by default the array is made one row first.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.repeat(mx.nd.array([1, 2]), repeats=2).asnumpy()
    array([1., 1., 2., 2.], dtype=float32)
    """
    return torch.repeat_interleave(data, repeats, dim=axis)


def _how_to_repeat(given: tuple[int, ...], wanted: tuple[int, ...]) -> str:
    """Return what a shape that is to be repeated must be, and which one would do."""
    pairs = enumerate(zip(given, wanted, strict=False))
    wrong = [axis for axis, (length, other) in pairs if length not in (1, other)]
    where = f": axis {wrong[0]} is {given[wrong[0]]}, not {wanted[wrong[0]]}" if wrong else ""
    count = math.prod(given)
    kept = [axis for axis, length in enumerate(wanted) if length == count > 1]
    how = "Reshape the array first"
    if len(kept) == 1 and max(given, default=0) == count:
        shape = tuple(count if axis == kept[0] else 1 for axis in range(len(wanted)))
        how = f"Write data.reshape({shape}) first"
    return f"a length of 1 wherever the shapes differ{where}. {how}"


@op(nd="broadcast_to", nd_method="broadcast_to", precision=EITHER)
@explained(lambda data, shape=(), *_: _how_to_repeat(tuple(data.shape), as_tuple(shape)))
def broadcast_to(data: Tensor, shape: int | Sequence[int] = ()) -> Tensor:
    """Repeat axes of length 1 such that the array has a shape.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    shape : tuple of int
        The shape; 0 keeps a length.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.broadcast_to(mx.nd.array([[1, 2]]), shape=(2, 2)).asnumpy()
    array([[1., 2.],
           [1., 2.]], dtype=float32)
    """
    lengths = list(as_tuple(shape))
    offset = len(lengths) - data.ndim
    for axis, length in enumerate(data.shape):
        if offset + axis >= 0 and lengths[offset + axis] == 0:
            lengths[offset + axis] = length
    return _expanded(data, lengths)


@op(
    nd=("broadcast_axis", "broadcast_axes"),
    nd_method=("broadcast_axes", "broadcast_axis"),
    precision=EITHER,
)
@explained("axes of length 1, and as many sizes. Write axis=(0, 1), size=(2, 3)")
def broadcast_axes(
    data: Tensor, axis: int | Sequence[int] | None = (), size: int | Sequence[int] | None = ()
) -> Tensor:
    """Repeat axes of length 1.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    axis : int or tuple of int
        The axes.
    size : int or tuple of int
        Their new lengths.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.broadcast_axes(mx.nd.zeros((1, 2, 1)), axis=(0, 2), size=(3, 4)).shape
    (3, 2, 4)
    """
    lengths = list(data.shape)
    if axis is None:
        axis = size = ()
    for one, length in zip(as_tuple(axis), as_tuple(size), strict=True):
        lengths[one] = length
    return _expanded(data, lengths)


@op(
    nd="broadcast_like",
    graph=Graph(own_dtypes=("rhs",)),
    precision=EITHER,
)
@explained("a length of 1 wherever the shapes differ. Name the axes with lhs_axes, rhs_axes")
def broadcast_like(
    lhs: Tensor,
    rhs: Tensor,
    lhs_axes: int | Sequence[int] | None = None,
    rhs_axes: int | Sequence[int] | None = None,
) -> Tensor:
    """Repeat axes of length 1 such that the array has the shape of another.

    Parameters
    ----------
    lhs : Tensor, any shape
        The elements.
    rhs : Tensor, any shape
        Gives the lengths.
    lhs_axes, rhs_axes : tuple of int, optional
        Axes of `lhs` to repeat, which have length 1, and the axes of `rhs` that give their lengths;
        all by default, and where only one of the two is given.

    Raises
    ------
    InvalidArgumentError
        They are empty, or not as many, or an axis of `lhs` is longer than 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.broadcast_like(mx.nd.zeros((1, 2)), mx.nd.zeros((3, 2))).shape
    (3, 2)
    """
    if lhs_axes is None or rhs_axes is None:
        return _expanded(lhs, tuple(rhs.shape))
    lengths = list(lhs.shape)
    own, others = as_tuple(lhs_axes), as_tuple(rhs_axes)
    if not own or len(own) != len(others) or any(lengths[axis] != 1 for axis in own):
        msg = (
            f"broadcast_like: lhs_axes={lhs_axes!r} and rhs_axes={rhs_axes!r} were given for a lhs "
            f"of shape {tuple(lhs.shape)}. Expected as many axes of both, one at least, and "
            f"length 1 along those of lhs. Leave both out for all axes."
        )
        raise InvalidArgumentError(msg)
    for one, other in zip(own, others, strict=True):
        lengths[one] = rhs.shape[other]
    return _expanded(lhs, tuple(lengths))


@op(nd_method="broadcast_like")
@explained("a length of 1 wherever the shapes differ. Name the axes with lhs_axes, rhs_axes")
def broadcast_like_method(
    data: Tensor,
    other: Tensor,
    lhs_axes: int | Sequence[int] | None = None,
    rhs_axes: int | Sequence[int] | None = None,
) -> Tensor:
    """Repeat axes of length 1 such that the array has the shape of another.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    other : Tensor, any shape
        Gives the lengths.
    lhs_axes, rhs_axes : tuple of int, optional
        As for the operator.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.zeros((1, 2)).broadcast_like(other=mx.nd.zeros((3, 2))).shape
    (3, 2)
    """
    return broadcast_like(data, other, lhs_axes, rhs_axes)
