"""Sums, running sums, means, extremes and norms over axes, as `nd` has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.linalg import vector_norm
from typing_extensions import override

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import EITHER, FULL, WIDEST, Graph, Precision, Sparse, op, shape_rules
from gluonish.ops.table.explain import explained
from gluonish.process.replay_marks import compilable, opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from gluonish.array.dtypes import DTypeLike

Axes: TypeAlias = "int | Sequence[int] | None"

_AXIS_FOR_ALL = 905  # MXNet 0.9.5
_AXES = "an axis, or several, that the array has. Count from 0, or from the end with -1"


def names_none(axis: Axes) -> bool:
    """Return whether axes are an empty tuple; NumPy 1 warns where its numbers are compared to it.

    Examples
    --------
    >>> from gluonish.ops.arrays.reduction import names_none
    >>> names_none(()), names_none(0), names_none(None)
    (True, False, False)
    """
    return isinstance(axis, tuple) and not axis


def reduced_axes(data: Tensor, axis: Axes, exclude: bool = False) -> tuple[int, ...]:
    """Return the axes to reduce: all for None or (), the others with `exclude`.

    Raises
    ------
    IndexError
        The array does not have such an axis, or one is named twice; `explained` words it.
    """
    ndim = data.ndim
    if type(axis) is int and -ndim <= axis < ndim and not exclude:
        return (axis % ndim,)
    if axis is None or names_none(axis):
        return tuple(range(ndim))
    given = (axis,) if isinstance(axis, int) else tuple(axis)
    if not given:
        return tuple(range(ndim))
    axes = tuple(one + ndim if one < 0 else one for one in given)
    if len(set(axes)) != len(axes) or any(not 0 <= one < ndim for one in axes):
        msg = f"the axes of an array with {ndim} axes are {-ndim} to {ndim - 1}"
        raise IndexError(msg)
    if exclude:
        return tuple(one for one in range(ndim) if one not in axes)
    return axes


def at_least_1d(result: Tensor) -> Tensor:
    """Return a zero-dimensional tensor with shape (1,), any other as it is."""
    return result if result.ndim else result.reshape(1)


@op(
    nd=("sum", "sum_axis"),
    nd_method="sum",
    precision=Precision("full", others={"_sparse_sum": WIDEST}),
    sparse=Sparse("sums", names=("sum",)),
)
@explained(_AXES)
def sum_(data: Tensor, axis: Axes = None, keepdims: bool = False, exclude: bool = False) -> Tensor:
    """Add up the elements over axes.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers. The result has their dtype.
    axis : int or tuple of int, optional
        Axes to add over; all by default.
    keepdims : bool, default False
        Whether reduced axes stay, with length 1.
    exclude : bool, default False
        Whether to add over all axes but those in `axis`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sum(mx.nd.array([[1, 2], [3, 4]]), axis=1).asnumpy()
    array([3., 7.], dtype=float32)
    """
    if data.is_floating_point() and not exclude and not names_none(axis):
        result = data.sum(axis, keepdims)  # type: ignore[arg-type]
        return result if result.ndim else result.reshape(1)
    axes = reduced_axes(data, axis, exclude)
    if not axes:
        return data.clone()
    return at_least_1d(data.sum(axes, keepdims, dtype=data.dtype))


@op(nd="mean", nd_method="mean", precision=FULL, sparse=Sparse("averages", names=("mean",)))
@explained(_AXES)
def mean(data: Tensor, axis: Axes = None, keepdims: bool = False, exclude: bool = False) -> Tensor:
    """Return the mean of the elements over axes.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers. The result has their dtype.
    axis : int or tuple of int, optional
        Axes to average over; all by default.
    keepdims : bool, default False
        Whether reduced axes stay, with length 1.
    exclude : bool, default False
        Whether to average over all axes but those in `axis`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.mean(mx.nd.array([[1, 2], [3, 4]]), axis=0).asnumpy()
    array([2., 3.], dtype=float32)
    """
    if not data.is_floating_point():
        return mean_of_integers(data, reduced_axes(data, axis, exclude), keepdims)
    if type(axis) is int and not exclude:
        result = data.mean(axis, keepdims)
        return result if result.ndim else result.reshape(1)
    if axis is None and not keepdims and not exclude:
        return data.mean().reshape(1)
    axes = reduced_axes(data, axis, exclude)
    if not axes:
        return data.clone()
    return at_least_1d(data.mean(axes, keepdims))


def mean_of_integers(data: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return the mean of integers in their dtype, rounded towards zero."""
    if not axes:
        return data.clone()
    mean = data.to(torch.float64).mean(axes, keepdims)
    return at_least_1d(mean.trunc().to(data.dtype))


@op(nd="prod", nd_method="prod", precision=FULL)
@explained(_AXES)
def prod(data: Tensor, axis: Axes = None, keepdims: bool = False, exclude: bool = False) -> Tensor:
    """Multiply the elements over axes.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers. The result has their dtype.
    axis : int or tuple of int, optional
        Axes to multiply over; all by default.
    keepdims : bool, default False
        Whether reduced axes stay, with length 1.
    exclude : bool, default False
        Whether to multiply over all axes but those in `axis`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.prod(mx.nd.array([[1, 2], [3, 4]]), axis=1).asnumpy()
    array([ 2., 12.], dtype=float32)
    """
    return at_least_1d(product(data, reduced_axes(data, axis, exclude), keepdims))


def product(data: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return the product over axes, in the dtype of the data."""
    if len(axes) == data.ndim and not keepdims:
        return data.prod(dtype=data.dtype)
    if len(axes) == 1:
        return data.prod(axes[0], keepdims, dtype=data.dtype)
    result = data.clone() if not axes else data
    for axis in sorted(axes, reverse=True):
        result = result.prod(axis, keepdims, dtype=data.dtype)
    return result


@op(nd="nansum", nd_method="nansum", precision=FULL)
@explained(_AXES)
def nansum(
    data: Tensor, axis: Axes = None, keepdims: bool = False, exclude: bool = False
) -> Tensor:
    """Add up the elements over axes, counting NaN as 0.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    axis : int or tuple of int, optional
        Axes to add over; all by default.
    keepdims : bool, default False
        Whether reduced axes stay, with length 1.
    exclude : bool, default False
        Whether to add over all axes but those in `axis`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.nansum(mx.nd.array([1, float('nan'), 2])).asnumpy()
    array([3.], dtype=float32)
    """
    return sum_(_without_nan(data, 0), axis, keepdims, exclude)


@op(nd="nanprod", nd_method="nanprod", precision=FULL)
@explained(_AXES)
def nanprod(
    data: Tensor, axis: Axes = None, keepdims: bool = False, exclude: bool = False
) -> Tensor:
    """Multiply the elements over axes, counting NaN as 1.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    axis : int or tuple of int, optional
        Axes to multiply over; all by default.
    keepdims : bool, default False
        Whether reduced axes stay, with length 1.
    exclude : bool, default False
        Whether to multiply over all axes but those in `axis`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.nanprod(mx.nd.array([3, float('nan'), 2])).asnumpy()
    array([6.], dtype=float32)
    """
    return prod(_without_nan(data, 1), axis, keepdims, exclude)


def _without_nan(data: Tensor, neutral: int) -> Tensor:
    return torch.where(data.isnan(), neutral, data) if data.is_floating_point() else data


Saved: TypeAlias = Any
"""What torch hands to both directions of a function of its own."""


class _Extreme(torch.autograd.Function):
    """Extreme over axes; each element equal to it receives the whole gradient, as in MXNet."""

    @staticmethod
    @override
    def forward(
        ctx: Saved, data: Tensor, largest: bool, axes: tuple[int, ...], keepdims: bool
    ) -> Tensor:
        result = (torch.amax if largest else torch.amin)(data, axes, keepdims)
        ctx.axes, ctx.keepdims = axes, keepdims
        ctx.save_for_backward(data, result)
        return result

    @staticmethod
    @override
    def backward(ctx: Saved, *grads: Tensor) -> tuple[Tensor, None, None, None]:
        data, result = ctx.saved_tensors
        (grad,) = grads
        if not ctx.keepdims:
            for axis in sorted(ctx.axes):
                result, grad = result.unsqueeze(axis), grad.unsqueeze(axis)
        return grad * (data == result), None, None, None


@compilable
@opaque
def _recorded_extreme(data: Tensor, largest: bool, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    return _Extreme.apply(data, largest, axes, keepdims)  # type: ignore[no-any-return,no-untyped-call]


def extreme(data: Tensor, largest: bool, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return the maximum or minimum over axes, with MXNet's gradient where several are equal."""
    if data.requires_grad:
        return _recorded_extreme(data, largest, axes, keepdims)
    return (torch.amax if largest else torch.amin)(data, axes, keepdims)


_EXTREME = """Return the {largest} element over axes.

Parameters
----------
data : Tensor, any shape
    Numbers.
axis : int or tuple of int, optional
    Axes to reduce; all by default.
keepdims : bool, default False
    Whether reduced axes stay, with length 1.
exclude : bool, default False
    Whether to reduce all axes but those in `axis`.

Notes
-----
Each of several equal {largest} elements receives the whole gradient.

Examples
--------
>>> import gluonish as mx
>>> mx.nd.{name}(mx.nd.array([[1, 2], [4, 3]]), axis=1).asnumpy()
{result}
"""


def _register_extreme(name: str, largest: str, result: str) -> None:
    """Register an operator for the largest or smallest elements."""
    is_max = name == "max"
    at_once = torch.amax if is_max else torch.amin

    def over_axes(
        data: Tensor, axis: Axes = None, keepdims: bool = False, exclude: bool = False
    ) -> Tensor:
        if type(axis) is int and not exclude and not data.requires_grad:
            return at_least_1d(at_once(data, axis, keepdims))
        axes = reduced_axes(data, axis, exclude)
        return at_least_1d(extreme(data, is_max, axes, keepdims)) if axes else data.clone()

    over_axes.__name__ = over_axes.__qualname__ = f"{name}_"
    over_axes.__doc__ = _EXTREME.format(name=name, largest=largest, result=result)
    op(nd=(name, f"{name}_axis"), nd_method=name, precision=EITHER)(explained(_AXES)(over_axes))


_register_extreme("max", "largest", "array([2., 4.], dtype=float32)")
_register_extreme("min", "smallest", "array([1., 3.], dtype=float32)")


@op(nd="norm", nd_method="norm", precision=FULL, sparse=Sparse("takes norm", names=("norm",)))
@explained(_AXES)
def norm(
    data: Tensor,
    ord: int = 2,  # noqa: A002 - MXNet's name
    axis: Axes = None,
    out_dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the length of vectors along an axis, or of all elements as one vector.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    ord : {1, 2}, default 2
        1 adds up absolute values, 2 is the root of the sum of squares.
    axis : int or tuple of int, optional
        Axes of the vectors; all elements by default.
    out_dtype : str, type or dtype, optional
        Dtype of the result.
    keepdims : bool, default False
        Whether reduced axes stay, with length 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.norm(mx.nd.array([3, 4])).asnumpy()
    array([5.], dtype=float32)
    """
    if ord not in (1, 2):
        msg = (
            f"norm: ord={ord!r} was given. Expected 1 (sum of absolute values) or 2 (root of the "
            f"sum of squares). Compute others from nd.abs, nd.power and nd.sum."
        )
        raise InvalidArgumentError(msg)
    numbers = data if data.is_floating_point() else data.to(torch.float32)
    axes = None if axis is None else reduced_axes(data, axis)
    length = vector_norm(numbers, ord, axes, keepdims)
    dtype = data.dtype if out_dtype is None else torch_dtype(out_dtype)
    return at_least_1d(length if length.dtype is dtype else length.to(dtype=dtype))


def _all_axes(version: int, texts: dict[str, str]) -> None:
    """Before 0.9.5 the axis -1 meant all axes."""
    if version < _AXIS_FOR_ALL and texts.get("axis") == "-1":
        del texts["axis"]


@op(nd="argmax", nd_method="argmax", graph=Graph(modernize=_all_axes), precision=EITHER)
@explained(_AXES)
def argmax(data: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the position of the largest element along an axis, in the data's dtype.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    axis : int, optional
        Axis to search; by default all elements, as one row.
    keepdims : bool, default False
        Whether the axis stays, with length 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.argmax(mx.nd.array([[1, 2], [4, 3]]), axis=1).asnumpy()
    array([1., 0.], dtype=float32)
    """
    return _position(torch.argmax, data, axis, keepdims)


@op(nd="argmin", nd_method="argmin", graph=Graph(modernize=_all_axes), precision=EITHER)
@explained(_AXES)
def argmin(data: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the position of the smallest element along an axis, in the data's dtype.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    axis : int, optional
        Axis to search; by default all elements, as one row.
    keepdims : bool, default False
        Whether the axis stays, with length 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.argmin(mx.nd.array([[1, 2], [4, 3]]), axis=1).asnumpy()
    array([0., 1.], dtype=float32)
    """
    return _position(torch.argmin, data, axis, keepdims)


def _position(
    search: Callable[[Tensor, int | None, bool], Tensor],
    data: Tensor,
    axis: int | None,
    keepdims: bool,
) -> Tensor:
    found: Tensor = search(data, axis, keepdims)
    if keepdims and axis is None:
        found = found.reshape((1,) * data.ndim)
    return at_least_1d(found.to(dtype=data.dtype))


@op(nd="argmax_channel", nd_method="argmax_channel", precision=EITHER)
@explained("an array with at least two axes. Write argmax(x, axis=0) for a vector")
def argmax_channel(data: Tensor) -> Tensor:
    """Return the position of the largest element along axis 1, in the data's dtype.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.argmax_channel(mx.nd.array([[1, 2], [4, 3]])).asnumpy()
    array([1., 0.], dtype=float32)
    """
    return torch.argmax(data, 1).to(dtype=data.dtype)


@op(nd="moments", outputs=2, graph=Graph(names_input=True), precision=FULL)
@explained(_AXES)
def moments(data: Tensor, axes: Axes = None, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return mean and variance over axes.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    axes : int or tuple of int, optional
        Axes to reduce; all by default.
    keepdims : bool, default False
        Whether reduced axes stay, with length 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> mean, variance = mx.nd.moments(mx.nd.array([1, 3]), axes=[0])
    >>> float(mean), float(variance)
    (2.0, 1.0)
    """
    reduced = reduced_axes(data, axes)
    exact = data if data.is_floating_point() else data.to(torch.float64)
    variance, center = torch.var_mean(exact, reduced, correction=0, keepdim=keepdims)
    return at_least_1d(center.to(data.dtype)), at_least_1d(variance.to(data.dtype))


@op(nd=("_np_cumsum", "cumsum"), reverse=shape_rules.running)
@explained("an axis of the array. Count from 0, or from the end with -1")
def cumsum(a: Tensor, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """Return the sums of the elements up to each position.

    Parameters
    ----------
    a : Tensor, any shape
        Numbers.
    axis : int, optional
        Axis along which; by default all elements as one row.
    dtype : str, type or dtype, optional
        Type of the sums; that of the numbers by default.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.cumsum(mx.nd.array([1, 2, 3])).asnumpy()
    array([1., 3., 6.], dtype=float32)
    """
    kind = a.dtype if dtype is None else torch_dtype(dtype)
    if not kind.is_floating_point:
        a = a.detach()
    if axis is None:
        return torch.cumsum(a.reshape(-1), 0, dtype=kind)
    return torch.cumsum(a, axis, dtype=kind)
