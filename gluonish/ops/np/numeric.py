"""NumPy's functions of neighbours and of limits: clipping, differences, integrals, polynomials."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import Out, as_tensor, as_tensors, into, one_axis, shape_error
from gluonish.ops.table import Graph, op

if TYPE_CHECKING:
    from typing import TypeAlias

Bound: TypeAlias = "torch.Tensor | float | None"


def _clip(a: Tensor, lower: Bound, upper: Bound) -> Tensor:
    if lower is None and upper is None:
        msg = (
            "np.clip: neither a_min nor a_max was given. Expected one of them at least. Pass the "
            "limits, for example x.clip(0, 1)."
        )
        raise InvalidArgumentError(msg)
    if isinstance(lower, Tensor) or isinstance(upper, Tensor):
        ends = [None if each is None else as_tensor(each, a).to(a.dtype) for each in (lower, upper)]
        return torch.clamp(a, *ends)
    if not a.is_floating_point():
        whole = [None if each is None else int(each) for each in (lower, upper)]
        return torch.clamp(a, *whole)
    return torch.clamp(a, lower, upper)


@op(np="clip", file="clip", recorded=recorded.clip)
def clip(a: Tensor, a_min: Bound, a_max: Bound, out: Out = None) -> Tensor:
    """Return the elements with those below or above limits replaced by the limit.

    Examples
    --------
    >>> from gluonish import np
    >>> np.clip(np.arange(4), 1, 2)
    array([1., 1., 2., 2.])
    """
    return into(out, _clip(as_tensor(a), a_min, a_max))


@op(np_method="clip")
def clip_method(
    a: Tensor,
    min: Bound = None,  # noqa: A002 - NumPy's name
    max: Bound = None,  # noqa: A002
    out: Out = None,
) -> Tensor:
    """Return the elements with those below or above limits replaced by the limit.

    Examples
    --------
    >>> from gluonish import np
    >>> np.arange(4).clip(max=2)
    array([0., 1., 2., 2.])
    """
    result = _clip(a, min, max)
    return result if out is None else into(out, result)


@op(np="nan_to_num")
def nan_to_num(
    x: Tensor,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Return the elements with not-a-number and infinities replaced.

    Parameters
    ----------
    x : ndarray
        The elements.
    copy : bool, default True
        Whether the result has memory of its own; False writes into `x`.
    nan : float, default 0.0
        What stands for not-a-number.
    posinf, neginf : float, optional
        What stands for the infinities: by default the largest and the least number.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nan_to_num(np.array([1, np.nan]))
    array([1., 0.])
    """
    x = as_tensor(x)
    if not x.is_floating_point():
        return x.clone() if copy else x
    result = torch.nan_to_num(x, nan, posinf, neginf)
    return result if copy else x.copy_(result)


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


@op(np="ediff1d", recorded=recorded.ediff1d)
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
    if x is None:
        return torch.trapezoid(y, dx=dx, dim=axis)
    return torch.trapezoid(y, as_tensor(x, y), dim=axis)


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


@op(np="heaviside")
def heaviside(x1: Tensor, x2: Tensor) -> Tensor:
    """Return 0 where the first is negative, 1 where it is positive, the second where it is 0.

    Examples
    --------
    >>> from gluonish import np
    >>> np.heaviside(np.array([-1, 0, 2]), 0.5)
    array([0. , 0.5, 1. ])
    """
    x1 = as_tensor(x1)
    return torch.heaviside(x1, as_tensor(x2, x1).to(x1.dtype))


@op(np="real")
def real(val: Tensor) -> Tensor:
    """Return the real part: of arrays of real numbers, the array.

    Examples
    --------
    >>> from gluonish import np
    >>> np.real(np.ones(2))
    array([1., 1.])
    """
    return torch.real(as_tensor(val))


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
