"""NumPy's functions that choose elements by condition or position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.array.guises import plain_number
from gluonish.errors import InvalidArgumentError, InvalidIndexError, ShapeError
from gluonish.ops.arrays.indexing import taken
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import Out, as_tensor, as_tensors, into, one_axis, shape_error
from gluonish.ops.table import both, op
from gluonish.process.device_positions import within
from gluonish.process.replay_marks import runs_once

if TYPE_CHECKING:
    from collections.abc import Sequence


@op(np="where", outputs=0, recorded=recorded.where)
def where(
    condition: Tensor, x: Tensor | float | None = None, y: Tensor | float | None = None
) -> Tensor | tuple[Tensor, ...]:
    """Return elements of `x` where the condition is true, of `y` elsewhere.

    With the condition alone: the positions where it is true, as `nonzero` gives them.

    Examples
    --------
    >>> from gluonish import np
    >>> np.where(np.array([1, 0, 1]), np.arange(3), -1)
    array([ 0., -1.,  2.])
    """
    truth = as_tensor(condition)
    if truth.dtype is not torch.bool:
        truth = truth != 0
    if x is None and y is None:
        return truth.nonzero(as_tuple=True)
    if x is None or y is None:
        msg = (
            "np.where: one of x and y was given. Expected both or none. Pass both, or the "
            "condition alone."
        )
        raise InvalidArgumentError(msg)
    if isinstance(x, Tensor) and isinstance(y, Tensor):
        try:
            return torch.where(truth, x, y)
        except RuntimeError as error:
            raise shape_error(error, "np.where", truth, x, y) from error
    chosen = [each if isinstance(each, Tensor) else plain_number(each) for each in (x, y)]
    chosen = [e if isinstance(e, (int, float)) else as_tensor(e, truth) for e in chosen]
    dtypes = [each.dtype for each in chosen if isinstance(each, Tensor)]
    dtype = dtypes[0] if dtypes else torch.float32  # numbers have the array's dtype
    tensors = [
        each if isinstance(each, Tensor) else torch.tensor(each, device=truth.device).to(dtype)
        for each in chosen
    ]
    try:
        return torch.where(truth, *tensors)
    except RuntimeError as error:
        raise shape_error(error, "np.where", truth, *tensors) from error


_MODES = ("raise", "clip", "wrap")


def _bounded(where: str, indices: Tensor, length: int, mode: str) -> Tensor:
    """Return indices as int64 inside of an axis of this length."""
    if mode not in _MODES:
        msg = (
            f"{where}: mode={mode!r} was given. Expected 'raise', 'clip' or 'wrap'. Write "
            f"mode='clip' to use the nearest element."
        )
        raise InvalidArgumentError(msg)
    indices = indices.to(torch.int64)
    if mode == "clip":
        return indices.clamp(0, length - 1)
    if mode == "wrap":
        return indices % length
    return torch.where(indices < 0, indices + length, indices)


@op(
    np="take",
    file="take",
    defaults={"axis": 0, "mode": "clip"},
    np_method="take",
    graph=both("take", "axis=0 mode=raise", own_dtypes=("indices",)),
)
def take(
    a: Tensor,
    indices: Tensor | int | Sequence[int],
    axis: int | None = None,
    mode: str = "raise",
    out: Out = None,
) -> Tensor:
    """Return the elements, or the slices of an axis, at some positions.

    Parameters
    ----------
    a : ndarray
        What to take from; flattened unless an axis is named.
    indices : ndarray of int
        The positions.
    axis : int, optional
        Along which axis.
    mode : {'raise', 'clip', 'wrap'}, default 'raise'
        What to do about positions outside of the array: raise an error, use the nearest
        position, or begin again at the other end.
    out : ndarray, optional
        Where to put the result.

    Examples
    --------
    >>> from gluonish import np
    >>> np.take(np.array([5, 6, 7]), np.array([2, 0]))
    array([7., 5.])
    """
    a = as_tensor(a)
    indices = as_tensor(indices, a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    if mode == "raise" and out is None and a.ndim and runs_once(a):
        try:
            return taken(a, indices.to(torch.int64), axis)
        except (IndexError, RuntimeError):  # some are negative, or outside
            pass
    axis = one_axis("np.take", axis, a)
    places = _bounded("np.take", indices, a.shape[axis], mode)
    try:
        rows = a.index_select(axis, within(places.reshape(-1), a.shape[axis], axis))
    except (IndexError, RuntimeError) as error:
        msg = (
            f"np.take: indices out of bounds: an index outside of axis {axis}, of length "
            f"{a.shape[axis]}. Expected -{a.shape[axis]} to {a.shape[axis] - 1}. Use "
            f"mode='clip' or mode='wrap', or correct the indices."
        )
        raise InvalidIndexError(msg) from error
    return into(out, rows.reshape(a.shape[:axis] + indices.shape + a.shape[axis + 1 :]))


@op(np="take_along_axis")
def take_along_axis(arr: Tensor, indices: Tensor, axis: int | None) -> Tensor:
    """Return elements along an axis, at positions of their own for each of the other axes.

    Examples
    --------
    >>> from gluonish import np
    >>> x = np.array([[3, 1, 2]])
    >>> np.take_along_axis(x, np.argsort(x), axis=1)
    array([[1., 2., 3.]])
    """
    arr, indices = as_tensors((arr, indices))
    try:
        length = arr.numel() if axis is None else arr.shape[axis]
        places = within(indices.to(torch.int64), length, axis or 0, counts_back=True)
        return torch.take_along_dim(arr, places, axis)
    except (RuntimeError, IndexError) as error:
        raise shape_error(error, "np.take_along_axis", arr, indices) from error


@op(np="nonzero", np_method="nonzero", outputs=0)
def nonzero(a: Tensor) -> tuple[Tensor, ...]:
    """Return the positions of elements that are not zero, one index array per axis.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nonzero(np.array([0, 5, 6]))
    (array([1, 2], dtype=int64),)
    """
    a = as_tensor(a)
    return (a if a.ndim else a.reshape(1)).nonzero(as_tuple=True)


@op(npx="nonzero")
def nonzero_rows(a: Tensor) -> Tensor:
    """Return the positions of elements that are not zero, one row for each.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.nonzero(np.array([[0, 5], [6, 0]]))
    array([[0, 1],
           [1, 0]], dtype=int64)
    """
    return (a if a.ndim else a.reshape(1)).nonzero()


@op(np="argwhere")
def argwhere(a: Tensor) -> Tensor:
    """Return the positions of elements that are not zero, one row for each.

    Examples
    --------
    >>> from gluonish import np
    >>> np.argwhere(np.array([[0, 5], [6, 0]]))
    array([[0, 1],
           [1, 0]], dtype=int64)
    """
    return as_tensor(a).nonzero()


@op(np="flatnonzero")
def flatnonzero(a: Tensor) -> Tensor:
    """Return the positions, in order, of elements that are not zero.

    Examples
    --------
    >>> from gluonish import np
    >>> np.flatnonzero(np.array([[0, 5], [6, 0]]))
    array([1, 2], dtype=int64)
    """
    return as_tensor(a).reshape(-1).nonzero()[:, 0]


@op(np="compress")
def compress(condition: Tensor, a: Tensor, axis: int | None = None, out: Out = None) -> Tensor:
    """Return the elements, or the slices of an axis, for which a vector is true.

    Examples
    --------
    >>> from gluonish import np
    >>> np.compress([True, False, True], np.arange(3))
    array([0., 2.])
    """
    a = as_tensor(a)
    truth = as_tensor(condition, a).to(torch.bool)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = one_axis("np.compress", axis, a)
    if truth.ndim != 1 or len(truth) > a.shape[axis]:
        msg = (
            f"np.compress: a condition of shape {tuple(truth.shape)} was given for axis {axis} of "
            f"an array of shape {tuple(a.shape)}. Expected a vector of {a.shape[axis]} elements "
            f"or fewer. Flatten the condition."
        )
        raise ShapeError(msg)
    return into(out, a.index_select(axis, truth.nonzero()[:, 0]))


@op(np="extract")
def extract(condition: Tensor, arr: Tensor) -> Tensor:
    """Return the elements for which a condition is true.

    Examples
    --------
    >>> from gluonish import np
    >>> x = np.arange(4)
    >>> np.extract(x > 1, x)
    array([2., 3.])
    """
    arr = as_tensor(arr)
    truth = as_tensor(condition, arr).to(torch.bool).reshape(-1)
    flat = arr.reshape(-1)
    if len(truth) != len(flat):
        raise shape_error(ValueError("unequal sizes"), "np.extract", truth, flat)
    return flat[truth]


@op(np="select")
def select(condlist: Sequence[Tensor], choicelist: Sequence[Tensor], default: float = 0) -> Tensor:
    """Return each element from the choice whose condition is the first to be true.

    Examples
    --------
    >>> from gluonish import np
    >>> x = np.arange(4)
    >>> np.select([x < 1, x > 2], [x - 10, x + 10], 5)
    array([-10.,   5.,   5.,  13.])
    """
    conditions, choices = as_tensors(condlist), as_tensors(choicelist)
    if len(conditions) != len(choices) or not conditions:
        msg = (
            f"np.select: {len(conditions)} conditions and {len(choices)} choices were given. "
            f"Expected as many of one as of the other, and one at least. Give one choice for "
            f"each condition."
        )
        raise ShapeError(msg)
    try:
        result: Tensor | float = default
        for truth, choice in zip(reversed(conditions), reversed(choices), strict=True):
            result = torch.where(truth.to(torch.bool), choice, result)
    except RuntimeError as error:
        raise shape_error(error, "np.select", *conditions, *choices) from error
    return result  # type: ignore[return-value]
