"""Runs tasks in processes, and outlives what they do: crashes and endless loops are findings."""

from __future__ import annotations

import multiprocessing
import shutil
import signal
import tempfile
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fuzz.sandbox import temporary_folder
from fuzz.tasks import Failure, Place, Report, Task
from fuzz.working import serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

_PAUSE = 0.02  # seconds between two looks at the processes
# How many looks may find a process at the same case until it is killed: two minutes, since a cold
# disk may take half a minute for a library of torch's. Clocks do not tell whether a machine slept.
_PATIENCE = 6000
_WELL = 10


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
    place: Place
    folder: Path
    task: Task
    number: int = -1
    looks: int = 0


def run(
    tasks: Iterable[Task],
    jobs: int,
    tell: Callable[[Task, Report], None],
    server: Callable[[Connection, str], None] = serve,
    patience: int = _PATIENCE,
) -> None:
    """Do tasks in other processes, each of which does one after the other.

    Parameters
    ----------
    tasks : iterable of Task
        What to do.
    jobs : int
        How many processes there are at a time.
    tell : callable
        Called with each task and its report.
    server : callable, default `fuzz.working.serve`
        What the processes run.
    patience : int, optional
        How many looks may find a process at the same case.
    """
    waiting = deque(tasks)
    workers: list[_Worker] = []
    try:
        while waiting or workers:
            while waiting and len(workers) < jobs:
                workers.append(_started(waiting.popleft(), server))
            time.sleep(_PAUSE)
            for worker in workers[:]:
                _attend(worker, workers, waiting, tell, patience)
    finally:
        for worker in workers:
            _end(worker)


def _attend(
    worker: _Worker,
    workers: list[_Worker],
    waiting: deque[Task],
    tell: Callable[[Task, Report], None],
    patience: int,
) -> None:
    """Take a worker's report if there is one, and give it the next task; or bury it."""
    try:
        if worker.connection.poll():
            tell(worker.task, worker.connection.recv())
            if not waiting:
                workers.remove(worker)
                _end(worker)
                return
            worker.task = waiting.popleft()
            worker.place.set(-1)
            worker.looks = 0
            worker.connection.send(worker.task)
            return
        problem = _problem(worker, patience)
    except (EOFError, ConnectionError):
        worker.process.join()
        problem = _told_end(worker.process.exitcode)
    if problem is None:
        return
    workers.remove(worker)
    _end(worker)
    report, rest = _lost(worker, problem)
    tell(worker.task, report)
    if rest is not None:
        waiting.appendleft(rest)


def _started(task: Task, server: Callable[[Connection, str], None]) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    folder = Path(tempfile.mkdtemp(prefix="gluonish-fuzz-", dir=temporary_folder()))
    place = Place(folder / "place")
    process = context.Process(target=server, args=(theirs, str(folder)), daemon=True)
    process.start()
    theirs.close()
    ours.send(task)
    return _Worker(process, ours, place, folder, task)


def _end(worker: _Worker) -> None:
    worker.connection.close()  # on which those that are well end
    worker.process.join(0.0 if worker.looks > _WELL else 2.0)
    worker.process.kill()
    worker.process.join()
    shutil.rmtree(worker.folder)


def _problem(worker: _Worker, patience: int) -> str | None:
    """Return what is wrong with a process that is still to report."""
    number = worker.place.get()
    worker.looks = worker.looks + 1 if number == worker.number else 0
    worker.number = number
    if number >= 0 and worker.looks > patience:
        return f"it hangs: {patience * _PAUSE:.0f} s"
    if not worker.process.is_alive() and not worker.connection.poll():
        return _told_end(worker.process.exitcode)
    return None


def _lost(worker: _Worker, problem: str) -> tuple[Report, Task | None]:
    """Return the report of a process that did not send one, and the cases that are left."""
    task = worker.task
    number = worker.place.get()
    if number < 0:
        msg = f"the process for {task.family} ended before its first case ({problem})"
        raise RuntimeError(msg)
    failure = Failure(task.family, task.seed, number, problem, "")
    report = Report(number - task.start + 1, 0, (0.0, -1), (0, -1), [failure], {problem: 1})
    rest = task._replace(start=number + 1)
    return report, rest if rest.start < rest.stop else None


def _told_end(code: int | None) -> str:
    if code is not None and code < 0:
        return f"it crashed: {signal.Signals(-code).name}"
    return f"its process ended with {code}"
