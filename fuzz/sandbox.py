"""What a reader may do while it reads: no writing, no running, little memory, little time."""

from __future__ import annotations

import contextlib
import os
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_READING_LINES = str(Path("gluonish", "errors", "program_text.py"))
_EVENTS = (
    "compile", "exec", "code.__new__", "ctypes.", "ftplib.", "glob.", "http.", "marshal.loads",
    "os.chmod",
    "os.chown", "os.exec", "os.fork", "os.link", "os.mkdir", "os.posix_spawn", "os.putenv",
    "os.remove",
    "os.rename", "os.rmdir", "os.spawn", "os.symlink", "os.system", "os.truncate", "os.unsetenv",
    "os.utime",
    "pickle.find_class", "pty.", "shutil.", "smtplib.", "socket.", "sqlite3.", "subprocess.",
    "tempfile.",
    "urllib.", "webbrowser.",
)  # fmt: skip
_IMPORTING = "<frozen importlib._bootstrap>"
_FROM_TEXT = ("<string>", "<unknown>")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_ROOM = 1 << 30  # bytes of address space beyond what is there before


class ForbiddenError(BaseException):
    """A reader did what no reader may do; nothing that it catches."""


class Used(NamedTuple):
    """What a reading took: seconds of the processor, and bytes of memory at its peak."""

    seconds: float
    memory: int

    def most(self, other: Used) -> Used:
        """Return what is more, of each."""
        return Used(max(self.seconds, other.seconds), max(self.memory, other.memory))


class Sandbox:
    """Watches this process from now on; what it forbids stays forbidden inside `reading`."""

    def __init__(self) -> None:
        self.is_reading = False
        self.violations: list[str] = []
        self.last = Used(0.0, 0)
        self._status = os.open("/proc/self/status", os.O_RDONLY)
        self._clear = os.open("/proc/self/clear_refs", os.O_WRONLY)
        self._roots: set[str] = set()
        self._hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        sys.addaudithook(self._hook)

    def open_doors(self) -> None:
        """Allow all imports again."""
        self._roots = set()

    def close_doors(self) -> None:
        """Allow imports from those packages only that have been imported up to now."""
        self._roots = {name.partition(".")[0] for name in sys.modules} | sys.stdlib_module_names

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Watch what runs inside; `last` then has what it took."""
        self.violations.clear()
        os.write(self._clear, b"5")  # the peak starts anew
        before, space = self._memory()
        resource.setrlimit(resource.RLIMIT_AS, (space + _ROOM, self._hard))
        start = time.process_time()
        self.is_reading = True
        try:
            yield
        finally:
            self.is_reading = False
            seconds = time.process_time() - start
            resource.setrlimit(resource.RLIMIT_AS, (self._hard, self._hard))
            self.last = Used(seconds, max(0, self._peak() - before))

    def _memory(self) -> tuple[int, int]:
        """Return the bytes of memory in use, and of address space."""
        text = os.pread(self._status, 4096, 0)
        return _kibibytes(text, b"VmRSS:"), _kibibytes(text, b"VmSize:")

    def _peak(self) -> int:
        return _kibibytes(os.pread(self._status, 4096, 0), b"VmHWM:")

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.is_reading:
            return
        if event == "open":
            is_writing = isinstance(args[2], int) and args[2] & _WRITING
            if is_writing or (isinstance(args[1], str) and set(args[1]) & set("wax+")):
                self._forbid(event, args)
        elif event == "import":
            if self._roots and str(args[0]).partition(".")[0] not in self._roots:
                self._forbid(event, args)
        elif event.startswith(_EVENTS) and not self._is_harmless():
            self._forbid(event, args)

    def _is_harmless(self) -> bool:
        """Return whether a module is imported, or an error reads the line that it is about."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            path = frame.f_code.co_filename
            if path == _IMPORTING or path.endswith(_READING_LINES):
                return True
            frame = frame.f_back
        return False

    def _forbid(self, event: str, args: tuple[Any, ...]) -> None:
        told = f"{event} {str(args)[:200]}"
        self.violations.append(told)
        raise ForbiddenError(told)


def _kibibytes(text: bytes, key: bytes) -> int:
    place = text.index(key) + len(key)
    return int(text[place : place + 30].split()[0]) << 10


def temporary_folder() -> Path:
    """Return the folder for files of a process, in memory where there is one."""
    shared = Path("/dev/shm")
    return shared if shared.is_dir() else Path.cwd()
