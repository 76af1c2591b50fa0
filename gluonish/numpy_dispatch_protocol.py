"""`mx.numpy_dispatch_protocol`: decorators that let NumPy's functions take `mx.np`'s arrays.

Arrays have both protocols of NumPy from the beginning: nothing needs to be switched on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as onp

from gluonish import numpy

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["with_array_function_protocol", "with_array_ufunc_protocol"]

Function = TypeVar("Function", bound="Callable[..., object]")

_NUMPY_ARRAY_UFUNC_LIST = [
    name for name in dir(numpy) if isinstance(vars(onp).get(name), onp.ufunc)
]
_NUMPY_ARRAY_FUNCTION_LIST = [
    name for name in dir(numpy) if isinstance(vars(onp).get(name), type(onp.mean))
]


def with_array_function_protocol(func: Function) -> Function:
    """Return a function as it is: in it, as everywhere, NumPy's functions take our arrays.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> from gluonish.numpy_dispatch_protocol import with_array_function_protocol
    >>> with_array_function_protocol(lambda: numpy.mean(mx.np.array([1, 3])))()
    array(2.)
    """
    return func


def with_array_ufunc_protocol(func: Function) -> Function:
    """Return a function as it is: in it, as everywhere, NumPy's ufuncs take our arrays.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> from gluonish.numpy_dispatch_protocol import with_array_ufunc_protocol
    >>> with_array_ufunc_protocol(lambda: numpy.exp(mx.np.array([0.])))()
    array([1.])
    """
    return func
