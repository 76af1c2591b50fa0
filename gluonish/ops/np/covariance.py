"""NumPy's covariances and histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import as_tensor
from gluonish.ops.table import op

if TYPE_CHECKING:
    from collections.abc import Sequence


@op(np="cov")
def cov(
    m: Tensor,
    y: Tensor | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Return the covariance of variables, in float64 unless a dtype is given.

    Parameters
    ----------
    m : ndarray, shape (variables, observations)
        The variables.
    y : ndarray, optional
        More variables.
    rowvar : bool, default True
        Whether each row is a variable; else each column is.
    bias : bool, default False
        Whether to divide by the count of observations; else by one less.
    ddof : int, optional
        What is taken off the count, instead of what `bias` says.
    fweights, aweights : ndarray, shape (observations,), optional
        How often each observation counts, and how much.
    dtype : str, type or dtype, optional
        Dtype of the result.

    Examples
    --------
    >>> from gluonish import np
    >>> np.cov(np.array([[0, 1, 2], [2, 1, 0]]))
    array([[ 1., -1.],
           [-1.,  1.]], dtype=float64)
    """
    target = torch.float64 if dtype is None else torch_dtype(dtype)
    rows = [_variables(each, rowvar).to(target) for each in (m, y) if each is not None]
    correction = (0 if bias else 1) if ddof is None else ddof
    frequency = None if fweights is None else as_tensor(fweights).to(torch.int64)
    importance = None if aweights is None else as_tensor(aweights).to(target)
    try:
        return torch.cov(
            torch.cat(rows), correction=correction, fweights=frequency, aweights=importance
        )
    except RuntimeError as error:
        shapes = " and ".join(str(tuple(each.shape)) for each in rows)
        msg = (
            f"np.cov: variables of shape {shapes} were given ({str(error).splitlines()[0]}). "
            f"Expected as many observations, and weights, for each. Check rowvar."
        )
        raise ShapeError(msg) from error


def _variables(m: Tensor, rowvar: bool) -> Tensor:
    m = as_tensor(m)
    if m.ndim > 2:
        msg = (
            f"np.cov: an array of shape {tuple(m.shape)} was given. Expected one or two axes. "
            f"Reshape it to (variables, observations)."
        )
        raise ShapeError(msg)
    if m.ndim < 2:
        return m.reshape(1, -1)
    return m if rowvar else m.T


@op(np="corrcoef")
def corrcoef(
    x: Tensor, y: Tensor | None = None, rowvar: bool = True, *, dtype: DTypeLike | None = None
) -> Tensor:
    """Return the correlation of variables, in float64 unless a dtype is given.

    Examples
    --------
    >>> from gluonish import np
    >>> np.corrcoef(np.array([[0, 1, 2], [2, 1, 0]]))
    array([[ 1., -1.],
           [-1.,  1.]], dtype=float64)
    """
    covariance = cov(x, y, rowvar, dtype=dtype)
    if not covariance.ndim:
        return covariance / covariance
    scale = covariance.diagonal().sqrt()
    return (covariance / scale[:, None] / scale[None]).clamp(-1, 1)


@op(np="histogram", file="_histogram", outputs=2, recorded=recorded.histogram)
def histogram(
    a: Tensor,
    bins: int | Sequence[float] | Tensor = 10,
    range: tuple[float, float] | None = None,  # noqa: A002 - NumPy's name
    normed: bool | None = None,
    weights: Tensor | None = None,
    density: bool | None = None,
) -> list[Tensor]:
    """Return how many elements fall into each of some intervals, and the intervals' ends.

    Parameters
    ----------
    a : ndarray
        The elements.
    bins : int or ndarray, default 10
        How many equal intervals, or their ends.
    range : pair of float, optional
        First and last end; by default the least and the largest element.
    normed, density : bool, optional
        Whether to return a density, whose integral is 1.
    weights : ndarray, optional
        What each element counts.

    Examples
    --------
    >>> from gluonish import np
    >>> np.histogram(np.array([1, 2, 2, 4]), bins=3, range=(1, 4))
    [array([1, 2, 1], dtype=int64), array([1., 2., 3., 4.])]
    """
    values = as_tensor(a).reshape(-1)
    edges = _edges(values, bins, range)
    wide = edges.to(torch.float64)
    places = torch.searchsorted(wide, values.to(torch.float64).contiguous(), right=True) - 1
    last = len(edges) - 2
    places = torch.where(values == wide[-1], last, places)
    inside = (places >= 0) & (places <= last)
    share = None if weights is None else as_tensor(weights, values).reshape(-1)
    if share is not None and share.shape != values.shape:
        msg = (
            f"np.histogram: {len(share)} weights were given for {len(values)} elements. Expected "
            f"one weight for each. Reshape the weights."
        )
        raise ShapeError(msg)
    chosen = None if share is None else share[inside]
    counts = torch.bincount(places[inside], chosen, minlength=last + 1)
    if density or normed:
        total = counts.to(torch.float64)
        return [(total / total.sum() / wide.diff()).to(torch.float32), edges]
    return [counts, edges]


def _edges(
    values: Tensor, bins: int | Sequence[float] | Tensor, ends: tuple[float, float] | None
) -> Tensor:
    if isinstance(bins, int):
        if bins < 1:
            msg = f"np.histogram: bins={bins} was given. Expected 1 or more. Pass how many."
            raise InvalidArgumentError(msg)
        if ends is None:
            filled = values.numel() > 0
            ends = (float(values.min()), float(values.max())) if filled else (0.0, 1.0)
        low, high = ends
        if low == high:
            low, high = low - 0.5, high + 0.5
        if not low < high:
            msg = (
                f"np.histogram: range={ends!r} was given. Expected a smaller and a larger number. "
                f"Exchange them."
            )
            raise InvalidArgumentError(msg)
        spaced = torch.linspace(low, high, bins + 1, dtype=torch.float64, device=values.device)
        return spaced.to(torch.float32)
    edges = as_tensor(bins, values)
    if edges.ndim != 1 or len(edges) < 2 or bool((edges.diff() < 0).any()):
        msg = (
            f"np.histogram: bins of shape {tuple(edges.shape)} were given. Expected a vector of "
            f"two ends or more, ascending. Sort it with np.sort."
        )
        raise InvalidArgumentError(msg)
    return edges
