"""What a store has by key, and the arrays that calls give for its keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.array import NDArray
from gluonish.array.tensors import writable
from gluonish.errors import (
    InvalidArgumentError,
    MissingNameError,
    ShapeError,
    SparseStorageError,
)
from gluonish.errors.suggestions import did_you_mean
from gluonish.errors.wording import listed
from gluonish.kvstore.keys import Key, paired

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gluonish.kvstore.keys import Group, Keys, Values


class Stored(dict[Key, NDArray]):
    """The arrays of a store by key.

    Attributes
    ----------
    places : dict of int or str to int
        By what keys are put in order: a number is its own, text has that in which it came.
    names : dict of int or str to str
        What keys are called where several processes speak of them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[Key, int] = {}
        self.names: dict[Key, str] = {}

    def put(self, key: Key, array: NDArray) -> None:
        """Store an array itself."""
        self[key] = array
        self.places.setdefault(key, key if isinstance(key, int) else len(self.places))

    def in_order(self, keys: Iterable[Key]) -> list[Key]:
        """Return keys in order, and those that are not there after them."""
        places = self.places
        return sorted(keys, key=lambda key: (places.get(key, len(places)), str(key)))

    # --- what calls give --------------------------------------------------------------------

    def new(self, key: Keys, value: Values, where: str) -> list[tuple[Key, NDArray]]:
        """Return keys to add, with their values, after all of them were checked."""
        found: dict[Key, NDArray] = {}
        for one, arrays in paired(key, value, where):
            self._check_kind(one, where)
            if one in self or one in found or len(arrays) != 1:
                again = len(arrays) == 1
                msg = (
                    f"{where}: {'duplicate init of' if again else f'{len(arrays)} arrays for'} "
                    f"key {one!r}. Expected one array, once for each key. "
                    f"{'Set it anew with kv.push.' if again else 'Pass the first one.'}"
                )
                raise InvalidArgumentError(msg)
            found[one] = arrays[0]
        return list(found.items())

    def found(self, key: Keys, value: Values | None, where: str) -> list[Group]:
        """Return keys that are there, with arrays of the right shape."""
        groups = paired(key, value, where)
        for one, arrays in groups:
            stored = self.get(one)
            if stored is None:
                self._check_kind(one, where)
                near = did_you_mean(str(one), map(str, self))
                shape = next((each.shape for each in arrays or () if hasattr(each, "shape")), None)
                like = "array" if shape is None else f"mx.nd.zeros({tuple(shape)})"
                msg = (
                    f"{where}: key {one!r} has not been inited. Expected a key that the store has: "
                    f"{listed(map(repr, self)) or 'none so far'}.{near}"
                    f"{' Otherwise call' if near else ' Call'} kv.init({one!r}, {like}) first."
                )
                raise MissingNameError(msg)
            try:
                shape = stored._tensor.shape
                others = [array for array in arrays if array._tensor.shape != shape]
            except SparseStorageError:
                others = [array for array in arrays if array.shape != stored.shape]
            for array in others:
                msg = (
                    f"{where}: an array of shape {array.shape} was given for key {one!r}. "
                    f"Expected the shape of what is stored, {stored.shape}. Reshape it, or "
                    f"give it a key of its own."
                )
                raise ShapeError(msg)
        return groups

    def targets(self, key: Keys, out: Values | None, where: str) -> list[Group]:
        """Return keys with arrays that may be overwritten."""
        groups = self.found(key, out, where)
        for _, arrays in groups:
            for array in arrays:
                if array.stype == "default":
                    writable(array, where)
        return groups

    def grouped(self, key: Keys, value: Values, where: str) -> list[Group]:
        """Return each key once, in order, with all of its arrays."""
        found = self.found(key, value, where)
        if len(found) == 1:
            return found if found[0][1] else []
        groups: dict[Key, list[NDArray]] = {}
        for one, arrays in found:
            if one in groups:
                groups[one] = groups[one] + arrays
            elif arrays:
                groups[one] = arrays
        places = self.places
        return sorted(groups.items(), key=lambda group: places[group[0]])

    def _check_kind(self, key: Key, where: str) -> None:
        known = next(iter(self), key)
        if isinstance(known, str) != isinstance(key, str):
            msg = (
                f"{where}: Mixed key types are not allowed: {key!r} was given, the store has "
                f"{listed(map(repr, self), 4)}. Expected all numbers, or all text. Use the keys in "
                f"push and pull that init() was given."
            )
            raise InvalidArgumentError(msg)
