"""Processes that do not what the fuzzer's own do: they crash, or stay where they are."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from fuzz.tasks import Place, Report

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

CRASHING, HANGING = 3, 5  # numbers of cases


def serve(connection: Connection, folder: str) -> None:
    """Do tasks, and crash at a case, and never end another one."""
    place = Place(Path(folder, "place"))
    while True:
        task = connection.recv()
        for number in range(task.start, task.stop):
            place.set(number)
            if number == CRASHING:
                os.kill(os.getpid(), signal.SIGSEGV)
            while number == HANGING:
                time.sleep(0.01)
        count = task.stop - task.start
        connection.send(Report(count, count, (0.0, 0), (0, 0), [], {}))
