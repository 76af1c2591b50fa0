"""Runs a function or a program in several processes that find one another, as torchrun does."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import pickle
import runpy
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torch.distributed import TCPStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from multiprocessing.process import BaseProcess
    from typing import Self

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["torch.distributed", "gluonish", "gluonish.model", "pytest"])
ON_DEVICES = "TEST_ON_DEVICES"  # a variable that has host memory be summed as that of GPUs is
ALONE = {"RANK": "", "WORLD_SIZE": ""}  # for a program that is not one of several
LIMIT = 150  # seconds, for machines that do much else
# Begins a program that waits until the file in LATE is there, where that variable is set.
COMES_LATE = """
import os, time
while os.environ.get("LATE") and not os.path.exists(os.environ["LATE"]):
    time.sleep(0.02)
"""
_PLAIN = {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo", "GLUONISH_COMPILE_AFTER": "inf"}


@dataclass
class Worker:
    """What became of one process.

    Attributes
    ----------
    rank : int
        Its number.
    code : int or None
        Its exit status, negative after a signal; None if it was ended for taking too long.
    output : str
        What it wrote to stdout and stderr.
    value : object
        What the function returned; None for a program.
    seconds : float
        How long it ran.
    """

    rank: int
    code: int | None
    output: str
    value: Any
    seconds: float


@dataclass
class Workers:
    """Processes that were started and may still run; a context manager that ends what is left.

    Parameters
    ----------
    count : int
        How many there are.
    target : callable or str or Path
        A function of a test file's top level, called as `target(rank, *arguments)`; or a file or
        the text of a program, which runs as `__main__` with the arguments in `sys.argv`.
    arguments : sequence
        What it is given, the same for all.
    environment : dict of str to str
        Variables beside those of torchrun; an empty value removes one.
    each : sequence of dict
        Variables of each process alone.

    Notes
    -----
    The processes come out of one that has imported torch and gluonish, so that they start fast.
    The meeting place (MASTER_ADDR, MASTER_PORT) is in the calling process, as torchrun has it.
    """

    count: int
    target: Callable[..., Any] | str | Path
    arguments: Sequence[Any] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    each: Sequence[Mapping[str, str]] = ()

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        self._store = TCPStore(
            "127.0.0.1", 0, is_master=True, wait_for_workers=False, timeout=timedelta(seconds=30)
        )
        self._begin = time.monotonic()
        self._ends: dict[int, float] = {}
        self.processes = [self.start(rank) for rank in range(self.count)]
        return self

    def start(self, rank: int, **environment: str) -> BaseProcess:
        """Start one process, again if it has ended (then put it into `processes`)."""
        found = {
            **_PLAIN,
            "RANK": str(rank),
            "LOCAL_RANK": str(rank),
            "WORLD_SIZE": str(self.count),
            "LOCAL_WORLD_SIZE": str(self.count),
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(self._store.port),
            "TORCHELASTIC_USE_AGENT_STORE": "True",
            **self.environment,
            **(self.each[rank] if self.each else {}),
            **environment,
        }
        where = self.target
        if callable(where):
            where = (Path(sys.modules[where.__module__].__file__), where.__name__)
        folder = Path(self._folder.name)
        process = _CONTEXT.Process(
            target=_run, args=(where, rank, tuple(self.arguments), found, folder, sys.path[:])
        )
        process.start()
        return process

    def kill(self, rank: int) -> None:
        """End one process by SIGKILL."""
        os.kill(self.processes[rank].pid, signal.SIGKILL)

    def output(self, rank: int) -> str:
        """Return what a process has written so far."""
        path = Path(self._folder.name, f"{rank}.txt")
        return path.read_text(errors="replace") if path.exists() else ""

    def wait_for(self, rank: int, text: str, timeout: float = LIMIT) -> None:
        """Wait until a process has written a text."""
        end = time.monotonic() + timeout
        while text not in self.output(rank):
            if time.monotonic() > end or not self.processes[rank].is_alive():
                msg = f"worker {rank} did not write {text!r}:\n{self.output(rank)}"
                raise AssertionError(msg)
            time.sleep(0.02)

    def finish(self, timeout: float = LIMIT) -> list[Worker]:
        """Wait for all, end those that take longer, and return what became of them."""
        end = self._begin + timeout
        while time.monotonic() < end:
            for rank, process in enumerate(self.processes):
                if rank not in self._ends and not process.is_alive():
                    self._ends[rank] = time.monotonic()
            if len(self._ends) == self.count:
                break
            time.sleep(0.01)
        return [self._finished(rank) for rank in range(self.count)]

    def _finished(self, rank: int) -> Worker:
        process, is_late = self.processes[rank], rank not in self._ends
        if is_late:
            process.kill()
        process.join()
        result = Path(self._folder.name, f"{rank}.pickle")
        value = pickle.loads(result.read_bytes()) if result.exists() else None
        seconds = self._ends.get(rank, time.monotonic()) - self._begin
        code = None if is_late else process.exitcode
        return Worker(rank, code, self.output(rank), value, seconds)

    def __exit__(self, *exception: object) -> None:
        for process in self.processes:
            if process.is_alive():
                process.kill()
            process.join()
            process.close()
        self._folder.cleanup()


def run_workers(
    count: int,
    target: Callable[..., Any] | str | Path,
    *arguments: Any,
    timeout: float = LIMIT,
    environment: Mapping[str, str] | None = None,
    each: Sequence[Mapping[str, str]] = (),
    check: bool = True,
) -> list[Worker]:
    """Run something in several processes and return what became of them; see `Workers`.

    Parameters
    ----------
    timeout : float, default LIMIT
        Seconds after which those that still run are ended.
    check : bool, default True
        Whether it is an error if one did not end with status 0.
    """
    with Workers(count, target, arguments, environment or {}, each) as workers:
        finished = workers.finish(timeout)
    if check and any(worker.code != 0 for worker in finished):
        raise AssertionError(shown(finished))
    return finished


def returned(count: int, target: Callable[..., Any], *arguments: Any, **options: Any) -> list[Any]:
    """Run a function in several processes and return what each returned."""
    return [worker.value for worker in run_workers(count, target, *arguments, **options)]


def shown(workers: Sequence[Worker]) -> str:
    """Return what processes wrote, for a message."""
    return "\n".join(
        f"--- worker {worker.rank}: "
        f"{'took too long' if worker.code is None else f'exit status {worker.code}'} after "
        f"{worker.seconds:.1f} s\n{worker.output}"
        for worker in workers
    )


def _run(
    where: tuple[Path, str] | Path | str,
    rank: int,
    arguments: tuple[Any, ...],
    environment: Mapping[str, str],
    folder: Path,
    path: list[str],
) -> None:
    """Do the work of one process."""
    descriptor = os.open(folder / f"{rank}.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(descriptor, stream)
    os.close(descriptor)
    for name, value in environment.items():
        os.environ.pop(name, None)
        if value:
            os.environ[name] = value
    if os.environ.get(ON_DEVICES):
        from gluonish.kvstore.workers import devices

        devices.BACKENDS["cpu"] = "gloo"
    sys.path[:] = path
    sys.stdout.reconfigure(line_buffering=True)
    try:
        _call(where, rank, arguments, folder)
    except BaseException as error:
        sys.last_value = error  # as at the end of a program that nobody imports
        raise
    finally:
        atexit._run_exitfuncs()


def _call(
    where: tuple[Path, str] | Path | str, rank: int, arguments: tuple[Any, ...], folder: Path
) -> None:
    if isinstance(where, tuple):
        functions = runpy.run_path(str(where[0]), run_name="worker")
        value = functions[where[1]](rank, *arguments)
        (folder / f"{rank}.pickle").write_bytes(pickle.dumps(value))
    elif isinstance(where, Path):
        sys.argv = [str(where), *map(str, arguments)]
        runpy.run_path(str(where), run_name="__main__")
    else:
        sys.argv = ["program", *map(str, arguments)]
        exec(compile(where, "program", "exec"), {"__name__": "__main__"})
