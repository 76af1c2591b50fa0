"""NumPy's running sums and the positions of extremes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.np.arguments import Out, as_tensor, axis_error, dtype_or, into, one_axis
from gluonish.ops.table import Graph, op, shape_rules

if TYPE_CHECKING:
    from gluonish.array.dtypes import DTypeLike


@op(np="cumsum", file="_np_cumsum", reverse=shape_rules.running, np_method="cumsum")
def cumsum(
    a: Tensor, axis: int | None = None, dtype: DTypeLike | None = None, out: Out = None
) -> Tensor:
    """Return the running sum along an axis, or over all elements in order.

    Examples
    --------
    >>> from gluonish import np
    >>> np.cumsum(np.array([1, 2, 3]))
    array([1., 3., 6.])
    """
    return into(out, _running("np.cumsum", torch.cumsum, a, axis, dtype))


@op(np="cumprod")
def cumprod(
    a: Tensor, axis: int | None = None, dtype: DTypeLike | None = None, out: Out = None
) -> Tensor:
    """Return the running product along an axis, or over all elements in order.

    Examples
    --------
    >>> from gluonish import np
    >>> np.cumprod(np.array([1, 2, 3]))
    array([1., 2., 6.])
    """
    return into(out, _running("np.cumprod", torch.cumprod, a, axis, dtype))


@op(np="nancumsum")
def nancumsum(
    a: Tensor, axis: int | None = None, dtype: DTypeLike | None = None, out: Out = None
) -> Tensor:
    """Return the running sum, with not-a-number counted as 0.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nancumsum(np.array([1, np.nan, 3]))
    array([1., 1., 4.])
    """
    a = as_tensor(a)
    return into(out, _running("np.nancumsum", torch.cumsum, _without_nan(a, 0), axis, dtype))


@op(np="nancumprod")
def nancumprod(
    a: Tensor, axis: int | None = None, dtype: DTypeLike | None = None, out: Out = None
) -> Tensor:
    """Return the running product, with not-a-number counted as 1.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nancumprod(np.array([2, np.nan, 3]))
    array([2., 2., 6.])
    """
    a = as_tensor(a)
    return into(out, _running("np.nancumprod", torch.cumprod, _without_nan(a, 1), axis, dtype))


def _running(
    where: str,
    function: object,
    a: Tensor,
    axis: int | None,
    dtype: DTypeLike | None,
) -> Tensor:
    a = as_tensor(a)
    target = dtype_or(dtype, torch.int64 if a.dtype is torch.bool else a.dtype)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = one_axis(where, axis, a) if a.ndim else 0
    return function(a, axis, dtype=target)  # type: ignore[operator,no-any-return]


def _without_nan(a: Tensor, value: float) -> Tensor:
    return torch.where(a.isnan(), value, a) if a.is_floating_point() else a


@op(
    np="argmax",
    attributes={"keepdims": ""},
    np_method="argmax",
    graph=Graph(
        written={
            "np.argmax": "axis=None keepdims=False",
            "np_method.argmax": "axis=None keepdims=False",
        }
    ),
)
def argmax(a: Tensor, axis: int | None = None, out: Out = None) -> Tensor:
    """Return the position of the first largest element, of all or along an axis, as int64.

    Examples
    --------
    >>> from gluonish import np
    >>> np.argmax(np.array([[1, 5], [7, 4]]), axis=1)
    array([1, 0], dtype=int64)
    """
    result = _position("np.argmax", a, axis, largest=True)
    return result if out is None else into(out, result)


@op(
    np="argmin",
    attributes={"keepdims": ""},
    np_method="argmin",
    graph=Graph(
        written={
            "np.argmin": "axis=None keepdims=False",
            "np_method.argmin": "axis=None keepdims=False",
        }
    ),
)
def argmin(a: Tensor, axis: int | None = None, out: Out = None) -> Tensor:
    """Return the position of the first smallest element, of all or along an axis, as int64.

    Examples
    --------
    >>> from gluonish import np
    >>> np.argmin(np.array([[1, 5], [7, 4]]), axis=1)
    array([0, 1], dtype=int64)
    """
    result = _position("np.argmin", a, axis, largest=False)
    return result if out is None else into(out, result)


def _position(where: str, a: Tensor, axis: int | None, *, largest: bool) -> Tensor:
    if a.dtype is torch.bool:
        a = a.to(torch.uint8)
    try:
        return torch.argmax(a, axis) if largest else torch.argmin(a, axis)
    except (IndexError, RuntimeError) as error:
        if axis is not None:
            one_axis(where, axis, a)
        if a.numel():
            raise axis_error(axis, a, where) from error
        msg = (
            f"{where}: an array of shape {tuple(a.shape)} was given. Expected one element or "
            f"more along the axis. Check x.size first."
        )
        raise InvalidArgumentError(msg) from error


def _kept(found: Tensor, a: Tensor, axis: int | None) -> Tensor:
    return found.reshape([1] * a.ndim) if axis is None else found.unsqueeze(axis)


@op(np="nanargmax")
def nanargmax(
    a: Tensor, axis: int | None = None, out: Out = None, *, keepdims: bool = False
) -> Tensor:
    """Return the position of the largest element that is a number.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nanargmax(np.array([1, np.nan, 3]))
    array(2, dtype=int64)
    """
    a = _without_nan(as_tensor(a), -torch.inf)
    found = _position("np.nanargmax", a, axis, largest=True)
    return into(out, _kept(found, a, axis) if keepdims else found)


@op(np="nanargmin")
def nanargmin(
    a: Tensor, axis: int | None = None, out: Out = None, *, keepdims: bool = False
) -> Tensor:
    """Return the position of the smallest element that is a number.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nanargmin(np.array([1, np.nan, 3]))
    array(0, dtype=int64)
    """
    a = _without_nan(as_tensor(a), torch.inf)
    found = _position("np.nanargmin", a, axis, largest=False)
    return into(out, _kept(found, a, axis) if keepdims else found)
