"""New arrays of `nd`: zeros, ones, ranges, identity matrices, and such of the shape of others."""

from __future__ import annotations

import math
import operator
import warnings
from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import number_in, torch_dtype
from gluonish.errors import DTypeError, InvalidArgumentError, ShapeError, SparseStorageError
from gluonish.errors.tracebacks import users_level
from gluonish.ops.table import EITHER, Graph, Sparse, op
from gluonish.ops.table.inference import elementwise, when

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from gluonish.array.dtypes import DTypeLike
    from gluonish.context import Context

ShapeLike: TypeAlias = "int | Sequence[int]"


def as_shape(shape: ShapeLike | Iterable[int], name: str) -> tuple[int, ...]:
    """Return a shape as a tuple of lengths.

    Raises
    ------
    DTypeError
        It is neither an integer nor a sequence of integers.
    ShapeError
        A length is negative.
    """
    if type(shape) is tuple:
        for length in shape:
            if type(length) is not int or length < 0:
                break
        else:
            return shape
    try:
        if isinstance(shape, (int, onp.integer)):
            lengths: tuple[int, ...] = (operator.index(shape),)
        else:
            lengths = tuple(operator.index(length) for length in shape)
    except TypeError as error:
        msg = (
            f"{name}: shape={shape!r} was given. Expected an integer or a tuple of integers. "
            f"Write {name}((2, 3))."
        )
        raise DTypeError(msg) from error
    if any(length < 0 for length in lengths):
        msg = (
            f"{name}: shape={lengths} was given. Expected lengths of 0 or more. Write the length "
            f"of each axis; only reshape infers them."
        )
        raise ShapeError(msg)
    return lengths


def _dtype(dtype: DTypeLike | None) -> torch.dtype:
    return torch.float32 if dtype is None else torch_dtype(dtype)


def _check_dense(stype: str | None, name: str) -> None:
    if stype not in (None, "default"):
        msg = (
            f"{name}: stype={stype!r} was given. Expected 'default' in a graph, which computes "
            f"with dense arrays. Leave stype out."
        )
        raise SparseStorageError(msg)


_BYTES = 256  # numbers that a dtype of one byte has


@op(
    nd=("_internal._zeros", "zeros"),
    defaults={"shape": ()},
    open_shape="shape",
    graph=Graph(written={"nd.zeros": "dtype=float32"}),
    precision=EITHER,
)
def zeros(
    shape: ShapeLike,
    ctx: Context = None,  # type: ignore[assignment]
    dtype: DTypeLike | None = None,
    stype: str | None = None,
) -> Tensor:
    """Return an array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        Length of each axis.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, default float32
        Type of the elements.
    stype : {'default', 'csr', 'row_sparse'}, optional
        Storage type; sparse ones in `mx.nd` only.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.zeros((2,)).asnumpy()
    array([0., 0.], dtype=float32)
    """
    _check_dense(stype, "zeros")
    return torch.zeros(as_shape(shape, "zeros"), dtype=_dtype(dtype), device=ctx.device)


@op(
    nd=("_internal._ones", "ones"),
    defaults={"shape": ()},
    open_shape="shape",
    graph=Graph(written={"nd.ones": "dtype=float32"}),
    precision=EITHER,
)
def ones(
    shape: ShapeLike,
    ctx: Context = None,  # type: ignore[assignment]
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Return an array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        Length of each axis.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, default float32
        Type of the elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.ones((2,)).asnumpy()
    array([1., 1.], dtype=float32)
    """
    return torch.ones(as_shape(shape, "ones"), dtype=_dtype(dtype), device=ctx.device)


def _recorded_full(given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Rule for graphs: the number has another name there."""
    rest = {name: value for name, value in given.items() if name != "val"}
    return "_full", {**rest, "value": float(given["val"])}


@op(
    nd="full",
    arguments=when(),
    recorded=_recorded_full,
    graph=Graph(written={"nd.full": "dtype=float32"}),
)
def full(
    shape: ShapeLike,
    val: float | Tensor,
    ctx: Context = None,  # type: ignore[assignment]
    dtype: DTypeLike | None = "float32",
) -> Tensor:
    """Return an array filled with one number.

    Parameters
    ----------
    shape : int or tuple of int
        Length of each axis.
    val : float or array_like
        The number, or numbers that broadcast to the shape.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, default float32
        Type of the elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.full((2,), 7).asnumpy()
    array([7., 7.], dtype=float32)
    """
    lengths = as_shape(shape, "full")
    if not isinstance(val, (int, float)):
        values = torch.as_tensor(val, dtype=_dtype(dtype), device=ctx.device)
        more = max(values.ndim - len(lengths), 0)
        if set(values.shape[:more]) <= {1}:  # axes of length 1, as where arrays are written to
            values = values.reshape(values.shape[more:])
        return values.expand(lengths).clone()
    return torch.full(
        lengths, number_in(val, _dtype(dtype)), dtype=_dtype(dtype), device=ctx.device
    )


@op(nd="empty")
def empty(
    shape: ShapeLike,
    ctx: Context = None,  # type: ignore[assignment]
    dtype: DTypeLike | None = None,
    stype: str | None = None,
) -> Tensor:
    """Return an array of any values, to be filled.

    Parameters
    ----------
    shape : int or tuple of int
        Length of each axis.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, default float32
        Type of the elements.
    stype : {'default', 'csr', 'row_sparse'}, optional
        Storage type; sparse ones in `mx.nd` only.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.empty((2, 3)).shape
    (2, 3)
    """
    _check_dense(stype, "empty")
    return torch.empty(as_shape(shape, "empty"), dtype=_dtype(dtype), device=ctx.device)


def _recorded_arange(given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Rule for graphs: MXNet's function hands all of its arguments on."""
    return "_arange", {**given, "infer_range": bool(given.get("infer_range"))}


@op(
    nd="arange",
    recorded=_recorded_arange,
    graph=Graph(
        written={"nd.arange": "stop=None step=1.0 repeat=1 infer_range=False dtype=float32"}
    ),
    precision=EITHER,
)
def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool | None = None,
    ctx: Context = None,  # type: ignore[assignment]
    dtype: DTypeLike | None = "float32",
) -> Tensor:
    """Return evenly spaced numbers from `start` to just below `stop`.

    Parameters
    ----------
    start : float
        First number; the end where `stop` is left out.
    stop : float, optional
        End, not included.
    step : float, default 1.0
        Distance.
    repeat : int, default 1
        How often each number comes.
    infer_range : bool, optional
        Deprecated in MXNet for arrays, which warns and goes on; so does gluonish. In a graph: how
        many numbers there are is told by what they are used for, and they count from `start`.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, default float32
        Type of the elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.arange(1, 3, repeat=2).asnumpy()
    array([1., 1., 2., 2.], dtype=float32)
    """
    if infer_range is not None:
        warnings.warn(
            "arange: infer_range is deprecated and has no effect. Leave it out.",
            DeprecationWarning,
            stacklevel=users_level(),
        )
    if stop is None:
        start, stop = 0, start
    if step == 0 or (stop - start) / step < 0:
        msg = (
            f"arange: start={start}, stop={stop}, step={step} was given. Expected a step that "
            f"leads from start to stop. Change its sign, or give start and stop the other way."
        )
        raise InvalidArgumentError(msg)
    kind = _dtype(dtype)
    if not kind.is_floating_point:  # MXNet counts with the numbers, and computes with integers
        count = math.ceil((stop - start) / step)
        known = min(count, _BYTES) if kind.itemsize == 1 else count
        places = torch.arange(known, device=ctx.device)
        numbers = (int(start) + places * int(step)).to(kind)
        if known < count:  # bytes come again
            numbers = numbers.repeat(-(-count // known))[:count]
    elif step == 1 and float(start).is_integer():
        numbers = torch.arange(start, stop, dtype=kind, device=ctx.device)
    else:  # in the dtype, as MXNet: 80 steps of 0.1 from -8 end at 0; torch rounds at the end
        exact = kind if kind in (torch.float32, torch.float64) else torch.float64
        places = torch.arange(math.ceil((stop - start) / step), dtype=exact, device=ctx.device)
        by, first = (getattr(each, "item", lambda each=each: each)() for each in (step, start))
        numbers = (places * by + first).to(kind)
    return numbers if repeat == 1 else numbers.repeat_interleave(repeat)


@op(
    nd=("_internal._linspace", "linspace"),
    attributes={"step": "", "repeat": "", "infer_range": ""},
    graph=Graph(written={"nd.linspace": "endpoint=True dtype=float32"}),
    precision=EITHER,
)
def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    ctx: Context = None,  # type: ignore[assignment]
    dtype: DTypeLike | None = "float32",
) -> Tensor:
    """Return `num` evenly spaced numbers from `start` to `stop`.

    Parameters
    ----------
    start, stop : float
        First and last number.
    num : int
        How many numbers.
    endpoint : bool, default True
        Whether `stop` is the last one; else it would be the next.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, default float32
        Type of the elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linspace(0, 1, 5).asnumpy()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
    count = operator.index(num)
    gaps = count - 1 if endpoint else count
    step = (stop - start) / gaps if gaps > 0 else math.nan
    position = torch.arange(count, dtype=torch.float64, device=ctx.device)
    numbers = start + step * position if gaps > 0 else torch.full_like(position, start)
    return numbers.to(_dtype(dtype))


@op(
    nd=("_internal._eye", "eye"),
    graph=Graph(written={"nd.eye": "M=0 k=0 dtype=float32"}),
    precision=EITHER,
)
def eye(
    N: int,  # noqa: N803 - MXNet's name
    M: int = 0,  # noqa: N803
    k: int = 0,
    ctx: Context = None,  # type: ignore[assignment]
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Return a matrix with ones on a diagonal, else zeros.

    Parameters
    ----------
    N : int
        Number of rows.
    M : int, default 0
        Number of columns; 0, and what is below, stands for N.
    k : int, default 0
        Diagonal: 0 is the main one, positive ones are above it.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, default float32
        Type of the elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.eye(2).asnumpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    rows, columns = as_shape((N, M if M > 0 else N), "eye")
    matrix = torch.zeros((rows, columns), dtype=_dtype(dtype), device=ctx.device)
    if -rows < k < columns:
        matrix.diagonal(k).fill_(1)
    return matrix


@op(
    nd="zeros_like",
    nd_method="zeros_like",
    reverse=elementwise,
    precision=EITHER,
    sparse=Sparse("makes zeros", names=("zeros_like",)),
)
def zeros_like(data: Tensor) -> Tensor:
    """Return zeros of the data's shape and dtype.

    Parameters
    ----------
    data : Tensor, any shape
        Gives shape, dtype and context.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.zeros_like(mx.nd.array([1, 2])).asnumpy()
    array([0., 0.], dtype=float32)
    """
    return torch.zeros_like(data)


@op(nd="ones_like", nd_method="ones_like", reverse=elementwise, precision=EITHER)
def ones_like(data: Tensor) -> Tensor:
    """Return ones of the data's shape and dtype.

    Parameters
    ----------
    data : Tensor, any shape
        Gives shape, dtype and context.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.ones_like(mx.nd.array([1, 2])).asnumpy()
    array([1., 1.], dtype=float32)
    """
    return torch.ones_like(data)


@op(nd=("contrib.arange_like",), npx="arange_like")
def arange_like(
    data: Tensor,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: Context | None = None,
    axis: int | None = None,
) -> Tensor:
    """Return evenly spaced numbers of the data's shape, or of the length of one of its axes.

    Parameters
    ----------
    data : Tensor, any shape
        Gives shape, dtype and context.
    start, step : float, default 0 and 1
        First number and distance.
    repeat : int, default 1
        How often each number comes.
    ctx : Context, optional
        Where the result is; by default where the data is.
    axis : int, optional
        Give a vector of this axis' length instead.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.arange_like(mx.nd.zeros((2, 3)), axis=1).asnumpy()
    array([0., 1., 2.], dtype=float32)
    """
    shape = (data.shape[axis],) if axis is not None else tuple(data.shape)
    device = data.device if ctx is None or data.is_meta else ctx.device
    count = 1
    for length in shape:
        count *= length
    position = torch.arange(count, device=device)
    if repeat != 1:
        position = position.div(repeat, rounding_mode="floor")
    if data.dtype is torch.float16 or not data.is_floating_point():  # as MXNet converts numbers
        start, step = int(start), int(step)
    return (start + step * position.to(data.dtype)).to(data.dtype).reshape(shape)
