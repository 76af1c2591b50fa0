"""NumPy's arrays of one element, which are numbers as well, as they were before NumPy 2.4."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable

_IS_NUMPY_1 = onp.__version__.startswith("1.")  # whose methods want an array of what wraps


class SingleElement(onp.ndarray[Any, Any]):
    """What `asnumpy()` returns for an array with axes and one element: `float(array)` is that.

    NumPy refuses it since 2.4, and warned before. Most programs of MXNet's time print losses so:
    `'%f' % loss.mean().asnumpy()`. What is computed from one and has more elements, what is
    pickled, and what is printed, is a plain array.

    Examples
    --------
    >>> import gluonish as mx
    >>> 'loss %.2f' % mx.nd.array([1.5]).asnumpy()
    'loss 1.50'
    >>> mx.nd.array([1.5]).asnumpy()
    array([1.5], dtype=float32)
    """

    __slots__ = ()

    @override
    def __float__(self) -> float:
        return float(self.item()) if self.size == 1 else super().__float__()

    @override
    def __int__(self) -> int:
        return int(self.item()) if self.size == 1 else super().__int__()

    @override
    def __complex__(self) -> complex:
        return complex(self.item()) if self.size == 1 else super().__complex__()

    @override
    def __array_wrap__(
        self, array: onp.ndarray[Any, Any], context: Any = None, return_scalar: bool = False
    ) -> Any:
        if return_scalar or not array.ndim:
            return array.view(onp.ndarray) if _IS_NUMPY_1 and context is None else array[()]
        return array.view(SingleElement) if array.size == 1 else array.view(onp.ndarray)

    @override
    def __repr__(self) -> str:
        return repr(self.view(onp.ndarray))

    @override
    def __reduce__(self) -> Any:
        return self.view(onp.ndarray).__reduce__()


def _reduced(plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that reduces a plain array: NumPy 1 would wrap a number as an array."""

    def method(self: SingleElement, *args: Any, **kwargs: Any) -> Any:
        return as_number(plain(self.view(onp.ndarray), *args, **kwargs))

    return functools.wraps(plain)(method)


if _IS_NUMPY_1:
    _array = onp.ndarray
    _REDUCTIONS = (
        _array.all, _array.any, _array.max, _array.mean, _array.min, _array.prod, _array.std,
        _array.sum, _array.var,
    )  # fmt: skip
    for _plain in _REDUCTIONS:
        setattr(SingleElement, _plain.__name__, _reduced(_plain))


def as_number(array: onp.ndarray[Any, Any]) -> onp.ndarray[Any, Any]:
    """Return an array of one element as one that is a number, too, and others as they are.

    Examples
    --------
    >>> import numpy as onp
    >>> from gluonish.array.single import as_number
    >>> float(as_number(onp.array([[2.0]])))
    2.0
    """
    return array.view(SingleElement) if array.size == 1 and array.ndim else array
