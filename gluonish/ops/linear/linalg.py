"""MXNet's linear algebra on batches of matrices (`nd.linalg`)."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.context import is_np_shape
from gluonish.errors import ShapeError
from gluonish.ops.arrays.reduction import at_least_1d
from gluonish.ops.table import FULL, UNLISTED, Graph, Precision, op
from gluonish.ops.table.explain import explained

# ruff: noqa: N803 - A, B and C are MXNet's names

_UNEQUAL, _TINY = 1e-3, 1e-6
_PRODUCT = "matrices whose inner lengths agree. Use transpose_a or transpose_b"
_SQUARE = "square matrices, shape (*, n, n). Slice the array"
_TRIANGULAR = "a square triangular matrix that fits the other factor. Check rightside and transpose"


def how_definite(matrices: Tensor) -> str:
    """Return what matrices with a Cholesky factor are, and what would make such of some others.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.linear.linalg import how_definite
    >>> how_definite(torch.tensor([[1., 2.], [2., 1.]])).partition('; ')[2]
    'the smallest is -1. Add more than 1 times the identity matrix'
    """
    what = "symmetric positive definite matrices, with all eigenvalues above 0"
    square = matrices.ndim > 1 and matrices.shape[-1] == matrices.shape[-2]
    if not square or not matrices.isfinite().all():
        return f"{what}, square and of finite numbers. Check it"
    apart = (matrices - matrices.transpose(-1, -2)).abs() > _UNEQUAL * matrices.abs().max()
    if apart.any():
        row, column = apart.nonzero()[0][-2:].tolist()
        return f"{what}; [{row}, {column}] is not [{column}, {row}] here. Write (A + A.T) / 2"
    smallest = float(torch.linalg.eigvalsh(matrices.double()).min())
    much = f"more than {-smallest:.4g} times" if smallest < -_TINY else "a small multiple of"
    return f"{what}; the smallest is {smallest:.4g}. Add {much} the identity matrix"


def _names(name: str) -> tuple[str, str]:
    return f"linalg.{name}", f"linalg_{name}"


def _turned(matrix: Tensor, transpose: bool) -> Tensor:
    return matrix.transpose(-1, -2) if transpose else matrix


def _triangle(matrix: Tensor, lower: bool) -> Tensor:
    return torch.tril(matrix) if lower else torch.triu(matrix)


@op(nd=_names("gemm"), precision=FULL)
@explained(_PRODUCT)
def gemm(
    A: Tensor,
    B: Tensor,
    C: Tensor,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
) -> Tensor:
    """Return `alpha * A B + beta * C`.

    Parameters
    ----------
    A, B, C : Tensor, shape (*, rows, columns)
        The matrices.
    transpose_a, transpose_b : bool, default False
        Whether to transpose a factor first.
    alpha, beta : float, default 1.0
        Factors of the product and of C.
    axis : int, default -2
        Axis of the rows.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((2, 2))
    >>> mx.nd.linalg.gemm(x, x, x, alpha=2, beta=10).asnumpy()
    array([[14., 14.],
           [14., 14.]], dtype=float32)
    """
    product = alpha * _product(A, B, transpose_a, transpose_b, axis)
    if C.shape != product.shape:
        msg = (
            f"linalg.gemm: C of shape {tuple(C.shape)} was given. Expected {tuple(product.shape)}, "
            f"the shape of the product. Write C.broadcast_to({tuple(product.shape)})."
        )
        raise ShapeError(msg)
    return product + beta * C


@op(nd=_names("gemm2"), precision=FULL)
@explained(_PRODUCT)
def gemm2(
    A: Tensor,
    B: Tensor,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
) -> Tensor:
    """Return `alpha * A B`.

    Parameters
    ----------
    A, B : Tensor, shape (*, rows, columns)
        The matrices.
    transpose_a, transpose_b : bool, default False
        Whether to transpose a factor first.
    alpha : float, default 1.0
        Factor.
    axis : int, default -2
        Axis of the rows.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((2, 2))
    >>> mx.nd.linalg.gemm2(x, x, alpha=2).asnumpy()
    array([[4., 4.],
           [4., 4.]], dtype=float32)
    """
    product = _product(A, B, transpose_a, transpose_b, axis)
    return product if alpha == 1 else alpha * product


def _check_batches(A: Tensor, B: Tensor) -> None:
    if A.shape[:-2] != B.shape[:-2]:
        msg = (
            f"linalg: matrices in batches of shape {tuple(A.shape[:-2])} and "
            f"{tuple(B.shape[:-2])} were given, A of shape {tuple(A.shape)} and B of shape "
            f"{tuple(B.shape)}. Expected equal ones. Write x.broadcast_to(...) for the smaller."
        )
        raise ShapeError(msg)


def _product(A: Tensor, B: Tensor, transpose_a: bool, transpose_b: bool, axis: int) -> Tensor:
    if axis in (-2, A.ndim - 2):
        _check_batches(A, B)
        return torch.matmul(_turned(A, transpose_a), _turned(B, transpose_b))
    left = _turned(A.movedim(axis, -2), transpose_a)
    right = _turned(B.movedim(axis, -2), transpose_b)
    _check_batches(left, right)
    return torch.matmul(left, right).movedim(-2, axis)


@op(nd=_names("potrf"), is_loose=False, precision=FULL)
@explained(lambda A, *_: how_definite(A))
def potrf(A: Tensor, lower: bool = True) -> Tensor:
    """Return the Cholesky factor: the lower triangular L with `L L^T = A`.

    Parameters
    ----------
    A : Tensor, shape (*, n, n)
        Symmetric positive definite matrices; the other triangle is not read.
    lower : bool, default True
        Whether to return L; if not, the upper triangular U with `U^T U = A`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.potrf(mx.nd.array([[4, 2], [2, 5]])).asnumpy()
    array([[2., 0.],
           [1., 2.]], dtype=float32)
    """
    factor: Tensor = torch.linalg.cholesky(A, upper=not lower)
    return factor


def _what_factors_are(matrices: Tensor, *_: object) -> str:
    is_square = matrices.ndim > 1 and matrices.shape[-1] == matrices.shape[-2]
    if is_square and not matrices.diagonal(dim1=-2, dim2=-1).all():
        return "Cholesky factors, with no 0 on the diagonal. Give it what potrf returns"
    return _SQUARE


@op(nd=_names("potri"), is_loose=False, precision=FULL)
@explained(_what_factors_are)
def potri(A: Tensor, lower: bool = True) -> Tensor:
    """Return the inverse of `A A^T`, given its Cholesky factor A.

    Parameters
    ----------
    A : Tensor, shape (*, n, n)
        The factors; the other triangle is not read.
    lower : bool, default True
        Whether A is lower triangular; if not, the inverse of `A^T A` is returned.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.potri(mx.nd.array([[2, 0], [1, 1]])).asnumpy()
    array([[ 0.5, -0.5],
           [-0.5,  1. ]], dtype=float32)
    """
    inverse: Tensor = torch.cholesky_inverse(_triangle(A, lower), upper=not lower)
    return inverse


@op(nd=_names("trmm"), precision=FULL)
@explained(_TRIANGULAR)
def trmm(
    A: Tensor,
    B: Tensor,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
) -> Tensor:
    """Multiply with a triangular matrix: `alpha * A B`, or `alpha * B A`.

    Parameters
    ----------
    A : Tensor, shape (*, n, n)
        Triangular matrices; the other triangle is not read.
    B : Tensor, shape (*, rows, columns)
        The other factors.
    transpose : bool, default False
        Whether to transpose A first.
    rightside : bool, default False
        Whether A is the second factor.
    lower : bool, default True
        Whether A is lower triangular.
    alpha : float, default 1.0
        Factor.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.trmm(mx.nd.ones((2, 2)), mx.nd.ones((2, 2))).asnumpy()
    array([[1., 1.],
           [2., 2.]], dtype=float32)
    """
    _check_batches(A, B)
    factor = _turned(_triangle(A, lower), transpose)
    return alpha * (torch.matmul(B, factor) if rightside else torch.matmul(factor, B))


@op(nd=_names("trsm"), precision=FULL)
@explained(_TRIANGULAR)
def trsm(
    A: Tensor,
    B: Tensor,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
) -> Tensor:
    """Solve `A X = alpha B`, or `X A = alpha B`, for a triangular matrix A.

    Parameters
    ----------
    A : Tensor, shape (*, n, n)
        Triangular matrices; the other triangle is not read.
    B : Tensor, shape (*, rows, columns)
        The right hand sides.
    transpose : bool, default False
        Whether to transpose A first.
    rightside : bool, default False
        Whether A is the second factor.
    lower : bool, default True
        Whether A is lower triangular.
    alpha : float, default 1.0
        Factor.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.trsm(mx.nd.ones((2, 2)), mx.nd.array([[1, 1], [2, 2]])).asnumpy()
    array([[1., 1.],
           [1., 1.]], dtype=float32)
    """
    _check_batches(A, B)
    factor = _turned(_triangle(A, lower), transpose)
    solution: Tensor = torch.linalg.solve_triangular(
        factor, alpha * B, upper=lower == transpose, left=not rightside
    )
    return solution


@op(nd=_names("syrk"), precision=FULL)
@explained("matrices, shape (*, rows, columns). Reshape the array")
def syrk(A: Tensor, transpose: bool = False, alpha: float = 1.0) -> Tensor:
    """Return `alpha * A A^T`, or with `transpose` `alpha * A^T A`.

    Parameters
    ----------
    A : Tensor, shape (*, rows, columns)
        The matrices.
    transpose : bool, default False
        Whether to transpose A first.
    alpha : float, default 1.0
        Factor.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.syrk(mx.nd.array([[1, 2]])).asnumpy()
    array([[5.]], dtype=float32)
    """
    factor = _turned(A, transpose)
    return alpha * torch.matmul(factor, factor.transpose(-1, -2))


@op(nd=_names("gelqf"), outputs=2, precision=FULL)
@explained("matrices with at most as many rows as columns. Transpose them")
def gelqf(A: Tensor) -> tuple[Tensor, Tensor]:
    """Return Q with orthonormal rows and the lower triangular L such that `A = L Q`.

    Examples
    --------
    >>> import gluonish as mx
    >>> q, l = mx.nd.linalg.gelqf(mx.nd.array([[3, 4]]))
    >>> abs(l).asnumpy()
    array([[5.]], dtype=float32)
    """
    orthogonal, upper = torch.linalg.qr(A.transpose(-1, -2))
    return orthogonal.transpose(-1, -2), upper.transpose(-1, -2)


@op(nd=_names("syevd"), outputs=2, precision=Precision("full", others={"linalg_syevd": UNLISTED}))
@explained(_SQUARE)
def syevd(A: Tensor) -> tuple[Tensor, Tensor]:
    """Return eigenvectors U, as rows, and eigenvalues L of a symmetric matrix.

    Examples
    --------
    >>> import gluonish as mx
    >>> vectors, values = mx.nd.linalg.syevd(mx.nd.array([[2, 0], [0, 1]]))
    >>> values.asnumpy()
    array([1., 2.], dtype=float32)
    """
    values, vectors = torch.linalg.eigh(A)
    rows = vectors.transpose(-1, -2)
    return rows * row_signs(rows), values


def row_signs(rows: Tensor) -> Tensor:
    """Return, for each row, 1 or -1: what makes its entry of largest magnitude positive.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.linear.linalg import row_signs
    >>> row_signs(torch.tensor([[0.6, -0.8], [0.8, 0.6]]))
    tensor([[-1.],
            [ 1.]])
    """
    if not rows.numel():
        return torch.ones_like(rows[..., :1])
    largest = rows.detach().gather(-1, rows.abs().argmax(-1, keepdim=True))
    return torch.ones_like(largest).copysign(largest)


@op(nd=_names("sumlogdiag"), precision=FULL)
@explained(_SQUARE)
def sumlogdiag(A: Tensor) -> Tensor:
    """Return the sum of the logarithms of the diagonal.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.sumlogdiag(mx.nd.eye(3)).asnumpy()
    array([0.], dtype=float32)
    """
    return at_least_1d(A.diagonal(dim1=-2, dim2=-1).log().sum(-1))


@op(nd=_names("extractdiag"), precision=FULL)
@explained(_SQUARE)
def extractdiag(A: Tensor, offset: int = 0) -> Tensor:
    """Return a diagonal of each matrix.

    Parameters
    ----------
    A : Tensor, shape (*, n, n)
        The matrices.
    offset : int, default 0
        Diagonal: 0 is the main one, positive ones are above it.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.extractdiag(mx.nd.array([[1, 2], [3, 4]])).asnumpy()
    array([1., 4.], dtype=float32)
    """
    return A.diagonal(offset, -2, -1).clone(memory_format=torch.contiguous_format)


@op(nd=_names("makediag"), precision=FULL)
@explained("vectors, shape (*, n). Reshape the array")
def makediag(A: Tensor, offset: int = 0) -> Tensor:
    """Return matrices with the given diagonals, else zeros.

    Parameters
    ----------
    A : Tensor, shape (*, n)
        The diagonals.
    offset : int, default 0
        Diagonal: 0 is the main one, positive ones are above it.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.makediag(mx.nd.array([1, 2])).asnumpy()
    array([[1., 0.],
           [0., 2.]], dtype=float32)
    """
    return torch.diag_embed(A, offset)


def _positions(n: int, offset: int, lower: bool, device: torch.device) -> Tensor:
    is_lower = lower if offset == 0 else offset < 0
    if is_lower:
        return torch.tril_indices(n, n, offset, device=device)
    return torch.tril_indices(n, n, -offset, device=device).flip(0)


@op(nd=_names("extracttrian"), precision=FULL)
@explained(_SQUARE)
def extracttrian(A: Tensor, offset: int = 0, lower: bool = True) -> Tensor:
    """Return a triangle of each matrix: a lower one row by row, an upper one column by column.

    Parameters
    ----------
    A : Tensor, shape (*, n, n)
        The matrices.
    offset : int, default 0
        Diagonal at which the triangle begins; negative ones give lower triangles.
    lower : bool, default True
        With offset 0: whether it is the lower triangle.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.extracttrian(mx.nd.array([[1, 2], [3, 4]])).asnumpy()
    array([1., 3., 4.], dtype=float32)
    """
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        msg = "the matrices are not square"
        raise RuntimeError(msg)
    rows, columns = _positions(A.shape[-1], offset, lower, A.device)
    return A[..., rows, columns]


@op(nd=_names("maketrian"), precision=FULL)
@explained("vectors of n (n + 1) / 2 numbers. Check offset")
def maketrian(A: Tensor, offset: int = 0, lower: bool = True) -> Tensor:
    """Return triangular matrices: lower ones filled row by row, upper ones column by column.

    Parameters
    ----------
    A : Tensor, shape (*, count)
        The numbers.
    offset : int, default 0
        Diagonal at which the triangle begins; negative ones give lower triangles.
    lower : bool, default True
        With offset 0: whether it is the lower triangle.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.maketrian(mx.nd.array([1, 2, 3])).asnumpy()
    array([[1., 0.],
           [2., 3.]], dtype=float32)
    """
    side = int(((8 * A.shape[-1] + 1) ** 0.5 - 1) / 2)
    n = side + abs(offset)
    rows, columns = _positions(n, offset, lower, A.device)
    empty = A.new_zeros((*A.shape[:-1], n * n))
    flat = (rows * n + columns).expand(A.shape)
    return empty.scatter(-1, flat, A).reshape(*A.shape[:-1], n, n)


def _of_matrices(values: Tensor) -> Tensor:
    """Return one number for each matrix; for a single one it has an axis, but in np mode."""
    return values if is_np_shape() else at_least_1d(values)


@op(nd=_names("det"), output_names=("output0",), graph=Graph(outputs=3), precision=FULL)
@explained(_SQUARE)
def det(A: Tensor) -> Tensor:
    """Return the determinant of each matrix.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.det(mx.nd.array([[2, 0], [0, 3]])).asnumpy()
    array([6.], dtype=float32)
    """
    return _of_matrices(torch.linalg.det(A))


@op(nd=_names("slogdet"), outputs=2, graph=Graph(outputs=4), precision=FULL)
@explained(_SQUARE)
def slogdet(A: Tensor) -> tuple[Tensor, Tensor]:
    """Return the sign of the determinant of each matrix and the logarithm of its size.

    Examples
    --------
    >>> import gluonish as mx
    >>> sign, size = mx.nd.linalg.slogdet(mx.nd.array([[-1, 0], [0, 1]]))
    >>> float(sign), float(size)
    (-1.0, 0.0)
    """
    sign, size = torch.linalg.slogdet(A)
    return _of_matrices(sign), _of_matrices(size)


@op(nd=_names("inverse"), precision=FULL)
@explained("square matrices that can be inverted. Add a small multiple of nd.eye(n)")
def inverse(A: Tensor) -> Tensor:
    """Return the inverse of each matrix.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.linalg.inverse(mx.nd.array([[2, 0], [0, 4]])).asnumpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    result: Tensor = torch.linalg.inv(A)
    return result
