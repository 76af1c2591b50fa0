"""Sorting, the largest elements, and flat positions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import EITHER, FULL, Graph, op
from gluonish.ops.table.explain import explained
from gluonish.process.replay_marks import runs_once

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from gluonish.array.dtypes import DTypeLike

_AXIS = "an axis of the array. Count from 0, from the end with -1, or write None for all elements"
_FEW = 64  # elements that are sorted whole, so that of equal ones the first come first
_KINDS = ("value", "indices", "mask", "both")


@op(
    nd="sort",
    nd_method="sort",
    output_names=("output0",),
    graph=Graph(outputs=2),
    precision=EITHER,
)
@explained(_AXIS)
def sort(data: Tensor, axis: int | None = -1, is_ascend: bool = True) -> Tensor:
    """Return the elements in order along an axis.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    axis : int, default -1
        The axis; None means all elements as one row.
    is_ascend : bool, default True
        Whether the smallest come first.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sort(mx.nd.array([3, 1, 2])).asnumpy()
    array([1., 2., 3.], dtype=float32)
    """
    if axis is None:
        data, axis = data.reshape(-1), 0
    return torch.sort(data, dim=axis, descending=not is_ascend, stable=True)[0]


@op(nd="argsort", nd_method="argsort", precision=FULL)
@explained(_AXIS)
def argsort(
    data: Tensor,
    axis: int | None = -1,
    is_ascend: bool = True,
    dtype: DTypeLike | None = "float32",
) -> Tensor:
    """Return the positions that put the elements in order along an axis.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    axis : int, default -1
        The axis; None means all elements as one row.
    is_ascend : bool, default True
        Whether the smallest come first.
    dtype : str, type or dtype, default float32
        Type of the positions.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.argsort(mx.nd.array([3, 1, 2]), dtype='int32').asnumpy()
    array([1, 2, 0], dtype=int32)
    """
    if axis is None:
        data, axis = data.reshape(-1), 0
    order = torch.sort(data, dim=axis, descending=not is_ascend, stable=True)[1]
    return order.to(dtype=torch_dtype(dtype or "float32"))


def _topk_outputs(given: Mapping[str, Any]) -> int:
    return 2 if given["ret_typ"] == "both" else 1


def _topk_counted(given: Mapping[str, Any]) -> int:
    return 2 if given["ret_typ"] in ("both", "value") else 1


def _topk_names(given: Mapping[str, Any]) -> tuple[str, ...]:
    return ("output0", "output1")[: _topk_outputs(given)] if _topk_counted(given) > 1 else ()


@op(
    nd="topk",
    npx="topk",
    method="topk",
    outputs=_topk_outputs,
    output_names=_topk_names,
    graph=Graph(outputs=_topk_counted),
    precision=FULL,
    choices={"ret_typ": ("both", "indices", "mask", "value")},
)
@explained(_AXIS)
def topk(
    data: Tensor,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: str = "indices",
    is_ascend: bool = False,
    dtype: DTypeLike | None = "float32",
) -> Tensor | list[Tensor]:
    """Return the largest elements along an axis, or their positions.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    axis : int, default -1
        The axis; None means all elements as one row.
    k : int, default 1
        How many; below 1 means all.
    ret_typ : {'indices', 'value', 'both', 'mask'}, default 'indices'
        Positions, elements, the list of elements and positions, or 1 at their places and 0
        elsewhere.
    is_ascend : bool, default False
        Whether to return the smallest instead.
    dtype : str, type or dtype, default float32
        Type of the positions.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.topk(mx.nd.array([3, 1, 2]), k=2, ret_typ='value').asnumpy()
    array([3., 2.], dtype=float32)
    """
    if ret_typ not in _KINDS:
        msg = (
            f"topk: ret_typ={ret_typ!r} was given. Expected one of {', '.join(map(repr, _KINDS))}. "
            f"Write ret_typ='value' for the elements."
        )
        raise InvalidArgumentError(msg)
    source = data
    if axis is None:
        source, axis = data.reshape(-1), 0
    length = source.shape[axis]
    if k > length:
        msg = (
            f"topk: k={k} was given for an array of shape {tuple(data.shape)}. Expected at most "
            f"{length}, the length of the axis. Choose a smaller k, or another axis."
        )
        raise InvalidArgumentError(msg)
    count = k if k > 0 else length
    if ret_typ == "value" and count < length and _is_order_free(source):
        return torch.topk(source, count, axis, not is_ascend)[0]
    values, found = _ordered(source, axis, count, is_ascend)
    is_more = count < length and length <= _FEW
    if ret_typ == "value":
        return values.narrow(axis, 0, count) if is_more else values
    if is_more:
        found = found.narrow(axis, 0, count)
    if ret_typ == "mask":
        mask = torch.zeros_like(source).scatter(axis, found, 1)
        return mask.reshape(data.shape)
    indices = found.float() if dtype == "float32" else found.to(torch_dtype(dtype or "float32"))
    if ret_typ == "indices":
        return indices
    return [values.narrow(axis, 0, count) if is_more else values, indices]


def _is_order_free(data: Tensor) -> bool:
    """Return whether it can't be seen which ones of equal elements are chosen."""
    return data.is_floating_point() and not data.requires_grad and runs_once(data)


def _ordered(data: Tensor, axis: int, k: int, is_ascend: bool) -> tuple[Tensor, Tensor]:
    """Return elements in order and where they were: the first `k`, or all."""
    length = data.shape[axis]
    if k == 1 and (length > _FEW or not is_ascend):  # NaN comes first as the largest
        values, found = (torch.min if is_ascend else torch.max)(data, axis, keepdim=True)
    elif k < length and length > _FEW:
        values, found = torch.topk(data, k, axis, largest=not is_ascend)
    else:
        values, found = data.sort(dim=axis, descending=not is_ascend, stable=True)
    return values, found


@op(
    nd=("_internal._unravel_index", "unravel_index"),
    graph=Graph(names_input=True),
    precision=EITHER,
)
def unravel_index(data: Tensor, shape: int | Sequence[int]) -> Tensor:
    """Return the positions along each axis for flat positions.

    Parameters
    ----------
    data : Tensor, any shape
        Flat positions.
    shape : tuple of int
        The shape they count in.

    Returns
    -------
    Tensor, shape (axes, *data.shape)
        One part for each axis.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.unravel_index(mx.nd.array([5, 1]), shape=(2, 3)).asnumpy()
    array([[1., 0.],
           [2., 1.]], dtype=float32)
    """
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    rest = data.to(torch.int64)
    parts: list[Tensor] = []
    for length in reversed(lengths):
        parts.append(rest if len(parts) == len(lengths) - 1 else rest % length)
        rest = rest.div(length, rounding_mode="floor")
    return torch.stack(parts[::-1]).to(data.dtype)


@op(
    nd=("_internal._ravel_multi_index", "ravel_multi_index"),
    graph=Graph(names_input=True),
    precision=EITHER,
)
@explained("one row of positions for each axis of the shape. Stack them along axis 0")
def ravel_multi_index(data: Tensor, shape: int | Sequence[int]) -> Tensor:
    """Return flat positions for positions along each axis.

    Parameters
    ----------
    data : Tensor, shape (axes, *)
        Positions along each axis.
    shape : tuple of int
        The shape they count in.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.ravel_multi_index(mx.nd.array([[1, 0], [2, 1]]), shape=(2, 3)).asnumpy()
    array([5., 1.], dtype=float32)
    """
    shape = (shape,) if isinstance(shape, int) else shape
    if data.shape[0] != len(shape):
        msg = "the number of axes differs"
        raise RuntimeError(msg)
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    factors = torch.tensor(strides, device=data.device).reshape(-1, *(1,) * (data.ndim - 1))
    return (data.to(torch.int64) * factors).sum(0).to(data.dtype)
