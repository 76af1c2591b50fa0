"""A process that checks cases, and tells where it is, so that its end tells which case it was."""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fuzz import cases
from fuzz.checking import Checker
from fuzz.sandbox import Used

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_AT = struct.Struct("<q")
_SHOWN = 3  # cases of one problem that are told


class Task(NamedTuple):
    """Some cases of a family: from one number up to another one, in steps."""

    family: str
    seed: int
    start: int
    stop: int
    step: int


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


def serve(connection: Connection, place_path: str) -> None:
    """Do a task, and send a `Report`; it is what a process of the fuzzer runs."""
    place = Place(Path(place_path))
    os.nice(5)
    with contextlib.suppress(EOFError):
        task = connection.recv()
        checker = Checker(task.family)
        checker.warm_up()
        connection.send(_done(task, checker, place))
        checker.close()


def _done(task: Task, checker: Checker, place: Place) -> Report:
    counts: dict[str, int] = {}
    failures: list[Failure] = []
    read = done = 0
    slowest, biggest = (0.0, -1), (0, -1)
    for number in range(task.start, task.stop, task.step):
        place.set(number)
        case = cases.make(task.family, task.seed, number)
        was_read, used, problem, details = checker.check(case.data, number)
        done += 1
        read += was_read
        slowest = max(slowest, (used.seconds, number))
        biggest = max(biggest, (used.memory - len(case.data), number))
        if problem is None and number % 64 == 0 and checker.leftovers():
            problem = f"it made files: {checker.leftovers()}"
        if problem is not None:
            counts[problem] = counts.get(problem, 0) + 1
            if counts[problem] <= _SHOWN:
                failures.append(Failure(task.family, task.seed, number, problem, details))
    used = Used(slowest[0], biggest[0])
    left = checker.leftovers()
    if left:
        failures.append(Failure(task.family, task.seed, task.stop, f"it made files: {left}", ""))
    return Report(
        done, read, (used.seconds, slowest[1]), (used.memory, biggest[1]), failures, counts
    )
