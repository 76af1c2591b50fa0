"""Swaps of elements, one after the other, by the LAPACK that comes with NumPy."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
from typing import TYPE_CHECKING, Any

import numpy as onp

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[onp.int64]

_NAMES = ("scipy_dlaswp_64_", "dlaswp_64_")  # with indices of 64 bits
_TRIED = (0, 0, 1, 3, 2, 2, 0, 7, 4)


def swapped(count: int, first: int, partners: Integers, backwards: bool = False) -> Integers | None:
    """Swap elements of 0, 1, 2, ..., each with its partner: the first one first, or the last one.

    A loop of swaps has no faster form in NumPy or PyTorch. That of LAPACK is meant for the rows
    of matrices, which here have one column.

    Parameters
    ----------
    count : int
        How many elements there are.
    first : int
        The first one that is swapped.
    partners : numpy.ndarray of int64
        Where the partner is of that one, the next one, and so on: each in [0, count).
    backwards : bool, default False
        Whether the last of them is swapped first.

    Returns
    -------
    numpy.ndarray of int64, shape (count,), or None
        What is where afterwards; None where this NumPy has no such LAPACK.

    Examples
    --------
    >>> from gluonish.process import swaps
    >>> order = swaps.swapped(4, 1, onp.array([0, 2, 0]))
    >>> order is None or order.tolist() == [3, 0, 2, 1]
    True
    """
    function = _lapack()
    return None if function is None else _swap(function, count, first, partners, backwards)


def _swap(
    function: ctypes._NamedFuncPointer,
    count: int,
    first: int,
    partners: Integers,
    backwards: bool,
) -> Integers:
    values = onp.arange(count, dtype=onp.float64)
    rows = onp.ascontiguousarray(partners) + 1  # which LAPACK counts from 1
    last = first + rows.size
    function(
        _integer(1),
        ctypes.c_void_p(values.ctypes.data),
        _integer(count),
        _integer(first + 1),
        _integer(last),
        # LAPACK looks for a row's partner where the row is, those before the first included.
        ctypes.c_void_p(rows.ctypes.data - first * rows.itemsize),
        _integer(-1 if backwards else 1),
    )
    return values.astype(onp.int64)


def _integer(value: int) -> Any:  # noqa: ANN401 - the type of what byref returns is ctypes' own
    return ctypes.byref(ctypes.c_int64(value))


@functools.cache
def _lapack() -> ctypes._NamedFuncPointer | None:
    """Return LAPACK's `dlaswp` where NumPy has it and it does what it should."""
    spec = importlib.util.find_spec("numpy.linalg._umath_linalg")
    if spec is None or spec.origin is None:
        return None
    try:
        library = ctypes.CDLL(spec.origin)
    except OSError:
        return None
    found = (getattr(library, name, None) for name in _NAMES)
    function = next((one for one in found if one is not None), None)
    return function if function is not None and _is_right(function) else None


def _is_right(function: ctypes._NamedFuncPointer) -> bool:
    count = len(_TRIED)
    order = list(range(count))
    for backwards in (False, True):
        places = range(2, count)
        for place in reversed(places) if backwards else places:
            partner = _TRIED[place]
            order[place], order[partner] = order[partner], order[place]
        found = _swap(function, count, 2, onp.array(_TRIED[2:]), backwards)
        if found.tolist() != order:
            return False
        order = list(range(count))
    return True
