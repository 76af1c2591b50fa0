"""What tests of MXNet programs use: comparisons, random arrays and the context to test on."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.context import Context, current_context, num_gpus
from gluonish.errors import DifferentArraysError, InvalidArgumentError
from gluonish.ndarray.creation import array
from gluonish.ndarray.sparse import row_sparse_array
from gluonish.numpy.properties import shares_memory
from gluonish.test_utils.files import (
    DummyIter,
    download,
    download_model,
    get_bz2_data,
    get_cifar10,
    get_mnist,
    get_mnist_iterator,
    get_mnist_ubyte,
    get_zip_data,
)
from gluonish.test_utils.sparse import shuffled_columns, sparse_numbers
from gluonish.test_utils.speed import check_speed
from gluonish.util import use_np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gluonish.array.dtypes import DTypeLike

__all__ = [
    "DummyIter",
    "almost_equal",
    "assert_allclose",
    "assert_almost_equal",
    "assert_exception",
    "check_speed",
    "default_atols",
    "default_context",
    "default_dtype",
    "default_rtols",
    "download",
    "download_model",
    "environment",
    "get_atol",
    "get_bz2_data",
    "get_cifar10",
    "get_mnist",
    "get_mnist_iterator",
    "get_mnist_ubyte",
    "get_rtol",
    "get_zip_data",
    "list_gpus",
    "rand_ndarray",
    "rand_shape_2d",
    "rand_shape_3d",
    "rand_shape_nd",
    "rand_sparse_ndarray",
    "random_arrays",
    "same",
    "same_array",
    "set_default_context",
    "use_np",
]

_EXACT = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")
_chosen: list[Context] = []


def default_context() -> Context:
    """Return the context that tests use: the one set, else the current one.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.default_context()
    cpu(0)
    """
    return _chosen[0] if _chosen else current_context()


def set_default_context(ctx: Context) -> None:
    """Set the context that tests use.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.set_default_context(mx.cpu())
    """
    _chosen[:] = [ctx]


def default_dtype() -> type[onp.float32]:
    """Return the dtype that tests use.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.default_dtype().__name__
    'float32'
    """
    return onp.float32


def list_gpus() -> range:
    """Return the numbers of the GPUs there are.

    Examples
    --------
    >>> import gluonish as mx
    >>> len(mx.test_utils.list_gpus()) == mx.context.num_gpus()
    True
    """
    return range(num_gpus())


def default_rtols() -> dict[onp.dtype[Any], float]:
    """Return the relative tolerance for each dtype."""
    exact = {onp.dtype(name): 0.0 for name in _EXACT}
    loose = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-5}
    return {onp.dtype(name): tolerance for name, tolerance in loose.items()} | exact


def default_atols() -> dict[onp.dtype[Any], float]:
    """Return the absolute tolerance for each dtype."""
    exact = {onp.dtype(name): 0.0 for name in _EXACT}
    loose = {"float16": 1e-1, "float32": 1e-3, "float64": 1e-20}
    return {onp.dtype(name): tolerance for name, tolerance in loose.items()} | exact


def get_rtol(rtol: float | None = None, dtype: DTypeLike = "float64") -> float:
    """Return a relative tolerance: the given one, else the dtype's.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.get_rtol(), mx.test_utils.get_rtol(0.1)
    (1e-05, 0.1)
    """
    return default_rtols()[onp.dtype(dtype)] if rtol is None else rtol  # type: ignore[arg-type]


def get_atol(atol: float | None = None, dtype: DTypeLike = "float64") -> float:
    """Return an absolute tolerance: the given one, else the dtype's.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.get_atol()
    1e-20
    """
    return default_atols()[onp.dtype(dtype)] if atol is None else atol  # type: ignore[arg-type]


def _numpy(value: Any) -> onp.ndarray[Any, Any]:  # noqa: ANN401 - arrays of any kind
    return value.asnumpy() if isinstance(value, NDArray) else onp.asarray(value)


def _tolerances(
    a: onp.ndarray[Any, Any],
    b: onp.ndarray[Any, Any],
    rtol: float | None,
    atol: float | None,
) -> tuple[float, float]:
    """Return tolerances: those of the coarser of the two dtypes unless given."""
    coarser = max((a.dtype, b.dtype), key=lambda dtype: default_rtols().get(dtype, 0.0))
    return (
        default_rtols().get(coarser, 0.0) if rtol is None else rtol,
        default_atols().get(coarser, 0.0) if atol is None else atol,
    )


def same(a: Any, b: Any) -> bool:  # noqa: ANN401
    """Return whether two arrays are equal.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.same(mx.nd.ones((2,)), mx.nd.ones((2,)))
    True
    """
    return bool(onp.array_equal(_numpy(a), _numpy(b)))


def almost_equal(
    a: Any,  # noqa: ANN401
    b: Any,  # noqa: ANN401
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    use_broadcast: bool = True,
) -> bool:
    """Return whether two arrays are equal within |a - b| <= atol + rtol |b|.

    Parameters
    ----------
    a, b : array
        The arrays.
    rtol, atol : float, optional
        Tolerances; by default those of the dtypes.
    equal_nan : bool, default False
        Whether not-a-number equals itself.
    use_broadcast : bool, default True
        Whether arrays of different shapes may be compared.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.almost_equal(mx.nd.ones((2,)), mx.nd.ones((2,)) * 1.1)
    False
    """
    first, second = _numpy(a), _numpy(b)
    if not use_broadcast and first.shape != second.shape:
        return False
    rtol, atol = _tolerances(first, second, rtol, atol)
    return bool(onp.allclose(first, second, rtol, atol, equal_nan=equal_nan))


def assert_almost_equal(
    a: Any,  # noqa: ANN401
    b: Any,  # noqa: ANN401
    rtol: float | None = None,
    atol: float | None = None,
    names: tuple[str, str] = ("a", "b"),
    equal_nan: bool = False,
    use_broadcast: bool = True,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """Check that two arrays are equal within |a - b| <= atol + rtol |b|.

    Parameters
    ----------
    a, b : array
        The arrays.
    rtol, atol : float, optional
        Tolerances; by default those of the dtypes.
    names : pair of str, default ('a', 'b')
        What the message calls the arrays.
    equal_nan : bool, default False
        Whether not-a-number equals itself.
    use_broadcast : bool, default True
        Whether arrays of different shapes may be compared.
    mismatches : pair of int, default (10, 10)
        How many of the differing elements the message lists: the first of the pair.

    Raises
    ------
    DifferentArraysError
        They differ.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.assert_almost_equal(mx.nd.ones((2,)), mx.nd.ones((2,)))
    """
    first, second = _numpy(a), _numpy(b)
    if not use_broadcast and first.shape != second.shape:
        msg = (
            f"Shapes are not equal: {names[0]} has {first.shape}, {names[1]} has {second.shape}. "
            f"Expected one shape. Reshape one of them, or pass use_broadcast=True."
        )
        raise DifferentArraysError(msg)
    rtol, atol = _tolerances(first, second, rtol, atol)
    if almost_equal(first, second, rtol, atol, equal_nan=equal_nan):
        return
    first, second = onp.broadcast_arrays(first, second)
    excess = onp.abs(first.astype("float64") - second) / (atol + rtol * onp.abs(second) + 1e-300)
    wrong = ~onp.isclose(first, second, rtol, atol, equal_nan=equal_nan)
    places = [tuple(map(int, place)) for place in onp.argwhere(wrong)[: mismatches[0]]]
    listed = "; ".join(
        f"{place}: {names[0]}={first[place]:.8f}, {names[1]}={second[place]:.8f}"
        for place in places
    )
    msg = (
        f"Items are not equal: error {float(onp.nanmax(excess)):.6f} exceeds tolerance "
        f"rtol={rtol:e}, atol={atol:e} (mismatch {100 * wrong.mean():.6f}%). Expected equal "
        f"arrays. They differ at {listed}."
    )
    raise DifferentArraysError(msg)


def assert_allclose(
    a: Any,  # noqa: ANN401
    b: Any,  # noqa: ANN401
    rtol: float = 1e-07,
    atol: float = 0,
    equal_nan: bool = True,
) -> None:
    """Check that two arrays are equal within tolerances, exactly by default.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.assert_allclose(mx.nd.ones((2,)), mx.nd.ones((2,)))
    """
    assert_almost_equal(a, b, rtol, atol, equal_nan=equal_nan)


def same_array(array1: NDArray, array2: NDArray) -> bool:
    """Return whether two arrays use the same memory.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((2,))
    >>> mx.test_utils.same_array(x, x.reshape(2, 1)), mx.test_utils.same_array(x, x.copy())
    (True, False)
    """
    return shares_memory(array1, array2)


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


def assert_exception(
    f: Callable[..., Any],
    exception_type: type[BaseException],
    *args: Any,
    **kwargs: Any,
) -> None:
    """Check that a call raises an error of a class.

    Raises
    ------
    DifferentArraysError
        It does not.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.assert_exception(int, ValueError, 'x')
    """
    try:
        f(*args, **kwargs)
    except exception_type:
        return
    msg = (
        f"{getattr(f, '__name__', f)} did not raise. Expected {exception_type.__name__}. Check the "
        f"arguments."
    )
    raise DifferentArraysError(msg)


@contextlib.contextmanager
def environment(*args: str | dict[str, str | None] | None) -> Iterator[None]:
    """Set environment variables inside a `with` block: a name and a value, or a dictionary.

    A value of None removes the variable.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.test_utils.environment('GLUONISH_EXAMPLE', '1'):
    ...     mx.util.getenv('GLUONISH_EXAMPLE')
    '1'
    """
    if len(args) == 1 and isinstance(args[0], dict):
        wanted = dict(args[0])
    elif len(args) == 2 and isinstance(args[0], str) and not isinstance(args[1], dict):
        wanted = {args[0]: args[1]}
    else:
        msg = (
            f"environment: {args!r} was given. Expected a name and a value, or a dictionary. Write "
            f"environment('NAME', 'value')."
        )
        raise InvalidArgumentError(msg)
    before = {name: os.environ.get(name) for name in wanted}
    _set_all(wanted)
    try:
        yield
    finally:
        _set_all(before)


def _set_all(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
