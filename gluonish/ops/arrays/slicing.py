"""Rectangular parts of arrays by begin, end and step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.table import EITHER, Graph, Sparse, op
from gluonish.ops.table.explain import explained

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

Bounds: TypeAlias = "int | Sequence[int | None] | None"

_MOST = 1024
_ALL = slice(None)
_KNOWN: dict[Any, tuple[slice, ...]] = {}
_PLAIN = frozenset((int, type(None)))  # 1.0 and True equal 1, and are another key all the same


def as_tuple(bounds: object) -> tuple[Any, ...]:
    """Return one value, or a list or tuple of several, as a tuple."""
    return tuple(bounds) if isinstance(bounds, (list, tuple)) else (bounds,)


@op(
    nd=("slice", "crop"),
    npx="slice",
    nd_method="slice",
    precision=EITHER,
    sparse=Sparse("cuts", names=("slice",)),
)
@explained("at most one begin, end and step for each axis. Write None for 'from the edge'")
def slice_(data: Tensor, begin: Bounds, end: Bounds, step: Bounds = ()) -> Tensor:
    """Return a rectangular part of an array.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    begin, end : tuple of int or None
        First position and end (not included) for the first axes; None means from the edge.
    step : tuple of int or None, optional
        Distances; negative ones go backwards.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 2, 3], [4, 5, 6]])
    >>> mx.nd.slice(x, begin=(0, None), end=(1, None), step=(None, -2)).asnumpy()
    array([[3., 1.]], dtype=float32)
    """
    if step is None or step == ():
        return data[_parts(begin, end)]
    starts, stops, steps = as_tuple(begin), as_tuple(end), as_tuple(step)
    steps += (None,) * (len(starts) - len(steps))
    for axis, bounds in enumerate(zip(starts, stops, steps, strict=True)):
        data = _cut(data, axis, slice(*bounds))
    return data


def _are_plain(bounds: object) -> bool:
    return isinstance(bounds, tuple) and _PLAIN.issuperset(map(type, bounds))


def _parts(begin: Bounds, end: Bounds) -> tuple[slice, ...]:
    """Return what selects from begins to ends, decided once for those that can be keys."""
    is_key = type(begin) is tuple and type(end) is tuple
    known = _KNOWN.get((begin, end)) if is_key else None
    if known is None:
        pairs = zip(as_tuple(begin), as_tuple(end), strict=True)
        known = tuple([slice(*bounds) for bounds in pairs])
        if is_key and len(_KNOWN) < _MOST and _are_plain(begin) and _are_plain(end):
            _KNOWN[begin, end] = known
    return known


def _cut(data: Tensor, axis: int, bounds: slice) -> Tensor:
    length = data.shape[axis]
    start, stop, step = bounds.indices(length)
    count = len(range(start, stop, step))
    if count == length and step == 1:
        return data
    if step > 0:
        part = data.narrow(axis, start, max(stop - start, 0))
        return part if step == 1 else part[(slice(None),) * axis + (slice(None, None, step),)]
    last = start + (count - 1) * step
    forward = slice(last, start + 1, -step) if count else slice(0, 0)
    return torch.flip(data[(slice(None),) * axis + (forward,)], (axis,))


@op(nd="slice_axis", nd_method="slice_axis", precision=EITHER, graph=Graph(keeps_open=True))
@explained("an axis of the array. Count from 0, or from the end with -1")
def slice_axis(data: Tensor, axis: int, begin: int, end: int | None) -> Tensor:
    """Return a range of positions along one axis, sharing memory.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    axis : int
        The axis.
    begin : int
        First position.
    end : int or None
        End, not included; None means to the edge.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.slice_axis(mx.nd.array([1, 2, 3, 4]), axis=0, begin=1, end=-1).asnumpy()
    array([2., 3.], dtype=float32)
    """
    length = data.shape[axis]
    first = begin + length if begin < 0 else begin
    last = length if end is None else (end + length if end < 0 else end)
    if not 0 <= first < last <= length:
        msg = (
            f"slice_axis: begin={begin}, end={end} was given for axis {axis} of an array of shape "
            f"{tuple(data.shape)}. Expected a range of at least one position within 0 to "
            f"{length}. Write end=None to go to the edge."
        )
        raise InvalidArgumentError(msg)
    return data.narrow(axis, first, last - first)


@op(
    nd="slice_like",
    nd_method="slice_like",
    graph=Graph(own_dtypes=("shape_like",)),
    precision=EITHER,
)
@explained("axes that both arrays have. Name them with axes=(0, ...)")
def slice_like(data: Tensor, shape_like: Tensor, axes: int | Sequence[int] | None = ()) -> Tensor:
    """Return the first elements along axes, as many as another array has there.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    shape_like : Tensor, any shape
        Gives the lengths.
    axes : tuple of int, optional
        The axes; all by default, and none for None.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.slice_like(mx.nd.zeros((3, 4)), mx.nd.zeros((2, 9)), axes=(0,)).shape
    (2, 4)
    """
    if axes is None:  # MXNet reads no axis at all then
        return data
    chosen = as_tuple(axes)
    if not chosen:
        if data.ndim != shape_like.ndim:
            msg = "the numbers of axes differ"
            raise RuntimeError(msg)
        chosen = tuple(range(data.ndim))
    lengths = data.shape
    parts = [_ALL] * len(lengths)
    for axis in chosen:
        wanted = shape_like.shape[axis + len(lengths) if axis < 0 else axis]
        if wanted == lengths[axis]:
            continue
        if wanted > lengths[axis]:
            msg = (
                f"slice_like: {wanted} positions of axis {axis} were asked for, of an array of "
                f"shape {tuple(lengths)}. Expected at most {lengths[axis]}. Leave that axis out."
            )
            raise ShapeError(msg)
        parts[axis] = slice(0, wanted)
    return data[tuple(parts)]
