"""Which worker owns which part of what is stored."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from gluonish.errors import InvalidArgumentError
from gluonish.kvstore.owners.layout import Owners, row_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.owners.layout import Part
    from gluonish.kvstore.stored import Stored

_BOUND: Final = 2**16  # elements from which on a key is split over the workers


class Ownership:
    """The owners of what is stored, who sum, update and keep it for all.

    Parameters
    ----------
    stored : Stored
        What the store has.
    rank : int
        This worker.
    workers : int
        How many there are.
    on_change : callable
        Called when owners are others than before.
    cuts_rows : bool
        Whether parts may begin and end within rows, as long as no rows are pushed.

    Attributes
    ----------
    owners : Owners
        Who owns what.
    by_rows : set of int or str
        Keys that rows are pushed of, so that their parts are whole rows.
    row_sparse : set of int or str
        Those that came with storage type 'row_sparse', which updaters get to see.
    """

    def __init__(
        self,
        stored: Stored,
        rank: int,
        workers: int,
        on_change: Callable[[], None],
        *,
        cuts_rows: bool,
    ) -> None:
        self.stored = stored
        self.rank = rank
        self.workers = workers
        self.by_rows: set[Key] = set()
        self.row_sparse: set[Key] = set()
        self._on_change = on_change
        self._cuts_rows = cuts_rows
        self.owners = Owners(workers, _bound(), is_splitting=True)

    def add(self, key: Key) -> None:
        """Give a new key to workers."""
        self.owners.add(key, self.stored[key].size, self._unit(key))

    def share_out(self, *, is_splitting: bool) -> None:
        """Give all keys to workers anew.

        Parameters
        ----------
        is_splitting : bool
            Whether a key may have several owners.
        """
        self.owners = Owners(self.workers, _bound(), is_splitting=is_splitting)
        for key in sorted(self.stored, key=self.stored.places.__getitem__):
            self.add(key)
        self._on_change()

    def cut_by_rows(self, keys: Iterable[Key]) -> None:
        """Give keys to workers anew, by whole rows."""
        self.by_rows.update(keys)
        for key in keys:
            self.add(key)
        self._on_change()

    def parts(self, key: Key) -> list[Part]:
        """Return the parts of a key, all of which have elements."""
        return self.owners.parts(key)

    def part_of(self, key: Key, rank: int) -> Part | None:
        """Return the part of a key that a worker owns, if it has any."""
        return self.owners.part_of(key, rank)

    def _unit(self, key: Key) -> int:
        """Return how many elements of a key have to stay together."""
        shape = self.stored[key].shape
        is_by_rows = key in self.by_rows or (len(shape) > 1 and not self._cuts_rows)
        return row_size(shape) if is_by_rows else 1


def _bound() -> int:
    text = os.environ.get("MXNET_KVSTORE_BIGARRAY_BOUND", "")
    if not text:
        return _BOUND
    if not text.isdecimal() or not int(text):
        msg = (
            f"kv.create: the environment has MXNET_KVSTORE_BIGARRAY_BOUND={text!r}. Expected a "
            f"whole number of elements above 0. Leave it out for {_BOUND}."
        )
        raise InvalidArgumentError(msg)
    return int(text)
