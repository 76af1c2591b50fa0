"""The functions of `np.linalg`."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, LinearAlgebraError, ShapeError
from gluonish.ops.linear.linalg import how_definite, row_signs
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import as_tensor, as_tensors, axes, shape_error
from gluonish.ops.np.products import dot
from gluonish.ops.table import Graph, Sparse, op

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

Order = float | str | None


@op(np="linalg.norm", recorded=recorded.norm, graph=Graph(outputs=4), sparse=Sparse("takes norm"))
def norm(
    x: Tensor,
    ord: float | str | None = None,  # noqa: A002 - NumPy's name
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
) -> Tensor:
    """Return the norm of all elements, of vectors along an axis, or of matrices along two.

    Parameters
    ----------
    x : ndarray
        The vectors or matrices.
    ord : float or {'fro', 'nuc'}, optional
        Which norm; by default the root of the sum of squares.
    axis : int or pair of int, optional
        The axis of the vectors, or the two of the matrices.
    keepdims : bool, default False
        Whether the axes stay, with length 1.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.norm(np.array([3, 4]))
    array(5.)
    """
    x = as_tensor(x)
    is_flat = ord in ("inf", "-inf") and axis is None  # MXNet's: of all elements, whatever the axes
    if isinstance(ord, str) and ord not in ("fro", "nuc"):
        ord = _number(ord)  # noqa: A001 - NumPy's name
    if not x.is_floating_point():
        x = x.to(torch.float32)
    along = None if axis is None else axes("np.linalg.norm", axis, x)
    try:
        if ord is None or is_flat:
            order = 2 if ord is None else ord
            result: Tensor = torch.linalg.vector_norm(x, order, along, keepdims)
        elif (x.ndim if along is None else len(along)) == 1:
            if ord == "fro":
                ord = 2  # noqa: A001 - NumPy's name
            if isinstance(ord, str):
                raise _improper(ord)
            if not x.numel() and not (empty := x.abs().sum(along, keepdims)).numel():
                result = empty  # of which torch refuses some orders
            elif ord < 0 and math.isfinite(ord):  # MXNet leaves zeros out
                x = torch.where(x == 0, math.inf, x)
                result = torch.linalg.vector_norm(x, ord, along, keepdims)
                result = torch.where(result.isinf(), 0, result)
            else:
                result = torch.linalg.vector_norm(x, ord, along, keepdims)
        else:
            result = _of_matrices(
                x, _order_of_matrices(ord), (-2, -1) if along is None else along, keepdims
            )
    except RuntimeError as error:
        if "singular" in str(error) or "norm" not in str(error).lower():
            raise
        raise _improper(ord) from error
    return result


def _of_matrices(x: Tensor, order: float | str, along: tuple[int, ...], keepdims: bool) -> Tensor:
    """Return a norm of matrices, NaN for those whose singular values LAPACK can't find."""
    try:
        return torch.linalg.matrix_norm(x, order, along, keepdims)  # type: ignore[no-any-return]
    except torch.linalg.LinAlgError:  # type: ignore[attr-defined]
        is_finite = x.isfinite().all(along[0], keepdim=True).all(along[1], keepdim=True)
        found = torch.linalg.matrix_norm(torch.where(is_finite, x, 0), order, along, keepdims)
        return torch.where(is_finite.reshape(found.shape), found, math.nan)


def _number(order: str) -> float:
    try:
        return float(order)
    except ValueError as error:
        raise _improper(order) from error


def _order_of_matrices(order: float | str) -> float | str:
    """Return the order that MXNet takes for one: of most numbers, infinity with their sign."""
    if isinstance(order, str) or abs(order) in (1, 2):
        return order
    return math.inf if order > 0 else -math.inf


def _improper(order: Order) -> InvalidArgumentError:
    msg = (
        f"np.linalg.norm: invalid norm order {order!r}. Expected a number for vectors, and 1, -1, "
        f"2, -2, inf, -inf, 'fro' or 'nuc' for matrices. Leave ord out for the usual norm."
    )
    return InvalidArgumentError(msg)


def _solve(  # a tensor, or several of them
    where: str, function: Callable[..., Any], *tensors: Tensor, **options: Any
) -> Any:  # noqa: ANN401
    """Call a function of torch.linalg; say what is wrong where it refuses."""
    first = tensors[0]
    if first.ndim < 2:
        msg = (
            f"{where}: an array of shape {tuple(first.shape)} was given. Expected matrices: two "
            f"axes or more. Reshape it."
        )
        raise ShapeError(msg)
    ready = [
        each if each.is_floating_point() or each.is_complex() else each.to(torch.float64)
        for each in tensors
    ]
    if len(ready) > 1:
        dtype = functools.reduce(torch.promote_types, (each.dtype for each in ready))
        ready = [each.to(dtype) for each in ready]
    try:
        return function(*ready, **options)
    except torch.linalg.LinAlgError as error:  # type: ignore[attr-defined]
        if function is torch.linalg.cholesky:
            msg = (
                f"{where}: a matrix of shape {tuple(first.shape)} was given. Expected "
                f"{how_definite(ready[0])}."
            )
            raise LinearAlgebraError(msg) from error
        msg = (
            f"{where}: a matrix of shape {tuple(first.shape)} cannot be processed: "
            f"{str(error).splitlines()[0]} Expected a regular matrix. "
            f"Check it, or use np.linalg.pinv or np.linalg.lstsq."
        )
        raise LinearAlgebraError(msg) from error
    except RuntimeError as error:
        raise shape_error(error, where, *tensors) from error


@op(np="linalg.inv", file="_linalg_inverse")
def inv(a: Tensor) -> Tensor:
    """Return the inverse of matrices.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.inv(np.array([[2, 0], [0, 4]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return _solve("np.linalg.inv", torch.linalg.inv, as_tensor(a))  # type: ignore[no-any-return]


@op(np="linalg.pinv", recorded=recorded.pinv)
def pinv(a: Tensor, rcond: float = 1e-15, hermitian: bool | int = False) -> Tensor:
    """Return the pseudo-inverse of matrices.

    Parameters
    ----------
    a : ndarray, shape (..., m, n)
        The matrices.
    rcond : float, default 1e-15
        Singular values below this share of the largest count as 0.
    hermitian : bool, default False
        Whether the matrices are symmetric, which is faster.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.pinv(np.array([[2.0], [0.0]]))
    array([[0.5, 0. ]])
    """
    function = torch.linalg.pinv
    return _solve(  # type: ignore[no-any-return]
        "np.linalg.pinv", function, as_tensor(a), rtol=rcond, hermitian=bool(hermitian)
    )


@op(np="linalg.det", file="_linalg_det", output_names=("output0",), graph=Graph(outputs=3))
def det(a: Tensor) -> Tensor:
    """Return the determinant of matrices.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.det(np.array([[2, 0], [0, 4]]))
    array(8.)
    """
    return _solve("np.linalg.det", torch.linalg.det, as_tensor(a))  # type: ignore[no-any-return]


@op(np="linalg.slogdet", file="_linalg_slogdet", outputs=2, graph=Graph(outputs=4))
def slogdet(a: Tensor) -> tuple[Tensor, Tensor]:
    """Return the sign, and the logarithm of the absolute value, of determinants.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.slogdet(np.eye(2))
    (array(1.), array(0.))
    """
    sign, logarithm = _solve("np.linalg.slogdet", torch.linalg.slogdet, as_tensor(a))
    return sign, logarithm


@op(np="linalg.cholesky", is_loose=False)
def cholesky(a: Tensor) -> Tensor:
    """Return the lower triangular root of positive definite matrices.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.cholesky(np.array([[4, 0], [0, 9]]))
    array([[2., 0.],
           [0., 3.]])
    """
    return _solve(  # type: ignore[no-any-return]
        "np.linalg.cholesky", torch.linalg.cholesky, as_tensor(a)
    )


@op(np="linalg.solve")
def solve(a: Tensor, b: Tensor) -> Tensor:
    """Return the solution of linear equations a x = b.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.solve(np.array([[2, 0], [0, 4]]), np.array([2, 8]))
    array([1., 2.])
    """
    a, b = as_tensors((a, b))
    return _solve("np.linalg.solve", torch.linalg.solve, a, b)  # type: ignore[no-any-return]


@op(np="linalg.lstsq", outputs=4)
def lstsq(
    a: Tensor, b: Tensor, rcond: float | str | None = "warn"
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the least-squares solution of a x = b, the residuals, the rank and singular values.

    Parameters
    ----------
    a : ndarray, shape (m, n)
        The matrix.
    b : ndarray, shape (m,) or (m, k)
        The right-hand sides.
    rcond : float, optional
        Singular values below this share of the largest count as 0; None is the machine's
        precision times the longer axis, `'warn'` and -1 the precision alone.

    Examples
    --------
    >>> from gluonish import np
    >>> x, residuals, rank, values = np.linalg.lstsq(np.eye(2), np.array([1, 2]))
    >>> x, rank
    (array([1., 2.]), array(2, dtype=int32))
    """
    a, b = as_tensors((a, b))
    dtype = torch.promote_types(_floating(a), _floating(b))
    a, b = a.to(dtype), b.to(dtype)
    epsilon = torch.finfo(a.dtype).eps
    if rcond is None:
        rcond = epsilon * max(a.shape)
    share = epsilon if isinstance(rcond, str) or rcond < 0 else rcond
    right = b.unsqueeze(1) if b.ndim == 1 else b
    values = _solve("np.linalg.lstsq", torch.linalg.svdvals, a)
    inverse = torch.linalg.pinv(a, rtol=share)
    try:
        solution = inverse @ right
    except RuntimeError as error:
        raise shape_error(error, "np.linalg.lstsq", a, b) from error
    rank = (values > share * values.max()).sum().to(torch.int32)
    residuals = (right - a @ solution).square().sum(0)
    is_known = not rank.is_meta  # a graph that is bound is told the shapes of full rank
    if a.shape[0] <= a.shape[1] or (is_known and int(rank) < a.shape[1]):
        residuals = residuals[:0]
    return (solution[:, 0] if b.ndim == 1 else solution), residuals, rank, values


_WHOLE = (torch.uint8, torch.int8, torch.int32, torch.int64, torch.bool)


def _floating(tensor: Tensor) -> torch.dtype:
    return tensor.dtype if tensor.is_floating_point() else torch.float64


@op(np="linalg.svd", outputs=3)
def svd(a: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the reduced singular value decomposition ut, l, v with a = ut diag(l) v.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.svd(np.array([[3.0, 0.0], [0.0, 2.0]]))[1]
    array([3., 2.])
    """
    left, values, right = _solve(
        "np.linalg.svd", torch.linalg.svd, as_tensor(a), full_matrices=False
    )
    signs = row_signs(right)
    return left * signs.transpose(-1, -2), values, right * signs


@op(np="linalg.qr", outputs=2)
def qr(a: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    """Return orthogonal and upper triangular factors of matrices.

    Examples
    --------
    >>> from gluonish import np
    >>> q, r = np.linalg.qr(np.ones((3, 2)))
    >>> q.shape, r.shape
    ((3, 2), (2, 2))
    """
    if mode not in ("reduced", "complete"):
        msg = (
            f"np.linalg.qr: mode={mode!r} was given. Expected 'reduced' or 'complete'. Leave mode "
            f"out."
        )
        raise InvalidArgumentError(msg)
    orthogonal, upper = _solve("np.linalg.qr", torch.linalg.qr, as_tensor(a), mode=mode)
    return orthogonal, upper


def _check_triangle(where: str, triangle: str) -> None:
    if triangle not in ("L", "U"):
        msg = (
            f"{where}: UPLO={triangle!r} was given. Expected 'L' or 'U', the triangle that is "
            f"read. Leave UPLO out."
        )
        raise InvalidArgumentError(msg)


@op(np="linalg.eigh", outputs=2)
def eigh(a: Tensor, UPLO: str = "L") -> tuple[Tensor, Tensor]:  # noqa: N803 - NumPy's name
    """Return eigenvalues, from the least up, and eigenvectors of symmetric matrices.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.eigh(np.array([[3, 0], [0, 2]]))[0]
    array([2., 3.])
    """
    _check_triangle("np.linalg.eigh", UPLO)
    values, vectors = _solve("np.linalg.eigh", torch.linalg.eigh, as_tensor(a), UPLO=UPLO)
    signs = row_signs(vectors.transpose(-1, -2))
    return values, vectors * signs.transpose(-1, -2)


@op(np="linalg.eigvalsh", graph=Graph(written={"np.linalg.eigvalsh": "UPLO=L"}))
def eigvalsh(a: Tensor, UPLO: str = "L") -> Tensor:  # noqa: N803 - NumPy's name
    """Return the eigenvalues of symmetric matrices, from the least up.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.eigvalsh(np.array([[3, 0], [0, 2]]))
    array([2., 3.])
    """
    _check_triangle("np.linalg.eigvalsh", UPLO)
    values: Tensor = _solve("np.linalg.eigvalsh", torch.linalg.eigvalsh, as_tensor(a), UPLO=UPLO)
    return values


def _real(where: str, values: Tensor) -> Tensor:
    if values.numel() and not values.is_meta and bool(values.imag.abs().max() > 0):
        msg = (
            f"{where}: the matrix has complex eigenvalues. Expected real ones: arrays hold real "
            f"numbers. Use torch.linalg.eig(x.tensor)."
        )
        raise LinearAlgebraError(msg)
    return values.real


def _finite(where: str, matrix: Tensor) -> Tensor:
    """Return a matrix of numbers; with others LAPACK would end the process."""
    tensor = as_tensor(matrix)
    if not tensor.is_meta and not bool(tensor.isfinite().all()):
        msg = (
            f"{where}: the matrix holds NaN or infinity. Expected finite numbers. Look for them "
            f"with np.isfinite(x)."
        )
        raise LinearAlgebraError(msg)
    return tensor


@op(np="linalg.eig", outputs=2)
def eig(a: Tensor) -> tuple[Tensor, Tensor]:
    """Return eigenvalues and eigenvectors of matrices whose eigenvalues are real.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.eig(np.array([[3, 0], [0, 2]]))[0]
    array([3., 2.])
    """
    values, vectors = _solve("np.linalg.eig", torch.linalg.eig, _finite("np.linalg.eig", a))
    return _real("np.linalg.eig", values), vectors.real


@op(np="linalg.eigvals")
def eigvals(a: Tensor) -> Tensor:
    """Return the eigenvalues of matrices whose eigenvalues are real.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.eigvals(np.array([[3, 0], [0, 2]]))
    array([3., 2.])
    """
    values = _solve("np.linalg.eigvals", torch.linalg.eigvals, _finite("np.linalg.eigvals", a))
    return _real("np.linalg.eigvals", values)


@op(np="linalg.matrix_rank")
def matrix_rank(
    A: Tensor,  # noqa: N803 - NumPy's name
    tol: float | None = None,
    hermitian: bool | int = False,
) -> Tensor:
    """Return the rank of matrices: how many singular values are above a tolerance.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.matrix_rank(np.ones((3, 3)))
    array(1, dtype=int64)
    """
    array = as_tensor(A)
    if array.ndim < 2:  # as in NumPy
        return (array != 0).any().to(torch.int64)
    rank: Tensor = _solve(
        "np.linalg.matrix_rank",
        torch.linalg.matrix_rank,
        array,
        atol=tol,
        rtol=None if tol is None else 0.0,
        hermitian=bool(hermitian),
    )
    return rank


@op(np="linalg.matrix_power")
def matrix_power(a: Tensor, n: int) -> Tensor:
    """Return the `n`-th power of square matrices; negative powers are those of the inverse.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.matrix_power(np.array([[2, 0], [0, 1]]), 3)
    array([[8., 0.],
           [0., 1.]])
    """
    whole = as_tensor(a)
    if whole.dtype in _WHOLE and n >= 0:  # as NumPy, whose function it is in MXNet
        product = torch.eye(whole.shape[-1], dtype=torch.int64, device=whole.device).expand(
            whole.shape
        )
        for _ in range(n):
            product = product @ whole.to(torch.int64)
        return product.to(whole.dtype)
    power: Tensor = _solve(
        "np.linalg.matrix_power", lambda x: torch.linalg.matrix_power(x, n), as_tensor(a)
    )
    return power


@op(np="linalg.multi_dot")
def multi_dot(arrays: Sequence[Tensor]) -> Tensor:
    """Return the product of matrices, in the order that takes the fewest operations.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.multi_dot([np.eye(2), np.eye(2), np.array([1, 2])])
    array([1., 2.])
    """
    tensors = as_tensors(arrays)
    dtype = functools.reduce(torch.promote_types, (each.dtype for each in tensors))
    tensors = [each.to(dtype) for each in tensors]
    try:
        if all(each.ndim in (1, 2) for each in tensors):
            return torch.linalg.multi_dot(tensors)  # type: ignore[no-any-return]
        return functools.reduce(dot, tensors)
    except RuntimeError as error:
        raise shape_error(error, "np.linalg.multi_dot", *tensors) from error


@op(np="linalg.tensorinv", graph=Graph(written={"np.linalg.tensorinv": "ind=2"}))
def tensorinv(a: Tensor, ind: int = 2) -> Tensor:
    """Return the inverse of an array as a map from its last axes to its first `ind`.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.tensorinv(np.eye(4).reshape(4, 2, 2), ind=1).shape
    (2, 2, 4)
    """
    a = as_tensor(a)
    first, last = a.shape[:ind], a.shape[ind:]
    try:
        if 0 < ind < a.ndim:
            return torch.linalg.tensorinv(a, ind)  # type: ignore[no-any-return]
        square = a.reshape(math.prod(first), math.prod(last))  # of one element, or refused
        return torch.linalg.inv(square).reshape(last + first)  # type: ignore[no-any-return]
    except RuntimeError as error:
        raise shape_error(error, "np.linalg.tensorinv", a) from error


@op(
    np="linalg.tensorsolve",
    attributes={"a_axes": "axes"},
    graph=Graph(written={"np.linalg.tensorsolve": "a_axes=None"}),
)
def tensorsolve(a: Tensor, b: Tensor, axes: int | Sequence[int] | None = None) -> Tensor:
    """Return the solution x of tensordot(a, x, x.ndim) = b.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.tensorsolve(np.eye(4).reshape(2, 2, 4), np.ones((2, 2)))
    array([1., 1., 1., 1.])
    """
    a, b = as_tensors((a, b))
    dtype = torch.promote_types(_floating(a), _floating(b))
    a, b = a.to(dtype), b.to(dtype)
    try:
        moved = (axes,) if isinstance(axes, int) else axes
        solution: Tensor = torch.linalg.tensorsolve(a, b, moved)
        return solution.reshape(a.shape) if a.ndim == b.ndim else solution  # as NumPy does
    except RuntimeError as error:
        raise shape_error(error, "np.linalg.tensorsolve", a, b) from error


@op(np="linalg.cond")
def cond(x: Tensor, p: float | str | None = None) -> Tensor:
    """Return how much the solution of equations with a matrix changes with their right side.

    Examples
    --------
    >>> from gluonish import np
    >>> np.linalg.cond(np.array([[4.0, 0.0], [0.0, 2.0]]))
    array(2.)
    """
    condition: Tensor = _solve(
        "np.linalg.cond", lambda tensor: torch.linalg.cond(tensor, p), as_tensor(x)
    )
    return condition
