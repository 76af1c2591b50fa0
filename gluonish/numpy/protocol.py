"""Lets functions of NumPy take `np.ndarray` objects, as NEP 13 and NEP 18 describe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.array.tensors import assign
from gluonish.autograd import is_recording
from gluonish.errors import DTypeError, UnknownArgumentError, UnsupportedOptionError
from gluonish.numpy.fallback import through_numpy

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

_RENAMED = {"amax": "max", "amin": "min", "round_": "round"}


def install(cls: type[NDArray], module: ModuleType) -> None:
    """Give an array class NumPy's two protocols; functions are looked up in `module`."""

    def array_function(
        self: NDArray,  # noqa: ARG001 - NumPy's protocol passes it
        func: Callable[..., Any],
        types: Any,  # noqa: ARG001
        args: Any,
        kwargs: Any,
    ) -> Any:
        ours, theirs = _find(module, func), through_numpy(func, func.__name__)
        if ours is None:
            return theirs(*args, **kwargs)
        try:
            return ours(*args, **kwargs)
        except (DTypeError, UnknownArgumentError, UnsupportedOptionError):
            # NumPy's function may take what ours does not, None among arrays for example.
            if is_recording():  # it knows of no gradients
                raise
            try:
                return theirs(*args, **kwargs)
            except (TypeError, ValueError):
                pass
            raise

    def array_ufunc(
        self: NDArray,
        ufunc: Any,
        method: str,
        *inputs: Any,
        out: Any = None,
        **kwargs: Any,
    ) -> Any:
        if method != "__call__" or (kwargs and set(kwargs) != {"dtype"}):
            return _computed_by_numpy(getattr(ufunc, method), inputs, out, kwargs)
        ours = _find(module, ufunc)
        if ours is None or kwargs:
            return _computed_by_numpy(ufunc, inputs, out, kwargs)
        target = None if out is None else out[0]
        if isinstance(target, onp.ndarray):
            return _computed_by_numpy(ufunc, inputs, out, kwargs)
        arrays = [_beside(self, value, module) for value in inputs]
        return ours(*arrays) if target is None else ours(*arrays, out=target)

    cls.__array_function__ = array_function  # type: ignore[attr-defined]
    cls.__array_ufunc__ = array_ufunc  # type: ignore[attr-defined]


def _find(module: ModuleType, func: Callable[..., Any]) -> Callable[..., Any] | None:
    space: Any = module
    path = getattr(func, "__module__", None) or "numpy"
    for part in path.split(".")[1:]:
        space = getattr(space, part, None)
    name = func.__name__
    found = getattr(space, _RENAMED.get(name, name), None)
    return found if callable(found) else None


def _beside(array: NDArray, value: Any, module: ModuleType) -> Any:
    if isinstance(value, onp.generic):
        return value.item()
    if isinstance(value, onp.ndarray):
        return module.array(value, ctx=array.context)
    return value


def _computed_by_numpy(
    function: Callable[..., Any], inputs: Any, out: Any, kwargs: dict[str, Any]
) -> Any:
    result = through_numpy(function, function.__name__)(*inputs, **kwargs)
    if out is None:
        return result
    target = out[0]
    if isinstance(target, NDArray):
        assign(target, result.tensor, "numpy's out=x")
    else:
        onp.copyto(target, result.asnumpy())
    return target
