"""What is to be known of a format to fuzz it."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from gluonish.serialization.kinds import Kind

# Where data is compressed, and where sparse arrays and pictures are unpacked, 64 MiB are taken as
# meant, however few bytes they are packed in; there are up to three copies.
UNPACKED: Final = 200 << 20
_PLAIN: Final = 16 << 20  # torch and NumPy keep buffers of megabytes
_TINY: Final = 2048  # bytes of a file that is drawn as often as a smaller one


class Seed(NamedTuple):
    """A good file: its name, its bytes, and what its format's parser made of it."""

    name: str
    data: bytes
    tree: Any


class Seeds(NamedTuple):
    """The good files of one format, and how often each is drawn."""

    all: list[Seed]
    weights: list[float]


@dataclass(frozen=True)
class Family:
    """Files of one format: where good ones come from, how they are changed, and how they are read.

    Attributes
    ----------
    name : str
        What it is called, and what files in the corpus begin with.
    kind : Kind
        The format.
    share : int
        How many of a hundred cases are of this family.
    make : callable
        Returns the good files.
    change : callable
        Takes what draws, a good file and another one; returns bytes, and what was done.
    read : callable
        Takes path, content and number of a case; returns what is in the file, or refuses it.
    use : callable, optional
        Takes what was read, and the path; uses it as users do.
    free : int
        How many bytes of memory reading may take beside some for each byte of the file.
    file : str
        What files are called while they are read.
    beside : str
        The family of a file that has to stand beside them.
    """

    name: str
    kind: Kind
    share: int
    make: Callable[[], list[Seed]]
    change: Callable[[Random, Seed, Seed], tuple[bytes, list[str]]]
    read: Callable[[Path, bytes, int], Any]
    use: Callable[[Any, Path], None] | None = None
    free: int = _PLAIN
    file: str = "case"
    beside: str = ""

    @functools.cached_property
    def seeds(self) -> Seeds:
        """The good files, small ones with more weight."""
        found = [seed for seed in self.make() if seed.data]
        return Seeds(found, [min(1.0, _TINY / len(seed.data)) for seed in found])
