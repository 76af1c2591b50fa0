"""Which worker keeps which part of which key, and where the parts lie in a message."""

from __future__ import annotations

from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import torch
    from torch import Tensor

    from gluonish.kvstore.keys import Key


Kind = TypeVar("Kind", bound="Hashable")


class Part(NamedTuple):
    """Some consecutive elements of a key.

    Attributes
    ----------
    key : int or str
        The key.
    owner : int
        The rank of the worker that sums, updates and keeps them.
    start, stop : int
        Which elements they are.
    """

    key: Key
    owner: int
    start: int
    stop: int


class Owners:
    """Which worker owns which elements: a large key is split evenly, a small one is given whole.

    Parameters
    ----------
    workers : int
        How many there are.
    bound : int
        Elements from which on a key is split.
    is_splitting : bool
        Whether any key may be split.

    Examples
    --------
    >>> from gluonish.kvstore.owners.layout import Owners
    >>> owners = Owners(2, 4, is_splitting=True)
    >>> owners.add('w', 5)
    >>> owners.parts('w')
    [Part(key='w', owner=0, start=0, stop=3), Part(key='w', owner=1, start=3, stop=5)]
    """

    def __init__(self, workers: int, bound: int, *, is_splitting: bool) -> None:
        self.bound = bound
        self.is_splitting = is_splitting
        self._loads = [0] * workers
        self._parts: dict[Key, list[Part]] = {}

    def add(self, key: Key, size: int, unit: int = 1) -> None:
        """Give a key of some elements to workers: small ones to the one that has least.

        Parameters
        ----------
        key : int or str
            The key, which may be there already.
        size : int
            Its elements.
        unit : int, default 1
            How many of them stay together, as those of a row.
        """
        for part in self._parts.pop(key, ()):
            self._loads[part.owner] -= part.stop - part.start
        workers = len(self._loads)
        if self.is_splitting and size >= max(self.bound, workers):
            each = -(-size // (workers * unit)) * unit
            cuts = [min(rank * each, size) for rank in range(workers + 1)]
            parts = [Part(key, rank, cuts[rank], cuts[rank + 1]) for rank in range(workers)]
        else:
            parts = [Part(key, self._loads.index(min(self._loads)), 0, size)]
        self._parts[key] = [part for part in parts if part.stop > part.start]
        for part in self._parts[key]:
            self._loads[part.owner] += part.stop - part.start

    def parts(self, key: Key) -> list[Part]:
        """Return the parts of a key, all of which have elements."""
        return self._parts[key]

    def part_of(self, key: Key, rank: int) -> Part | None:
        """Return the part of a key that a worker owns, if it has any."""
        return next((part for part in self._parts[key] if part.owner == rank), None)


class Layout:
    """One message of several keys: the parts of worker 0, those of worker 1, and so on.

    Parameters
    ----------
    keys : sequence of int or str
        The keys.
    dtype : torch.dtype
        Of all elements.
    owners : Owners
        Who keeps what.
    workers : int
        How many there are.

    Attributes
    ----------
    total, size : int
        Elements of all parts, and their bytes.
    parts : list of (Part, int)
        All parts with the places at which they begin.
    chunks : list of (int, int)
        Where the parts of each worker begin and end.
    """

    def __init__(
        self, keys: Sequence[Key], dtype: torch.dtype, owners: Owners, workers: int
    ) -> None:
        self.keys = tuple(keys)
        self.dtype = dtype
        parts = [part for key in keys for part in owners.parts(key)]
        parts.sort(key=lambda part: part.owner)
        starts = list(accumulate((part.stop - part.start for part in parts), initial=0))
        self.parts = list(zip(parts, starts, strict=False))
        self.total = starts[-1]
        self.size = self.total * dtype.itemsize
        sizes = [0] * workers
        for part in parts:
            sizes[part.owner] += part.stop - part.start
        ends = list(accumulate(sizes))
        self.chunks = [(end - size, end) for size, end in zip(sizes, ends, strict=True)]


def share(tensor: Tensor, part: Part) -> Tensor:
    """Return the elements of a part, sharing memory with the key's tensor."""
    return tensor.view(-1)[part.start : part.stop]


def share_like(tensor: Tensor, part: Part, place: Tensor) -> Tensor:
    """Return the elements of a part in the shape of their place in a message."""
    return tensor if place.shape == tensor.shape else share(tensor, part)


def row_size(shape: Sequence[int]) -> int:
    """Return how many elements a row has, 1 at least."""
    return max(1, prod(shape[1:]))


def grouped(keys: Sequence[tuple[Key, Kind, int]], largest: int) -> list[tuple[Kind, list[Key]]]:
    """Return keys in groups of one kind, and not many more bytes than `largest`.

    Parameters
    ----------
    keys : sequence of (key, kind, bytes)
        The keys in the order in which they are to be sent; the kind is their dtype, say.
    largest : int
        Bytes of a group; a key that has as many goes alone.

    Examples
    --------
    >>> import torch
    >>> from gluonish.kvstore.owners.layout import grouped
    >>> grouped([(0, torch.float32, 4), (1, torch.float32, 90), (2, torch.float32, 8)], 50)
    [(torch.float32, [1]), (torch.float32, [0, 2])]
    """
    groups: list[tuple[Kind, list[Key]]] = []
    opened: dict[Kind, tuple[list[Key], int]] = {}
    for key, kind, size in keys:
        if size >= largest:
            groups.append((kind, [key]))
            continue
        found, total = opened.get(kind, ([], 0))
        if found and total + size > largest:
            groups.append((kind, found))
            found, total = [], 0
        found.append(key)
        opened[kind] = found, total + size
    groups.extend((kind, found) for kind, (found, _) in opened.items())
    return groups
