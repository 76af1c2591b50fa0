"""Operators of MXNet's graphs for NumPy's products, inverses, norms and diagonals of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.ops.arrays import sorting
from gluonish.ops.np import diagonal, linalg, products
from gluonish.ops.table import Graph, Sparse, op

if TYPE_CHECKING:
    from collections.abc import Sequence


_OF_ALL = -2  # a flag of graphs' norms
_MATRIX_NORMS = {1: "fro", 2: "nuc"}  # by flag


@op(
    np="_npi_tensordot_int_axes",
    shapes=products.contracted_shapes,
    reverse=products.contracted_shapes,
)
def tensordot_int_axes(a: Tensor, b: Tensor, axes: int = 2) -> Tensor:
    """Return sums of products over the last axes of one array and the first of another.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.matrices import tensordot_int_axes
    >>> tensordot_int_axes(torch.ones(3), torch.ones(3), axes=1).item()
    3.0
    """
    return products.tensordot(a, b, axes)


@op(np="_npi_tensordot", shapes=products.contracted_shapes, reverse=products.contracted_shapes)
def tensordot(
    a: Tensor, b: Tensor, a_axes_summed: Sequence[int] = (), b_axes_summed: Sequence[int] = ()
) -> Tensor:
    """Return sums of products over chosen axes of two arrays.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.matrices import tensordot
    >>> tensordot(torch.ones(3), torch.ones(2, 3), (0,), (1,)).tolist()
    [3.0, 3.0]
    """
    return products.tensordot(a, b, (a_axes_summed, b_axes_summed))


@op(np="_npi_pinv")
def pinv(A: Tensor, rcond: Tensor, hermitian: bool = False) -> Tensor:  # noqa: N803
    """Return the pseudo-inverse; singular values below a share of the largest count as 0.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.matrices import pinv
    >>> pinv(2 * torch.eye(2), torch.tensor(1e-5)).tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    is_square = A.shape[-2] == A.shape[-1]
    result: Tensor = torch.linalg.pinv(A, rtol=rcond, hermitian=hermitian and is_square)
    return result


@op(np="_npi_pinv_scalar_rcond")
def pinv_scalar_rcond(
    A: Tensor,  # noqa: N803 - MXNet's name
    rcond: float = 1e-15,
    hermitian: bool = False,
) -> Tensor:
    """Return the pseudo-inverse; singular values below a share of the largest count as 0.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.matrices import pinv_scalar_rcond
    >>> pinv_scalar_rcond(2 * torch.eye(2)).tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    return linalg.pinv(A, rcond, hermitian and A.shape[-2] == A.shape[-1])


@op(np="_npi_norm", output_names=("output0",), graph=Graph(outputs=4), sparse=Sparse("takes norm"))
def norm(
    data: Tensor,
    ord: float = 2.0,  # noqa: A002 - MXNet's name
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
    flag: int = -1,
) -> Tensor:
    """Return a norm, for flag -2 of all elements in a row, as if they were a vector.

    Without axes it is that of a vector, or of the matrices that the last two axes make. Vectors
    have the norm of order `ord`; so have matrices, but for Frobenius' (flag 1) and the nuclear
    norm (flag 2).

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.matrices import norm
    >>> norm(torch.tensor([3., 4.])).item(), norm(torch.tensor([3., 4.]), 1, flag=-1).item()
    (5.0, 7.0)
    """
    if isinstance(axis, (list, tuple)) and len(axis) == 1:
        axis = axis[0]
    if flag == _OF_ALL:
        return linalg.norm(data, None, axis, keepdims)
    if axis is None and data.dim() > 1:
        axis = (-2, -1)
    is_matrix = isinstance(axis, (list, tuple))
    kind: Any = _MATRIX_NORMS.get(flag, ord) if is_matrix else ord
    return linalg.norm(data, kind, axis, keepdims)


@op(np="_npi_diag_indices_from")
def diag_indices_from(data: Tensor) -> Tensor:
    """Return the positions of an array's main diagonal, one row for each axis.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.matrices import diag_indices_from
    >>> diag_indices_from(torch.zeros(2, 2)).tolist()
    [[0, 1], [0, 1]]
    """
    return torch.stack(diagonal.diag_indices_from(data))


@op(np="_npi_unravel_index", file="Custom:unravel_index_fallback", graph=Graph(hint="custom"))
def unravel_index(indices: Tensor, shape: int | Sequence[int]) -> Tensor:
    """Return the positions along each axis for flat positions, one row for each axis.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.matrices import unravel_index
    >>> unravel_index(torch.tensor([5, 1]), (2, 3)).tolist()
    [[1, 0], [2, 1]]
    """
    return sorting.unravel_index(indices, shape)
