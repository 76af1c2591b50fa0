"""A compiler's process that tests share, at the priority of all others and never held."""

from __future__ import annotations

import atexit
import subprocess
import sys
from typing import Any
from unittest import mock

from gluonish.hybrid import compilers

_COMMAND = [
    sys.executable, "-P", "-c",
    "import sys; from gluonish.hybrid import worker; worker.NICE = 0; sys.exit(worker.main())",
]  # fmt: skip
_process: compilers.Process | None = (
    None  # importing torch's compiler takes longer than most graphs
)


class Unhurried(compilers.Compilers):
    """A queue that never holds its process, whatever else the machine does."""

    def lose(self, seconds: float) -> None:
        """Lose nothing."""


def begin() -> compilers.Compilers:
    """Return a queue of a test's own, with the process that is there."""
    global _process
    if _process is not None and _process.status is not None:  # nothing came for a while
        _process.close()
        _process = None
    if _process is None:
        _process = _started()
    queue = Unhurried()
    queue._process = _process
    return queue


def end(queue: compilers.Compilers) -> None:
    """Give the process back, or end it if it is at something still, or another one."""
    global _process
    if queue._running is not None or queue._process is not _process:
        queue.stop()
        _process = None


@atexit.register
def _stop() -> None:
    if _process is not None and _process.status is None:
        _process.stop()


def _started() -> compilers.Process:
    start = subprocess.Popen

    def start_ours(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        return start([*_COMMAND, command[-1]], **options)

    with mock.patch.object(subprocess, "Popen", start_ours):
        return compilers.Process()
