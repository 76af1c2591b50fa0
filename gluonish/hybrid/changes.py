"""What captured graphs are told of: changes to Blocks, wherever they happen."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from typing_extensions import override

if TYPE_CHECKING:
    from gluonish.hybrid.graphs import GraphCache


class ChangeCounts:
    """Counts changes to any Block's children, parameters and hooks; captured graphs watch it."""

    structure = 0
    grad_reqs = 0
    operators = 0

    @classmethod
    def structure_changed(cls) -> None:
        """Make every captured graph stale."""
        cls.structure += 1

    @classmethod
    def operators_changed(cls) -> None:
        """Make every captured graph go, since operators themselves have changed."""
        cls.operators += 1
        cls.structure += 1

    @classmethod
    def grad_req_changed(cls) -> None:
        """Have every captured graph look at which parameters have gradients."""
        cls.grad_reqs += 1


class Watchers:
    """The caches whose graphs saw a Block; a copy of the Block starts without any."""

    def __init__(self) -> None:
        self._caches: weakref.WeakSet[GraphCache] = weakref.WeakSet()

    def add(self, cache: GraphCache) -> None:
        """Have a cache told of changes."""
        self._caches.add(cache)

    def tell(self, what: str) -> None:
        """Say that an attribute of the Block has changed."""
        for cache in tuple(self._caches):
            cache.forget(f"{what} changes from call to call")
        self._caches.clear()

    @override
    def __reduce__(self) -> tuple[type[Watchers], tuple[()]]:
        return Watchers, ()
