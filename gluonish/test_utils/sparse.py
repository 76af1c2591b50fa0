"""Random numbers for sparse arrays, drawn from NumPy's generator as MXNet and SciPy draw them."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import InvalidArgumentError, RefusedArgumentError
from gluonish.ndarray.sparse import csr_matrix, row_sparse_array, zeros
from gluonish.test_utils.matrices import assign_each

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.context import Context

__all__ = ["changed", "drawn_csr", "drawn_rows", "shuffle_csr_column_indices"]


def drawn_rows(
    shape: Sequence[int],
    density: float,
    rows: Any,  # noqa: ANN401 - numbers of rows
    value: float | None,
    modifier: Callable[[Any], Any] | None,
    dtype: Any,  # noqa: ANN401 - as of `rand_ndarray`
    ctx: Context,
) -> tuple[Any, tuple[Any, Any]]:
    """Return a row_sparse array of random numbers, and its numbers and rows as NumPy arrays."""
    if rows is None:
        rows = onp.argwhere(onp.random.rand(shape[0]) < density).ravel()  # noqa: NPY002
    rows = onp.asarray(rows)
    if len(rows) > shape[0]:
        msg = (
            f"rand_sparse_ndarray: {len(rows)} rsp_indices were given for shape={tuple(shape)}. "
            f"Expected {shape[0]} at most. Leave some out."
        )
        raise RefusedArgumentError(msg)
    if not len(rows):
        empty = zeros("row_sparse", tuple(shape), ctx=ctx, dtype=dtype)
        return empty, (onp.array([], dtype=dtype), onp.array([]))
    numbers = onp.random.rand(len(rows), *shape[1:]).astype(dtype)  # noqa: NPY002
    numbers = changed(numbers, value, modifier)
    found = row_sparse_array((numbers, rows), shape=tuple(shape), ctx=ctx, dtype=dtype)
    return found, (numbers, rows)


def changed(
    numbers: onp.ndarray[Any, Any], value: float | None, modifier: Callable[[Any], Any] | None
) -> onp.ndarray[Any, Any]:
    """Return stored numbers, or one value in their places, as a function changes each of them."""
    if value is not None:
        numbers = onp.full_like(numbers, value)
    return numbers if modifier is None else assign_each(numbers, modifier)


def drawn_csr(
    shape: Sequence[int],
    density: float,
    distribution: str,
    value: float | None,
    modifier: Callable[[Any], Any] | None,
    shuffled: bool,
    dtype: Any,  # noqa: ANN401 - as of `rand_ndarray`
    ctx: Context,
) -> Any:  # noqa: ANN401 - of storage type 'csr'
    """Return a csr array of random numbers."""
    rows, columns = _checked(shape, density)
    if distribution == "powerlaw":
        parts = _powerlaw(rows, columns, density, dtype)
    else:
        parts = _uniform(rows, columns, density, dtype)
    parts.data = changed(parts.data, value, modifier)
    if shuffled:
        shuffle_csr_column_indices(parts)
    triple = (parts.data, parts.indices, parts.indptr)
    return csr_matrix(triple, shape=(rows, columns), ctx=ctx, dtype=dtype)


def shuffle_csr_column_indices(csr: Any) -> None:  # noqa: ANN401 - of SciPy
    """Bring the columns of each row of one of SciPy's csr matrices into random order, in place.

    The numbers stay where they are, so that they change places with one another.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import numpy
    >>> import gluonish as mx
    >>> x = SimpleNamespace(indices=numpy.array([0, 1, 2]), indptr=numpy.array([0, 3]))
    >>> mx.test_utils.shuffle_csr_column_indices(x)
    >>> sorted(x.indices.tolist())
    [0, 1, 2]
    """
    for first, last in itertools.pairwise(csr.indptr):
        onp.random.shuffle(csr.indices[first:last])  # noqa: NPY002 - seeded by programs


def _checked(shape: Sequence[int], density: float) -> tuple[int, int]:
    if len(shape) != 2:
        msg = (
            f"rand_ndarray: stype='csr' was asked for with shape={tuple(shape)}. Expected two "
            f"axes. Take stype='row_sparse' for others."
        )
        raise RefusedArgumentError(msg)
    rows, columns = shape
    if not 0 <= density <= 1:
        msg = (
            f"rand_ndarray: density={density!r} was given: density has to be between 0 and 1. It "
            f"is the share of the elements that are stored. Take 0.5."
        )
        raise InvalidArgumentError(msg)
    if rows <= 0 or columns <= 0:
        msg = (
            f"rand_ndarray: shape={tuple(shape)} was given: num_rows and num_cols should be "
            f"greater than 0. Take nd.sparse.zeros for an array without elements."
        )
        raise InvalidArgumentError(msg)
    return rows, columns


def _uniform(rows: int, columns: int, density: float, dtype: Any) -> SimpleNamespace:  # noqa: ANN401
    """Return numbers from [0, 1) at random places, as SciPy's `sparse.rand` draws them."""
    count = round(density * rows * columns)
    places = onp.random.choice(rows * columns, count, replace=False)  # noqa: NPY002
    numbers = onp.random.uniform(size=count).astype(dtype)  # noqa: NPY002
    order = onp.lexsort((places // rows, places % rows))  # SciPy counts down the columns
    starts = onp.searchsorted((places % rows)[order], onp.arange(rows + 1))
    return SimpleNamespace(data=numbers[order], indices=(places // rows)[order], indptr=starts)


def _powerlaw(rows: int, columns: int, density: float, dtype: Any) -> SimpleNamespace:  # noqa: ANN401
    """Return numbers from (1, 3), twice as many in each row as in the one before."""
    left = int(rows * columns * density)
    if left < 2 * rows:
        msg = (
            f"rand_ndarray: density={density} was given: not supported for this density for shape "
            f"{(rows, columns)} and distribution='powerlaw'. Expected num_rows * num_cols * "
            f"density >= 2 * num_rows. Take at least {2 / columns:g}."
        )
        raise InvalidArgumentError(msg)
    values = onp.zeros((rows, columns), dtype=dtype)
    values[:, 0] = [_above_one() for _ in range(rows)]
    left -= rows
    wanted = 2
    for row in values:
        length = min(columns, wanted)
        if left <= 0:
            break
        if length == columns and left > length:
            row[:] = _above_one()
            left -= length - 1
        else:
            stored = min(length, 1 + left)
            row[1:stored] = [_above_one() for _ in range(1, stored)]
            left -= stored - 1
            wanted *= 2
    if left > 0:
        msg = (
            f"rand_ndarray: density={density} was given: not supported for this density for shape "
            f"{(rows, columns)} and distribution='powerlaw', whose rows hold fewer elements. "
            f"Expected a smaller one. Take {1 - left / values.size:g}."
        )
        raise InvalidArgumentError(msg)
    row_of, column_of = values.nonzero()
    starts = onp.searchsorted(row_of, onp.arange(rows + 1))
    return SimpleNamespace(data=values[row_of, column_of], indices=column_of, indptr=starts)


def _above_one() -> float:
    return 1 + onp.random.uniform(0.001, 2)  # noqa: NPY002 - seeded by programs
