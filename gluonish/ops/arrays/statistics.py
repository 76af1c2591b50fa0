"""Running sums, histograms, tests and small losses over whole arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import InvalidArgumentError
from gluonish.ops.arrays.joining import flat
from gluonish.ops.elementwise.identity import check_count
from gluonish.ops.table import op, shape_rules
from gluonish.ops.table.explain import explained
from gluonish.ops.table.inference import elementwise

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from gluonish.array.dtypes import DTypeLike


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
    if axis is None:
        return torch.cumsum(a.reshape(-1), 0, dtype=kind)
    return torch.cumsum(a, axis, dtype=kind)


def _recorded_histogram(given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Rule for graphs: the number of ranges has an argument of its own there."""
    bins = given.get("bins", 10)
    name = "bin_cnt" if isinstance(bins, int) else "bins"
    rest = {"range": given["range"]} if given.get("range") is not None else {}
    return "_histogram", {"data": given["a"], name: bins, **rest}


@op(nd="histogram", outputs=2, recorded=_recorded_histogram)
def histogram(
    a: Tensor,
    bins: int | Tensor = 10,
    range: tuple[float, float] | None = None,  # noqa: A002 - MXNet's name
) -> tuple[Tensor, Tensor]:
    """Count the elements in ranges of equal width, or between given edges.

    Parameters
    ----------
    a : Tensor, any shape
        Numbers.
    bins : int or Tensor, default 10
        How many ranges, or their edges in ascending order.
    range : pair of float, optional
        Lowest and highest edge; the smallest and largest element by default.

    Returns
    -------
    tuple of Tensor
        Counts (int64; float32 where `range` was found in the data, as in MXNet) and edges.

    Examples
    --------
    >>> import gluonish as mx
    >>> counts, edges = mx.nd.histogram(mx.nd.array([1, 2, 4]), bins=2, range=(0, 4))
    >>> counts.asnumpy(), edges.asnumpy()
    (array([1, 2]), array([0., 2., 4.], dtype=float32))
    """
    values = a.reshape(-1)
    if isinstance(bins, Tensor):
        edges = bins.to(a.dtype)
    else:
        edges = _edges(values, bins, range).to(a.dtype)
    places = torch.searchsorted(edges, values, right=True) - 1
    count = edges.numel() - 1
    places = torch.where(values == edges[-1], count - 1, places)
    is_inside = (places >= 0) & (places < count)
    places = torch.where(is_inside, places, count)
    tally = torch.zeros(count + 1, dtype=torch.int64, device=a.device)
    counts = tally.scatter_add(0, places, torch.ones_like(places))[:count]
    is_found = range is None and not isinstance(bins, Tensor)
    return (counts.to(torch.float32) if is_found else counts), edges


def _edges(values: Tensor, bins: int, span: tuple[float, float] | None) -> Tensor:
    if not isinstance(bins, int) or bins < 1 or (span is not None and span[0] > span[1]):
        msg = (
            f"histogram: bins={bins!r}, range={span} was given. Expected at least one range, and "
            f"the lowest edge first. Write bins=10, range=(0, 1)."
        )
        raise InvalidArgumentError(msg)
    if span is None:
        low, high = values.min(), values.max()
    else:
        low, high = values.new_tensor(span[0]), values.new_tensor(span[1])
    steps = torch.arange(bins, dtype=torch.float64, device=values.device) / bins
    return torch.cat([low + (high - low) * steps, high.reshape(1)])


def _one(condition: Tensor) -> Tensor:
    return condition.to(torch.float32).reshape(1)


@op(nd="all_finite")
def all_finite(data: Tensor, init_output: bool = True) -> Tensor:
    """Return 1 if no element is infinite or NaN, else 0.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    init_output : bool, default True
        MXNet's switch for results collected in `out`; only True exists.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.all_finite(mx.nd.array([1, float('inf')])).asnumpy()
    array([0.], dtype=float32)
    """
    _check_init("all_finite", init_output)
    return _one(torch.isfinite(data).all())


@op(nd="multi_all_finite")
def multi_all_finite(
    *data: Tensor, num_arrays: int | None = None, init_output: bool = True
) -> Tensor:
    """Return 1 if no element of any array is infinite or NaN, else 0.

    Parameters
    ----------
    *data : Tensor
        The arrays.
    num_arrays : int, optional
        How many there are; checked if given.
    init_output : bool, default True
        MXNet's switch for results collected in `out`; only True exists.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.multi_all_finite(mx.nd.ones((2,)), mx.nd.ones((3,))).asnumpy()
    array([1.], dtype=float32)
    """
    _check_init("multi_all_finite", init_output)
    parts = flat(data)
    check_count("multi_all_finite", len(parts), num_arrays, "num_arrays")
    return _one(torch.stack([torch.isfinite(part).all() for part in parts]).all())


def _check_init(name: str, init_output: bool) -> None:
    if not init_output:
        msg = (
            f"{name}: init_output=False was given. Expected True: results are not collected in "
            f"out. Multiply the results of several calls."
        )
        raise InvalidArgumentError(msg)


@op(nd="multi_sum_sq")
def multi_sum_sq(*data: Tensor, num_arrays: int | None = None) -> Tensor:
    """Return the sum of squares of each array, as float32.

    Parameters
    ----------
    *data : Tensor
        The arrays.
    num_arrays : int, optional
        How many there are; checked if given.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.multi_sum_sq(mx.nd.ones((2,)), mx.nd.ones((3,))).asnumpy()
    array([2., 3.], dtype=float32)
    """
    parts = flat(data)
    check_count("multi_sum_sq", len(parts), num_arrays, "num_arrays")
    return torch.stack([part.to(torch.float32).square().sum() for part in parts])


@op(nd="contrib.quadratic", reverse=elementwise)
def quadratic(data: Tensor, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Tensor:
    """Return `a * x**2 + b * x + c`.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    a, b, c : float, default 0.0
        Coefficients.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.quadratic(mx.nd.array([2]), a=1, b=2, c=3).asnumpy()
    array([11.], dtype=float32)
    """
    return (a * data + b) * data + c


@op(nd="contrib.div_sqrt_dim", reverse=elementwise)
def div_sqrt_dim(data: Tensor) -> Tensor:
    """Divide by the square root of the length of the last axis.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.div_sqrt_dim(mx.nd.ones((4,))).asnumpy()
    array([0.5, 0.5, 0.5, 0.5], dtype=float32)
    """
    return data / math.sqrt(data.shape[-1])


@op(nd="contrib.allclose")
@explained("two arrays of one shape. Reshape one of them")
def allclose(
    a: Tensor, b: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = True
) -> Tensor:
    """Return 1 if all elements are equal up to a tolerance, else 0.

    Parameters
    ----------
    a, b : Tensor, any shape
        Numbers.
    rtol : float, default 1e-5
        Tolerance relative to `b`.
    atol : float, default 1e-8
        Absolute tolerance.
    equal_nan : bool, default True
        Whether NaN equals NaN.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.allclose(mx.nd.ones((2,)), mx.nd.ones((2,))).asnumpy()
    array([1.], dtype=float32)
    """
    return _one(torch.isclose(a, b, rtol, atol, equal_nan).all())


@op(nd="smooth_l1", npx="smooth_l1", reverse=elementwise)
def smooth_l1(data: Tensor, scalar: float = 1.0) -> Tensor:
    """Return half the square of small values and the size of large ones, smoothly joined.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    scalar : float, default 1.0
        The two meet at 1 / scalar**2.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.smooth_l1(mx.nd.array([0.5, -3])).asnumpy()
    array([0.125, 2.5  ], dtype=float32)
    """
    square = scalar * scalar
    size = data.abs()
    return torch.where(size < 1 / square, 0.5 * square * data.square(), size - 0.5 / square)
