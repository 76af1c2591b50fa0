"""A process that checks cases, and tells where it is, so that its end tells which case it was."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

from fuzz import cases
from fuzz.checking import Checker
from fuzz.sandbox import Sandbox, Used
from fuzz.tasks import Failure, Place, Report, Task

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_SHOWN = 3  # cases of one problem that are told
_AT_ONCE = 0.1  # seconds
_ALMOST_NONE = 1 << 20  # bytes


def serve(connection: Connection, folder: str) -> None:
    """Do tasks, and send a `Report` for each; it is what a process of the fuzzer runs."""
    place = Place(Path(folder, "place"))
    os.nice(5)
    tqdm.set_lock(threading.RLock())  # its own would be one for several processes
    sandbox = Sandbox()
    with contextlib.suppress(EOFError):
        while True:
            task = connection.recv()
            place.set(-1)
            checker = Checker(task.family, Path(folder), sandbox)
            checker.warm_up()
            connection.send(_done(task, checker, place))


def case_of(task: Task, number: int) -> cases.Case:
    """Return a task's case of a number."""
    if not task.files:
        return cases.make(task.family, task.seed, number)
    path = Path(task.files[number])
    return cases.Case(path.name, [], path.read_bytes())


def _done(task: Task, checker: Checker, place: Place) -> Report:
    counts: dict[str, int] = {}
    failures: list[Failure] = []
    read = 0
    slowest, biggest = (0.0, -1), (0, -1)
    for number in range(task.start, task.stop):
        place.set(number)
        data = case_of(task, number).data
        was_read, used, problem, details = checker.check(data, number)
        read += was_read
        slowest = max(slowest, (used.seconds, number))
        biggest = max(biggest, (used.memory - len(data), number))
        if task.must_refuse and problem is None:
            problem = _reluctance(was_read, used, len(data))
        if problem is None and (number % 64 == 0 or number == task.stop - 1):
            problem = f"it made files: {checker.leftovers()}" if checker.leftovers() else None
        if problem is not None:
            counts[problem] = counts.get(problem, 0) + 1
            if counts[problem] <= _SHOWN:
                failures.append(Failure(task.family, task.seed, number, problem, details))
    return Report(task.stop - task.start, read, slowest, biggest, failures, counts)


def _reluctance(was_read: bool, used: Used, size: int) -> str | None:
    """Return what is wrong with the refusal of a bad file."""
    if was_read:
        return "it was read"
    if used.seconds > _AT_ONCE:
        return f"refused after more than {_AT_ONCE} s"
    if used.memory > size + _ALMOST_NONE:
        return "refused with more than 1 MiB over the file's size"
    return None
