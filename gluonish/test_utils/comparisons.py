"""Comparing arrays within tolerances, and calls with the errors that they should raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.errors import DifferentArraysError
from gluonish.numpy.properties import shares_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.array.dtypes import DTypeLike

__all__ = [
    "almost_equal",
    "assert_allclose",
    "assert_almost_equal",
    "assert_exception",
    "default_atols",
    "default_rtols",
    "get_atol",
    "get_rtol",
    "same",
    "same_array",
]

_EXACT = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")


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
