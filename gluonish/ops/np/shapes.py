"""NumPy's functions that give the same elements another shape or order of axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import AxisError, DTypeError, ShapeError, UnsupportedOptionError
from gluonish.errors.program_arguments import of_argument
from gluonish.ops.arrays.shapes import how_many, how_to_turn, reshape_method as reshape_with_codes
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import (
    Axis,
    Out,
    Shape,
    as_shape,
    as_tensor,
    as_tensors,
    axes,
    axis_error,
    into,
    one_axis,
)
from gluonish.ops.table import Graph, op, shape_rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


def _reshape(where: str, a: Tensor, shape: Shape) -> Tensor:
    try:
        return a.reshape(shape)
    except (RuntimeError, TypeError) as error:
        if isinstance(shape, int):
            shape = (shape,)
        msg = (
            f"{where}: an array of shape {tuple(a.shape)}, which has {a.numel()} elements, was "
            f"given for the new shape {shape!r}. "
            f"{_of_zero(a, shape) or how_many(a.numel(), shape, _INFERRED)}."
        )
        raise ShapeError(msg) from error


_INFERRED = "Write -1 for one length to have it inferred"


def _of_zero(a: Tensor, shape: Shape) -> str:
    """Return what to write for a 0 that was to copy a length, as in arrays of `nd`; '' if none."""
    lengths = [*shape] if isinstance(shape, (list, tuple)) else [shape]
    copied = [axis for axis, length in enumerate(lengths) if length == 0 and axis < a.dim()]
    if not copied or not a.numel():
        return ""
    own = [f"x.shape[{i}]" if i in copied else str(length) for i, length in enumerate(lengths)]
    return of_argument(
        f"Expected a shape of as many elements; 0 copies a length in mx.nd alone, and is a length "
        f"here. Write x.reshape(({', '.join(own)}{',' * (len(own) == 1)}))"
    )


def _check_order(where: str, order: str) -> None:
    if order not in ("C", "A", "K"):  # arrays are stored row by row
        msg = (
            f"{where}: order={order!r} was given. Expected 'C': elements are read row by row. "
            f"Transpose before and after for column order."
        )
        raise UnsupportedOptionError(msg)


@op(np="reshape", file="_np_reshape", graph=Graph(written={"np_method.reshape": "order=C"}))
def reshape(a: Tensor, newshape: Shape, order: str = "C", out: Out = None) -> Tensor:
    """Return the elements in another shape, sharing memory where that is possible.

    Parameters
    ----------
    a : ndarray
        The array.
    newshape : int or tuple of int
        Lengths of the new axes; one of them may be -1, to be inferred.
    order : {'C'}, default 'C'
        Order in which elements are read.
    out : ndarray, optional
        Where to put the result.

    Examples
    --------
    >>> from gluonish import np
    >>> np.reshape(np.arange(6), (2, -1))
    array([[0., 1., 2.],
           [3., 4., 5.]])
    """
    _check_order("np.reshape", order)
    return into(out, _reshape("np.reshape", as_tensor(a), newshape))


@op(np_method="reshape_view")
def reshape_view(a: Tensor, *shape: Shape, **options: Any) -> Tensor:
    """Return the elements in another shape, which codes may describe as in `mx.nd.reshape`.

    Parameters
    ----------
    a : ndarray
        The elements.
    *shape : int or tuple of int
        Lengths or codes; also as keyword `shape`.
    **options : bool
        `reverse=True` matches codes from the last axis.

    Examples
    --------
    >>> from gluonish import np
    >>> np.ones((2, 3, 4)).reshape_view(0, -1).shape
    (2, 12)
    """
    if shape in ((), ((),), ([],)) and not options:
        return a.reshape(())
    return reshape_with_codes(a, *shape, **options)


@op(np_method="reshape")
def reshape_method(a: Tensor, *shape: Shape, order: str = "C") -> Tensor:
    """Return the elements in another shape, given as numbers or as one tuple.

    Examples
    --------
    >>> from gluonish import np
    >>> np.arange(4).reshape(2, 2)
    array([[0., 1.],
           [2., 3.]])
    """
    if order != "C":
        _check_order("reshape", order)
    try:
        return a.reshape(*shape)  # type: ignore[arg-type]
    except (RuntimeError, TypeError) as error:
        if not shape:
            msg = "reshape: no shape was given. Expected lengths. Write x.reshape(2, -1)."
            raise DTypeError(msg) from error
        return _reshape("reshape", a, shape[0] if len(shape) == 1 else shape)  # type: ignore[arg-type]


@op(np="ravel", np_method="ravel", recorded=recorded.ravel)
def ravel(x: Tensor, order: str = "C") -> Tensor:
    """Return the elements in one axis, sharing memory where that is possible.

    Examples
    --------
    >>> from gluonish import np
    >>> np.ravel(np.ones((2, 2)))
    array([1., 1., 1., 1.])
    """
    _check_order("np.ravel", order)
    return as_tensor(x).reshape(-1)


@op(np_method="flatten")
def flatten(a: Tensor, order: str = "C") -> Tensor:
    """Return a copy of the elements in one axis.

    Examples
    --------
    >>> from gluonish import np
    >>> np.ones((2, 2)).flatten()
    array([1., 1., 1., 1.])
    """
    _check_order("flatten", order)
    return a.clone().reshape(-1)


def _permute(where: str, a: Tensor, order: Sequence[int] | None) -> Tensor:
    if order is None:
        return a.permute(tuple(range(a.ndim - 1, -1, -1)))
    try:
        return a.permute(tuple(order))
    except (RuntimeError, IndexError, TypeError) as error:
        msg = (
            f"{where}: axes={tuple(order)!r} was given for an array of shape {tuple(a.shape)}. "
            f"Expected each of its {a.ndim} axes exactly once. {how_to_turn(a.ndim, order)}."
        )
        raise ShapeError(msg) from error


@op(
    np="transpose",
    file="_np_transpose",
    reverse=shape_rules.transpose,
    graph=Graph(written={"np_method.transpose": "axes=None"}),
)
def transpose(a: Tensor, axes: int | Sequence[int] | None = None) -> Tensor:
    """Return the array with its axes in another order, by default reversed; it shares memory.

    Examples
    --------
    >>> from gluonish import np
    >>> np.transpose(np.zeros((2, 3, 4)), (1, 0, 2)).shape
    (3, 2, 4)
    """
    order = (axes,) if isinstance(axes, int) else axes
    return _permute("np.transpose", as_tensor(a), order)


@op(np_method="transpose")
def transpose_method(a: Tensor, *axes: int | Sequence[int] | None) -> Tensor:
    """Return the array with its axes in another order, given as numbers or as one tuple.

    Examples
    --------
    >>> from gluonish import np
    >>> np.zeros((2, 3, 4)).transpose(2, 0, 1).shape
    (4, 2, 3)
    """
    if not axes or axes[0] is None:
        return _permute("transpose", a, None)
    order = axes if isinstance(axes[0], int) else axes[0]
    return _permute("transpose", a, order)  # type: ignore[arg-type]


@op(
    np="swapaxes",
    file="SwapAxis",
    attributes={"dim1": "axis1", "dim2": "axis2"},
    np_method="swapaxes",
)
def swapaxes(a: Tensor, axis1: int, axis2: int) -> Tensor:
    """Return the array with two axes exchanged; it shares memory.

    Examples
    --------
    >>> from gluonish import np
    >>> np.swapaxes(np.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    try:
        return a.transpose(axis1, axis2)
    except IndexError as error:
        wrong = axis2 if -a.ndim <= axis1 < a.ndim else axis1
        raise axis_error(wrong, a, "np.swapaxes") from error


@op(np="moveaxis", file="_np_moveaxis")
def moveaxis(a: Tensor, source: Axis, destination: Axis) -> Tensor:
    """Return the array with axes moved to other places; the others keep their order.

    Examples
    --------
    >>> from gluonish import np
    >>> np.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    a = as_tensor(a)
    old = axes("np.moveaxis", source, a)
    new = axes("np.moveaxis", destination, a)
    if len(old) != len(new):
        msg = (
            f"np.moveaxis: {len(old)} axes {source!r} were to move to {len(new)} places "
            f"{destination!r}. Expected as many places as axes. Give one place for each axis."
        )
        raise ShapeError(msg)
    return a.movedim(old, new)


@op(np="rollaxis")
def rollaxis(a: Tensor, axis: int, start: int = 0) -> Tensor:
    """Return the array with one axis moved to before another.

    Examples
    --------
    >>> from gluonish import np
    >>> np.rollaxis(np.zeros((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    a = as_tensor(a)
    axis = one_axis("np.rollaxis", axis, a)
    start = start + a.ndim if start < 0 else start
    if start not in range(a.ndim + 1):
        raise axis_error(start, a, "np.rollaxis")
    return a.movedim(axis, int(start) - (axis < start))


@op(np="expand_dims", file="expand_dims")
def expand_dims(a: Tensor, axis: int | Sequence[int]) -> Tensor:
    """Return the array with an axis of length 1 put in.

    Examples
    --------
    >>> from gluonish import np
    >>> np.expand_dims(np.zeros((2, 3)), axis=0).shape
    (1, 2, 3)
    """
    try:
        if isinstance(axis, int):
            return a.unsqueeze(axis)
        for each in sorted(one % (a.ndim + len(axis)) for one in axis):
            a = a.unsqueeze(each)
    except IndexError as error:
        msg = (
            f"np.expand_dims: axis {axis!r} is out of bounds for an array of shape "
            f"{tuple(a.shape)}. Expected -{a.ndim + 1} to {a.ndim}. Pass such an axis."
        )
        raise AxisError(msg) from error
    return a


@op(
    np="squeeze",
    file="_np_squeeze",
    np_method="squeeze",
    graph=Graph(written={"np_method.squeeze": "axis=None"}),
)
def squeeze(a: Tensor, axis: Axis = None, out: Out = None) -> Tensor:
    """Return the array without axes of length 1: all of them, or those that are named.

    Examples
    --------
    >>> from gluonish import np
    >>> np.squeeze(np.zeros((1, 3, 1)), axis=0).shape
    (3, 1)
    """
    a = as_tensor(a)
    if axis is None:
        return into(out, a.squeeze())
    found = axes("np.squeeze", axis, a)
    long = [each for each in found if a.shape[each] != 1]
    if long:
        msg = (
            f"np.squeeze: cannot select an axis to squeeze out which has size not equal to one: "
            f"axis {long[0]} of an array of shape {tuple(a.shape)}. Expected axes of length 1. "
            f"Name such an axis, or leave axis out."
        )
        raise ShapeError(msg)
    return into(out, a.squeeze(found))


@op(np="broadcast_to", np_method="broadcast_to")
def broadcast_to(array: Tensor, shape: Shape) -> Tensor:
    """Return the array repeated to a larger shape, in which -2 keeps a length.

    Examples
    --------
    >>> from gluonish import np
    >>> np.broadcast_to(np.arange(2), (2, 2))
    array([[0., 1.],
           [0., 1.]])
    """
    array = as_tensor(array)
    if isinstance(shape, (list, tuple)) and -2 in shape:
        before = len(shape) - array.dim()
        shape = tuple(
            array.shape[axis - before] if length == -2 and axis >= before else length
            for axis, length in enumerate(shape)
        )
    lengths = as_shape(shape, "np.broadcast_to")
    try:
        return array.expand(lengths).clone(memory_format=torch.contiguous_format)
    except RuntimeError as error:
        msg = (
            f"np.broadcast_to: shape {tuple(array.shape)} is not broadcastable to {lengths}. "
            f"Expected lengths that are equal, or 1 in the array, counted from the last axis. "
            f"Reshape the array first."
        )
        raise ShapeError(msg) from error


@op(np="broadcast_arrays", outputs=0)
def broadcast_arrays(*args: Tensor) -> list[Tensor]:
    """Return arrays repeated to the one shape that fits them all.

    Examples
    --------
    >>> from gluonish import np
    >>> [x.shape for x in np.broadcast_arrays(np.zeros((2, 1)), np.zeros(3))]
    [(2, 3), (2, 3)]
    """
    tensors = as_tensors(args)
    try:
        return [part.contiguous() for part in torch.broadcast_tensors(*tensors)]  # type: ignore[no-untyped-call]
    except RuntimeError as error:
        shapes = ", ".join(str(tuple(each.shape)) for each in tensors)
        msg = (
            f"np.broadcast_arrays: arrays of shape {shapes} were given. Expected lengths that "
            f"are equal or 1, counted from the last axis. Reshape some of them."
        )
        raise ShapeError(msg) from error


def _as_many(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: that of the inputs."""
    return int(given.get("num_args", 1))


@op(np="atleast_1d", file="_np_atleast_1d", outputs=_as_many)
def atleast_1d(*arys: Tensor) -> Tensor | list[Tensor]:
    """Return arrays with one axis or more.

    Examples
    --------
    >>> from gluonish import np
    >>> np.atleast_1d(np.array(2.0))
    array([2.])
    """
    return _each(torch.atleast_1d, arys)


@op(np="atleast_2d", file="_np_atleast_2d", outputs=_as_many)
def atleast_2d(*arys: Tensor) -> Tensor | list[Tensor]:
    """Return arrays with two axes or more.

    Examples
    --------
    >>> from gluonish import np
    >>> np.atleast_2d(np.arange(2))
    array([[0., 1.]])
    """
    return _each(torch.atleast_2d, arys)


@op(np="atleast_3d", file="_np_atleast_3d", outputs=_as_many)
def atleast_3d(*arys: Tensor) -> Tensor | list[Tensor]:
    """Return arrays with three axes or more.

    Examples
    --------
    >>> from gluonish import np
    >>> np.atleast_3d(np.arange(2)).shape
    (1, 2, 1)
    """
    return _each(torch.atleast_3d, arys)


def _each(function: object, arys: Sequence[Tensor]) -> Tensor | list[Tensor]:
    results = [function(tensor) for tensor in as_tensors(arys)]  # type: ignore[operator]
    return results[0] if len(results) == 1 else results
