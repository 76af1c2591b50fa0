"""Shapes and arrays drawn from NumPy's generator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import RefusedArgumentError, UnknownArgumentError
from gluonish.ndarray.creation import array
from gluonish.test_utils.defaults import default_context, default_dtype
from gluonish.test_utils.sparse import drawn_csr, drawn_rows, shuffle_csr_column_indices

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.array import NDArray
    from gluonish.array.dtypes import DTypeLike
    from gluonish.context import Context

__all__ = [
    "create_sparse_array",
    "create_sparse_array_zd",
    "rand_coord_2d",
    "rand_ndarray",
    "rand_shape_2d",
    "rand_shape_3d",
    "rand_shape_nd",
    "rand_sparse_ndarray",
    "random_arrays",
    "random_sample",
    "random_uniform_arrays",
    "shuffle_csr_column_indices",
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


def rand_coord_2d(x_low: int, x_high: int, y_low: int, y_high: int) -> tuple[int, int]:
    """Return a random pair of whole numbers, from [x_low, x_high) and from [y_low, y_high).

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.rand_coord_2d(1, 2, 5, 6)
    (1, 5)
    """
    draw = onp.random.randint
    return int(draw(x_low, x_high, dtype="int64")), int(draw(y_low, y_high, dtype="int64"))


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


def random_uniform_arrays(*shapes: tuple[int, ...], **kwargs: Any) -> list[onp.ndarray[Any, Any]]:
    """Return a list of NumPy arrays of uniform numbers.

    Parameters
    ----------
    *shapes
        Their shapes.
    low, high : float, default 0 and 1
        Range of the numbers.
    dtype : str, type or dtype, optional
        Their dtype; float32 by default.

    Raises
    ------
    UnknownArgumentError
        Another keyword was given.

    Examples
    --------
    >>> import gluonish as mx
    >>> [x.shape for x in mx.test_utils.random_uniform_arrays((2, 3), low=-1)]
    [(2, 3)]
    """
    unknown = sorted(kwargs.keys() - {"low", "high", "dtype"})
    if unknown:
        msg = (
            f"random_uniform_arrays: Got unexpected argument/s: {unknown}. Expected low, high and "
            f"dtype. Leave the others out."
        )
        raise UnknownArgumentError(msg)
    low, high = kwargs.get("low", 0.0), kwargs.get("high", 1.0)
    draw = onp.random.uniform
    kind = kwargs.get("dtype", default_dtype())
    return [onp.asarray(draw(low, high, size=shape)).astype(kind) for shape in shapes]


def random_sample(population: Any, k: int) -> Any:  # noqa: ANN401 - a list, or a sliceable like it
    """Return `k` elements of a list in random order, none of them twice.

    Raises
    ------
    RefusedArgumentError
        There are fewer.

    Examples
    --------
    >>> import gluonish as mx
    >>> sorted(mx.test_utils.random_sample([1, 2, 3], 3))
    [1, 2, 3]
    """
    if not 0 <= k <= len(population):
        msg = (
            f"random_sample: k={k!r} was given for {len(population)} elements. Expected a number "
            f"from 0 to {len(population)}. Take fewer."
        )
        raise RefusedArgumentError(msg)
    mixed = population[:]
    onp.random.shuffle(mixed)  # noqa: NPY002 - seeded by programs
    return mixed[:k]


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
    if stype == "default":
        return array(random_arrays(shape), ctx=ctx or default_context(), dtype=dtype)
    found, _ = rand_sparse_ndarray(
        shape,
        stype,
        density=density,
        dtype=dtype,
        distribution=distribution,
        modifier_func=modifier_func,
        shuffle_csr_indices=shuffle_csr_indices,
        ctx=ctx,
    )
    return found


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
    """Return a sparse array of random numbers, and its parts.

    Parameters
    ----------
    shape, stype, density, dtype, distribution, modifier_func, shuffle_csr_indices, ctx
        As of `rand_ndarray`.
    data_init : float, optional
        What all stored numbers are, in place of random ones.
    rsp_indices : numpy.ndarray of int, optional
        Which rows a row_sparse array stores.

    Returns
    -------
    (NDArray, tuple)
        The array, and its (data, indices) as NumPy arrays for 'row_sparse', or its
        (indptr, indices, data) as `nd` arrays for 'csr'.

    Raises
    ------
    RefusedArgumentError
        There is no such storage type or distribution, or it does not go with the shape.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, (data, rows) = mx.test_utils.rand_sparse_ndarray((4, 2), 'row_sparse', rsp_indices=[1])
    >>> x.shape, data.shape, rows.tolist()
    ((4, 2), (1, 2), [1])
    """
    place = ctx or default_context()
    share = onp.random.rand() if density is None else density  # noqa: NPY002 - seeded by programs
    kind = default_dtype() if dtype is None else dtype
    spread = "uniform" if distribution is None else distribution
    if stype not in ("row_sparse", "csr"):
        msg = (
            f"rand_sparse_ndarray: stype={stype!r} was given: unknown storage type. Expected "
            f"'row_sparse' or 'csr'. Take rand_ndarray for 'default'."
        )
        raise RefusedArgumentError(msg)
    allowed = ("uniform",) if stype == "row_sparse" else ("uniform", "powerlaw")
    if spread not in allowed:
        msg = (
            f"rand_sparse_ndarray: distribution={spread!r} was given: Distribution not supported "
            f"for {stype}. Expected one of {allowed}. Leave it out."
        )
        raise RefusedArgumentError(msg)
    if stype == "row_sparse":
        return drawn_rows(shape, share, rsp_indices, data_init, modifier_func, kind, place)
    found = drawn_csr(
        shape, share, spread, data_init, modifier_func, shuffle_csr_indices, kind, place
    )
    return found, (found.indptr, found.indices, found.data)


def create_sparse_array(
    shape: tuple[int, ...],
    stype: str,
    data_init: float | None = None,
    rsp_indices: Any = None,  # noqa: ANN401 - numbers of rows
    dtype: DTypeLike | None = None,
    modifier_func: Callable[[float], float] | None = None,
    density: float = 0.5,
    shuffle_csr_indices: bool = False,
) -> NDArray:
    """Return a sparse array of random numbers; `rsp_indices` may come in any order.

    Parameters
    ----------
    shape, stype, data_init, rsp_indices, dtype, modifier_func, density, shuffle_csr_indices
        As of `rand_sparse_ndarray`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.test_utils.create_sparse_array((3, 2), 'row_sparse', 1, rsp_indices=[2, 0])
    >>> x.asnumpy().tolist()
    [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]
    """
    rows = None if rsp_indices is None or stype == "csr" else onp.sort(rsp_indices)
    found, _ = rand_sparse_ndarray(
        shape,
        stype,
        density=density,
        data_init=data_init,
        rsp_indices=rows,
        dtype=dtype,
        modifier_func=modifier_func,
        shuffle_csr_indices=shuffle_csr_indices,
    )
    return found


def create_sparse_array_zd(
    shape: tuple[int, ...],
    stype: str,
    density: float,
    data_init: float | None = None,
    rsp_indices: Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
    modifier_func: Callable[[float], float] | None = None,
    shuffle_csr_indices: bool = False,
) -> NDArray:
    """Return a sparse array of random numbers; of a row_sparse one the rows are given, or none.

    Parameters
    ----------
    shape, stype, density, data_init, rsp_indices, dtype, modifier_func, shuffle_csr_indices
        As of `rand_sparse_ndarray`; `density` is that of csr arrays only.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.create_sparse_array_zd((3, 2), 'row_sparse', 0.5).asnumpy().any()
    np.False_
    """
    return create_sparse_array(
        shape,
        stype,
        data_init,
        rsp_indices,
        dtype,
        modifier_func,
        0.0 if stype == "row_sparse" else density,
        shuffle_csr_indices,
    )
