"""Compiles one graph in a process of its own: `python -m gluonish.hybrid.worker PROGRAM TASK`.

Nothing here runs in the process of the program that trains: importing a compiler and running it
takes many seconds, which that program has better uses for. Once that program, whose number is
PROGRAM, has ended, what has begun may be finished: for its next run.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
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
from gluonish.process.torch_names import aot_compile

if TYPE_CHECKING:
    from typing import IO

    from torch import fx

    from gluonish.hybrid.program import Like, Program
    from gluonish.hybrid.steps import StepUpdate

LIBRARY = "library.so"
MOST_SECONDS = 900  # for one compilation
NICE = 10  # which is a weight of 110, beside 1024 of other processes
SECONDS_ALONE = 120  # for the rest of one, once the program has ended


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
        _check(traced)
        traced.graph.eliminate_dead_code()
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


def _check(traced: fx.GraphModule) -> None:
    """Refuse what compiles, and fails when it runs."""
    for node in traced.graph.nodes:
        if str(node.target).startswith("aten.mkldnn_rnn_layer_backward"):
            msg = "a library of torch can't call the gradient of an LSTM layer"
            raise CompileError(msg)


def _step_back() -> None:
    """Take a tenth of a processor where the program that trains wants it, too."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    with contextlib.suppress(OSError):  # desktops share their time out by sessions first
        Path("/proc/self/autogroup").write_text(str(NICE), encoding="utf-8")


class _Guard:
    """Ends this process and its compilers, some time after the program that wanted them.

    Parameters
    ----------
    program : int
        The program's number.
    task_file, part : Path
        What is removed then.
    has_begun : bool
        Whether it is this process's turn; otherwise there is nothing to finish.
    """

    def __init__(self, program: int, task_file: Path, part: Path, *, has_begun: bool) -> None:
        self._program = program
        self._files = (task_file, part)
        self.has_begun = has_begun
        threading.Thread(target=self._watch, daemon=True).start()

    def is_alone(self) -> bool:
        """Return whether the program has ended."""
        return hasattr(os, "getppid") and os.getppid() != self._program

    def _watch(self) -> None:
        while not self.is_alone():
            time.sleep(1)
        task_file, part = self._files
        if not self.has_begun:
            task_file.unlink(missing_ok=True)
            os._exit(1)
        time.sleep(SECONDS_ALONE)
        shutil.rmtree(part, ignore_errors=True)
        task_file.unlink(missing_ok=True)
        if hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)  # the session is this process's own
        os._exit(1)


class _Turn:
    """The turn of one compilation of this user on this machine; it ends with the process."""

    def __init__(self, folder: Path) -> None:
        self._file: IO[str] | None = None
        with contextlib.suppress(OSError):  # no place for a lock: several at a time, then
            self._file = folder.with_suffix(".lock").open("w")

    def take(self, *, wait: bool) -> bool:
        """Take it; return whether it could be taken."""
        if self._file is None:
            return True
        try:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        except (ImportError, OSError):  # a system without locks
            return True
        return True


def main() -> int:
    """Compile the task in a file; write the library, or the reason why there is none, beside it."""
    task_file = Path(sys.argv[2]).resolve()
    part = task_file.with_suffix(f".{os.getpid()}")
    _step_back()
    turn = _Turn(task_file.parent)
    guard = _Guard(int(sys.argv[1]), task_file, part, has_begun=turn.take(wait=False))
    if not guard.has_begun:
        turn.take(wait=True)
        guard.has_begun = True
    status = _compile(task_file, part)
    if guard.is_alone():  # nobody else does
        task_file.unlink(missing_ok=True)
        task_file.with_suffix(".txt").unlink(missing_ok=True)
    return status


def _compile(task_file: Path, part: Path) -> int:
    if hasattr(signal, "alarm"):
        signal.alarm(MOST_SECONDS)  # nobody else ends it where the program was killed
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    try:
        with task_file.open("rb") as file:
            task = pickle.load(file)
        part.mkdir()
        compile_task(task, part)
        part.rename(task_file.with_suffix(""))
    except Exception as error:  # noqa: BLE001 - whatever a compiler says, it is one line of a log
        lines = str(error).strip().splitlines() or [""]
        name = "" if isinstance(error, CompileError) else f"{type(error).__name__}: "
        text = name + lines[0]
        task_file.with_suffix(".txt").write_text(text, encoding="utf-8")
        return 1
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
