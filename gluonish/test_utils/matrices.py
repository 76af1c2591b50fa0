"""Matrices with known properties, and sums that undo broadcasting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import RefusedArgumentError
from gluonish.ndarray import arange, array, eye

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.array import NDArray
    from gluonish.array.dtypes import DTypeLike

    Matrix = onp.ndarray[Any, Any]

__all__ = [
    "assign_each",
    "assign_each2",
    "collapse_sum_like",
    "create_2d_tensor",
    "create_vector",
    "get_identity_mat",
    "get_identity_mat_batch",
    "new_matrix_with_real_eigvals_2d",
    "new_matrix_with_real_eigvals_nd",
    "new_orthonormal_matrix_2d",
    "new_sym_matrix_with_real_eigvals_2d",
    "new_sym_matrix_with_real_eigvals_nd",
    "np_reduce",
]


def create_vector(size: int, dtype: DTypeLike = onp.int64) -> NDArray:
    """Return the whole numbers from 0 as an `nd` array of one axis.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.create_vector(3).asnumpy().tolist()
    [0, 1, 2]
    """
    vector: NDArray = arange(0, size, dtype=dtype)
    return vector


def create_2d_tensor(rows: int, columns: int, dtype: DTypeLike = onp.int64) -> NDArray:
    """Return an `nd` matrix whose elements are the numbers of their rows.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.create_2d_tensor(2, 3).asnumpy().tolist()
    [[0, 0, 0], [1, 1, 1]]
    """
    matrix: NDArray = arange(0, rows, dtype=dtype).reshape(rows, 1).broadcast_to((rows, columns))
    return matrix


def get_identity_mat(size: int) -> NDArray:
    """Return an identity matrix.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.get_identity_mat(2).asnumpy().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    matrix: NDArray = eye(size)
    return matrix


def get_identity_mat_batch(size: int) -> NDArray:
    """Return a batch of two identity matrices.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.get_identity_mat_batch(3).shape
    (2, 3, 3)
    """
    return array(onp.stack([onp.eye(size)] * 2))


def assign_each(the_input: Any, function: Callable[[Any], Any] | None) -> Matrix:  # noqa: ANN401
    """Return what a function makes of each element of a NumPy array, as float64.

    Without a function it is a copy.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> mx.test_utils.assign_each(numpy.arange(3), lambda x: x + 0.5).tolist()
    [0.5, 1.5, 2.5]
    """
    return _assigned(function, the_input)


def assign_each2(input1: Any, input2: Any, function: Callable[..., Any] | None) -> Matrix:  # noqa: ANN401
    """Return what a function makes of each two elements of NumPy arrays of one shape, as float64.

    Without a function it is a copy of the first.

    Raises
    ------
    RefusedArgumentError
        The shapes differ.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> mx.test_utils.assign_each2(numpy.arange(3), numpy.ones(3), max).tolist()
    [1.0, 1.0, 2.0]
    """
    if function is not None and input1.shape != input2.shape:
        msg = (
            f"assign_each2: arrays of shapes {input1.shape} and {input2.shape} were given. "
            f"Expected one shape. Broadcast the smaller one."
        )
        raise RefusedArgumentError(msg)
    return _assigned(function, input1, input2)


def np_reduce(
    dat: Matrix,
    axis: int | Sequence[int] | None,
    keepdims: bool,
    numpy_reduce_func: Callable[..., Matrix],
) -> Matrix:
    """Return what a NumPy function makes of the axes of an array, one after the other.

    Parameters
    ----------
    dat : numpy.ndarray
        The array.
    axis : int, list of int or None
        Which axes, the last one first; all of them for None.
    keepdims : bool
        Whether they remain, with length 1.
    numpy_reduce_func : callable
        Such as `numpy.sum`: takes an array and `axis`.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> mx.test_utils.np_reduce(numpy.ones((2, 3)), 1, True, numpy.sum).tolist()
    [[3.0], [3.0]]
    """
    axes = range(dat.ndim) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    lengths = list(dat.shape)
    for number in sorted(axes, reverse=True):
        dat = numpy_reduce_func(dat, axis=number)
        lengths[number] = 1
    return dat.reshape(lengths) if keepdims else dat


def collapse_sum_like(a: Matrix, shape: Sequence[int]) -> Matrix:
    """Return the sums that make an array as small as one that was broadcast to it.

    Raises
    ------
    RefusedArgumentError
        `shape` can't be broadcast to the array's.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> mx.test_utils.collapse_sum_like(numpy.ones((4, 2, 3)), (2, 1)).tolist()
    [[12.0], [12.0]]
    """
    new = a.ndim - len(shape)
    pairs = list(zip(shape, a.shape[max(new, 0) :], strict=False))
    if new < 0 or (a.size and 0 not in shape and any(one not in (1, all_) for one, all_ in pairs)):
        msg = (
            f"collapse_sum_like: shape={tuple(shape)} was given for an array of shape {a.shape}. "
            f"Expected a shape that can be broadcast to it. Look at the array's last axes."
        )
        raise RefusedArgumentError(msg)
    if a.size == 0 or 0 in shape:
        return onp.zeros(shape, dtype=a.dtype)
    axes = [*range(new), *(new + n for n, (one, all_) in enumerate(pairs) if one != all_)]
    summed: Matrix = a.sum(axis=tuple(axes)).reshape(shape)
    return summed


def new_matrix_with_real_eigvals_2d(n: int) -> Matrix:
    """Return a random matrix with eigenvalues from [-10, 10], well conditioned.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> values = numpy.linalg.eigvals(mx.test_utils.new_matrix_with_real_eigvals_2d(3))
    >>> bool((abs(values) <= 10 + 1e-9).all())
    True
    """
    draw = onp.random.uniform
    while True:
        stretched = onp.diag(draw(-1.0, 1.0, n))
        normal = draw(-1.0, 1.0, n).reshape(n, 1)
        normal /= onp.linalg.norm(normal, axis=-2, keepdims=True)
        basis = (onp.eye(n) - 2 * normal @ normal.T) @ stretched
        if onp.linalg.cond(basis, 2) < 3:
            break
    values = onp.diag(draw(-10.0, 10.0, n))
    return onp.linalg.inv(basis) @ values @ basis


def new_matrix_with_real_eigvals_nd(shape: Sequence[int]) -> Matrix:
    """Return a batch of what `new_matrix_with_real_eigvals_2d` returns.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.new_matrix_with_real_eigvals_nd((2, 3, 3)).shape
    (2, 3, 3)
    """
    return _batch(new_matrix_with_real_eigvals_2d, shape)


def new_orthonormal_matrix_2d(n: int) -> Matrix:
    """Return a random matrix of columns that are orthogonal to one another and have length 1.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> q = mx.test_utils.new_orthonormal_matrix_2d(3)
    >>> numpy.allclose(q.T @ q, numpy.eye(3))
    True
    """
    drawn = onp.random.randn(n, n)  # noqa: NPY002 - seeded by programs
    return onp.linalg.qr(drawn.T @ drawn)[0]


def new_sym_matrix_with_real_eigvals_2d(n: int) -> Matrix:
    """Return a random symmetric matrix with eigenvalues from [-10, 10].

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> matrix = mx.test_utils.new_sym_matrix_with_real_eigvals_2d(3)
    >>> numpy.allclose(matrix, matrix.T)
    True
    """
    basis = new_orthonormal_matrix_2d(n)
    values = onp.diag(onp.random.uniform(-10.0, 10.0, n))  # noqa: NPY002
    turned: Matrix = basis.T @ values @ basis
    return turned


def new_sym_matrix_with_real_eigvals_nd(shape: Sequence[int]) -> Matrix:
    """Return a batch of what `new_sym_matrix_with_real_eigvals_2d` returns.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.new_sym_matrix_with_real_eigvals_nd((2, 3, 3)).shape
    (2, 3, 3)
    """
    return _batch(new_sym_matrix_with_real_eigvals_2d, shape)


def _batch(draw: Callable[[int], Matrix], shape: Sequence[int]) -> Matrix:
    count = int(onp.prod(shape[:-2]))
    return onp.array([draw(shape[-1]) for _ in range(count)]).reshape(shape)


def _assigned(function: Callable[..., Any] | None, *arrays: Any) -> Matrix:
    if function is None:
        return onp.array(arrays[0])
    elements = zip(*(onp.asarray(each).ravel() for each in arrays), strict=True)
    found = onp.array([function(*each) for each in elements], dtype="float64")
    return found.reshape(arrays[0].shape)
