"""The process that compiles, one graph after the other, and no faster than the program can bear."""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from gluonish.hybrid.worker import MAY_BE_HELD

if TYPE_CHECKING:
    from gluonish.hybrid.jobs import CompileJob

STOP, GO_ON = 0.08, 0.05  # of the program's time so far, lost to the compiler
_PACKAGE = Path(__file__).resolve().parent.parent


class Pace:
    """How much of its time a program has lost to the compiler beside it.

    Attributes
    ----------
    is_held : bool
        Whether the compiler has to wait.
    """

    def __init__(self) -> None:
        self.is_held = False
        self._begin = time.monotonic()
        self._lost = 0.0

    def add(self, seconds: float) -> None:
        """Take note of seconds lost."""
        self._lost += seconds
        share = self._lost / (time.monotonic() - self._begin)
        self.is_held = share > (GO_ON if self.is_held else STOP)


class Process:
    """A process that compiles what it is given, and ends when nothing comes for a while.

    Raises
    ------
    OSError
        It can't be started.
    """

    def __init__(self) -> None:
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "gluonish.hybrid.worker", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,  # it says when it may be held
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": _search_path()},
            start_new_session=True,  # an interrupt from the keyboard is meant for the program
        )
        self._is_held = False
        self._word = b""  # that it says once it may be held

    @property
    def number(self) -> int:
        """Its number."""
        return self._popen.pid

    @property
    def status(self) -> int | None:
        """Its exit status, once it has ended."""
        return self._popen.poll()

    def give(self, task_file: Path) -> None:
        """Have a task compiled, after those before it.

        Raises
        ------
        OSError
            It has ended.
        """
        assert self._popen.stdin is not None  # noqa: S101 - for the type checker
        self._popen.stdin.write(os.fsencode(task_file) + b"\n")
        self._popen.stdin.flush()

    def hold(self, is_held: bool) -> None:
        """Let it and the compilers that it runs wait, or go on."""
        if is_held is not self._is_held and self._may_be_held():
            self._is_held = is_held
            self._signal(signal.SIGSTOP if is_held else signal.SIGCONT)

    def _may_be_held(self) -> bool:
        """Return whether it goes on by itself when this process is killed meanwhile."""
        said = self._popen.stdout
        assert said is not None  # noqa: S101 - for the type checker
        if not self._word and sys.platform == "linux" and select.select([said], [], [], 0)[0]:
            self._word = os.read(said.fileno(), len(MAY_BE_HELD))
        return self._word == MAY_BE_HELD

    def stop(self) -> None:
        """End it, and the compilers that it runs."""
        if hasattr(os, "killpg"):
            self._signal(signal.SIGKILL)
        else:
            self._popen.kill()
        self._popen.wait()
        self.close()

    def leave(self) -> None:
        """Let it finish what it is at, without this process, which is about to end."""
        self.hold(False)
        self.close()
        self._popen.returncode = 0  # nobody waits for it: that is no mistake

    def close(self) -> None:
        """Let go of it: it is given nothing more."""
        for pipe in filter(None, (self._popen.stdin, self._popen.stdout)):
            with contextlib.suppress(OSError):  # it has ended
                pipe.close()

    def _signal(self, number: int) -> None:
        with contextlib.suppress(OSError):  # it ends at this moment
            os.killpg(self._popen.pid, number)


class Compilers:
    """Jobs that wait for their turn, and the process of the one that has it."""

    def __init__(self) -> None:
        self._waiting: deque[CompileJob] = deque()
        self._running: CompileJob | None = None
        self._process: Process | None = None
        self._pace = Pace()
        self._owner = os.getpid()
        self._lock = threading.Lock()

    def add(self, job: CompileJob) -> None:
        """Have a job done in its turn; whole steps come before what is a part of one."""
        if job.is_urgent:
            self._waiting.appendleft(job)
        else:
            self._waiting.append(job)
        self.look()

    def look(self) -> None:
        """See what has ended, and begin what is next."""
        if self._owner != os.getpid():  # a fork: the process is its parent's
            self.__init__()  # type: ignore[misc]
        if not self._lock.acquire(blocking=False):  # another thread is looking
            return
        try:
            if self._running is not None and self._is_over(self._running):
                self._running = None
            while self._running is None and self._waiting:
                job = self._waiting.popleft()
                if self._begins(job):
                    self._running = job
        finally:
            self._lock.release()

    @property
    def works(self) -> bool:
        """Whether something is compiled at this moment."""
        return self._running is not None and not self._pace.is_held

    @property
    def is_held(self) -> bool:
        """Whether it waits, since it has cost the program too much."""
        return self._running is not None and self._pace.is_held

    def lose(self, seconds: float) -> None:
        """Take note of time that the program has lost to the compiler."""
        process = self._process
        self._pace.add(seconds)
        if process is not None and self._owner == os.getpid():
            process.hold(self._pace.is_held)

    def _begins(self, job: CompileJob) -> bool:
        """Begin a job; return whether there is something to wait for."""
        try:
            task_file = job.start()
            if task_file is None:
                return False
            if self._process is not None and self._process.status is not None:
                self._process.close()
                self._process = None
            if self._process is None:
                self._process = Process()
            self._process.give(task_file)
        except OSError as error:
            job.error = f"the compiler's process can't be started ({error})"
            return False
        return True

    def _is_over(self, job: CompileJob) -> bool:
        process = self._process
        if process is None:
            return True
        status = process.status
        if job.has_come():
            return True
        if status == 0:  # it had just ended for want of work
            return not self._begins(job)
        if status is not None:
            job.error = f"the compiler's process ended with status {status}"
            job.clean(process.number)
            return True
        if job.is_late():
            self._stop(job)
            return True
        return False

    def _stop(self, job: CompileJob) -> None:
        if self._process is not None:
            self._process.stop()
            job.clean(self._process.number)
            self._process = None

    def stop(self) -> None:
        """End the process and what it is at."""
        if self._owner == os.getpid() and self._process is not None:
            if self._running is not None:
                self._stop(self._running)
            else:
                self._process.stop()

    def leave(self) -> None:
        """Begin nothing more: the program ends. What has begun may be finished without it."""
        if self._owner == os.getpid():
            self._waiting.clear()
            if self._process is not None:
                self._process.leave()


def _search_path() -> str:
    """Return where the compiler's process finds what this one does."""
    found = [*map(os.path.abspath, sys.path), str(_PACKAGE.parent)]
    return os.pathsep.join(dict.fromkeys(found))


compilers = Compilers()
atexit.register(lambda: compilers.leave())
