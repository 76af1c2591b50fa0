"""NumPy's reductions: sums, products, extremes and truth along axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.arrays.reduction import extreme, names_none
from gluonish.ops.np.arguments import (
    Axis,
    Out,
    as_tensor,
    axes,
    axis_error,
    dtype_or,
    into,
    one_axis,
)
from gluonish.ops.table import Graph, Sparse, both, op

if TYPE_CHECKING:
    from gluonish.array.dtypes import DTypeLike

_AXES = "axis=None keepdims=False"


def _sum(a: Tensor, axis: Axis, dtype: DTypeLike | None, keepdims: bool) -> Tensor:
    if dtype is not None:
        target = dtype_or(dtype, None)
        if _cuts_fractions(a, target):
            return _sum(a, axis, None, keepdims).to(target)
        a = a.to(target)
    kept = None if a.is_floating_point() or a.dtype is torch.bool else a.dtype
    if axis is None and not keepdims:
        return a.sum(dtype=kept)
    if names_none(axis):
        return a.clone()
    try:
        return a.sum(axis, keepdims, dtype=kept)  # type: ignore[arg-type]
    except (IndexError, RuntimeError) as error:
        axes("np.sum", axis, a)
        raise axis_error(axis, a, "np.sum") from error


@op(np="sum", file="_np_sum", graph=Graph(written={"np_method.sum": _AXES}))
def sum(  # noqa: A001 - NumPy's name
    a: Tensor,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    initial: float | None = None,
    out: Out = None,
) -> Tensor:
    """Return the sum of the elements, of all or along axes.

    Parameters
    ----------
    a : ndarray
        What to add up; booleans are counted in int64.
    axis : int or tuple of int, optional
        Along which axes; by default all.
    dtype : str, type or dtype, optional
        Dtype to add in.
    keepdims : bool, default False
        Whether the axes stay, with length 1.
    initial : float, optional
        What to begin with.
    out : ndarray, optional
        Where to put the result.

    Examples
    --------
    >>> from gluonish import np
    >>> np.sum(np.array([[1, 2], [3, 4]]), axis=0)
    array([4., 6.])
    """
    result = _sum(a, axis, dtype, keepdims)
    if initial is not None:
        result = result + initial
    return result if out is None else into(out, result)


@op(np_method="sum")
def sum_method(
    a: Tensor,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the sum of the elements, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.ones((2, 3)).sum(axis=1)
    array([3., 3.])
    """
    result = _sum(a, axis, dtype, keepdims)
    return result if out is None else into(out, result)


@op(
    np="mean",
    attributes={"initial": ""},
    np_method="mean",
    graph=both("mean", _AXES),
    sparse=Sparse("averages"),
)
def mean(
    a: Tensor,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the mean of the elements, of all or along axes; of integers in float32.

    Examples
    --------
    >>> from gluonish import np
    >>> np.mean(np.array([1, 2]))
    array(1.5)
    """
    target = None
    if dtype is not None:
        target = dtype_or(dtype, None)
    elif not a.is_floating_point():
        target = torch.float32
    if names_none(axis):
        return into(out, a.to(target or a.dtype).clone())
    if target is not None and not target.is_floating_point:
        return into(out, _mean_of_integers(a, axis, target, keepdims))
    try:
        if axis is None and not keepdims:
            result = a.mean(dtype=target)
        else:
            result = a.mean(axis, keepdims, dtype=target)  # type: ignore[arg-type]
    except (IndexError, RuntimeError) as error:
        axes("np.mean", axis, a)
        raise axis_error(axis, a, "np.mean") from error
    if not a.numel():
        result = torch.zeros_like(result)  # MXNet does not divide
    return result if out is None else into(out, result)


def _mean_of_integers(a: Tensor, axis: Axis, dtype: torch.dtype, keepdims: bool) -> Tensor:
    """Return the mean as an integer, towards 0: the sum is that of the dtype, as in MXNet."""
    along = axes("np.mean", axis, a)
    total = a.sum(along, keepdims, dtype=summed_in(a))
    count = math.prod(a.shape[each] for each in along)
    if dtype is torch.bool:
        return total != 0
    is_cut = total.is_floating_point() and dtype is torch.int32  # at its ends, as by C
    found = total.to(dtype) if is_cut else total.to(torch.int64).to(dtype)
    return torch.div(found, count or 1, rounding_mode="trunc")


def summed_in(a: Tensor) -> torch.dtype:
    """Return the dtype that sums are computed in: integers' in 64 bits.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.np.reduction import summed_in
    >>> summed_in(torch.ones(2, dtype=torch.int8)), summed_in(torch.ones(2))
    (torch.int64, torch.float32)
    """
    return a.dtype if a.is_floating_point() else torch.int64


@op(
    np=("prod", "product"),
    file="_np_prod",
    attributes={"initial": ""},
    np_method="prod",
    graph=Graph(written={"np_method.prod": _AXES}),
)
def prod(
    a: Tensor,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the product of the elements, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.prod(np.array([2, 3, 4]))
    array(24.)
    """
    a = as_tensor(a)
    if type(axis) is int and a.ndim and dtype is None and out is None and a.is_floating_point():
        return a.prod(one_axis("np.prod", axis, a), keepdims, dtype=a.dtype)
    target = dtype_or(dtype, a.dtype)
    a = a.to(torch.float64 if _cuts_fractions(a, target) else target)
    kept = torch.int64 if a.dtype is torch.bool else a.dtype
    result = a.to(kept)
    if axis is None and not keepdims:
        result = a.prod(dtype=kept)
    else:
        for each in sorted(axes("np.prod", axis, a), reverse=True):
            result = result.prod(each, keepdims, dtype=kept)
    return into(out, result if dtype is None else result.to(target))


def _cuts_fractions(a: Tensor, target: torch.dtype | None) -> bool:
    """Return whether numbers have fractions that the result's dtype can't hold."""
    return a.is_floating_point() and target is not None and not target.is_floating_point


def _extreme(where: str, a: Tensor, axis: Axis, keepdims: bool, largest: bool) -> Tensor:
    if axis is None and not keepdims and not a.requires_grad and a.numel():
        return a.max() if largest else a.min()
    if names_none(axis):
        return a.clone()
    along = axes(where, axis, a)
    if not a.numel() and not all_of(a.shape[each] for each in along):
        kept = [length for place, length in enumerate(a.shape) if place not in along]
        if not all_of(kept):
            return a.sum(along, keepdims, dtype=a.dtype)  # no elements either
        msg = (
            f"{where}: zero-size array to reduction operation: an array of shape "
            f"{tuple(a.shape)} was given. Expected one element or more along axis {axis!r}. "
            f"Check x.size first."
        )
        raise InvalidArgumentError(msg)
    return extreme(a, largest, along, keepdims)


all_of = all


@op(
    np=("max", "amax"),
    file="_np_max",
    attributes={"initial": ""},
    graph=Graph(written={"np_method.max": _AXES}),
)
def max(a: Tensor, axis: Axis = None, keepdims: bool = False, out: Out = None) -> Tensor:  # noqa: A001
    """Return the largest element, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.max(np.array([[1, 5], [3, 4]]), axis=1)
    array([5., 4.])
    """
    result = _extreme("np.max", a, axis, keepdims, largest=True)
    return result if out is None else into(out, result)


@op(np_method="max")
def max_method(a: Tensor, axis: Axis = None, out: Out = None, keepdims: bool = False) -> Tensor:
    """Return the largest element, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.array([1, 5, 3]).max()
    array(5.)
    """
    result = _extreme("np.max", a, axis, keepdims, largest=True)
    return result if out is None else into(out, result)


@op(
    np=("min", "amin"),
    file="_np_min",
    attributes={"initial": ""},
    graph=Graph(written={"np_method.min": _AXES}),
)
def min(a: Tensor, axis: Axis = None, keepdims: bool = False, out: Out = None) -> Tensor:  # noqa: A001
    """Return the smallest element, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.min(np.array([[1, 5], [3, 4]]), axis=1)
    array([1., 3.])
    """
    result = _extreme("np.min", a, axis, keepdims, largest=False)
    return result if out is None else into(out, result)


@op(np_method="min")
def min_method(a: Tensor, axis: Axis = None, out: Out = None, keepdims: bool = False) -> Tensor:
    """Return the smallest element, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.array([4, 1, 3]).min()
    array(1.)
    """
    result = _extreme("np.min", a, axis, keepdims, largest=False)
    return result if out is None else into(out, result)


def _truth(where: str, a: Tensor, axis: Axis, keepdims: bool, every: bool) -> Tensor:
    truth = as_tensor(a).to(torch.bool)
    if axis is None and not keepdims:
        return truth.all() if every else truth.any()
    for each in sorted(axes(where, axis, truth), reverse=True):
        truth = truth.all(each, keepdims) if every else truth.any(each, keepdims)
    return truth


@op(np=("all", "alltrue"), file="_np_all")
def all(a: Tensor, axis: Axis = None, keepdims: bool = False, out: Out = None) -> Tensor:  # noqa: A001
    """Return whether every element is true, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.all(np.array([[1, 0], [1, 1]]), axis=1)
    array([False,  True])
    """
    return into(out, _truth("np.all", a, axis, keepdims, every=True))


@op(np_method="all")
def all_method(a: Tensor, axis: Axis = None, out: Out = None, keepdims: bool = False) -> Tensor:
    """Return whether every element is true, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.ones(2).all()
    array(True)
    """
    return into(out, _truth("np.all", a, axis, keepdims, every=True))


@op(np=("any", "sometrue"), file="_np_any")
def any(a: Tensor, axis: Axis = None, keepdims: bool = False, out: Out = None) -> Tensor:  # noqa: A001
    """Return whether some element is true, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.any(np.array([[0, 0], [1, 0]]), axis=1)
    array([False,  True])
    """
    return into(out, _truth("np.any", a, axis, keepdims, every=False))


@op(np_method="any")
def any_method(a: Tensor, axis: Axis = None, out: Out = None, keepdims: bool = False) -> Tensor:
    """Return whether some element is true, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.zeros(2).any()
    array(False)
    """
    return into(out, _truth("np.any", a, axis, keepdims, every=False))


@op(np="count_nonzero")
def count_nonzero(a: Tensor, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Return how many elements are not zero, of all or along axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.count_nonzero(np.array([0, 2, 3]))
    array(2, dtype=int64)
    """
    return _sum(as_tensor(a).to(torch.bool), axis, None, keepdims)
