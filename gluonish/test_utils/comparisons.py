"""Comparing arrays within tolerances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.errors import DifferentArraysError, ShapeError
from gluonish.test_utils.tolerances import get_atol, get_etol, get_rtol, get_tols

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.test_utils.tolerances import Tolerance

__all__ = [
    "almost_equal",
    "assert_allclose",
    "assert_almost_equal",
    "assert_almost_equal_ignore_nan",
    "assert_almost_equal_with_err",
    "checkShapes",
    "locationError",
    "same",
    "same_array",
]


def same(a: Any, b: Any) -> bool:  # noqa: ANN401
    """Return whether two arrays are equal.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.same(mx.nd.ones((2,)), mx.nd.ones((2,)))
    True
    """
    return bool(onp.array_equal(_numpy(a), _numpy(b)))


def checkShapes(a: Any, b: Any) -> None:  # noqa: ANN401, N802 - MXNet's name
    """Check that two arrays have one shape.

    Raises
    ------
    DifferentArraysError
        They have not.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.checkShapes(mx.nd.ones((2,)), mx.nd.zeros((2,)))
    """
    if a.shape != b.shape:
        msg = (
            f"Shapes are not equal: a.shape = {a.shape} and b.shape = {b.shape}. Expected one "
            f"shape. Reshape one of them, or pass use_broadcast=True."
        )
        raise DifferentArraysError(msg)


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
        Tolerances; by default those of float64, 1e-5 and 1e-20.
    equal_nan : bool, default False
        Whether not-a-number equals itself.
    use_broadcast : bool, default True
        Whether arrays of different shapes may be compared.

    Raises
    ------
    DifferentArraysError
        The shapes differ, and `use_broadcast` is False.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.almost_equal(mx.nd.ones((2,)), mx.nd.ones((2,)) * 1.1)
    False
    """
    first, second = _numpy(a), _numpy(b)
    if not use_broadcast:
        checkShapes(first, second)
    return bool(onp.allclose(first, second, get_rtol(rtol), get_atol(atol), equal_nan=equal_nan))


def locationError(  # noqa: N802 - MXNet's name
    a: onp.ndarray[Any, Any],
    b: onp.ndarray[Any, Any],
    index: tuple[int, ...],
    names: Sequence[str],
    maxError: bool = False,  # noqa: N803 - MXNet's name
) -> str:
    """Return where two arrays differ, in words.

    Parameters
    ----------
    a, b : numpy.ndarray
        The arrays.
    index : tuple of int
        The place.
    names : pair of str
        What the arrays are called.
    maxError : bool, default False
        Whether it is the place where they differ most.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> mx.test_utils.locationError(numpy.ones(2), numpy.zeros(2), (1,), ('x', 'y'))
    'Location of error: (1,), x=1.00000000, y=0.00000000'
    """
    which = "maximum " if maxError else ""
    place = tuple(map(int, index))
    values = f"{names[0]}={a[index]:.8f}, {names[1]}={b[index]:.8f}"
    return f"Location of {which}error: {place}, {values}"


def assert_almost_equal(
    a: Any,  # noqa: ANN401
    b: Any,  # noqa: ANN401
    rtol: Tolerance = None,
    atol: Tolerance = None,
    names: Sequence[str] = ("a", "b"),
    equal_nan: bool = False,
    use_broadcast: bool = True,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """Check that two arrays are equal within |a - b| <= atol + rtol |b|.

    Parameters
    ----------
    a, b : array
        The arrays.
    rtol, atol : float or dict of dtype to float, optional
        Tolerances; by default the wider of those of the dtypes.
    names : pair of str, default ('a', 'b')
        What the message calls the arrays.
    equal_nan : bool, default False
        Whether not-a-number equals itself.
    use_broadcast : bool, default True
        Whether arrays of different shapes may be compared.
    mismatches : pair of int, default (10, 10)
        How many of the differing elements the message lists, the worst first, and how many it
        counts; 0 counts all of them.

    Raises
    ------
    DifferentArraysError
        They differ.
    ShapeError
        Arrays of `nd` have other shapes; those of NumPy are broadcast.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.assert_almost_equal(mx.nd.ones((2,)), mx.nd.ones((2,)))
    """
    rtol, atol = get_tols(a, b, rtol, atol)
    _check_shapes_of_nd(a, b)
    first, second = _numpy(a), _numpy(b)
    if not use_broadcast:
        checkShapes(first, second)
    if first.dtype == second.dtype == bool:
        rtol = atol = 0.0
    if not almost_equal(first, second, rtol, atol, equal_nan=equal_nan):
        _refuse(first, second, rtol, atol, names, equal_nan, mismatches)


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


def assert_almost_equal_with_err(
    a: Any,  # noqa: ANN401
    b: Any,  # noqa: ANN401
    rtol: Tolerance = None,
    atol: Tolerance = None,
    etol: float | None = None,
    names: Sequence[str] = ("a", "b"),
    equal_nan: bool = False,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """Check that two arrays are equal within tolerances, but for a share of their elements.

    Parameters
    ----------
    a, b, rtol, atol, names, equal_nan, mismatches
        As those of `assert_almost_equal`. Where `etol` is given, not-a-number never equals itself.
    etol : float, optional
        Share of the elements that may differ, in [0, 1]; none by default.

    Raises
    ------
    DifferentArraysError
        More of them differ.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.assert_almost_equal_with_err(mx.nd.arange(2), mx.nd.ones((2,)), etol=0.5)
    """
    share = get_etol(etol)
    if share <= 0:
        assert_almost_equal(a, b, rtol, atol, equal_nan=equal_nan)
        return
    rtol, atol = get_tols(a, b, rtol, atol)
    first, second = _numpy(a), _numpy(b)
    if 1 - onp.isclose(first, second, rtol, atol).mean() > share:
        _refuse(first, second, rtol, atol, names, False, mismatches)


def assert_almost_equal_ignore_nan(
    a: Any,  # noqa: ANN401
    b: Any,  # noqa: ANN401
    rtol: Tolerance = None,
    atol: Tolerance = None,
    names: Sequence[str] = ("a", "b"),
) -> None:
    """Check that two arrays are equal within tolerances wherever both are numbers.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> nan = numpy.array([numpy.nan, 1])
    >>> mx.test_utils.assert_almost_equal_ignore_nan(nan, numpy.ones(2))
    """
    first, second = _numpy(a).copy(), _numpy(b).copy()
    passed_over = onp.isnan(first) | onp.isnan(second)
    first[passed_over] = second[passed_over] = 0
    assert_almost_equal(first, second, rtol, atol, names)


def same_array(array1: NDArray, array2: NDArray) -> bool:
    """Return whether two arrays are the same elements of memory.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((2,))
    >>> mx.test_utils.same_array(x, x[:]), mx.test_utils.same_array(x, x.copy())
    (True, False)
    """
    first, second = (each.tensor for each in (array1, array2))
    layouts = [(each.shape, each.stride(), each.dtype) for each in (first, second)]
    return layouts[0] == layouts[1] and first.data_ptr() == second.data_ptr()


def _check_shapes_of_nd(a: Any, b: Any) -> None:  # noqa: ANN401
    """Refuse arrays of `nd` of other shapes, which MXNet compares by an operator of its own."""
    if not (type(a) is type(b) is NDArray) or a.shape == b.shape:
        return
    if (a.context, a.dtype) != (b.context, b.dtype):
        return
    msg = (
        f"assert_almost_equal: arrays of shapes {a.shape} and {b.shape} were given. Expected one "
        f"shape. Compare their shapes first, or reshape one of them."
    )
    raise ShapeError(msg)


def _numpy(value: Any) -> onp.ndarray[Any, Any]:  # noqa: ANN401 - arrays of any kind
    return value.asnumpy() if isinstance(value, NDArray) else onp.asarray(value)


def _refuse(
    a: onp.ndarray[Any, Any],
    b: onp.ndarray[Any, Any],
    rtol: float,
    atol: float,
    names: Sequence[str],
    equal_nan: bool,
    mismatches: tuple[int, int],
) -> None:
    """Raise the error that tells where arrays differ most."""
    first, second = onp.broadcast_arrays(a, b)
    shown, most = mismatches
    wide = [each.astype("float64") for each in (first, second)]
    with onp.errstate(invalid="ignore"):
        gap = onp.where(wide[0] == wide[1], 0, onp.abs(wide[0] - wide[1]))
        excess = gap / (atol + rtol * onp.abs(wide[1]) + 1e-20)
    wrong = onp.argwhere(~onp.isclose(first, second, rtol, atol, equal_nan=equal_nan))
    excess = onp.nan_to_num(excess, nan=onp.inf, posinf=onp.inf)
    worst = sorted(map(tuple, wrong.tolist()), key=lambda place: -excess[place])
    counted = min(len(worst), most) if most > 0 else len(worst)
    least = "at least " if counted < len(worst) else ""
    listed = "; ".join(
        f"{place}: {names[0]}={first[place]:.8f}, {names[1]}={second[place]:.8f}"
        for place in worst[:shown]
    )
    msg = (
        f"Items are not equal: error {float(excess[worst[0]]):.6f} exceeds tolerance "
        f"rtol={rtol:e}, atol={atol:e} (mismatch {least}{100 * counted / first.size:.6f}%). "
        f"{locationError(first, second, worst[0], names, maxError=True)}. Expected equal arrays. "
        f"They differ at {listed}."
    )
    raise DifferentArraysError(msg)
