"""NumPy's functions that put elements into arrays, and that take some out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.errors import InvalidIndexError, ShapeError
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import as_tensor, one_axis
from gluonish.ops.table import op

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

Places: TypeAlias = "int | slice | Sequence[int] | Tensor"


def _flattened(where: str, arr: Tensor, axis: int | None) -> tuple[Tensor, int]:
    if axis is None:
        return arr.reshape(-1), 0
    return arr, one_axis(where, axis, arr)


def _positions(where: str, obj: Places, length: int, limit: int) -> Sequence[int]:
    """Return places counted from the front; `limit` is the last that is allowed."""
    if isinstance(obj, slice):
        return range(*obj.indices(length))  # no list: outlined, lengths may be of any size
    if isinstance(obj, Tensor):
        obj = obj.reshape(-1).nonzero()[:, 0] if obj.dtype is torch.bool else obj
        given = obj.reshape(-1).tolist()
    else:
        given = [int(each) for each in onp.asarray(obj).reshape(-1)]
    wrong = [each for each in given if not -length <= each <= limit]
    if wrong:
        msg = (
            f"{where}: index {int(wrong[0])} is out of bounds for axis of length {length}. "
            f"Expected -{length} to {limit}. Pass places inside of the array."
        )
        raise InvalidIndexError(msg)
    return [int(each) + length if each < 0 else int(each) for each in given]


@op(np="delete", recorded=recorded.delete)
def delete(arr: Tensor, obj: Places, axis: int | None = None) -> Tensor:
    """Return the array without the elements at some places, of an axis or flattened.

    Examples
    --------
    >>> from gluonish import np
    >>> np.delete(np.arange(4), [0, 2])
    array([1., 3.])
    """
    arr = as_tensor(arr)
    if not arr.ndim and axis is not None:
        return arr.clone()
    arr, axis = _flattened("np.delete", arr, axis)
    length = arr.shape[axis]
    if arr.is_meta and not isinstance(obj, Tensor):  # outlined: lengths may be of any size
        gone = len(range(*obj.indices(length))) if isinstance(obj, slice) else None
        count = gone or len({*_positions("np.delete", obj, length, length - 1)})
        return arr.narrow(axis, 0, length - count)
    keep = torch.ones(length, dtype=torch.bool)
    keep[list(_positions("np.delete", obj, length, length - 1))] = False
    return arr.index_select(axis, keep.nonzero()[:, 0].to(arr.device))


@op(np="insert", recorded=recorded.insert)
def insert(arr: Tensor, obj: Places, values: Tensor | float, axis: int | None = None) -> Tensor:
    """Return the array with values put in before some places, of an axis or flattened.

    Parameters
    ----------
    arr : ndarray
        The array.
    obj : int, slice or sequence of int
        Before which elements.
    values : ndarray or float
        What to put in.
    axis : int, optional
        Along which axis; by default the elements are flattened first.

    Examples
    --------
    >>> from gluonish import np
    >>> np.insert(np.arange(3), 1, 9.0)
    array([0., 9., 1., 2.])
    """
    arr = as_tensor(arr)
    if not arr.ndim and axis is not None:
        return arr.clone()
    arr, axis = _flattened("np.insert", arr, axis)
    length = arr.shape[axis]
    places = _positions("np.insert", obj, length, length)
    added = as_tensor(values, arr).to(arr.dtype)
    if len(places) == 1 and added.ndim and not isinstance(obj, slice):
        # One place takes all the values; those for a number lie along the first axis, as in NumPy.
        added = added.reshape((1,) * (arr.ndim - added.ndim) + tuple(added.shape))
        if isinstance(obj, int) or (isinstance(obj, Tensor) and not obj.ndim):
            added = added.movedim(0, axis)
        places = list(places) * added.shape[axis]
    shape = list(arr.shape)
    shape[axis] = len(places)
    try:
        block = added.expand(shape)
    except RuntimeError as error:
        msg = (
            f"np.insert: values of shape {tuple(added.shape)} were given for {len(places)} places "
            f"of an array of shape {tuple(arr.shape)}, axis {axis}. Expected a shape that "
            f"broadcasts to {tuple(shape)}. Reshape the values."
        )
        raise ShapeError(msg) from error
    if arr.is_meta:  # outlined: lengths may be of any size
        return torch.cat([arr, block], axis)
    order = sorted(range(len(places)), key=places.__getitem__)
    source: list[int] = []
    taken = 0
    for number in order:
        source.extend(range(taken, places[number]))
        taken = places[number]
        source.append(length + number)
    source.extend(range(taken, length))
    index = torch.tensor(source, dtype=torch.int64, device=arr.device)
    return torch.cat([arr, block], axis).index_select(axis, index)
