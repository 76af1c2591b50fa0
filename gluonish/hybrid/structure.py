"""Walks nested arguments and results: lists, tuples, dicts and what is in them."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.array.tensors import recorded
from gluonish.context import Context
from gluonish.errors import DTypeError
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def map_arrays(function: Callable[[Any], Any], value: Any, kind: type = NDArray) -> Any:
    """Return a nested value with every array, or what else is of a kind, as `function(array)`."""
    if isinstance(value, kind):
        return function(value)
    if isinstance(value, dict):
        return type(value)((key, map_arrays(function, part, kind)) for key, part in value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(map_arrays(function, part, kind) for part in value))
    if isinstance(value, (list, tuple)):
        return type(value)(map_arrays(function, part, kind) for part in value)
    return value


def first_array(value: Any) -> NDArray | None:
    """Return the first array of a nested value, or None."""
    if isinstance(value, NDArray):
        return value
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        for part in value:
            found = first_array(part)
            if found is not None:
                return found
    return None


_ATOMS = (type(None), bool, int, float, str, bytes, type, Context, onp.dtype, slice, type(Ellipsis))


def flatten(value: Any, arrays: list[NDArray]) -> Any:
    """Append the arrays of a nested value to a list; return what remains, hashable, as a key.

    Raises
    ------
    DTypeError
        It holds something that can change without a change of the key.
    """
    if isinstance(value, NDArray):
        arrays.append(value)
        tensor = value._tensor
        if tensor.requires_grad and state.recording:
            tensor = recorded(value)
        return (type(value), value._ctx, tensor.shape, tensor.dtype, tensor.requires_grad)
    kind = type(value)
    if isinstance(value, (list, tuple)):
        return (kind, *[flatten(part, arrays) for part in value])
    if kind is dict or kind is OrderedDict:
        return (kind, *[(key, flatten(part, arrays)) for key, part in value.items()])
    if isinstance(value, float):
        return (kind, value.hex())  # 0.0 and -0.0 are equal
    if isinstance(value, slice):
        return (slice, flatten((value.start, value.stop, value.step), arrays))
    if isinstance(value, onp.generic):
        return (kind, value.dtype, value.tobytes())
    if isinstance(value, _ATOMS):
        return (kind, value)
    msg = f"an argument or a result is of type {kind.__name__}, whose contents are not watched"
    raise DTypeError(msg)


def repeats(arrays: Sequence[NDArray]) -> tuple[int, ...] | None:
    """Return which of several arrays are the same, or None where all differ."""
    first: dict[int, int] = {}
    pattern = tuple(first.setdefault(id(array), i) for i, array in enumerate(arrays))
    return None if len(first) == len(pattern) else pattern
