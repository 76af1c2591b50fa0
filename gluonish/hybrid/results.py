"""Results of calls that a loop's pass consists of: where they are, and what calls are like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array import NDArray
from gluonish.context import ambient_key
from gluonish.errors import DTypeError
from gluonish.hybrid.structure import flatten, map_arrays
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable

    Places = dict[int, tuple[int, int]]

NOT_EXPECTED: Any = object()


class Operators:
    """Blocks of one operator each, for those that a loop calls between its Blocks.

    Attributes
    ----------
    block_of : callable
        Returns the Block of an operator's function, and its captured graphs; Blocks come with it.
    """

    block_of: Callable[[Callable[..., Any]], tuple[Any, Any]]


def arrays_of(value: Any) -> list[NDArray]:
    """Return the arrays of a nested value."""
    if isinstance(value, NDArray):
        return [value]
    found: list[NDArray] = []

    def note(array: NDArray) -> NDArray:
        found.append(array)
        return array

    map_arrays(note, value)
    return found


class _Place:
    """Stands for a result of an earlier call."""


def key_of(args: Any, kwargs: Any, places: Places) -> Any:
    """Return what arguments are like, without a look at results of earlier calls; or None."""
    modes = (state.recording, state.training, ambient_key())
    if not kwargs:  # as it nearly always is
        parts: list[Any] = [modes]
        for value in args:
            place = places.get(id(value))
            if place is not None:
                parts.append(place)
            elif isinstance(value, NDArray):
                tensor = value._tensor
                parts += type(value), value._ctx, tensor.shape, tensor.dtype, tensor.requires_grad
            else:
                break
        else:
            return parts
    own: list[tuple[int, int]] = []

    def mark(array: NDArray) -> Any:
        place = places.get(id(array))
        if place is None:
            return array
        own.append(place)
        return _Place

    try:
        return modes, tuple(own), flatten(map_arrays(mark, (args, kwargs)), [])
    except DTypeError:
        return None
