"""NumPy's statistics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.arrays.reduction import names_none
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import Axis, Out, as_tensor, axes, dtype_or, into, one_axis
from gluonish.ops.np.reduction import mean, prod, sum_method, summed_in
from gluonish.ops.table import Graph, both, op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array.dtypes import DTypeLike

_SPREAD = "axis=None keepdims=False ddof=0"


def _spread(
    where: str,
    a: Tensor,
    axis: Axis,
    dtype: DTypeLike | None,
    ddof: float,
    keepdims: bool,
) -> Tensor:
    """Return the variance or, for `np.std`, the deviation."""
    if a.dtype is torch.bool:
        a = a.to(torch.float32)
    kept = dtype_or(dtype, None) or a.dtype
    if not (a.is_floating_point() and kept.is_floating_point):
        return _spread_of_integers(where, a, axis, kept, ddof, keepdims)
    a = a.to(kept)
    along = axes(where, axis, a)
    count = 1
    for each in along:
        count *= a.shape[each]
    if not along or count <= ddof:  # torch warns where it divides by 0
        centered = a - a.mean(along, keepdim=True) if along else torch.zeros_like(a)
        variance = centered.square().sum(along, keepdim=keepdims) if along else centered
        variance = variance / _divisor(count, ddof)
        result = variance.sqrt() if where == "np.std" else variance
    elif where == "np.std":
        result = torch.std(a, along, correction=ddof, keepdim=keepdims)
    else:
        result = torch.var(a, along, correction=ddof, keepdim=keepdims)
    return result


def _divisor(count: int, ddof: float) -> float:
    """Return what sums of squares are divided by; MXNet counts without sign."""
    return count - ddof if count >= ddof else 2.0**64 + count - ddof


def _spread_of_integers(
    where: str, a: Tensor, axis: Axis, dtype: torch.dtype, ddof: float, keepdims: bool
) -> Tensor:
    """Return the spread where MXNet counts in integers: it squares in the array's own dtype."""
    along = axes(where, axis, a)
    if not along:
        return torch.zeros_like(a, dtype=dtype)
    center = mean(a, along, a.dtype, keepdims=True)
    total = (a - center).square().sum(along, keepdims, dtype=summed_in(a))
    count = math.prod(a.shape[each] for each in along)
    variance = total.to(dtype) / _divisor(count, ddof)
    return (variance.sqrt() if where == "np.std" else variance).to(dtype)


@op(np="std", output_names=("std",), np_method="std", graph=both("std", _SPREAD, outputs=2))
def std(
    a: Tensor,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    ddof: float = 0,
    keepdims: bool = False,
) -> Tensor:
    """Return the standard deviation of the elements, of all or along axes.

    Parameters
    ----------
    a : ndarray
        The elements. As in MXNet, integers have an integer deviation: pass dtype, or floats.
    axis : int or tuple of int, optional
        Along which axes; by default all.
    dtype : str, type or dtype, optional
        Dtype to compute in.
    out : ndarray, optional
        Where to put the result.
    ddof : float, default 0
        What is taken off the count of elements before the division by it.
    keepdims : bool, default False
        Whether the axes stay, with length 1.

    Examples
    --------
    >>> from gluonish import np
    >>> np.std(np.array([1, 3]))
    array(1.)
    """
    result = _spread("np.std", a, axis, dtype, ddof, keepdims)
    return result if out is None else into(out, result)


@op(np="var", output_names=("var",), np_method="var", graph=both("var", _SPREAD, outputs=2))
def var(
    a: Tensor,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    ddof: float = 0,
    keepdims: bool = False,
) -> Tensor:
    """Return the variance of the elements, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.var(np.array([1, 3]), ddof=1)
    array(2.)
    """
    result = _spread("np.var", a, axis, dtype, ddof, keepdims)
    return result if out is None else into(out, result)


@op(np="average", outputs=0, recorded=recorded.average, graph=Graph(outputs=2))
def average(
    a: Tensor,
    axis: Axis = None,
    weights: Tensor | None = None,
    returned: bool = False,
    out: Out = None,
) -> Tensor | list[Tensor]:
    """Return the mean, with weights where some are given.

    Parameters
    ----------
    a : ndarray
        The elements.
    axis : int or tuple of int, optional
        Along which axes; by default all.
    weights : ndarray, optional
        Weight of each element, or of each position on the axis.
    returned : bool, default False
        Whether to return the sum of the weights too.
    out : ndarray, optional
        Where to put the mean.

    Examples
    --------
    >>> from gluonish import np
    >>> np.average(np.array([1, 3]), weights=np.array([3, 1]))
    array(1.5)
    """
    a = as_tensor(a)
    if weights is None:
        result = mean(a, axis)
        count = torch.tensor(a.numel() / max(result.numel(), 1), device=a.device).to(a.dtype)
        if not a.numel():
            result = torch.full_like(result, math.nan)
        result = result.to(a.dtype)
        return [result, count] if returned else into(out, result)
    weights = as_tensor(weights, a)
    if weights.shape != a.shape:
        if axis is None or not isinstance(axis, int) or weights.ndim != 1:
            raise _weights_error(a, weights, axis)
        along = one_axis("np.average", axis, a)
        if len(weights) != a.shape[along]:
            raise _weights_error(a, weights, axis)
        spread = weights.reshape([-1 if each == along else 1 for each in range(a.ndim)])
        total = weights.sum()
    else:
        spread, total = weights, sum_method(weights, axis)
    result = sum_method(a * spread, axis) / total
    if not (a.is_floating_point() or weights.is_floating_point()):
        result = result.to(total.dtype)
    return [result, total] if returned else into(out, result)


def _weights_error(a: Tensor, weights: Tensor, axis: Axis) -> ShapeError:
    msg = (
        f"np.average: weights of shape {tuple(weights.shape)} were given for an array of shape "
        f"{tuple(a.shape)}, axis {axis!r}. Expected the array's shape, or a vector as long as "
        f"the one axis that is named. Reshape the weights."
    )
    return ShapeError(msg)


_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(
    where: str, a: Tensor, q: Tensor | float, axis: Axis, interpolation: str, keepdims: bool
) -> Tensor:
    a = as_tensor(a)
    if interpolation not in _METHODS:
        msg = (
            f"{where}: interpolation={interpolation!r} was given. Expected one of "
            f"{', '.join(_METHODS)}. Leave it out for 'linear'."
        )
        raise InvalidArgumentError(msg)
    if a.dtype is not torch.float64:
        a = a.to(torch.float32)
    lengths: list[int] = []
    shares = [float(q)] if not isinstance(q, Tensor) else []
    if isinstance(q, Tensor):
        lengths = list(q.shape)
        shares = [] if q.is_meta else q.reshape(-1).tolist()
    if any(not 0 <= share <= 1 for share in shares):
        msg = (
            f"{where}: a share outside of the elements was given. Expected "
            f"{'0 to 100' if where == 'np.percentile' else '0 to 1'}. Check q."
        )
        raise InvalidArgumentError(msg)
    along = axes(where, axis, a)
    rest = [each for each in range(a.ndim) if each not in along]
    remaining = [a.shape[each] for each in rest]
    length = math.prod(a.shape[each] for each in along)
    if not math.prod(remaining) or not shares:  # an outline has none
        result = a.new_empty([math.prod(lengths), *remaining])
    elif not length:
        msg = f"{where}: an array of shape {tuple(a.shape)} was given. Expected elements."
        raise InvalidArgumentError(msg + " Check x.size first.")
    else:
        values = a.permute(*rest, *along).reshape([*remaining, length]).sort(-1)[0]
        last = values[..., -1]  # which is no number where any of them is none
        found = [_between(values, share, interpolation) for share in shares]
        result = torch.stack([torch.where(last.isnan(), last, one) for one in found])
    if keepdims:
        remaining = [1 if each in along else length for each, length in enumerate(a.shape)]
    return result.reshape([*lengths, *remaining])


def _between(values: Tensor, share: float, method: str) -> Tensor:
    """Return what lies at a share of the way through sorted values."""
    place = share * (values.shape[-1] - 1)
    lower = int(place)
    upper = min(lower + (place > lower), values.shape[-1] - 1)
    if method == "nearest":
        return values[..., int(place + 0.5)]  # halves go up, as in MXNet
    if method == "lower":
        return values[..., lower]
    if method == "higher":
        return values[..., upper]
    part = 0.5 if method == "midpoint" else place - lower
    if lower == upper or not part:
        return values[..., lower]
    return values[..., lower] * (1 - part) + values[..., upper] * part  # which keeps infinity


@op(np="quantile", recorded=recorded.quantile)
def quantile(
    a: Tensor,
    q: Tensor | float | Sequence[float],
    axis: Axis = None,
    out: Out = None,
    overwrite_input: bool | None = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> Tensor:
    """Return the value below which a share of the elements lies.

    Parameters
    ----------
    a : ndarray
        The elements.
    q : float or ndarray
        Shares, from 0 to 1.
    axis : int or tuple of int, optional
        Along which axes; by default all.
    out : ndarray, optional
        Where to put the result.
    overwrite_input : bool, optional
        Leave to use the memory of `a`; it is never used.
    interpolation : {'linear', 'lower', 'higher', 'midpoint', 'nearest'}, default 'linear'
        What to return between two elements.
    keepdims : bool, default False
        Whether the axes stay, with length 1.

    Examples
    --------
    >>> from gluonish import np
    >>> np.quantile(np.array([1, 2, 3, 4]), 0.5)
    array(2.5)
    """
    _may_overwrite(overwrite_input)
    share = q if isinstance(q, (int, float)) else as_tensor(q)
    return into(out, _quantile("np.quantile", a, share, axis, interpolation, keepdims))


@op(np="percentile", recorded=recorded.percentile)
def percentile(
    a: Tensor,
    q: Tensor | float | Sequence[float],
    axis: Axis = None,
    out: Out = None,
    overwrite_input: bool | None = None,
    interpolation: str = "linear",
    keepdims: bool = False,
) -> Tensor:
    """Return the value below which a percentage of the elements lies; else as `quantile`.

    Examples
    --------
    >>> from gluonish import np
    >>> np.percentile(np.array([1, 2, 3, 4]), 50)
    array(2.5)
    """
    _may_overwrite(overwrite_input)
    share = q / 100 if isinstance(q, (int, float)) else as_tensor(q).to(torch.float64) / 100
    return into(out, _quantile("np.percentile", a, share, axis, interpolation, keepdims))


def _may_overwrite(overwrite_input: bool | None) -> None:
    if overwrite_input not in (None, True, False):
        msg = f"overwrite_input={overwrite_input!r} was given. Expected True, False or None."
        raise InvalidArgumentError(msg + " Leave it out.")


@op(np="median")
def median(
    a: Tensor,
    axis: Axis = None,
    out: Out = None,
    overwrite_input: bool | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the value in the middle of the elements.

    Examples
    --------
    >>> from gluonish import np
    >>> np.median(np.array([1, 5, 3]))
    array(3.)
    """
    _may_overwrite(overwrite_input)
    return into(out, _quantile("np.median", a, 0.5, axis, "linear", keepdims))


@op(np="ptp")
def ptp(a: Tensor, axis: Axis = None, out: Out = None, keepdims: bool = False) -> Tensor:
    """Return the distance of the largest element from the smallest.

    Examples
    --------
    >>> from gluonish import np
    >>> np.ptp(np.array([1, 5, 3]))
    array(4.)
    """
    if names_none(axis):
        return into(out, torch.zeros_like(a))
    along = axes("np.ptp", axis, a)
    return into(out, a.amax(along, keepdims) - a.amin(along, keepdims))


def _ignoring_nan(a: Tensor, value: float) -> Tensor:
    a = as_tensor(a)
    return torch.where(a.isnan(), value, a) if a.is_floating_point() else a


@op(np="nansum")
def nansum(
    a: Tensor,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the sum of the elements that are numbers.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nansum(np.array([1, np.nan, 3]))
    array(4.)
    """
    return sum_method(_ignoring_nan(a, 0), axis, dtype, out, keepdims)


@op(np="nanmean")
def nanmean(
    a: Tensor,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the mean of the elements that are numbers.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nanmean(np.array([1, np.nan, 3]))
    array(2.)
    """
    a = as_tensor(a)
    counted = sum_method(~a.isnan(), axis, keepdims=keepdims)
    return into(out, sum_method(_ignoring_nan(a, 0), axis, dtype, None, keepdims) / counted)


@op(np="nanmax")
def nanmax(a: Tensor, axis: Axis = None, out: Out = None, keepdims: bool = False) -> Tensor:
    """Return the largest of the elements that are numbers.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nanmax(np.array([1, np.nan, 3]))
    array(3.)
    """
    if names_none(axis):
        return into(out, a.clone())
    found = _ignoring_nan(a, -torch.inf).amax(axes("np.nanmax", axis, a), keepdims)
    return into(out, found)


@op(np="nanmin")
def nanmin(a: Tensor, axis: Axis = None, out: Out = None, keepdims: bool = False) -> Tensor:
    """Return the smallest of the elements that are numbers.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nanmin(np.array([1, np.nan, 3]))
    array(1.)
    """
    if names_none(axis):
        return into(out, a.clone())
    found = _ignoring_nan(a, torch.inf).amin(axes("np.nanmin", axis, a), keepdims)
    return into(out, found)


@op(np="nanprod")
def nanprod(
    a: Tensor,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the product of the elements that are numbers.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nanprod(np.array([2, np.nan, 3]))
    array(6.)
    """
    if dtype is None and not as_tensor(a).is_floating_point():
        dtype = "int64"  # as NumPy, which MXNet asks here
    factors = _ignoring_nan(a, 1)
    target = dtype_or(dtype, factors.dtype)  # which NumPy converts to before it multiplies
    return prod(factors.to(target), axis, dtype, out, keepdims)
