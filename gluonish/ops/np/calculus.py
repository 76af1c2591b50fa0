"""NumPy's differences, integrals, interpolation, polynomials and convolution."""

from __future__ import annotations

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import numpy_dtype, torch_dtype
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import as_tensor, as_tensors, one_axis, shape_error
from gluonish.ops.table import Graph, op


@op(np="diff", graph=Graph(written={"np.diff": "n=1 axis=-1"}))
def diff(
    a: Tensor,
    n: int = 1,
    axis: int = -1,
    prepend: Tensor | float | None = None,
    append: Tensor | float | None = None,
) -> Tensor:
    """Return differences of neighbours along an axis, taken `n` times.

    Examples
    --------
    >>> from gluonish import np
    >>> np.diff(np.array([1, 4, 9]))
    array([3., 5.])
    """
    a = as_tensor(a)
    if n < 0:
        msg = f"np.diff: n={n} was given. Expected 0 or more. Use np.cumsum for the inverse."
        raise InvalidArgumentError(msg)
    axis = one_axis("np.diff", axis, a)
    ends = []
    for end in (prepend, append):
        part = None if end is None else as_tensor(end, a).to(a.dtype)
        if part is not None and not part.ndim:
            part = part.expand([1 if each == axis else size for each, size in enumerate(a.shape)])
        ends.append(part)
    try:
        return torch.diff(a, n, axis, *ends)
    except RuntimeError as error:
        parts = [each for each in ends if each is not None]
        raise shape_error(error, "np.diff", a, *parts) from error


@op(np="ediff1d", is_loose=False, recorded=recorded.ediff1d)
def ediff1d(
    ary: Tensor, to_end: Tensor | float | None = None, to_begin: Tensor | float | None = None
) -> Tensor:
    """Return differences of neighbours in order, with something before and behind them.

    Examples
    --------
    >>> from gluonish import np
    >>> np.ediff1d(np.array([1, 4, 9]), to_begin=0)
    array([0., 3., 5.])
    """
    ary = as_tensor(ary).reshape(-1)
    parts = [torch.diff(ary)]
    if to_begin is not None:
        parts.insert(0, as_tensor(to_begin, ary).to(ary.dtype).reshape(-1))
    if to_end is not None:
        parts.append(as_tensor(to_end, ary).to(ary.dtype).reshape(-1))
    return torch.cat(parts) if len(parts) > 1 else parts[0]


@op(np=("trapz", "trapezoid"))
def trapz(y: Tensor, x: Tensor | None = None, dx: float = 1.0, axis: int = -1) -> Tensor:
    """Return the integral along an axis by the trapezoidal rule.

    Examples
    --------
    >>> from gluonish import np
    >>> np.trapz(np.array([1, 2, 3]))
    array(4.)
    """
    y = as_tensor(y)
    axis = one_axis("np.trapz", axis, y)
    places = None if x is None else as_tensor(x, y)
    dtypes = [numpy_dtype(each.dtype) for each in (y, places) if each is not None]
    kind = torch_dtype(onp.result_type(*dtypes))  # as NumPy, whose function it is in MXNet
    if not y.is_floating_point():
        return _trapezoids(y, dx if places is None else places, kind, axis)
    if places is None:
        return torch.trapezoid(y.to(kind), dx=dx, dim=axis)
    return torch.trapezoid(y.to(kind), places.to(kind), dim=axis)


def _trapezoids(y: Tensor, places: Tensor | float, kind: torch.dtype, axis: int) -> Tensor:
    """Return the integral of integers, whose sums and products have their own width, as NumPy's."""
    count = max(y.shape[axis] - 1, 0)
    heights = y.narrow(axis, 0, count) + y.narrow(axis, y.shape[axis] - count, count)
    if isinstance(places, Tensor):
        widths = torch.diff(places, dim=axis if places.ndim > 1 else 0).to(kind)
        if places.ndim == 1:
            widths = widths.reshape([count if each == axis else 1 for each in range(y.ndim)])
        areas = widths * heights.to(kind)
    else:
        areas = (
            heights.to(torch.float64) * places if isinstance(places, float) else heights * places
        )
    areas = areas if areas.is_floating_point() else areas.to(torch.float64)
    return (areas / 2).sum(axis)


@op(np="interp")
def interp(
    x: Tensor,
    xp: Tensor,
    fp: Tensor,
    left: float | None = None,
    right: float | None = None,
    period: float | None = None,
) -> Tensor:
    """Return the values at `x` of the broken line through the points (xp, fp), in float64.

    Parameters
    ----------
    x : ndarray or float
        Where.
    xp, fp : ndarray, shape (n,)
        The points, `xp` ascending.
    left, right : float, optional
        Values before the first and behind the last point: by default those of the points.
    period : float, optional
        Period of `x` and `xp`; `left` and `right` are then not used.

    Examples
    --------
    >>> from gluonish import np
    >>> np.interp(np.array([0.5]), np.array([0, 1]), np.array([0, 10]))
    array([5.], dtype=float64)
    """
    x, xp, fp = (each.to(torch.float64) for each in as_tensors((x, xp, fp)))
    if xp.ndim != 1 or xp.shape != fp.shape or not len(xp):
        msg = (
            f"np.interp: points of shape {tuple(xp.shape)} and {tuple(fp.shape)} were given. "
            f"Expected two vectors of equal length, not empty. Flatten them."
        )
        raise ShapeError(msg)
    if period is not None:
        x = x % period
        order = torch.argsort(xp % period)
        xp, fp = (xp % period)[order], fp[order]
        xp = torch.cat([xp[-1:] - period, xp, xp[:1] + period])
        fp = torch.cat([fp[-1:], fp, fp[:1]])
    above = torch.searchsorted(xp, x.contiguous(), right=True).clamp(1, max(len(xp) - 1, 1))
    below = (above - 1).clamp(max=len(xp) - 1)
    above = above.clamp(max=len(xp) - 1)
    width = xp[above] - xp[below]
    part = torch.where(width > 0, (x - xp[below]) / width, 0.0).clamp(0, 1)
    result = fp[below] + part * (fp[above] - fp[below])
    # At a point that is its value, whatever the next one's is.
    at_point = result.isnan() & ((part == 0) | (part == 1))
    result = torch.where(at_point, torch.where(part == 0, fp[below], fp[above]), result)
    if period is None and left is not None:
        result = torch.where(x < xp[0], left, result)
    if period is None and right is not None:
        result = torch.where(x > xp[-1], right, result)
    return result


@op(np="polyval")
def polyval(p: Tensor, x: Tensor) -> Tensor:
    """Return a polynomial's values; its coefficients begin with that of the highest power.

    Examples
    --------
    >>> from gluonish import np
    >>> np.polyval(np.array([1, 0, 2]), np.array([3, 4]))
    array([11., 18.])
    """
    p, x = as_tensors((p, x))
    if p.ndim != 1:
        msg = (
            f"np.polyval: coefficients of shape {tuple(p.shape)} were given. Expected a vector. "
            f"Flatten them."
        )
        raise ShapeError(msg)
    result = torch.zeros_like(x, dtype=torch.promote_types(p.dtype, x.dtype))
    for coefficient in p.unbind():
        result = result * x + coefficient
    return result


@op(np="convolve")
def convolve(a: Tensor, v: Tensor, mode: str = "full") -> Tensor:
    """Return the convolution of two vectors.

    Examples
    --------
    >>> from gluonish import np
    >>> np.convolve(np.array([1, 2]), np.array([1, 1]))
    array([1., 3., 2.])
    """
    a, v = as_tensors((a, v))
    if a.ndim != 1 or v.ndim != 1 or mode not in ("full", "same", "valid"):
        msg = (
            f"np.convolve: arrays of shape {tuple(a.shape)} and {tuple(v.shape)} with "
            f"mode={mode!r} were given. Expected two vectors, and 'full', 'same' or 'valid'. "
            f"Flatten the arrays."
        )
        raise ShapeError(msg)
    if len(v) > len(a):
        a, v = v, a
    border = {"full": len(v) - 1, "valid": 0}.get(mode, 0)
    result = torch.conv1d(a[None, None], v.flip(0)[None, None], padding=border)[0, 0]
    if mode != "same":
        return result
    full = torch.conv1d(a[None, None], v.flip(0)[None, None], padding=len(v) - 1)[0, 0]
    start = (len(v) - 1) // 2
    return full[start : start + len(a)]
