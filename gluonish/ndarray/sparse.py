"""`mx.nd.sparse`: arrays that store what is not 0, and the operators that know them."""

from __future__ import annotations

import sys
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as onp
import torch

from gluonish.array import storage
from gluonish.array.core import NDArray, wrap
from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.array.sparse import (
    BaseSparseNDArray,
    CSRNDArray,
    RowSparseNDArray,
    bad_indices,
    build,
    empty as zeros_of,
    is_sparse,
)
from gluonish.array.sparse_base import parts_of
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.array.tensors import as_default, plain
from gluonish.context import Context, as_context
from gluonish.errors import DTypeError, InvalidArgumentError, RefusedArgumentError, ShapeError
from gluonish.errors.namespaces import build_late
from gluonish.errors.wording import class_name
from gluonish.ops import ops

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from torch import Tensor

__all__ = [
    "BaseSparseNDArray",
    "CSRNDArray",
    "RowSparseNDArray",
    "array",
    "cast_storage",
    "csr_matrix",
    "empty",
    "retain",
    "row_sparse_array",
    "zeros",
]

S = TypeVar("S", bound=BaseSparseNDArray)
_UNSTARRED = ["NDArray"]  # and the operators


def add_operators(module: ModuleType) -> None:
    """Take over the operators of `mx.nd` that MXNet has in `mx.nd.sparse`, too."""
    for op in ops():
        for name in (*op.sparse.names, *op.sparse.functions):
            *spaces, own = (name if name in op.nd else op.nd[0]).split(".")
            if name not in globals() and name not in _UNSTARRED:
                space = getattr(module, spaces[0]) if spaces else module
                build = partial(getattr, space, own)
                if name != own and hasattr(module, name):
                    build = partial(_of_any_shapes, build, partial(getattr, module, name))
                build_late(sys.modules[__name__], name, build)
            _UNSTARRED.append(name)


def _of_any_shapes(
    of_one_shape: Callable[[], Callable[..., Any]], broadcasting: Callable[[], Callable[..., Any]]
) -> Callable[..., Any]:
    """Return a function that broadcasts where shapes differ, as MXNet's in Python do."""
    same, others = of_one_shape(), broadcasting()

    @wraps(same)
    def call(lhs: Any, rhs: Any) -> Any:
        shapes = [getattr(each, "shape", None) for each in (lhs, rhs)]
        is_plain = shapes[0] == shapes[1] or None in shapes
        return (same if is_plain else others)(lhs, rhs)

    return call


def csr_matrix(
    arg1: Any,
    shape: Sequence[int] | None = None,
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
) -> CSRNDArray:
    """Return a matrix that stores its elements row by row.

    Parameters
    ----------
    arg1 : array_like, tuple or scipy.sparse matrix
        A matrix, dense or sparse; `(data, indices, indptr)`, where row `i` has the elements
        `data[indptr[i]:indptr[i + 1]]` in the columns `indices[...]` of the same range;
        `(data, (row, column))`, where elements of one place are added up; or a shape `(M, N)`
        for zeros.
    shape : tuple of int, optional
        Shape of the matrix; as small as the indices allow by default.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, optional
        Type of the elements; that of the data by default, float32 for lists.

    Raises
    ------
    InvalidArgumentError
        The data have another form.
    InvalidIndexError
        An index is outside of the matrix, or a column occurs twice in a row.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.sparse.csr_matrix(([1, 2, 3], [1, 0, 2], [0, 1, 2, 2, 3]), shape=(4, 3))
    >>> x.asnumpy()
    array([[0., 1., 0.],
           [2., 0., 0.],
           [0., 0., 0.],
           [0., 0., 3.]], dtype=float32)
    """
    if isinstance(arg1, tuple):
        if len(arg1) == 3:
            return _csr_of(arg1, shape, ctx, dtype)
        if len(arg1) == 2:
            if _are_lengths(arg1):
                _check_shape("csr_matrix", shape, arg1)
                return zeros("csr", arg1, ctx, dtype)  # type: ignore[return-value]
            if isinstance(arg1[1], (tuple, list)) and len(arg1[1]) == 2:
                return _csr_of_pairs(arg1, shape, ctx, dtype)
        msg = (
            f"csr_matrix: a tuple of {len(arg1)} was given. Unexpected length of input tuple. "
            f"Expected (data, indices, indptr), (data, (row, column)) or (M, N). Pass a list for "
            f"the rows of a dense matrix."
        )
        raise InvalidArgumentError(msg)
    if isinstance(arg1, RowSparseNDArray):
        msg = (
            "csr_matrix: Unexpected input type: RowSparseNDArray. Expected a dense array, or one "
            "of storage type 'csr'. Write x.tostype('default') first."
        )
        raise InvalidArgumentError(msg)
    if isinstance(arg1, CSRNDArray) or is_scipy(arg1):
        found: CSRNDArray = _copied(arg1, ctx, dtype)
    else:
        found = _from_dense(arg1, ctx, dtype, "csr")
    return _checked(found, shape, "csr_matrix")


def row_sparse_array(
    arg1: Any,
    shape: Sequence[int] | None = None,
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
) -> RowSparseNDArray:
    """Return an array that stores some of its rows.

    Parameters
    ----------
    arg1 : array_like or tuple
        An array, dense or sparse; `(data, indices)`: rows, and where they are; or a shape
        `(D0, D1, ...)` for zeros.
    shape : tuple of int, optional
        Shape of the array; as small as the indices allow by default.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, optional
        Type of the elements; that of the data by default, float32 for lists.

    Raises
    ------
    InvalidArgumentError
        The data have another form.
    InvalidIndexError
        An index is outside of the array, or occurs twice.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [2, 0]), shape=(3, 2)).asnumpy()
    array([[3., 4.],
           [0., 0.],
           [1., 2.]], dtype=float32)
    """
    if isinstance(arg1, tuple):
        if _are_lengths(arg1) and len(arg1) >= 2:
            _check_shape("row_sparse_array", shape, arg1)
            return zeros("row_sparse", arg1, ctx, dtype)  # type: ignore[return-value]
        if len(arg1) != 2:
            msg = (
                f"row_sparse_array: a tuple of {len(arg1)} was given. Unexpected length of input "
                f"tuple. Expected (data, indices), or a shape (D0, D1). Pass a list for the rows "
                f"of a dense array."
            )
            raise InvalidArgumentError(msg)
        return _rows_of(arg1, shape, ctx, dtype)
    if isinstance(arg1, CSRNDArray):
        msg = (
            "row_sparse_array: Unexpected input type: CSRNDArray. Expected a dense array, or one "
            "of storage type 'row_sparse'. Write x.tostype('default') first."
        )
        raise InvalidArgumentError(msg)
    if isinstance(arg1, RowSparseNDArray):
        found: RowSparseNDArray = _copied(arg1, ctx, dtype)
    else:
        found = _from_dense(arg1, ctx, dtype, "row_sparse")
    return _checked(found, shape, "row_sparse_array")


def array(
    source_array: Any, ctx: Context | None = None, dtype: DTypeLike | None = None
) -> BaseSparseNDArray:
    """Return a copy of a sparse array.

    Parameters
    ----------
    source_array : RowSparseNDArray, CSRNDArray or scipy.sparse matrix
        The array.
    ctx : Context, optional
        Where the copy is; an array's own, else the current context by default.
    dtype : str, type or dtype, optional
        Type of the elements; the array's own by default.

    Raises
    ------
    RefusedArgumentError
        The array is dense.
    InvalidArgumentError
        Something else was given.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sparse.array(mx.nd.sparse.zeros('csr', (2, 2)))
    <BLANKLINE>
    <CSRNDArray 2x2 @cpu(0)>
    """
    if is_sparse(source_array) or is_scipy(source_array):
        copy: BaseSparseNDArray = _copied(source_array, ctx, dtype)
        return copy
    if isinstance(source_array, NDArray):
        msg = (
            "sparse.array: a dense array was given. Expected a sparse one. Please use `tostype` to "
            "create RowSparseNDArray or CSRNDArray from an NDArray."
        )
        raise RefusedArgumentError(msg)
    msg = (
        f"sparse.array: Unexpected source_array type: {type(source_array).__name__}. Expected an "
        f"array of mx.nd.sparse or scipy.sparse. Please use mx.nd.array, or csr_matrix and "
        f"row_sparse_array, for other data."
    )
    raise InvalidArgumentError(msg)


def zeros(
    stype: str,
    shape: int | Sequence[int],
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
    **kwargs: Any,
) -> NDArray:
    """Return an array of zeros of a storage type.

    Parameters
    ----------
    stype : {'default', 'csr', 'row_sparse'}
        Storage type.
    shape : int or tuple of int
        Its shape.
    ctx : Context, optional
        Where the array is; the current context by default.
    dtype : str, type or dtype, optional
        Type of the elements; float32 by default.
    **kwargs
        `name`, which changes nothing.

    Raises
    ------
    InvalidArgumentError
        There is no such storage type, or 'csr' was asked for what is no matrix.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sparse.zeros('csr', (1, 2)).asnumpy()
    array([[0., 0.]], dtype=float32)
    """
    unknown = sorted(kwargs.keys() - {"name"})
    if unknown:
        msg = f"sparse.zeros: {unknown} was given. Expected stype, shape, ctx, dtype. Leave it out."
        raise DTypeError(msg)
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    kind = torch.float32 if dtype is None else torch_dtype(dtype)
    return zeros_of(lengths, kind, as_context(ctx), stype)


def empty(
    stype: str,
    shape: int | Sequence[int],
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
) -> NDArray:
    """Return an array of a storage type that is to be filled; it has zeros.

    Parameters
    ----------
    stype : {'default', 'csr', 'row_sparse'}
        Storage type.
    shape, ctx, dtype
        As of `zeros`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sparse.empty('row_sparse', (2, 2)).stype
    'row_sparse'
    """
    return zeros(stype, shape, ctx, dtype)


def cast_storage(data: NDArray, stype: str, *, out: NDArray | None = None) -> NDArray:
    """Return an array in another storage type.

    Parameters
    ----------
    data : NDArray
        The array.
    stype : {'default', 'csr', 'row_sparse'}
        The storage type.
    out : NDArray, optional
        What to write the result to.

    Raises
    ------
    InvalidArgumentError
        There is no such storage type, or the array can't have it.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.cast_storage(mx.nd.ones((2, 2)), 'csr')
    <BLANKLINE>
    <CSRNDArray 2x2 @cpu(0)>
    """
    result: NDArray = data.tostype(stype)
    if out is None:
        return result.copy() if result is data else result
    out[:] = result
    return out


def retain(data: NDArray, indices: NDArray, *, out: NDArray | None = None) -> NDArray:
    """Return a row_sparse array with some of its rows, and zeros for the others.

    Parameters
    ----------
    data : RowSparseNDArray
        The array.
    indices : NDArray
        Which rows.
    out : NDArray, optional
        What to write the result to.

    Raises
    ------
    DTypeError
        The array is not of storage type 'row_sparse'.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 2], [0, 0], [3, 4]]).tostype('row_sparse')
    >>> mx.nd.sparse.retain(x, mx.nd.array([2])).indices.asnumpy()
    array([2])
    """
    if not isinstance(data, RowSparseNDArray):
        msg = (
            f"sparse.retain: {class_name(data)} was given. Expected an array of storage type "
            f"'row_sparse'. Write x.tostype('row_sparse')."
        )
        raise DTypeError(msg)
    result = data.retain(indices)
    if out is None:
        return result
    out[:] = result
    return out


# --- parts -------------------------------------------------------------------------------------


def _csr_of(
    given: tuple[Any, ...],
    shape: Sequence[int] | None,
    ctx: Context | None,
    dtype: DTypeLike | None,
) -> CSRNDArray:
    where = as_context(ctx)
    values = _values(given[0], where, dtype, "csr_matrix")
    indices, starts = (_integers(each, where, "csr_matrix") for each in given[1:])
    if not starts.numel():
        msg = (
            "csr_matrix: indptr is empty: invalid shape. Expected one entry more than there are "
            "rows. Pass [0] for a matrix without rows."
        )
        raise InvalidArgumentError(msg)
    if values.numel() != indices.numel():
        msg = (
            f"csr_matrix: {values.numel()} data, {indices.numel()} indices and {starts.numel()} "
            f"numbers of indptr were given. Expected as many data as indices, in the order (data, "
            f"indices, indptr). Give as many numbers as columns."
        )
        raise ShapeError(msg)
    if shape is None:
        shape = (starts.numel() - 1, _length(indices, "csr_matrix"))
    return _build(SparseTensor(_lengths(shape), values, indices, starts), where, "csr_matrix")  # type: ignore[return-value]


def _csr_of_pairs(
    given: tuple[Any, ...],
    shape: Sequence[int] | None,
    ctx: Context | None,
    dtype: DTypeLike | None,
) -> CSRNDArray:
    where = as_context(ctx)
    values = _values(given[0], where, dtype, "csr_matrix")
    row, column = (_integers(each, where, "csr_matrix") for each in given[1])
    if not values.numel() == row.numel() == column.numel():
        msg = (
            f"csr_matrix: {values.numel()} elements, {row.numel()} rows and {column.numel()} "
            f"columns were given. Expected a row and a column for each element. Pass lists of one "
            f"length."
        )
        raise ShapeError(msg)
    if shape is None:
        shape = (_length(row, "csr_matrix"), _length(column, "csr_matrix"))
    lengths = _lengths(shape)
    for name, indices, size in (("row", row, lengths[0]), ("column", column, lengths[1])):
        if indices.numel() and not 0 <= int(indices.min()) <= int(indices.max()) < size:
            bad = int(indices.min()) if int(indices.min()) < 0 else int(indices.max())
            problem = f"{name} index {bad} is outside of it; expected 0 to {size - 1}"
            error = bad_indices("csr_matrix", lengths, problem)
            raise error
    return build(storage.of_pairs(lengths, values, row, column), where, CSRNDArray)


def _rows_of(
    given: tuple[Any, ...],
    shape: Sequence[int] | None,
    ctx: Context | None,
    dtype: DTypeLike | None,
) -> RowSparseNDArray:
    where = as_context(ctx)
    values = _values(given[0], where, dtype, "row_sparse_array")
    indices = _integers(given[1], where, "row_sparse_array")
    if shape is None:
        shape = (_length(indices, "row_sparse_array"), *values.shape[1:])
    parts = SparseTensor(_lengths(shape), values, indices)
    return _build(parts, where, "row_sparse_array")  # type: ignore[return-value]


def _build(parts: SparseTensor, ctx: Context, where: str) -> BaseSparseNDArray:
    storage.check_kind(parts.storage, parts.shape)
    problem = storage.length_problem(parts) or parts.problem()
    if problem is not None:
        error = bad_indices(where, parts.shape, problem)
        if where == "csr_matrix":
            note = "Three arrays are values, columns and where rows begin (data, indices, indptr)."
            if _is_exchanged(parts):
                note += " The second and the third are such the other way round: exchange them."
            elif parts.indptr is not None and parts.indptr.numel() == parts.values.numel():
                pairs = "csr_matrix((values, (rows, columns)), shape=shape)"
                note += f" Write {pairs} for rows and columns."
            error.add_note(note)
        raise error
    return build(parts, ctx, CSRNDArray if parts.indptr is not None else RowSparseNDArray)


def _is_exchanged(parts: SparseTensor) -> bool:
    """Return whether columns and where rows begin would fit in each other's place."""
    if parts.indptr is None:
        return False
    other = SparseTensor(parts.shape, parts.values, parts.indptr, parts.indices)
    return storage.length_problem(other) is None and other.problem() is None


def _values(data: Any, ctx: Context, dtype: DTypeLike | None, where: str) -> Tensor:
    if isinstance(data, NDArray):
        tensor = plain(as_default(data))
        kind = tensor.dtype if dtype is None else torch_dtype(dtype)
        return tensor.to(ctx.device, kind, copy=True)
    try:
        values = onp.asarray(data)
        kind = torch_dtype(values.dtype if dtype is None else dtype)
        if dtype is None and not isinstance(data, onp.ndarray):
            kind = torch.float32
        return torch.tensor(onp.ascontiguousarray(values).reshape(values.shape)).to(
            ctx.device, kind
        )
    except (TypeError, ValueError) as error:
        raise _no_numbers(where, data, error) from error


def _integers(data: Any, ctx: Context, where: str) -> Tensor:
    if isinstance(data, NDArray):
        return plain(data).to(ctx.device, torch.int64, copy=True).reshape(-1)
    try:
        values = onp.asarray(data).astype(onp.int64).reshape(-1)
    except (TypeError, ValueError) as error:
        raise _no_numbers(where, data, error) from error
    return torch.tensor(values).to(ctx.device)


def _no_numbers(where: str, data: object, error: Exception) -> DTypeError:
    msg = (
        f"{where}: {class_name(data)} was given ({str(error).rstrip('.')}). Expected numbers, "
        f"or lists or arrays of numbers. Convert the data first."
    )
    return DTypeError(msg)


def _length(indices: Tensor, where: str) -> int:
    """Return how long an axis is by the indices on it."""
    if indices.numel():
        return int(indices.max()) + 1
    msg = (
        f"{where}: there is no index, and no shape: invalid shape. Expected one of them, to tell "
        f"how long an axis is. Pass shape=..."
    )
    raise InvalidArgumentError(msg)


def _lengths(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(size) for size in shape)


def _are_lengths(given: tuple[Any, ...]) -> bool:
    return all(isinstance(each, (int, onp.integer)) for each in given)


def _check_shape(where: str, shape: Sequence[int] | None, found: Sequence[int]) -> None:
    if shape is not None and tuple(shape) != tuple(found):
        msg = (
            f"{where}: data of shape {tuple(found)} and shape={tuple(shape)} were given. Expected "
            f"one shape. Leave shape out."
        )
        raise ShapeError(msg)


def _checked(result: S, shape: Sequence[int] | None, where: str) -> S:
    _check_shape(where, shape, result.shape)
    return result


def is_scipy(value: object) -> bool:
    """Return whether something is a matrix of SciPy."""
    return type(value).__module__.startswith("scipy.sparse")


def _copied(source: Any, ctx: Context | None, dtype: DTypeLike | None) -> Any:
    if is_sparse(source):
        target = as_context(ctx, source.context)
        kind = None if dtype is None else torch_dtype(dtype)
        parts = storage.moved(parts_of(source), target.device, kind, copy=True)
        return build(parts, target, type(source))
    matrix = source.tocsr()
    matrix.sum_duplicates()
    return _csr_of((matrix.data, matrix.indices, matrix.indptr), matrix.shape, ctx, dtype)


def _from_dense(source: Any, ctx: Context | None, dtype: DTypeLike | None, stype: str) -> Any:
    where = as_context(ctx, source.context if isinstance(source, NDArray) else None)
    name = "csr_matrix" if stype == "csr" else "row_sparse_array"
    tensor = _values(source, where, dtype, name)
    return wrap(tensor, where, NDArray).tostype(stype)
