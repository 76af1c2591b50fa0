"""`mx.util`: the switches of `npx.set_np()` in every form, with small functions."""

from __future__ import annotations

import functools
import inspect
import os
from typing import TYPE_CHECKING, Any, TypeVar, cast

import torch

from gluonish.context import (
    Context,
    gpu_memory_info,
    is_np_array,
    is_np_shape,
    num_gpus,
    set_np_flags,
    start_with_np_shape,
)
from gluonish.errors import DTypeError, InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

__all__ = [
    "get_cuda_compute_capability",
    "get_gpu_count",
    "get_gpu_memory",
    "getenv",
    "is_np_array",
    "is_np_shape",
    "np_array",
    "np_shape",
    "reset_np",
    "set_np",
    "set_np_shape",
    "setenv",
    "use_np",
    "use_np_array",
    "use_np_shape",
]

Target = TypeVar("Target", bound="Callable[..., Any]")


def set_np(shape: bool = True, array: bool = True) -> None:
    """Make gluon create `np.ndarray` objects from now on.

    Parameters
    ----------
    shape : bool, default True
        Whether NumPy's shapes (scalars, empty arrays) are in force.
    array : bool, default True
        Whether gluon's layers create and return `np.ndarray` objects.

    Raises
    ------
    InvalidArgumentError
        `array` is set without `shape`.

    Examples
    --------
    >>> from gluonish import npx
    >>> npx.set_np()
    >>> npx.is_np_array()
    True
    >>> npx.reset_np()
    """
    if array and not shape:
        msg = (
            "set_np: shape=False and array=True were given. NumPy Shape semantics is required in "
            "using NumPy array semantics. Call npx.set_np()."
        )
        raise InvalidArgumentError(msg)
    set_np_flags(shape=bool(shape), array=bool(array), for_new_threads=True)


def reset_np() -> None:
    """Undo `set_np`.

    Examples
    --------
    >>> from gluonish import npx
    >>> npx.set_np()
    >>> npx.reset_np()
    >>> npx.is_np_array()
    False
    """
    set_np_flags(shape=False, array=False, for_new_threads=True)


def set_np_shape(active: bool | int) -> bool:
    """Switch NumPy's shapes on or off for this thread; return what was in force before.

    Parameters
    ----------
    active : bool or int
        Whether they are in force; 2 for threads yet to start, too, until the next call.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.util.set_np_shape(True)
    False
    >>> mx.util.set_np_shape(False)
    True
    """
    before = is_np_shape()
    set_np_flags(shape=bool(active), array=is_np_array(), for_new_threads=False)
    start_with_np_shape(active not in (False, True))
    return before


class _Switch:
    """Sets one or both switches inside a `with` block, or around calls of a function."""

    def __init__(self, *, shape: bool | None = None, array: bool | None = None) -> None:
        self._wanted = (shape, array)
        self._before: list[tuple[bool, bool]] = []

    def __enter__(self) -> Self:
        before = (is_np_shape(), is_np_array())
        self._before.append(before)
        shape, array = (
            old if new is None else new for old, new in zip(before, self._wanted, strict=True)
        )
        set_np_flags(shape=shape, array=array, for_new_threads=False)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shape, array = self._before.pop()
        set_np_flags(shape=shape, array=array, for_new_threads=False)


class _NumpyShapeScope(_Switch):
    """Sets whether NumPy's shapes are in force, inside a `with` block."""

    def __init__(self, is_np_shape: bool) -> None:
        self._is_np_shape = is_np_shape
        super().__init__(shape=is_np_shape)


class _NumpyArrayScope(_Switch):
    """Sets whether gluon creates `np.ndarray` objects, inside a `with` block."""

    def __init__(self, is_np_array: bool) -> None:
        self._is_np_array = is_np_array
        super().__init__(array=is_np_array)


def np_shape(active: bool = True) -> _Switch:
    """Return a scope in which NumPy's shapes are in force, or are not.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.util.np_shape(True):
    ...     mx.util.is_np_shape()
    True
    """
    return _Switch(shape=active)


def np_array(active: bool = True) -> _Switch:
    """Return a scope in which gluon creates `np.ndarray` objects, or does not.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.util.np_array(True):
    ...     mx.util.is_np_array()
    True
    """
    return _Switch(array=active)


def use_np_shape(func: Target) -> Target:
    """Make a function, or all methods of a class, run with NumPy's shapes in force.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.util.use_np_shape(mx.util.is_np_shape)()
    True
    """
    return _decorate(func, "use_np_shape", shape=True, array=None)


def use_np_array(func: Target) -> Target:
    """Make a function, or all methods of a class, run with gluon creating `np.ndarray` objects.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.util.use_np_array(mx.util.is_np_array)()
    True
    """
    return _decorate(func, "use_np_array", shape=None, array=True)


def use_np(func: Target) -> Target:
    """Make a function, or all methods of a class, run as after `npx.set_np()`.

    Examples
    --------
    >>> import gluonish as mx
    >>> @mx.util.use_np
    ... def check():
    ...     return mx.util.is_np_array(), mx.util.is_np_shape()
    >>> check()
    (True, True)
    """
    return _decorate(func, "use_np", shape=True, array=True)


_SPECIAL = ("__init__", "__call__")
_OF_CALLS = ("forward", "hybrid_forward")  # which are called within


def _is_for_users(name: str) -> bool:
    """Return whether an inherited method is one that programs call."""
    return name in _SPECIAL or not (name.startswith("_") or name in _OF_CALLS)


def _decorate(target: Target, where: str, *, shape: bool | None, array: bool | None) -> Target:
    wrap: Any = functools.partial(_decorate, where=where, shape=shape, array=array)
    if inspect.isclass(target):
        for name, member in inspect.getmembers_static(target):
            is_own = name in vars(target)
            if inspect.isfunction(member) and (is_own or _is_for_users(name)):
                setattr(target, name, wrap(member))
            elif isinstance(member, property) and is_own and member.fget is not None:
                setattr(target, name, member.getter(wrap(member.fget)))
        return target
    if not callable(cast("object", target)):
        msg = (
            f"{where}: {type(target).__name__} was given. Expected a function or a class. Put "
            f"@{where} in front of a definition."
        )
        raise DTypeError(msg)

    @functools.wraps(target)
    def call(*args: Any, **kwargs: Any) -> object:
        with _Switch(shape=shape, array=array):
            return target(*args, **kwargs)

    return call  # type: ignore[return-value]


def get_gpu_count() -> int:
    """Return how many GPUs torch can use.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.util.get_gpu_count() >= 0
    True
    """
    return num_gpus()


def get_gpu_memory(gpu_dev_id: int) -> tuple[int, int]:
    """Return free and total memory of a GPU, in bytes.

    Parameters
    ----------
    gpu_dev_id : int
        Number of the GPU.

    Raises
    ------
    ContextError
        There is no such GPU.
    """
    return gpu_memory_info(gpu_dev_id)


def get_cuda_compute_capability(ctx: Context) -> int:
    """Return a GPU's compute capability as one number: 80 for 8.0.

    Raises
    ------
    InvalidArgumentError
        The context is not a GPU.
    ContextError
        There is no such GPU.
    """
    if ctx.device_type != "gpu":
        msg = (
            f"get_cuda_compute_capability: context {ctx} was given. Expected a gpu context. "
            f"Write mx.gpu(0)."
        )
        raise InvalidArgumentError(msg)
    major, minor = torch.cuda.get_device_capability(ctx.device)
    return 10 * major + minor


def getenv(name: str) -> str | None:
    """Return an environment variable, or None.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.util.setenv('GLUONISH_EXAMPLE', '1')
    >>> mx.util.getenv('GLUONISH_EXAMPLE')
    '1'
    >>> mx.util.setenv('GLUONISH_EXAMPLE', None)
    """
    return os.environ.get(name)


def setenv(name: str, value: str | None) -> None:
    """Set an environment variable of this process; None removes it.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.util.setenv('GLUONISH_EXAMPLE', None)
    """
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value
