"""Walks nested arguments and results: lists, tuples, dicts and what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable


def map_arrays(function: Callable[[NDArray], Any], value: Any) -> Any:
    """Return a nested value with every array replaced by `function(array)`."""
    if isinstance(value, NDArray):
        return function(value)
    if isinstance(value, dict):
        return type(value)((key, map_arrays(function, part)) for key, part in value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(map_arrays(function, part) for part in value))
    if isinstance(value, (list, tuple)):
        return type(value)(map_arrays(function, part) for part in value)
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


def flatten(value: Any, arrays: list[NDArray]) -> Any:
    """Append the arrays of a nested value to a list; return what remains, hashable, as a key.

    Values that are not hashable are told apart by identity.
    """
    if isinstance(value, NDArray):
        arrays.append(value)
        tensor = value._tensor
        return (type(value), value._ctx, tensor.shape, tensor.dtype)
    if isinstance(value, (list, tuple)):
        return (type(value), *(flatten(part, arrays) for part in value))
    if isinstance(value, dict):
        return (dict, *((key, flatten(part, arrays)) for key, part in value.items()))
    try:
        hash(value)
    except TypeError:
        return (type(value), id(value))
    return (type(value), value)
