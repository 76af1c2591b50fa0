"""NumPy's functions that tell what an array is, without computing with its values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.array.dtypes import numpy_dtype

if TYPE_CHECKING:
    from gluonish.array.core import NDArray as Array


def shape(a: Any) -> tuple[int, ...]:
    """Return the length of each axis.

    Examples
    --------
    >>> from gluonish import np
    >>> np.shape(np.zeros((2, 3)))
    (2, 3)
    """
    return a.shape if isinstance(a, NDArray) else onp.shape(a)


def ndim(a: Any) -> int:
    """Return the number of axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.ndim(np.zeros((2, 3)))
    2
    """
    return len(shape(a))


def size(a: Any, axis: int | None = None) -> int:
    """Return the number of elements, or the length of one axis.

    Examples
    --------
    >>> from gluonish import np
    >>> np.size(np.zeros((2, 3))), np.size(np.zeros((2, 3)), 1)
    (6, 3)
    """
    lengths = shape(a)
    return int(onp.prod(lengths, dtype=onp.int64)) if axis is None else lengths[axis]


def may_share_memory(a: Array, b: Array, max_work: int | None = None) -> bool:
    """Return whether two arrays use some of the same memory.

    Parameters
    ----------
    a, b : ndarray
        The arrays.
    max_work : int, optional
        Effort for an exact answer, as in NumPy.

    Examples
    --------
    >>> from gluonish import np
    >>> x = np.zeros((2, 3))
    >>> np.may_share_memory(x, x[1]), np.may_share_memory(x, x.copy())
    (True, False)
    """
    return bool(onp.may_share_memory(_view(a), _view(b), max_work))  # type: ignore[arg-type]


def shares_memory(a: Array, b: Array, max_work: int | None = None) -> bool:
    """Return whether two arrays have an element in common in memory.

    Parameters
    ----------
    a, b : ndarray
        The arrays.
    max_work : int, optional
        Effort for an exact answer, as in NumPy.

    Examples
    --------
    >>> from gluonish import np
    >>> x = np.zeros((2, 4))
    >>> np.shares_memory(x[:, ::2], x[:, 1::2])
    False
    """
    return bool(onp.shares_memory(_view(a), _view(b), max_work))  # type: ignore[arg-type]


def _view(array: Any) -> onp.ndarray[Any, Any]:
    """Return bytes at the array's addresses, strided as it is; they are never read."""
    if not isinstance(array, NDArray):
        return onp.asarray(array)
    tensor = array.tensor.detach()
    length = tensor.element_size()
    view: Any = _Memory(tensor.data_ptr(), tuple(tensor.shape), tensor.stride(), length)
    return onp.asarray(view)


class _Memory:
    def __init__(
        self, address: int, lengths: tuple[int, ...], strides: tuple[int, ...], length: int
    ) -> None:
        self.__array_interface__ = {
            "version": 3,
            "data": (address, True),
            "shape": lengths,
            "strides": tuple(stride * length for stride in strides),
            "typestr": f"|V{length}",
        }


def result_type(*arrays_and_dtypes: Any) -> onp.dtype[Any]:
    """Return the dtype that NumPy gives a result of these arrays and dtypes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.result_type('float32', np.zeros(2, dtype='float64'))
    dtype('float64')
    """
    return onp.result_type(
        *(
            numpy_dtype(each.tensor.dtype) if isinstance(each, NDArray) else each
            for each in arrays_and_dtypes
        )
    )
