"""NumPy's functions that turn arrays: flipped, rolled, rotated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import ShapeError
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import Axis, Out, as_tensor, axes, into, one_axis
from gluonish.ops.table import Graph, op

if TYPE_CHECKING:
    from collections.abc import Sequence


@op(np="flip", recorded=recorded.flip)
def flip(m: Tensor, axis: Axis = None, out: Out = None) -> Tensor:
    """Return the elements in reverse order, along axes or along all.

    Examples
    --------
    >>> from gluonish import np
    >>> np.flip(np.arange(3))
    array([2., 1., 0.])
    """
    m = as_tensor(m)
    return into(out, m.flip(axes("np.flip", axis, m)))


@op(np="fliplr", recorded=recorded.flip_along(1))
def fliplr(m: Tensor) -> Tensor:
    """Return the columns in reverse order.

    Examples
    --------
    >>> from gluonish import np
    >>> np.fliplr(np.eye(2))
    array([[0., 1.],
           [1., 0.]])
    """
    m = as_tensor(m)
    return m.flip(one_axis("np.fliplr", 1, m))


@op(np="flipud", recorded=recorded.flip_along(0))
def flipud(m: Tensor) -> Tensor:
    """Return the rows in reverse order.

    Examples
    --------
    >>> from gluonish import np
    >>> np.flipud(np.arange(2))
    array([1., 0.])
    """
    m = as_tensor(m)
    return m.flip(one_axis("np.flipud", 0, m))


@op(np="roll", file="_np_roll")
def roll(a: Tensor, shift: int | Sequence[int], axis: Axis = None) -> Tensor:
    """Return the elements moved on; those that leave at the end come in at the beginning.

    Examples
    --------
    >>> from gluonish import np
    >>> np.roll(np.arange(4), 1)
    array([3., 0., 1., 2.])
    """
    a = as_tensor(a)
    if axis is None:
        distance = shift if isinstance(shift, int) else sum(shift)
        return a.reshape(-1).roll(distance).reshape(a.shape)
    along = [axis] if isinstance(axis, int) else list(axis)
    shifts = [shift] if isinstance(shift, int) else list(shift)
    if len(shifts) == 1:
        shifts *= len(along)
    elif len(along) == 1:
        along *= len(shifts)
    if len(shifts) != len(along):
        msg = (
            f"np.roll: {len(shifts)} shifts were given for {len(along)} axes. Expected as many "
            f"shifts as axes, or one. Give one shift for each axis."
        )
        raise ShapeError(msg)
    return a.roll(shifts, [one_axis("np.roll", each, a) for each in along])


@op(np="rot90", graph=Graph(written={"np.rot90": "k=1 axes=(0, 1)"}))
def rot90(m: Tensor, k: int = 1, axes: Sequence[int] = (0, 1)) -> Tensor:
    """Return the array turned by 90 degrees `k` times, from the first axis towards the second.

    Examples
    --------
    >>> from gluonish import np
    >>> np.rot90(np.array([[1, 2], [3, 4]]))
    array([[2., 4.],
           [1., 3.]])
    """
    m = as_tensor(m)
    return torch.rot90(m, k, [one_axis("np.rot90", each, m) for each in axes])
