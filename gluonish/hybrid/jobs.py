"""Compilations that another process does while the program goes on."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import os
import pickle
import platform
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.errors import CompileError
from gluonish.hybrid.compilers import compilers
from gluonish.hybrid.program import extent, remade
from gluonish.hybrid.worker import LIBRARY, MOST_SECONDS, part_of
from gluonish.process.torch_names import library_runners

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.hybrid.worker import CompileTask

LOOK_AGAIN = 0.05  # seconds between two looks at a process
MOST_KEPT = 500  # compiled graphs
_PACKAGE = Path(__file__).resolve().parent.parent


def folder() -> Path:
    """Return where compiled graphs are kept: `GLUONISH_CACHE`, or the user's cache folder.

    Raises
    ------
    CompileError
        The user has no home.
    """
    chosen = os.environ.get("GLUONISH_CACHE")
    if chosen:
        return Path(chosen).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(base or Path.home() / ".cache").absolute() / "gluonish" / "graphs"
    except RuntimeError as error:
        msg = f"there is no folder for compiled graphs ({error})"
        raise CompileError(msg) from error


class CompileJob:
    """One compilation, in a process of its own unless it was done before.

    Parameters
    ----------
    task : CompileTask
        What to compile.
    begin : bool, default True
        Whether to compile what was not compiled before.

    Raises
    ------
    CompileError
        The task can't be handed to another process, or there is no place for the result.
    """

    def __init__(self, task: CompileTask, *, begin: bool = True) -> None:
        try:
            text = _text_of(task)
        except (pickle.PicklingError, AttributeError, TypeError, ValueError, RuntimeError) as error:
            msg = f"it holds what another process can't be given ({error})"
            raise CompileError(msg) from error
        device = task.likes[0].device.type if task.likes else "cpu"
        name = torch.cuda.get_device_name() if device == "cuda" else _processor()
        mark = f"{torch.__version__} {sys.version} {name} {_package_state()}".encode()
        self._stem = folder() / hashlib.sha256(mark + text).hexdigest()[:32]
        # Programs that want the same one at a time each have a file of their own.
        self._task_file = self._stem.with_suffix(f".{os.getpid()}.task")
        self._text = text
        self._device = device
        self._started = 0.0
        self.is_urgent = task.update is not None
        self.seconds = 0.0
        self.error: str | None = None
        self.is_done = self._is_there()
        if self.is_done:
            with contextlib.suppress(OSError):
                os.utime(self._stem)  # those used longest ago go first
        elif begin:
            compilers.add(self)

    def _is_there(self) -> bool:
        try:
            return (self._stem / LIBRARY).exists()
        except OSError:  # a folder that may not be read
            return False

    def look(self) -> bool:
        """Return whether it is over, well or not."""
        if not self.is_done and self.error is None:
            compilers.look()
        return self.is_done or self.error is not None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over; return whether it is, in `timeout` seconds."""
        end = None if timeout is None else time.monotonic() + timeout
        while not self.look():
            if end is not None and time.monotonic() > end:
                return False
            time.sleep(LOOK_AGAIN)
        return True

    def load(self) -> Callable[[list[torch.Tensor]], list[torch.Tensor]]:
        """Return the compiled function: of a list of tensors, without gradients.

        Raises
        ------
        CompileError
            The library can't be loaded.
        """
        library = self._stem / LIBRARY
        try:
            runners = library_runners()
            if self._device == "cuda":
                loaded = runners.AOTIModelContainerRunnerCuda(
                    str(library), 1, "cuda", str(library.parent)
                )
            else:
                loaded = runners.AOTIModelContainerRunnerCpu(str(library), 1)
        except (AttributeError, RuntimeError) as error:
            shutil.rmtree(self._stem, ignore_errors=True)  # to be made anew
            msg = f"the compiled graph can't be loaded ({error})"
            raise CompileError(msg) from error
        run: Callable[[list[torch.Tensor]], list[torch.Tensor]] = loaded.run
        return run

    # --- for the one who has it done ------------------------------------------------------------

    def start(self) -> Path | None:
        """Write down what to compile; return where, or None if it was made meanwhile.

        Raises
        ------
        OSError
            It can't be written.
        """
        if self._is_there():
            self.is_done = True
            return None
        self._stem.parent.mkdir(parents=True, exist_ok=True)
        _make_room()
        self._task_file.with_suffix(".txt").unlink(missing_ok=True)
        self._task_file.write_bytes(self._text)
        self._started = time.monotonic()
        return self._task_file

    def has_come(self) -> bool:
        """Return whether it is over; take the result, or the reason why there is none."""
        self.seconds = time.monotonic() - self._started
        if self._task_file.exists():
            return False
        reason = self._task_file.with_suffix(".txt")
        if self._is_there():
            self.is_done = True
        elif reason.exists():
            self.error = reason.read_text(encoding="utf-8")
        else:
            self.error = "the folder for compiled graphs was emptied"
        reason.unlink(missing_ok=True)
        return True

    def is_late(self) -> bool:
        """Return whether it has taken too long."""
        if self.seconds < MOST_SECONDS:
            return False
        self.error = f"the compiler's process was stopped after {MOST_SECONDS} seconds"
        return True

    def clean(self, process: int) -> None:
        """Remove what a process that was ended has left."""
        self._task_file.unlink(missing_ok=True)
        shutil.rmtree(part_of(self._task_file, process), ignore_errors=True)


class _Pickler(pickle.Pickler):
    """Writes equal tasks as equal text: torch's own way to write tensors holds addresses."""

    @override
    def reducer_override(self, obj: Any) -> Any:
        """Return how a tensor is made anew; leave other objects to pickle."""
        if type(obj) is not torch.Tensor or obj.layout is not torch.strided:
            return NotImplemented
        memory = extent(obj.detach()).cpu().view(torch.uint8).numpy().tobytes()
        return remade, (memory, obj.dtype, tuple(obj.shape), obj.stride(), str(obj.device))


def _text_of(task: CompileTask) -> bytes:
    file = io.BytesIO()
    _Pickler(file).dump(task)
    return file.getvalue()


def is_switched_off() -> bool:
    """Return whether `GLUONISH_COMPILE=0` asks for no compilers at all."""
    return os.environ.get("GLUONISH_COMPILE") == "0"


def has_compiler() -> bool:
    """Return whether there is a C++ compiler, which Inductor needs."""
    names = (os.environ.get("CXX"), "g++", "clang++", "c++", "cl")
    return any(name and shutil.which(name) for name in names)


def _make_room() -> None:
    """Remove the compiled graphs that were used longest ago, where there are too many."""
    found = []
    for one in folder().glob("*/"):
        with contextlib.suppress(OSError):  # another program has removed it
            found.append((one.stat().st_mtime, one))
    for _, old in sorted(found)[:-MOST_KEPT]:
        shutil.rmtree(old, ignore_errors=True)


@functools.cache
def _package_state() -> int:
    """Return a number that changes with the package's own code."""
    return max(file.stat().st_mtime_ns for file in _PACKAGE.rglob("*.py"))


@functools.cache
def _processor() -> str:
    """Return what tells processors apart for which compiled code differs."""
    return f"{platform.machine()} {torch.backends.cpu.get_cpu_capability()}"
