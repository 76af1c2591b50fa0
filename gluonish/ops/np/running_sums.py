"""NumPy's running sums and products."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.ops.np.arguments import Out, as_tensor, dtype_or, into, one_axis
from gluonish.ops.table import op, shape_rules

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
    return into(out, _running_numbers("np.nancumsum", torch.cumsum, a, 0, axis, dtype))


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
    return into(out, _running_numbers("np.nancumprod", torch.cumprod, a, 1, axis, dtype))


def _running_numbers(
    where: str,
    function: object,
    a: Tensor,
    neutral: float,
    axis: int | None,
    dtype: DTypeLike | None,
) -> Tensor:
    """Return running results in the dtype that NumPy, which MXNet asks for these, gives them."""
    a = as_tensor(a)
    if dtype is None and not a.is_floating_point():
        dtype = "int64"
    return _running(where, function, without_nan(a, neutral), axis, dtype)


def _running(
    where: str,
    function: object,
    a: Tensor,
    axis: int | None,
    dtype: DTypeLike | None,
) -> Tensor:
    a = as_tensor(a)
    target = dtype_or(dtype, None) or (torch.int64 if a.dtype is torch.bool else a.dtype)
    if not target.is_floating_point:
        a = a.detach()
    if axis is None:
        a, axis = a.reshape(-1), 0
    a = a if a.ndim else a.reshape(1)  # as NumPy has it, and MXNet where it asks NumPy
    return function(a, one_axis(where, axis, a), dtype=target)  # type: ignore[operator,no-any-return]


def without_nan(a: Tensor, value: float) -> Tensor:
    """Return numbers with another in the place of each NaN."""
    return torch.where(a.isnan(), value, a) if a.is_floating_point() else a
