"""Compiles graphs in a process of its own: `python -m gluonish.hybrid.worker PROGRAM`.

Nothing here runs in the process of the program that trains: importing a compiler and running it
takes many seconds, which that program has better uses for. Lines of the standard input name files
with tasks. Once that program, whose number is PROGRAM, has ended, what has begun may be finished:
for its next run.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import queue
import shutil
import signal
import sys
import threading
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from gluonish.errors import CompileError
from gluonish.hybrid.callable_kernels import made_callable
from gluonish.hybrid.quick_products import hasten
from gluonish.hybrid.small_products import unroll
from gluonish.process.torch_names import aot_compile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.hybrid.program import Like, Program
    from gluonish.hybrid.steps import StepUpdate

LIBRARY = "library.so"
MOST_SECONDS = 900  # for one compilation
NICE = 10  # which is a weight of 110, beside 1024 of other processes
SECONDS_ALONE = 120  # for the rest of one, once the program has ended
SECONDS_IDLE = 60
MAY_BE_HELD = b"\n"  # on the standard output


@dataclass(frozen=True, slots=True)
class CompileTask:
    """What is to be compiled.

    Attributes
    ----------
    program : Program
        The captured graph.
    update : StepUpdate or None
        What makes a training step of it.
    likes : list of Like
        What the tensors are like that it will run on.
    threads : int
        How many threads it may use.
    """

    program: Program
    update: StepUpdate | None
    likes: list[Like]
    threads: int


def compile_task(task: CompileTask, folder: Path) -> None:
    """Compile a task into the shared library `folder/library.so`."""
    from torch.fx.experimental.proxy_tensor import make_fx

    torch.set_num_threads(task.threads)
    tensors = [like.empty() for like in task.likes]
    module = task.program.module()
    function: Any = module
    if task.update is not None:
        function = task.update.function(module, task.program.inputs + len(task.program.draws))
    with torch.no_grad():
        # A graph may hold tensors of its own, such as ones to go back from.
        traced = make_fx(function, tracing_mode="fake", _allow_non_fake_inputs=True)(*tensors)
        traced.graph.eliminate_dead_code()
        made_callable(traced)
        unroll(traced)
        hasten(traced)
        traced.recompile()
        made = aot_compile(
            traced,
            tuple(tensors),
            options={"aot_inductor.output_path": str(folder)},
        )
    library = Path(made)
    library.rename(folder / LIBRARY)
    calls = library.with_suffix(".json")  # of operators that are called through the dispatcher
    if calls.exists():
        calls.rename((folder / LIBRARY).with_suffix(".json"))
    for file in folder.rglob("*"):
        if file.suffix in (".cpp", ".h") or file.name.endswith("_metadata.json"):
            file.unlink()


def _step_back() -> None:
    """Take a tenth of a processor where the program that trains wants it, too."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    with contextlib.suppress(OSError):  # desktops share their time out by sessions first
        Path("/proc/self/autogroup").write_text(str(NICE), encoding="utf-8")


def part_of(task_file: Path, process: int) -> Path:
    """Return where a process makes the library of a task."""
    return task_file.with_suffix(f".{process}")


def result_of(task_file: Path) -> Path:
    """Return the folder of a task's library: of GRAPH.PROGRAM.task it is GRAPH."""
    return task_file.with_suffix("").with_suffix("")


class _Guard:
    """Ends this process and its compilers, some time after the program that wanted them.

    Parameters
    ----------
    program : int
        The program's number.

    Attributes
    ----------
    task_file : Path or None
        What is to be compiled next, or being compiled.
    has_begun : bool
        Whether it is; otherwise there is nothing to finish.
    """

    def __init__(self, program: int) -> None:
        self._program = program
        self.task_file: Path | None = None
        self.has_begun = False
        threading.Thread(target=self._watch, daemon=True).start()

    def is_alone(self) -> bool:
        """Return whether the program has ended."""
        return hasattr(os, "getppid") and os.getppid() != self._program

    def _watch(self) -> None:
        while not self.is_alone():
            time.sleep(1)
        if hasattr(os, "killpg"):
            os.killpg(0, signal.SIGCONT)  # compilers that the program held
        time.sleep(1)  # in which it takes what it was given
        if self.has_begun:
            time.sleep(SECONDS_ALONE)
        if self.task_file is not None:
            shutil.rmtree(part_of(self.task_file, os.getpid()), ignore_errors=True)
            self.task_file.unlink(missing_ok=True)
        if self.has_begun and hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)  # the session is this process's own
        os._exit(1)


@contextlib.contextmanager
def _turn(folder: Path) -> Iterator[None]:
    """Wait for the turn of one compilation of this user on this machine."""
    with contextlib.ExitStack() as stack:
        # Without locks, or a place for one, several compile at a time.
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            file = stack.enter_context(folder.with_suffix(".lock").open("w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _given() -> Iterator[Path]:
    """Yield files of tasks, until none comes for a while or nobody is left to send any."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        rest = b""
        while chunk := os.read(0, 4096):
            *found, rest = (rest + chunk).split(b"\n")
            for line in found:
                lines.put(line)
        lines.put(b"")

    threading.Thread(target=read, daemon=True).start()
    with contextlib.suppress(queue.Empty):
        while line := lines.get(timeout=SECONDS_IDLE):
            yield Path(os.fsdecode(line)).resolve()


def _wake_with_the_program() -> None:
    """Have the system let this process go on when the program ends that may have held it."""
    if sys.platform == "linux":
        import ctypes

        set_parent_death_signal = 1  # PR_SET_PDEATHSIG of linux/prctl.h
        if ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGCONT) == 0:
            os.write(1, MAY_BE_HELD)


def main() -> int:
    """Compile one task after the other; write libraries, or why there is none, beside them."""
    _step_back()
    with contextlib.suppress(OSError, AttributeError):  # no such function, or nobody to tell
        _wake_with_the_program()
    with contextlib.suppress(OSError):  # nobody reads what compilers say
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    guard = _Guard(int(sys.argv[1]))
    for number, task_file in enumerate(_given()):
        guard.task_file = task_file
        with _turn(task_file.parent):
            if number == 0 or not guard.is_alone():
                guard.has_begun = True
                _compile(task_file, part_of(task_file, os.getpid()))
                guard.has_begun = False
        guard.task_file = None
        if guard.is_alone():  # nobody reads it
            task_file.with_suffix(".txt").unlink(missing_ok=True)
        task_file.unlink(missing_ok=True)
    return 0


def _compile(task_file: Path, part: Path) -> None:
    if (result_of(task_file) / LIBRARY).exists():  # another program's compiler was first
        return
    if hasattr(signal, "alarm"):
        signal.alarm(MOST_SECONDS)  # nobody else ends it where the program was killed
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    try:
        with task_file.open("rb") as file:
            task = pickle.load(file)
        part.mkdir()
        compile_task(task, part)
        part.rename(result_of(task_file))
    except Exception as error:  # noqa: BLE001 - whatever a compiler says, it is one line of a log
        lines = str(error).strip().splitlines() or [""]
        name = "" if isinstance(error, CompileError) else f"{type(error).__name__}: "
        task_file.with_suffix(".txt").write_text(name + lines[0], encoding="utf-8")
    finally:
        shutil.rmtree(part, ignore_errors=True)
        if hasattr(signal, "alarm"):
            signal.alarm(0)


if __name__ == "__main__":
    sys.exit(main())
