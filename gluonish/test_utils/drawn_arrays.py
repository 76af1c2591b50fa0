"""Shapes and arrays drawn from NumPy's generator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.ndarray.creation import array
from gluonish.ndarray.sparse import row_sparse_array
from gluonish.test_utils.defaults import default_context, default_dtype
from gluonish.test_utils.sparse import shuffled_columns, sparse_numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.array import NDArray
    from gluonish.array.dtypes import DTypeLike
    from gluonish.context import Context

__all__ = [
    "rand_ndarray",
    "rand_shape_2d",
    "rand_shape_3d",
    "rand_shape_nd",
    "rand_sparse_ndarray",
    "random_arrays",
]


def rand_shape_nd(num_dim: int, dim: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """Return a random shape: lengths from 1 (or 0) to `dim`, drawn from NumPy's generator.

    Examples
    --------
    >>> import gluonish as mx
    >>> len(mx.test_utils.rand_shape_nd(3))
    3
    """
    low = 0 if allow_zero_size else 1
    drawn = onp.random.randint(low, dim + 1, size=num_dim)  # noqa: NPY002 - seeded by programs
    return tuple(drawn.tolist())


def rand_shape_2d(dim0: int = 10, dim1: int = 10, allow_zero_size: bool = False) -> tuple[int, ...]:
    """Return a random shape of two axes, with lengths up to `dim0` and `dim1`."""
    return rand_shape_nd(1, dim0, allow_zero_size) + rand_shape_nd(1, dim1, allow_zero_size)


def rand_shape_3d(
    dim0: int = 10, dim1: int = 10, dim2: int = 10, allow_zero_size: bool = False
) -> tuple[int, ...]:
    """Return a random shape of three axes, with lengths up to the given ones."""
    return rand_shape_2d(dim0, dim1, allow_zero_size) + rand_shape_nd(1, dim2, allow_zero_size)


def random_arrays(*shapes: tuple[int, ...]) -> Any:  # noqa: ANN401 - one array, or a list of them
    """Return NumPy arrays of normal numbers: one for one shape, a list for several.

    Examples
    --------
    >>> import gluonish as mx
    >>> [x.shape for x in mx.test_utils.random_arrays((2, 3), (4,))]
    [(2, 3), (4,)]
    """
    drawn = [
        onp.asarray(onp.random.randn(*shape), dtype=default_dtype())  # noqa: NPY002
        for shape in shapes
    ]
    return drawn[0] if len(drawn) == 1 else drawn


def rand_ndarray(
    shape: tuple[int, ...],
    stype: str = "default",
    density: float | None = None,
    dtype: DTypeLike | None = None,
    modifier_func: Callable[[float], float] | None = None,
    shuffle_csr_indices: bool = False,
    distribution: str | None = None,
    ctx: Context | None = None,
) -> NDArray:
    """Return an `nd` array of normal numbers, drawn from NumPy's generator.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    stype : {'default', 'row_sparse', 'csr'}, default 'default'
        Storage type. Sparse arrays have numbers from [0, 1).
    density : float, optional
        Share of the rows, or elements, that a sparse array stores; a random one by default.
    dtype : str, type or dtype, optional
        Its dtype; float32 by default.
    modifier_func : callable, optional
        Changes each stored number of a sparse array.
    shuffle_csr_indices : bool, default False
        Whether the columns of a csr array come in any order in its rows.
    distribution : {'uniform', 'powerlaw'}, optional
        How a csr array's elements lie: anywhere, or twice as many in each row as in the one before.
    ctx : Context, optional
        Where to put it; by default the context of tests.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.rand_ndarray((2, 3)).shape
    (2, 3)
    """
    place = default_context() if ctx is None else ctx
    kind = default_dtype() if dtype is None else dtype
    if stype == "default":
        return array(random_arrays(shape), ctx=place, dtype=kind)
    values = sparse_numbers(shape, stype, density, distribution)
    if modifier_func is not None:
        stored = values != 0
        values[stored] = [modifier_func(value) for value in values[stored]]
    found: NDArray = array(values, ctx=place, dtype=kind).tostype(stype)
    return shuffled_columns(found) if shuffle_csr_indices and stype == "csr" else found


def rand_sparse_ndarray(
    shape: tuple[int, ...],
    stype: str,
    density: float | None = None,
    dtype: DTypeLike | None = None,
    distribution: str | None = None,
    data_init: float | None = None,
    rsp_indices: Any = None,  # noqa: ANN401 - numbers of rows
    modifier_func: Callable[[float], float] | None = None,
    shuffle_csr_indices: bool = False,
    ctx: Context | None = None,
) -> tuple[NDArray, tuple[Any, ...]]:
    """Return a sparse array of random numbers, and its parts as NumPy arrays.

    Parameters
    ----------
    shape, stype, density, dtype, distribution, modifier_func, shuffle_csr_indices, ctx
        As of `rand_ndarray`.
    data_init : float, optional
        What all stored numbers are, in place of random ones.
    rsp_indices : array_like of int, optional
        Which rows a row_sparse array stores.

    Returns
    -------
    (NDArray, tuple of numpy.ndarray)
        The array, and its (data, indices), or (indptr, indices, data) for 'csr'.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, (data, rows) = mx.test_utils.rand_sparse_ndarray((4, 2), 'row_sparse', rsp_indices=[1])
    >>> x.shape, data.shape, rows.tolist()
    ((4, 2), (1, 2), [1])
    """
    found: Any
    if stype == "row_sparse" and rsp_indices is not None:
        rows = onp.unique(onp.asarray(rsp_indices, dtype=onp.int64))
        numbers = 1 - onp.random.rand(len(rows), *shape[1:])  # noqa: NPY002
        kind = default_dtype() if dtype is None else dtype
        place = default_context() if ctx is None else ctx
        found = row_sparse_array((numbers, rows), shape=shape, ctx=place, dtype=kind)
        if modifier_func is not None:
            found.data[:] = onp.vectorize(modifier_func)(found.data.asnumpy())
    else:
        found = rand_ndarray(
            shape, stype, density, dtype, modifier_func, shuffle_csr_indices, distribution, ctx
        )
    if data_init is not None:
        found.data[:] = data_init
    if stype == "csr":
        parts: tuple[Any, ...] = (found.indptr.asnumpy(), found.indices.asnumpy())
        return found, (*parts, found.data.asnumpy())
    return found, (found.data.asnumpy(), found.indices.asnumpy())
