"""Elements chosen by arrays of positions, and the arrays of positions themselves."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import InvalidArgumentError, InvalidIndexError, ShapeError
from gluonish.ops.arrays.reduction import at_least_1d
from gluonish.ops.table import EITHER, WIDEST, Graph, Sparse, op, shape_rules
from gluonish.ops.table.explain import describe, explained
from gluonish.process.device_positions import within
from gluonish.process.replay_marks import runs_once

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array.dtypes import DTypeLike
    from gluonish.ops.table import Shape


_FEW = 1024


def _whole(indices: Tensor) -> Tensor:
    """Return indices as int64; fractions are cut off."""
    return indices if indices.dtype is torch.int64 else indices.long()


def positions(indices: Tensor, length: int, mode: str, name: str) -> Tensor:
    """Return indices as int64 within 0 to `length` - 1.

    Raises
    ------
    InvalidIndexError
        With mode 'raise', one of them is outside.
    InvalidArgumentError
        The mode is not known.
    """
    whole = _whole(indices)
    if mode == "clip":
        return whole.clamp(0, max(length - 1, 0))
    if mode == "wrap":
        return whole.remainder(length)
    if mode != "raise":
        msg = (
            f"{name}: mode={mode!r} was given. Expected 'clip', 'wrap' or 'raise'. Leave mode out "
            f"to move indices outside of the array to its edge."
        )
        raise InvalidArgumentError(msg)
    if (
        not whole.is_meta
        and whole.numel()
        and not bool(((whole >= -length) & (whole < length)).all())
    ):
        msg = (
            f"{name}: indices from {int(whole.min())} to {int(whole.max())} were given for "
            f"{length} positions. Expected {-length} to {length - 1}. Write mode='clip' to move "
            f"them to the edge."
        )
        raise InvalidIndexError(msg)
    return whole.remainder(length)


@op(
    nd="take",
    graph=Graph(own_dtypes=("indices",)),
    precision=EITHER,
    sparse=Sparse("takes rows"),
    choices={"mode": ("clip", "raise", "wrap")},
)
@explained("an array of indices and an axis of the data. Count axes from 0")
def take(a: Tensor, indices: Tensor, axis: int = 0, mode: str = "clip") -> Tensor:
    """Return the elements, or parts, at the given positions of an axis.

    Parameters
    ----------
    a : Tensor, any shape
        The elements.
    indices : Tensor, any shape
        Positions; fractions are cut off.
    axis : int, default 0
        The axis.
    mode : {'clip', 'wrap', 'raise'}, default 'clip'
        What to do with positions outside: move to the edge, count around, or refuse.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.take(mx.nd.array([1, 2, 3]), mx.nd.array([2, 0, 9])).asnumpy()
    array([3., 1., 3.], dtype=float32)
    """
    if mode == "clip" and runs_once(a):
        try:
            whole = indices if indices.dtype is torch.int64 else indices.long()
            return torch.index_select(a, axis, whole) if whole.ndim == 1 else taken(a, whole, axis)
        except (IndexError, RuntimeError):  # some are outside
            pass
    return taken(a, positions(indices, a.shape[axis], mode, "take"), axis)


def taken(a: Tensor, whole: Tensor, axis: int) -> Tensor:
    """Return the parts of a tensor at valid positions of an axis."""
    if whole.ndim == 1:
        return torch.index_select(a, axis, whole)
    axis %= a.ndim
    parts = torch.index_select(a, axis, whole.reshape(-1))
    return parts.reshape(a.shape[:axis] + whole.shape + a.shape[axis + 1 :])


@op(nd_method="take", sparse=Sparse("takes rows"))
def take_method(
    a: Tensor, indices: Tensor | Sequence[int], axis: int = 0, mode: str = "clip"
) -> Tensor:
    """Return the elements, or parts, at the given positions of an axis.

    Parameters
    ----------
    a : Tensor, any shape
        The elements.
    indices : Tensor or list, any shape
        Positions; fractions are cut off.
    axis : int, default 0
        The axis.
    mode : {'clip', 'wrap', 'raise'}, default 'clip'
        What to do with positions outside: move to the edge, count around, or refuse.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.array([1, 2, 3]).take(mx.nd.array([2, 0, 9])).asnumpy()
    array([3., 1., 3.], dtype=float32)
    """
    if not isinstance(indices, Tensor):
        indices = torch.as_tensor(indices, device=a.device)
    return take(a, indices, axis, mode)


@op(nd="batch_take", graph=Graph(own_dtypes=("indices",)), precision=EITHER)
@explained("a matrix, and one index for each row. Write batch_take(x, indices)")
def batch_take(a: Tensor, indices: Tensor) -> Tensor:
    """Return one element of each row.

    Parameters
    ----------
    a : Tensor, shape (batch, length)
        The rows.
    indices : Tensor, shape (batch,)
        Position in each row.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 2], [3, 4]])
    >>> mx.nd.batch_take(x, mx.nd.array([1, 0], dtype='int32')).asnumpy()
    array([2., 3.], dtype=float32)
    """
    whole = positions(indices, a.shape[-1], "clip", "batch_take")
    rows = a.shape[:-1]
    if whole.numel() != rows.numel():
        msg = "the shapes differ"
        raise RuntimeError(msg)
    return a.gather(-1, whole.reshape(rows).unsqueeze(-1)).reshape(whole.shape)


def _picked_shapes(
    shapes: dict[str, Shape | None], axis: int | None = -1, **_: object
) -> dict[str, Shape]:
    """Rule for an index whose shape is not known: that of the data without the axis."""
    data = shapes["data"]
    if axis is None or data is None or not -len(data) <= axis < len(data):
        return {}
    axis %= len(data)
    if shapes.get("index") is not None:
        return {}  # which may have the axis, too
    return {"index": (*data[:axis], *data[axis + 1 :]) or (1,)}


@op(
    nd=("pick", "choose_element_0index"),
    npx="pick",
    nd_method="pick",
    shapes=_picked_shapes,
    graph=Graph(own_dtypes=("index",)),
    precision=EITHER,
    choices={"mode": ("clip", "wrap")},
)
@explained("the data's shape without the axis as the shape of the index. Check axis")
def pick(
    data: Tensor,
    index: Tensor,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: str = "clip",
) -> Tensor:
    """Return one element along an axis for each position of the others.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    index : Tensor, shape of the data without the axis, or with length 1 there
        Position along the axis.
    axis : int, default -1
        The axis; None means all elements as one row.
    keepdims : bool, default False
        Whether the axis stays, with length 1.
    mode : {'clip', 'wrap'}, default 'clip'
        What to do with positions outside: move to the edge, or count around.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.pick(mx.nd.array([[1, 2], [3, 4]]), mx.nd.array([1, 0])).asnumpy()
    array([2., 3.], dtype=float32)
    """
    if axis is None:
        data, axis = data.reshape(-1), 0
    if mode == "clip" and runs_once(data):
        try:
            return _picked(data, _whole(index), axis, keepdims)
        except RuntimeError:  # some are outside, or the shapes differ
            pass
    return _picked(data, positions(index, data.shape[axis], mode, "pick"), axis, keepdims)


def _picked(data: Tensor, whole: Tensor, axis: int, keepdims: bool) -> Tensor:
    if whole.ndim != data.ndim or data.ndim == 1:
        whole = whole.reshape(()) if data.ndim == 1 and whole.numel() == 1 else whole
        whole = whole.unsqueeze(axis)
    expected = list(data.shape)
    expected[axis] = 1
    if list(whole.shape) != expected:
        msg = "the shapes differ"
        raise RuntimeError(msg)
    picked = data.gather(axis, whole)
    return picked if keepdims else at_least_1d(picked.squeeze(axis))


@op(nd="fill_element_0index", precision=EITHER)
@explained("a matrix, and one value and one index for each row. Check the shapes")
def fill_element_0index(lhs: Tensor, mhs: Tensor, rhs: Tensor) -> Tensor:
    """Return a copy of a matrix with one element of each row replaced.

    Parameters
    ----------
    lhs : Tensor, shape (batch, length)
        The rows.
    mhs : Tensor, shape (batch,)
        New values.
    rhs : Tensor, shape (batch,)
        Position in each row.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.fill_element_0index(mx.nd.zeros((2, 2)), mx.nd.ones((2,)), mx.nd.array([1, 0]))
    >>> x.asnumpy()
    array([[0., 1.],
           [1., 0.]], dtype=float32)
    """
    if not lhs.shape[-1]:
        return lhs.clone()
    whole = positions(rhs, lhs.shape[-1], "clip", "fill_element_0index")
    return lhs.scatter(-1, whole.unsqueeze(-1), mhs.to(lhs.dtype).unsqueeze(-1))


@op(
    nd="one_hot",
    npx="one_hot",
    nd_method="one_hot",
    graph=Graph(own_dtypes=("indices",)),
    precision=EITHER,
)
@explained("an array of indices and a depth. Write one_hot(indices, 10)")
def one_hot(
    indices: Tensor,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: DTypeLike | None = "float32",
) -> Tensor:
    """Return a row for each index, with one value at its position and another elsewhere.

    Parameters
    ----------
    indices : Tensor, any shape
        Positions; one outside gives a row without the first value.
    depth : int
        Length of the rows.
    on_value, off_value : float, default 1 and 0
        The values.
    dtype : str, type or dtype, default float32
        Type of the elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.one_hot(mx.nd.array([1, 0]), 3).asnumpy()
    array([[0., 1., 0.],
           [1., 0., 0.]], dtype=float32)
    """
    each = _numbers if depth <= _FEW and runs_once(indices) else torch.arange
    hot = _whole(indices).unsqueeze(-1) == each(depth, device=indices.device)
    if on_value == 1 and off_value == 0:
        return hot.to(dtype=torch_dtype(dtype or "float32"))
    return torch.where(hot, on_value, off_value).to(torch_dtype(dtype or "float32"))


@functools.lru_cache(maxsize=64)
def _numbers(depth: int, device: torch.device) -> Tensor:
    """Return 0, 1, 2, ..., kept for the next call."""
    return torch.arange(depth, device=device)


def _key(indices: Tensor, shape: Sequence[int]) -> tuple[Tensor, ...]:
    parts = _whole(indices).unbind(0)
    return tuple(
        within(part, length, axis, counts_back=True)
        for axis, (part, length) in enumerate(zip(parts, shape, strict=False))
    )


@op(nd="gather_nd", npx="gather_nd", graph=Graph(own_dtypes=("indices",)), precision=EITHER)
@explained("indices of shape (axes, *), with at most as many axes as the data. Stack them")
def gather_nd(data: Tensor, indices: Tensor) -> Tensor:
    """Return the elements, or parts, at the given positions of several axes.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    indices : Tensor, shape (axes, *)
        For each of the first axes, the positions; negative ones count from the end.

    Raises
    ------
    InvalidIndexError
        A position is outside of the array.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 2], [3, 4]])
    >>> mx.nd.gather_nd(x, mx.nd.array([[0, 1], [1, 0]])).asnumpy()
    array([2., 3.], dtype=float32)
    """
    try:
        return data[_key(indices, data.shape)]
    except IndexError as error:
        if "out of bounds" not in str(error):
            raise
        msg = (
            f"gather_nd: indices of an {describe(data)} were given ({error}). Expected positions "
            f"inside of the axes. Clip them, or make the data larger."
        )
        raise InvalidIndexError(msg) from error


@op(nd="scatter_nd", graph=Graph(own_dtypes=("indices",)), precision=EITHER)
@explained("indices of shape (axes, *) within the shape. Check both")
def scatter_nd(data: Tensor, indices: Tensor, shape: int | Sequence[int]) -> Tensor:
    """Return zeros with the data at the given positions.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    indices : Tensor, shape (axes, *)
        For each axis of the result, the positions.
    shape : tuple of int
        Shape of the result.

    Examples
    --------
    >>> import gluonish as mx
    >>> where = mx.nd.array([[0, 1], [1, 0]])
    >>> mx.nd.scatter_nd(mx.nd.array([5, 6]), where, shape=(2, 2)).asnumpy()
    array([[0., 5.],
           [6., 0.]], dtype=float32)
    """
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    if data.shape[: indices.ndim - 1] != indices.shape[1:]:
        msg = f"{tuple(indices.shape[1:])} positions for data of shape {tuple(data.shape)}"
        raise ValueError(msg)
    return data.new_zeros(lengths).index_put(_key(indices, lengths), data)


@op(
    nd="where",
    shapes=shape_rules.branches,
    reverse=shape_rules.branches,
    graph=Graph(own_dtypes=("condition",)),
    precision=WIDEST,
    sparse=Sparse(names=("where",)),
)
def where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Return elements of `x` where the condition is not 0, else of `y`.

    Parameters
    ----------
    condition : Tensor, shape of x, or (batch,)
        Numbers; a vector chooses whole rows.
    x, y : Tensor, shape (batch, *)
        The elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, y = mx.nd.array([1, 2]), mx.nd.array([3, 4])
    >>> mx.nd.where(mx.nd.array([1, 0]), x, y).asnumpy()
    array([1., 4.], dtype=float32)
    """
    chosen = condition if condition.dtype is torch.bool else condition.bool()
    try:
        if isinstance(x, Tensor) and isinstance(y, Tensor):
            rows = chosen.ndim == 1 and chosen.shape[:1] == x.shape[:1]
            if x.shape != y.shape or not (rows or chosen.shape == x.shape):
                msg = "shapes that torch would broadcast"
                raise RuntimeError(msg)  # noqa: TRY301 - told below
        if chosen.ndim == 1 and isinstance(x, Tensor) and x.ndim > 1:
            chosen = chosen.reshape(-1, *(1,) * (x.ndim - 1))
        return torch.where(chosen, x, y)
    except RuntimeError as error:
        shapes = ", ".join(str(tuple(getattr(part, "shape", ()))) for part in (condition, x, y))
        msg = (
            f"where: condition, x and y of shape {shapes} were given. Expected equal shapes, or "
            f"a vector as the condition that chooses rows. Reshape the condition."
        )
        raise ShapeError(msg) from error


@op(nd="contrib.boolean_mask", graph=Graph(own_dtypes=("index",)), precision=EITHER)
@explained("one number for each position of the axis. Check the mask's length")
def boolean_mask(data: Tensor, index: Tensor, axis: int = 0) -> Tensor:
    """Return the parts along an axis where the mask is not 0.

    Parameters
    ----------
    data : Tensor, any shape
        The elements.
    index : Tensor, shape (length of the axis,)
        The mask.
    axis : int, default 0
        The axis.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, mask = mx.nd.array([1, 2, 3]), mx.nd.array([1, 0, 1])
    >>> mx.nd.contrib.boolean_mask(x, mask).asnumpy()
    array([1., 3.], dtype=float32)
    """
    if index.shape != (data.shape[axis],):
        msg = "the mask's length differs"
        raise RuntimeError(msg)
    return torch.index_select(data, axis, index.nonzero().squeeze(-1))


@op(nd="contrib.index_copy", graph=Graph(own_dtypes=("index_vector",)), precision=EITHER)
@explained("as many new rows as indices. Check the shapes")
def index_copy(old_tensor: Tensor, index_vector: Tensor, new_tensor: Tensor) -> Tensor:
    """Return a copy of an array with some rows replaced.

    Parameters
    ----------
    old_tensor : Tensor, shape (length, *)
        The rows.
    index_vector : Tensor, shape (count,)
        Positions of the rows to replace.
    new_tensor : Tensor, shape (count, *)
        New rows.

    Examples
    --------
    >>> import gluonish as mx
    >>> old, new = mx.nd.zeros((3,)), mx.nd.array([5, 6])
    >>> mx.nd.contrib.index_copy(old, mx.nd.array([2, 0], dtype='int64'), new).asnumpy()
    array([6., 0., 5.], dtype=float32)
    """
    rows = within(_whole(index_vector), len(old_tensor))
    return old_tensor.index_copy(0, rows, new_tensor)


@op(nd="contrib.index_array", graph=Graph(names_input=True), precision=EITHER)
@explained("axes of the array. Count from 0, or from the end with -1")
def index_array(data: Tensor, axes: int | Sequence[int] | None = None) -> Tensor:
    """Return for each element its position, as int64.

    Parameters
    ----------
    data : Tensor, any shape
        Gives the shape.
    axes : tuple of int, optional
        Axes whose positions are given; all by default.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.index_array(mx.nd.zeros((2, 1))).asnumpy().tolist()
    [[[0, 0]], [[1, 0]]]
    """
    chosen = range(data.ndim) if axes is None else (axes,) if isinstance(axes, int) else axes
    parts = []
    for axis in chosen:
        place = axis % data.ndim  # MXNet counts round and round
        line = torch.arange(data.shape[place], device=data.device)
        shape = [1] * data.ndim
        shape[place] = -1
        parts.append(line.reshape(shape).expand(data.shape))
    if not parts:
        return torch.empty((*data.shape, 0), dtype=torch.int64, device=data.device)
    return torch.stack(parts, -1)
