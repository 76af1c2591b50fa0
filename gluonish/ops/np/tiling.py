"""NumPy's functions that repeat and extend arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as nnf
from torch import Tensor

from gluonish.array.dtypes import number_in
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import (
    Shape,
    as_shape,
    as_tensor,
    one_axis,
)
from gluonish.ops.table import Graph, op

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@op(np="tile", file="tile", np_method="tile")
def tile(A: Tensor, reps: Shape) -> Tensor:  # noqa: N803 - NumPy's name
    """Return the array laid out several times along each axis.

    Examples
    --------
    >>> from gluonish import np
    >>> np.tile(np.arange(2), (2, 2))
    array([[0., 1., 0., 1.],
           [0., 1., 0., 1.]])
    """
    return torch.tile(as_tensor(A), as_shape(reps, "np.tile"))


@op(
    np="repeat",
    file="repeat",
    np_method="repeat",
    graph=Graph(written={"np_method.repeat": "axis=None"}),
)
def repeat(a: Tensor, repeats: int | Sequence[int], axis: int | None = None) -> Tensor:
    """Return each element several times, along an axis or in order.

    Examples
    --------
    >>> from gluonish import np
    >>> np.repeat(np.arange(2), 2)
    array([0., 0., 1., 1.])
    """
    a = as_tensor(a)
    if axis is not None:
        axis = one_axis("np.repeat", axis, a)
    counts = repeats if isinstance(repeats, int) else torch.as_tensor(repeats, device=a.device)
    if isinstance(counts, int) and counts < 0:
        msg = f"np.repeat: repeats={repeats} was given. Expected 0 or more. Pass how many."
        raise InvalidArgumentError(msg)
    try:
        return torch.repeat_interleave(a, counts, axis)
    except RuntimeError as error:
        length = a.numel() if axis is None else a.shape[axis]
        msg = (
            f"np.repeat: repeats={repeats!r} was given for an array of shape {tuple(a.shape)}, "
            f"axis {axis}. Expected one number, or {length} numbers. Give one for each element."
        )
        raise ShapeError(msg) from error


@op(np="resize", file="Custom:resize_fallback", graph=Graph(hint="custom"))
def resize(a: Tensor, new_shape: Shape) -> Tensor:
    """Return an array of a new shape, filled with the elements again and again.

    Examples
    --------
    >>> from gluonish import np
    >>> np.resize(np.arange(3), (2, 2))
    array([[0., 1.],
           [2., 0.]])
    """
    shape = as_shape(new_shape, "np.resize")
    flat = as_tensor(a).reshape(-1)
    size = 1
    for length in shape:
        size *= length
    if not flat.numel() and size:
        return flat.new_zeros(shape)
    return flat[torch.arange(size, device=flat.device) % max(flat.numel(), 1)].reshape(shape)


_STATISTICS: dict[str, Callable[[Tensor, int], Tensor]] = {
    "maximum": lambda a, axis: _compared_with_first(a, axis).amax(axis, keepdim=True),
    "minimum": lambda a, axis: _compared_with_first(a, axis).amin(axis, keepdim=True),
}
PAD_MODES = ("constant", "edge", "reflect", "symmetric", "maximum", "minimum", "wrap")


@op(
    np="pad",
    attributes={"constant_value": "constant_values"},
    recorded=recorded.pad,
)
def pad(
    x: Tensor,
    pad_width: int | Sequence[int] | Sequence[Sequence[int]],
    mode: str = "constant",
    *,
    constant_values: float = 0,
    reflect_type: str = "even",
) -> Tensor:
    """Return the array with a border around it.

    Parameters
    ----------
    x : ndarray
        What to extend.
    pad_width : int, pair of int, or one pair per axis
        How many elements before and after.
    mode : str, default 'constant'
        What to fill the border with: `'constant'`, `'edge'`, `'reflect'`, `'symmetric'`,
        `'maximum'`, `'minimum'` or `'wrap'`, as in NumPy.
    constant_values : float, default 0
        The value of mode `'constant'`.
    reflect_type : {'even'}, default 'even'
        How `'reflect'` and `'symmetric'` mirror.

    Examples
    --------
    >>> from gluonish import np
    >>> np.pad(np.ones(2), (1, 2))
    array([0., 1., 1., 0., 0.])
    """
    x = as_tensor(x)
    if mode not in PAD_MODES or reflect_type != "even":
        msg = (
            f"np.pad: mode={mode!r} with reflect_type={reflect_type!r} was given. Expected one of "
            f"{', '.join(PAD_MODES)}, and 'even'. Choose such a mode."
        )
        raise InvalidArgumentError(msg)
    widths = _widths(x, pad_width)
    if mode == "constant":
        flat = [width for pair in reversed(widths) for width in pair]
        if not any(flat):
            return x.clone()
        return nnf.pad(x, flat, value=number_in(constant_values, x.dtype))
    for axis, (before, after) in enumerate(widths):
        if mode in _STATISTICS:
            value = _STATISTICS[mode](x, axis)
            shape = list(x.shape)
            parts = []
            for width in (before, after):
                shape[axis] = width
                parts.append(value.expand(shape))
            x = torch.cat([parts[0], x, parts[1]], axis)
        else:
            x = x.index_select(axis, _sources(x, axis, before, after, mode))
    return x


def _compared_with_first(a: Tensor, axis: int) -> Tensor:
    """Return the elements without NaN, which no comparison prefers, unless it comes first."""
    if not a.is_floating_point() or not a.shape[axis]:
        return a
    return torch.where(a.isnan(), a.narrow(axis, 0, 1), a)


def _sources(x: Tensor, axis: int, before: int, after: int, mode: str) -> Tensor:
    """Return which element stands at each place of a padded axis."""
    length = x.shape[axis]
    places = torch.arange(-before, length + after, device=x.device)
    if not length:
        msg = (
            f"np.pad: axis {axis} of an array of shape {tuple(x.shape)} is empty. Expected "
            f"elements to repeat in mode {mode!r}. Use mode='constant'."
        )
        raise ShapeError(msg)
    if mode == "edge":
        return places.clamp(0, length - 1)
    if mode == "wrap":
        return places % length
    if mode == "symmetric":
        places = places % (2 * length)
        return torch.where(places < length, places, 2 * length - 1 - places)
    period = max(2 * length - 2, 1)
    places = places % period
    return torch.where(places < length, places, period - places)


def _widths(
    x: Tensor, pad_width: int | Sequence[int] | Sequence[Sequence[int]]
) -> list[tuple[int, int]]:
    pairs: list[Sequence[int]]
    if isinstance(pad_width, int):
        pairs = [(pad_width, pad_width)] * x.ndim
    elif all(isinstance(each, int) for each in pad_width):
        pair = tuple(pad_width) * (2 if len(pad_width) == 1 else 1)
        pairs = [pair] * x.ndim  # type: ignore[list-item]
    else:
        pairs = list(pad_width)  # type: ignore[arg-type]
        pairs = pairs * x.ndim if len(pairs) == 1 else pairs
    if len(pairs) != x.ndim or any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        msg = (
            f"np.pad: pad_width={pad_width!r} was given for an array of shape {tuple(x.shape)}. "
            f"Expected a number, a pair (before, after), or {x.ndim} such pairs, none below 0. "
            f"Write ((1, 1),) * {x.ndim}."
        )
        raise ShapeError(msg)
    return [(before, after) for before, after in pairs]
