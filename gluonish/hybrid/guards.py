"""Guards: what a captured graph took from Python's memory, and whether that still holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CellType

    import numpy as onp

    from gluonish.array import NDArray

_MISSING = object()


class Guard(Protocol):
    """One fact that a captured graph relies on."""

    what: str  # how a person would name the thing
    is_strict: bool  # whether the captured program itself must leave it alone

    def holds(self) -> bool:
        """Return whether nothing has changed."""


class Binding:
    """A name of a module or class stands for the same object."""

    def __init__(self, what: str, is_strict: bool, scope: Mapping[str, Any], name: str) -> None:
        self.what, self.is_strict = what, is_strict
        self._scope, self._name = scope, name
        self._value = scope.get(name, _MISSING)

    def holds(self) -> bool:
        """Return whether nothing has changed."""
        return self._scope.get(self._name, _MISSING) is self._value


class Attribute:
    """An attribute of an object without a dictionary stands for the same object."""

    def __init__(self, what: str, is_strict: bool, owner: Any, name: str) -> None:
        self.what, self.is_strict = what, is_strict
        self._owner, self._name = owner, name
        self._value = getattr(owner, name)

    def holds(self) -> bool:
        """Return whether nothing has changed."""
        return getattr(self._owner, self._name, _MISSING) is self._value


class Variable:
    """A variable of an enclosing function stands for the same object."""

    def __init__(self, what: str, is_strict: bool, cell: CellType) -> None:
        self.what, self.is_strict = what, is_strict
        self._cell = cell
        self._value = cell.cell_contents

    def holds(self) -> bool:
        """Return whether nothing has changed."""
        return self._cell.cell_contents is self._value


class Items:
    """A list or other sequence has the same elements."""

    def __init__(self, what: str, is_strict: bool, container: Any) -> None:
        self.what, self.is_strict = what, is_strict
        self._container = container
        self._items = tuple(container)

    def holds(self) -> bool:
        """Return whether nothing has changed."""
        return len(self._container) == len(self._items) and all(
            now is before for now, before in zip(self._container, self._items, strict=True)
        )


class Entries:
    """A dictionary, or the attributes of an object, have the same values."""

    def __init__(self, what: str, is_strict: bool, mapping: Mapping[Any, Any]) -> None:
        self.what, self.is_strict = what, is_strict
        self._mapping = mapping
        self._before = dict(mapping)

    def holds(self) -> bool:
        """Return whether nothing has changed."""
        mapping = self._mapping
        return len(mapping) == len(self._before) and all(
            (now := mapping.get(key, _MISSING)) is value or (type(now) is str and now == value)
            for key, value in self._before.items()
        )


class Numbers:
    """A NumPy array has the same elements."""

    def __init__(self, what: str, is_strict: bool, values: onp.ndarray[Any, Any]) -> None:
        self.what, self.is_strict = what, is_strict
        self._values = values
        self._before = (values.shape, values.dtype, values.tobytes())

    def holds(self) -> bool:
        """Return whether nothing has changed."""
        values = self._values
        return (values.shape, values.dtype, values.tobytes()) == self._before


class SameKind:
    """An array, whose values a graph reads anew, is of the same kind."""

    def __init__(self, what: str, is_strict: bool, array: NDArray) -> None:
        self.what, self.is_strict = what, is_strict
        self._array = array
        self._before = self._now()

    def holds(self) -> bool:
        """Return whether nothing has changed."""
        return self._now() == self._before

    def _now(self) -> tuple[Any, ...]:
        tensor = self._array._tensor
        return (tensor.shape, tensor.dtype, tensor.requires_grad, self._array._ctx)
