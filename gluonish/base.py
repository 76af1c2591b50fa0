"""`mx.base`: those of its names that programs use."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

import numpy as onp
from typing_extensions import override

from gluonish.errors import MissingLibraryError, MXNetError, NotImplementedForSymbol

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "MXNetError",
    "NotImplementedForSymbol",
    "error_types",
    "integer_types",
    "mx_real_t",
    "numeric_types",
    "py_str",
    "register_error",
    "string_types",
]

Value = TypeVar("Value")


class _NullType:
    """Stands for an argument that is not given."""

    def __bool__(self) -> bool:
        msg = "_Null stands for an argument that is not given, and is neither true nor false"
        raise TypeError(msg)  # so that operators that would take it for true are called again

    @override
    def __repr__(self) -> str:
        return "_Null"


_Null = NOT_GIVEN = _NullType()

string_types = (str,)
integer_types = (int, onp.int32, onp.int64)
numeric_types = (float, int, onp.generic)
mx_real_t = onp.float32

# The types of C in which MXNet's library is called; here they are names for type checks.
mx_int, mx_uint, mx_int64 = ctypes.c_int, ctypes.c_uint, ctypes.c_int64
mx_float, mx_float_p = ctypes.c_float, ctypes.POINTER(ctypes.c_float)
NDArrayHandle = SymbolHandle = ExecutorHandle = KVStoreHandle = ctypes.c_void_p
DataIterHandle = RecordIOHandle = OpHandle = CachedOpHandle = FunctionHandle = ctypes.c_void_p


error_types: dict[str, type[BaseException]] = {}
"""The classes of errors that are registered, by their names."""


def register_error(func_name: Any = None, cls: Any = None) -> Any:
    """Register a class of errors by a name; a decorator, with or without the name.

    Parameters
    ----------
    func_name : str or class, optional
        The name, by default that of the class; or the class.
    cls : class, optional
        The class; without one, a decorator is returned.

    Notes
    -----
    MXNet finds the class for a message of its library in C there, which begins with the name.
    gluonish raises its errors itself; `mx.error` has MXNet's.

    Examples
    --------
    >>> import gluonish as mx
    >>> @mx.error.register_error
    ... class DataError(mx.error.MXNetError):
    ...     pass
    >>> mx.base.error_types['DataError'] is DataError
    True
    """
    if callable(func_name):
        func_name, cls = func_name.__name__, func_name

    def register(found: Any) -> Any:
        error_types[func_name if isinstance(func_name, str) else found.__name__] = found
        return found

    return register if cls is None else register(cls)


class _Library:
    """Stands for MXNet's library in C, which is not there: every function of it says so."""

    def __getattr__(self, name: str) -> NoReturn:
        msg = (
            f"base._LIB.{name}: a function of MXNet's library in C was asked for. gluonish "
            f"computes with PyTorch and has no such library. Use mx.nd, mx.sym and mx.gluon."
        )
        raise MissingLibraryError(msg)


_LIB = _Library()


def check_call(ret: int) -> None:
    """Raise an error for what a function in C returned, unless it is 0.

    Raises
    ------
    MissingLibraryError
        It is not 0.

    Examples
    --------
    >>> from gluonish.base import check_call
    >>> check_call(0)
    """
    if ret:
        msg = (
            f"base.check_call: {ret!r} was given, which stands for an error of a function in C. "
            f"Expected 0. gluonish has no library in C that could tell more."
        )
        raise MissingLibraryError(msg)


def c_str(string: str) -> ctypes.c_char_p:
    """Return a text as C has it.

    Examples
    --------
    >>> from gluonish.base import c_str
    >>> c_str('data').value
    b'data'
    """
    return ctypes.c_char_p(string.encode("utf-8"))


def c_str_array(strings: Sequence[str]) -> ctypes.Array[ctypes.c_char_p]:
    """Return texts as an array of C.

    Examples
    --------
    >>> from gluonish.base import c_str_array
    >>> list(c_str_array(['data', 'label']))
    [b'data', b'label']
    """
    return (ctypes.c_char_p * len(strings))(*[text.encode("utf-8") for text in strings])


def c_array(ctype: Any, values: Sequence[Any]) -> Any:
    """Return values as an array of C.

    Examples
    --------
    >>> from gluonish.base import c_array, mx_uint
    >>> list(c_array(mx_uint, [2, 3]))
    [2, 3]
    """
    return (ctype * len(values))(*values)


def c_array_buf(ctype: Any, buf: Any) -> Any:
    """Return an array of C around the memory of an `array.array`.

    Examples
    --------
    >>> import array
    >>> from gluonish.base import c_array_buf, mx_int64
    >>> list(c_array_buf(mx_int64, array.array('q', [2, 3])))
    [2, 3]
    """
    return (ctype * len(buf)).from_buffer(buf)


def py_str(x: bytes | str) -> str:
    """Return bytes as text; text, which monitors get here, as it is.

    Examples
    --------
    >>> from gluonish.base import py_str
    >>> py_str(b'data')
    'data'
    """
    return x if isinstance(x, str) else x.decode("utf-8")


def data_dir() -> str:
    """Return the folder for data and models: `~/.mxnet`, or what MXNET_HOME says.

    Examples
    --------
    >>> import os
    >>> from gluonish.base import data_dir
    >>> data_dir() == os.environ.get('MXNET_HOME', os.path.expanduser('~/.mxnet'))
    True
    """
    return os.environ.get("MXNET_HOME") or data_dir_default()


def data_dir_default() -> str:
    """Return the folder for data and models if MXNET_HOME says none.

    Examples
    --------
    >>> import os
    >>> from gluonish.base import data_dir_default
    >>> data_dir_default() == os.path.expanduser('~/.mxnet')
    True
    """
    return os.path.join(os.path.expanduser("~"), ".mxnet")  # noqa: PTH111, PTH118 - text


class classproperty(Generic[Value]):  # noqa: N801 - MXNet's name
    """A property of a class, where `property` is one of its objects.

    Examples
    --------
    >>> from gluonish.base import classproperty
    >>> class Device:
    ...     @classproperty
    ...     def label(cls): return cls.__name__
    >>> Device.label
    'Device'
    """

    def __init__(self, fget: Any) -> None:
        self._fget = fget

    def __get__(self, instance: object, owner: type) -> Value:
        found: Value = self._fget(owner)
        return found


def with_metaclass(meta: type, *bases: type) -> type:
    """Return a base class of a metaclass.

    Examples
    --------
    >>> from gluonish.base import with_metaclass
    >>> class Meta(type): pass
    >>> class Own(with_metaclass(Meta, dict)): pass
    >>> type(Own) is Meta, Own.__bases__
    (True, (<class 'dict'>,))
    """

    class Maker(meta):  # type: ignore[misc]
        def __new__(cls, name: str, _bases: Any, namespace: dict[str, Any]) -> Any:
            return meta(name, bases, namespace)

    return type.__new__(Maker, "base", (), {})


def _as_list(obj: object) -> list[object] | tuple[object, ...]:
    """Return a list or tuple as it is, or a list of the one object."""
    return obj if isinstance(obj, (list, tuple)) else [obj]
