"""NumPy's diagonals and triangles of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.errors import ShapeError
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import Out, as_tensor, device_of, into, one_axis
from gluonish.ops.table import Graph, op

if TYPE_CHECKING:
    from gluonish.context import Context


@op(np="diag", file="_np_diag", np_method="diag")
def diag(array: Tensor, k: int = 0) -> Tensor:
    """Return a diagonal of a matrix, or the matrix that has a vector on a diagonal.

    Examples
    --------
    >>> from gluonish import np
    >>> np.diag(np.array([[1, 2], [3, 4]]))
    array([1., 4.])
    """
    array = as_tensor(array)
    if array.ndim not in (1, 2):
        msg = (
            f"np.diag: an array of shape {tuple(array.shape)} was given. Expected one or two "
            f"axes. Use np.diagonal for more."
        )
        raise ShapeError(msg)
    return torch.diag(array, k)


@op(np="diagflat", file="_np_diagflat")
def diagflat(array: Tensor, k: int = 0) -> Tensor:
    """Return the matrix that has all elements of an array on a diagonal.

    Examples
    --------
    >>> from gluonish import np
    >>> np.diagflat(np.array([1, 2]))
    array([[1., 0.],
           [0., 2.]])
    """
    return torch.diagflat(as_tensor(array), k)


@op(np="diagonal", file="_np_diagonal")
def diagonal(a: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """Return a diagonal of each matrix that two axes make.

    Examples
    --------
    >>> from gluonish import np
    >>> np.diagonal(np.array([[1, 2], [3, 4]]), 1)
    array([2.])
    """
    a = as_tensor(a)
    one_axis("np.diagonal", axis1, a)
    one_axis("np.diagonal", axis2, a)
    return torch.diagonal(a, offset, axis1, axis2)


@op(np="trace", file="_np_trace")
def trace(a: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, out: Out = None) -> Tensor:
    """Return the sum of a diagonal.

    Examples
    --------
    >>> from gluonish import np
    >>> np.trace(np.eye(3))
    array(3.)
    """
    parts = diagonal(a, offset, axis1, axis2)
    return into(out, parts.sum(-1, dtype=parts.dtype))


@op(np="tril", graph=Graph(written={"np.tril": "k=0"}))
def tril(m: Tensor, k: int = 0) -> Tensor:
    """Return the lower triangle of matrices, with zeros above the `k`-th diagonal.

    Examples
    --------
    >>> from gluonish import np
    >>> np.tril(np.ones((2, 2)))
    array([[1., 0.],
           [1., 1.]])
    """
    return torch.tril(_matrix("np.tril", m), k)


@op(np="triu")
def triu(m: Tensor, k: int = 0) -> Tensor:
    """Return the upper triangle of matrices, with zeros below the `k`-th diagonal.

    Examples
    --------
    >>> from gluonish import np
    >>> np.triu(np.ones((2, 2)))
    array([[1., 1.],
           [0., 1.]])
    """
    return torch.triu(_matrix("np.triu", m), k)


def _matrix(where: str, m: Tensor) -> Tensor:
    m = as_tensor(m)
    if m.ndim == 0:
        msg = (
            f"{where}: an array of shape () was given. Expected one axis or more. Reshape it to "
            f"(1, 1)."
        )
        raise ShapeError(msg)
    return m.expand(m.shape[0], m.shape[0]) if m.ndim == 1 else m


@op(np="tri")
def tri(
    N: int,  # noqa: N803 - NumPy's name
    M: int | None = None,  # noqa: N803
    k: int = 0,
    dtype: DTypeLike = onp.float32,
    ctx: Context | None = None,
) -> Tensor:
    """Return a matrix of ones on and below the `k`-th diagonal, zeros above.

    Examples
    --------
    >>> from gluonish import np
    >>> np.tri(2, 3)
    array([[1., 0., 0.],
           [1., 1., 0.]])
    """
    columns = N if M is None else M
    full = torch.ones((N, columns), dtype=torch_dtype(dtype), device=device_of(ctx))
    return torch.tril(full, k)


@op(np="diag_indices_from", outputs=0, recorded=recorded.diag_indices_from)
def diag_indices_from(arr: Tensor) -> tuple[Tensor, ...]:
    """Return the positions of an array's main diagonal, one index array per axis.

    Examples
    --------
    >>> from gluonish import np
    >>> np.diag_indices_from(np.zeros((2, 2)))
    (array([0, 1], dtype=int64), array([0, 1], dtype=int64))
    """
    arr = as_tensor(arr)
    if arr.ndim < 2 or len(set(arr.shape)) > 1:
        msg = (
            f"np.diag_indices_from: an array of shape {tuple(arr.shape)} was given. Expected two "
            f"axes or more, all of equal length. Use np.diagonal for other shapes."
        )
        raise ShapeError(msg)
    return (torch.arange(arr.shape[0], device=arr.device),) * arr.ndim


@op(np="tril_indices_from", outputs=2)
def tril_indices_from(arr: Tensor, k: int = 0) -> tuple[Tensor, Tensor]:
    """Return the positions of a matrix's lower triangle: rows, and columns.

    Examples
    --------
    >>> from gluonish import np
    >>> np.tril_indices_from(np.zeros((2, 2)))
    (array([0, 1, 1], dtype=int64), array([0, 0, 1], dtype=int64))
    """
    arr = as_tensor(arr)
    return tril_indices(arr.shape[-2], k, arr.shape[-1], arr.device)


@op(np="triu_indices_from", outputs=2)
def triu_indices_from(arr: Tensor, k: int = 0) -> tuple[Tensor, Tensor]:
    """Return the positions of a matrix's upper triangle: rows, and columns.

    Examples
    --------
    >>> from gluonish import np
    >>> np.triu_indices_from(np.zeros((2, 2)))
    (array([0, 0, 1], dtype=int64), array([0, 1, 1], dtype=int64))
    """
    arr = as_tensor(arr)
    found = torch.triu_indices(arr.shape[-2], arr.shape[-1], k, device=arr.device)
    return found[0], found[1]


def tril_indices(n: int, k: int, m: int, device: torch.device | None) -> tuple[Tensor, Tensor]:
    """Return rows and columns of the lower triangle of an n by m matrix."""
    found = torch.tril_indices(n, m, k, device=device)
    return found[0], found[1]


@op(np="tril_indices", outputs=2)
def tril_indices_op(
    n: int, k: int = 0, m: int | None = None, *, ctx: Context | None = None
) -> tuple[Tensor, Tensor]:
    """Return the positions of the lower triangle of an n by m matrix: rows, and columns.

    Examples
    --------
    >>> from gluonish import np
    >>> np.tril_indices(2)
    (array([0, 1, 1], dtype=int64), array([0, 0, 1], dtype=int64))
    """
    return tril_indices(n, k, n if m is None else m, device_of(ctx))


@op(np="triu_indices", outputs=2)
def triu_indices(
    n: int, k: int = 0, m: int | None = None, *, ctx: Context | None = None
) -> tuple[Tensor, Tensor]:
    """Return the positions of the upper triangle of an n by m matrix: rows, and columns.

    Examples
    --------
    >>> from gluonish import np
    >>> np.triu_indices(2)
    (array([0, 0, 1], dtype=int64), array([0, 1, 1], dtype=int64))
    """
    found = torch.triu_indices(n, n if m is None else m, k, device=device_of(ctx))
    return found[0], found[1]
