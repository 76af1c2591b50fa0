"""What the fuzzer's processes tell each other: tasks, where they are, and reports."""

from __future__ import annotations

import mmap
import struct
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

_AT = struct.Struct("<q")


class Task(NamedTuple):
    """Some cases of a family, from one number up to another one.

    Attributes
    ----------
    family : str
        One of `fuzz.families.FAMILIES`.
    seed : int
        What all randomness comes from.
    start, stop : int
        The numbers.
    files : tuple of str
        If there are any: the files to read instead, of which `start` and `stop` are positions.
    must_refuse : bool
        Whether all have to be refused, at once and almost without memory.
    """

    family: str
    seed: int
    start: int
    stop: int
    files: tuple[str, ...] = ()
    must_refuse: bool = False


class Failure(NamedTuple):
    """A case that went wrong."""

    family: str
    seed: int
    number: int
    problem: str
    details: str


class Report(NamedTuple):
    """What became of a task."""

    cases: int
    read: int
    slowest: tuple[float, int]
    biggest: tuple[int, int]
    failures: list[Failure]
    counts: dict[str, int]


class Place:
    """Which case a process is at; another process can read it, even after its end."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(_AT.pack(-1))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _AT.size)

    def set(self, number: int) -> None:
        """Tell a case."""
        _AT.pack_into(self._memory, 0, number)

    def get(self) -> int:
        """Return the case; -1 before the first one."""
        (number,) = _AT.unpack_from(self._memory, 0)
        return int(number)
