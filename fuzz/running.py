"""Runs tasks in processes, and outlives what they do: crashes and endless loops are findings."""

from __future__ import annotations

import multiprocessing
import secrets
import signal
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fuzz.sandbox import temporary_folder
from fuzz.working import Failure, Place, Report, Task, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from pathlib import Path

_PAUSE = 0.02  # seconds between two looks at the processes
# How many looks may find a process at the same case until it is killed: half a minute. Clocks do
# not tell whether a machine was asleep.
_PATIENCE = 1500


@dataclass
class _Worker:
    task: Task
    process: BaseProcess
    connection: Connection
    place: Place
    path: Path
    number: int = -1
    looks: int = 0


def run(tasks: Iterable[Task], jobs: int, tell: Callable[[Task, Report], None]) -> None:
    """Do tasks in processes of their own.

    Parameters
    ----------
    tasks : iterable of Task
        What to do.
    jobs : int
        How many processes there are at a time.
    tell : callable
        Called with each task and its report.
    """
    waiting = deque(tasks)
    workers: list[_Worker] = []
    try:
        while waiting or workers:
            while waiting and len(workers) < jobs:
                workers.append(_started(waiting.popleft()))
            time.sleep(_PAUSE)
            for worker in list(workers):
                report, rest = _looked_at(worker)
                if report is None:
                    continue
                workers.remove(worker)
                worker.path.unlink()
                tell(worker.task, report)
                if rest is not None:
                    waiting.appendleft(rest)
    finally:
        for worker in workers:
            worker.process.kill()
            worker.path.unlink(missing_ok=True)


def _started(task: Task) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    path = temporary_folder() / f"gluonish-fuzz-{secrets.token_hex(6)}.at"
    place = Place(path)
    process = context.Process(target=serve, args=(theirs, str(path)), daemon=True)
    process.start()
    theirs.close()
    ours.send(task)
    return _Worker(task, process, ours, place, path)


def _looked_at(worker: _Worker) -> tuple[Report | None, Task | None]:
    """Return a worker's report if it has ended, and what it has left to do."""
    try:
        if worker.connection.poll():
            report = worker.connection.recv()
            worker.process.join()
            return report, None
    except (EOFError, ConnectionError):
        worker.process.join()
        return _lost(worker, _told_end(worker.process.exitcode))
    number = worker.place.get()
    worker.looks = worker.looks + 1 if number == worker.number else 0
    worker.number = number
    if number >= 0 and worker.looks > _PATIENCE:
        worker.process.kill()
        worker.process.join()
        return _lost(worker, f"it hangs: {_PATIENCE * _PAUSE:.0f} s")
    if not worker.process.is_alive() and not worker.connection.poll():
        return _lost(worker, _told_end(worker.process.exitcode))
    return None, None


def _lost(worker: _Worker, problem: str) -> tuple[Report, Task | None]:
    """Return the report of a process that did not send one, and the cases that are left."""
    task = worker.task
    number = worker.place.get()
    if number < 0:
        msg = f"the process for {task.family} ended before its first case ({problem})"
        raise RuntimeError(msg)
    failure = Failure(task.family, task.seed, number, problem, "")
    done = (number - task.start) // task.step + 1
    report = Report(done, 0, (0.0, -1), (0, -1), [failure], {problem: 1})
    after = number + task.step
    return report, task._replace(start=after) if after < task.stop else None


def _told_end(code: int | None) -> str:
    if code is not None and code < 0:
        return f"it crashed: {signal.Signals(-code).name}"
    return f"its process ended with {code}"
