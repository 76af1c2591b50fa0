"""NumPy's functions that make arrays out of shapes, numbers and other arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, number_in, torch_dtype
from gluonish.array.guises import plain_number
from gluonish.errors import (
    InvalidArgumentError,
    ShapeError,
    UnsupportedOptionError,
    ZeroStepError,
)
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import Out, Shape, as_shape, as_tensor, device_of, dtype_or, into
from gluonish.ops.table import Graph, Sparse, op

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from gluonish.context import Context
    from gluonish.ops.table.registry import Call

_F32 = torch.float32


def _check_order(where: str, order: str) -> None:
    if order != "C":
        msg = (
            f"{where}: order={order!r} was given. Expected 'C': arrays are stored row by row. "
            f"Leave order out."
        )
        raise UnsupportedOptionError(msg)


@op(
    np="zeros",
    defaults={"shape": ()},
    open_shape="shape",
    graph=Graph(written={"np.zeros": "dtype=float32 ctx=cpu(0)"}, unwritten=("order",)),
)
def zeros(
    shape: Shape, dtype: DTypeLike | None = None, order: str = "C", ctx: Context | None = None
) -> Tensor:
    """Return an array of zeros, float32 by default.

    Examples
    --------
    >>> from gluonish import np
    >>> np.zeros((2, 2))
    array([[0., 0.],
           [0., 0.]])
    """
    _check_order("np.zeros", order)
    return torch.zeros(
        as_shape(shape, "np.zeros"), dtype=dtype_or(dtype, _F32), device=device_of(ctx)
    )


@op(
    np="ones",
    defaults={"shape": ()},
    open_shape="shape",
    graph=Graph(written={"np.ones": "dtype=float32 ctx=cpu(0)"}, unwritten=("order",)),
)
def ones(
    shape: Shape,
    dtype: DTypeLike = onp.float32,
    order: str = "C",
    ctx: Context | None = None,
) -> Tensor:
    """Return an array of ones, float32 by default.

    Examples
    --------
    >>> from gluonish import np
    >>> np.ones(3, dtype='int32')
    array([1, 1, 1], dtype=int32)
    """
    _check_order("np.ones", order)
    return torch.ones(
        as_shape(shape, "np.ones"), dtype=dtype_or(dtype, _F32), device=device_of(ctx)
    )


@op(np="empty")
def empty(
    shape: Shape,
    dtype: DTypeLike = onp.float32,
    order: str = "C",
    ctx: Context | None = None,
) -> Tensor:
    """Return an array whose values are whatever the memory held.

    Examples
    --------
    >>> from gluonish import np
    >>> np.empty((2, 3)).shape
    (2, 3)
    """
    _check_order("np.empty", order)
    return torch.empty(
        as_shape(shape, "np.empty"), dtype=dtype_or(dtype, _F32), device=device_of(ctx)
    )


@op(
    np="full",
    file="_full",
    recorded=recorded.full,
    graph=Graph(written={"np.full": "dtype=float32 ctx=cpu(0)"}),
)
def full(
    shape: Shape,
    fill_value: Tensor | float,
    dtype: DTypeLike | None = None,
    order: str = "C",
    ctx: Context | None = None,
    out: Out = None,
) -> Tensor:
    """Return an array with one value everywhere; float32 unless the value is a boolean.

    Examples
    --------
    >>> from gluonish import np
    >>> np.full((2, 2), 7)
    array([[7., 7.],
           [7., 7.]])
    """
    _check_order("np.full", order)
    if not isinstance(fill_value, Tensor):
        fill_value = plain_number(fill_value)
    device = device_of(ctx)
    if isinstance(fill_value, (int, float)):
        default = torch.bool if isinstance(fill_value, bool) else _F32
        target = default if dtype is None else torch_dtype(dtype)
        lengths = as_shape(shape, "np.full")
        result = torch.full(lengths, number_in(fill_value, target), dtype=target, device=device)
    else:
        lengths = as_shape(shape, "np.full")
        values = as_tensor(fill_value).to(device=device, dtype=dtype_or(dtype, None))
        try:
            result = values.broadcast_to(lengths).contiguous().clone()
        except RuntimeError as error:
            msg = (
                f"np.full: a fill_value of shape {tuple(values.shape)} was given for an array of "
                f"shape {lengths}. Expected a number, or a shape that broadcasts to it. "
                f"Reshape fill_value; np.full(shape, fill_value) takes the shape first."
            )
            raise ShapeError(msg) from error
    return into(out, result)


@op(
    np="zeros_like",
    recorded=recorded.as_other("_npi_full_like", fill_value=0),
    graph=Graph(written={"np.zeros_like": "ctx=cpu(0)"}, unwritten=("order",)),
    sparse=Sparse("makes zeros"),
)
def zeros_like(
    a: Tensor,
    dtype: DTypeLike | None = None,
    order: str = "C",
    ctx: Context | None = None,
    out: Out = None,
) -> Tensor:
    """Return zeros of an array's shape and dtype.

    Examples
    --------
    >>> from gluonish import np
    >>> np.zeros_like(np.ones((2,)))
    array([0., 0.])
    """
    return full_like(a, 0, dtype, order, ctx, out)


@op(
    np="ones_like",
    recorded=recorded.as_other("_npi_full_like", fill_value=1),
    graph=Graph(written={"np.ones_like": "ctx=cpu(0)"}, unwritten=("order",)),
)
def ones_like(
    a: Tensor,
    dtype: DTypeLike | None = None,
    order: str = "C",
    ctx: Context | None = None,
    out: Out = None,
) -> Tensor:
    """Return ones of an array's shape and dtype.

    Examples
    --------
    >>> from gluonish import np
    >>> np.ones_like(np.zeros((2,)))
    array([1., 1.])
    """
    return full_like(a, 1, dtype, order, ctx, out)


@op(np="full_like", graph=Graph(written={"np.full_like": "ctx=cpu(0)"}, unwritten=("order",)))
def full_like(
    a: Tensor,
    fill_value: float,
    dtype: DTypeLike | None = None,
    order: str = "C",
    ctx: Context | None = None,
    out: Out = None,
) -> Tensor:
    """Return one value everywhere, with an array's shape and dtype.

    Examples
    --------
    >>> from gluonish import np
    >>> np.full_like(np.zeros((2,)), 5)
    array([5., 5.])
    """
    _check_order("np.full_like", order)
    like = as_tensor(a)
    target = like.dtype if dtype is None else torch_dtype(dtype)
    fill_value = number_in(fill_value, target)
    return into(out, torch.full_like(like, fill_value, dtype=target, device=device_of(ctx)))


@op(
    np="empty_like",
    file="Custom:empty_like_fallback",
    graph=Graph(
        written={"np.empty_like": "dtype=None order=C shape=None subok=False"}, hint="custom"
    ),
)
def empty_like(
    prototype: Tensor,
    dtype: DTypeLike | None = None,
    order: str = "C",
    subok: bool = False,
    shape: Shape | None = None,
) -> Tensor:
    """Return an array like another, with whatever values the memory held.

    Examples
    --------
    >>> from gluonish import np
    >>> np.empty_like(np.zeros((2, 3))).shape
    (2, 3)
    """
    _check_order("np.empty_like", order)
    if subok:
        msg = "np.empty_like: subok=True was given. Expected False: arrays have no subclasses."
        raise InvalidArgumentError(msg + " Leave subok out.")
    like = as_tensor(prototype)
    target = dtype_or(dtype, like.dtype)
    if shape is None:
        return torch.empty_like(like, dtype=target)
    return torch.empty(as_shape(shape, "np.empty_like"), dtype=target, device=like.device)


@op(
    np="arange",
    attributes={"repeat": "", "infer_range": ""},
    recorded=recorded.arange,
    graph=Graph(written={"np.arange": "step=1 dtype=float32 ctx=cpu(0)"}),
)
def arange(
    start: float,
    stop: float | None = None,
    step: float | None = 1,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Return evenly spaced numbers from `start` up to, not including, `stop`; float32 by default.

    With one argument it counts from 0.

    Examples
    --------
    >>> from gluonish import np
    >>> np.arange(4), np.arange(1, 2, 0.5)
    (array([0., 1., 2., 3.]), array([1. , 1.5]))
    """
    if stop is None:
        start, stop = 0, start
    if step is None:
        step = 1
    if step == 0:
        msg = (
            "np.arange: step=0 was given. Expected a step other than 0. Use np.full for one "
            "value, repeated."
        )
        raise ZeroStepError(msg)
    length = max(0, math.ceil((stop - start) / step))
    target = _F32 if dtype is None else torch_dtype(dtype)
    values = torch.arange(length, dtype=_counting(target), device=device_of(ctx))
    if start == 0 and step == 1:
        return values if values.dtype is target else values.to(target)
    if not target.is_floating_point:  # MXNet counts with the numbers as they are, then cuts them
        start, step = int(start), int(step)
    return values.mul_(step).add_(start).to(target)


def _counting(target: torch.dtype) -> torch.dtype:
    """Return the dtype to count in: floats directly, integers and half floats exactly."""
    return target if target in (torch.float32, torch.float64, torch.int64) else torch.float64


def _linspace_outputs(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: the distance is one more."""
    return 2 if given["retstep"] else 1


def _linspace_recorded(call: Call) -> tuple[str, dict[str, Any]] | None:
    """Rule for what graphs write: the distance only where it is asked for."""
    if call["retstep"]:
        return None
    given = {key: value for key, value in call.items() if key not in ("retstep", "axis")}
    return "_linspace", {"num": call["num"], "endpoint": call["endpoint"], **given}


@op(
    np="linspace",
    file="_linspace",
    outputs=_linspace_outputs,
    recorded=_linspace_recorded,
    graph=Graph(written={"np.linspace": "num=50 endpoint=True ctx=cpu(0)"}, unwritten=("axis",)),
)
def linspace(
    start: float,
    stop: float,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool | int = False,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    ctx: Context | None = None,
) -> Tensor | tuple[Tensor, float]:
    """Return `num` evenly spaced numbers from `start` to `stop`; float32 by default.

    Parameters
    ----------
    start, stop : float
        Ends of the interval.
    num : int, default 50
        How many numbers.
    endpoint : bool, default True
        Whether `stop` is the last of them.
    retstep : bool, default False
        Whether to return the distance of two numbers as well.
    dtype : str, type or dtype, optional
        Dtype of the result; integers are truncated.
    axis : int, default 0
        Where the numbers are laid out; there is one axis.
    ctx : Context, optional
        Where to put the result.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linspace(0, 1, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    _check_spaced("np.linspace", num, axis)
    values, step = _spaced(start, stop, num, endpoint, ctx)
    if endpoint and num > 1:
        values[-1] = stop
    result = values.to(dtype_or(dtype, _F32))
    return (result, step) if retstep else result


def _check_spaced(where: str, num: int, axis: int) -> None:
    if axis not in (0, -1):
        msg = f"{where}: axis={axis} was given. Expected 0. Use np.moveaxis on the result."
        raise InvalidArgumentError(msg)
    if isinstance(num, float) or num < 0:
        msg = (
            f"{where}: num={num} was given. Expected an integer, 0 or more. Pass how many you want."
        )
        raise InvalidArgumentError(msg)


def _spaced(
    start: float, stop: float, num: int, endpoint: bool, ctx: Context | None
) -> tuple[Tensor, float]:
    """Return numbers at equal distances, and the distance."""
    parts = num - 1 if endpoint else num
    step = (stop - start) / parts if parts > 0 else math.nan
    counts = torch.arange(num, dtype=torch.float64, device=device_of(ctx))
    return (counts * step + start if parts > 0 else counts + start), step


@op(
    np="logspace",
    graph=Graph(
        written={"np.logspace": "num=50 endpoint=True base=10.0 ctx=cpu(0)"}, unwritten=("axis",)
    ),
)
def logspace(
    start: float,
    stop: float,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    ctx: Context | None = None,
) -> Tensor:
    """Return numbers whose logarithms are evenly spaced, from base**start to base**stop.

    Examples
    --------
    >>> from gluonish import np
    >>> np.logspace(0, 2, 3)
    array([  1.,  10., 100.])
    """
    _check_spaced("np.logspace", num, axis)
    exponents, _ = _spaced(start, stop, num, endpoint, ctx)  # the last as it comes, too
    return torch.pow(base, exponents).to(dtype_or(dtype, _F32))


@op(np="eye", graph=Graph(written={"np.eye": "M=None k=0 dtype=float32 ctx=cpu(0)"}))
def eye(
    N: int,  # noqa: N803 - NumPy's name
    M: int | None = None,  # noqa: N803
    k: int = 0,
    dtype: DTypeLike | None = onp.float32,
    *,
    ctx: Context | None = None,
) -> Tensor:
    """Return a matrix with ones on one diagonal and zeros elsewhere.

    Examples
    --------
    >>> from gluonish import np
    >>> np.eye(2, 3, k=1)
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    columns = N if M is None else M
    result = torch.zeros(
        as_shape((N, columns), "np.eye"), dtype=dtype_or(dtype, _F32), device=device_of(ctx)
    )
    if -N < k < columns:
        result.diagonal(k).fill_(1)
    return result


@op(
    np="identity",
    recorded=recorded.identity,
    graph=Graph(written={"np.identity": "dtype=float32 ctx=cpu(0)"}),
)
def identity(n: int, dtype: DTypeLike | None = None, ctx: Context | None = None) -> Tensor:
    """Return the identity matrix, float32 by default.

    Examples
    --------
    >>> from gluonish import np
    >>> np.identity(2)
    array([[1., 0.],
           [0., 1.]])
    """
    return torch.eye(
        as_shape(n, "np.identity")[0], dtype=dtype_or(dtype, _F32), device=device_of(ctx)
    )


@op(np="copy", file="_np_copy")
def copy(a: Tensor, out: Out = None) -> Tensor:
    """Return the same values in memory of their own.

    Examples
    --------
    >>> from gluonish import np
    >>> np.copy(np.ones((2,)))
    array([1., 1.])
    """
    return into(out, as_tensor(a).clone())
