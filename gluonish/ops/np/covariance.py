"""NumPy's covariances."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.np.arguments import as_tensor
from gluonish.ops.table import op


@op(np="cov")
def cov(
    m: Tensor,
    y: Tensor | None = None,
    rowvar: bool | int = True,
    bias: bool | int = False,
    ddof: float | None = None,
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
    ddof : int, or float without a fraction, optional
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
    rows = [_variables(each, bool(rowvar)).to(target) for each in (m, y) if each is not None]
    if ddof is not None and ddof != int(ddof):
        msg = f"np.cov: ddof={ddof!r} was given. Expected a whole number. Write ddof={int(ddof)}."
        raise InvalidArgumentError(msg)
    correction = (0 if bias else 1) if ddof is None else int(ddof)
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
    return m if rowvar or m.shape[0] == 1 else m.T  # one row is one variable, for NumPy


@op(np="corrcoef")
def corrcoef(
    x: Tensor, y: Tensor | None = None, rowvar: bool | int = True, *, dtype: DTypeLike | None = None
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
