"""The real MXNet as a contestant: a child process that answers one line for each line."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from benchmarks.timing import Timer
    from benchmarks.workloads import Workload

__all__ = ["MXNet", "Remote", "find_python"]

VARIABLE = "GLUONISH_BENCH_MXNET"
_ROOT = Path(__file__).parents[1]
_LAST_LINES = 5


def find_python(given: str | None) -> str | None:
    """Return the Python that has MXNet: as given, from the environment, or beside the project."""
    own = _ROOT / ".mx" / "bin" / "python"
    return given or os.environ.get(VARIABLE) or (str(own) if own.exists() else None)


class MXNet:
    """A connection to a process that imports MXNet.

    Parameters
    ----------
    python : str
        Its interpreter.
    threads : int
        How many threads it computes with, and how many cores it gets: its engine has a thread
        beside Python's, and would otherwise use a core more than the other contestants.
    environment : dict of str to str, optional
        Further variables of its environment.
    """

    def __init__(
        self, python: str, threads: int = 1, environment: Mapping[str, str] | None = None
    ) -> None:
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - lives as long as the process
        own = {"OMP_NUM_THREADS": str(threads), "PYTHONPATH": str(_ROOT)}
        self._process = subprocess.Popen(
            [python, "-m", "benchmarks.mxnet_driver"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=_ROOT,
            env={**os.environ, **own, **(environment or {})},
            text=True,
        )
        _give_cores(self._process.pid, threads)
        try:
            self.version: str = self.ask("hello")
        except RuntimeError:
            self.close()
            raise

    def ask(self, what: str, **arguments: Any) -> Any:  # noqa: ANN401
        """Send a request, and return the reply.

        Raises
        ------
        RuntimeError
            The process ended.
        """
        assert self._process.stdin is not None  # noqa: S101 - asked for above
        assert self._process.stdout is not None  # noqa: S101
        with suppress(BrokenPipeError):  # the reply, which is missing then, tells
            self._process.stdin.write(json.dumps({"do": what, **arguments}) + "\n")
            self._process.stdin.flush()
        reply = self._process.stdout.readline()
        if not reply:
            self._errors.seek(0)
            last = "".join(self._errors.readlines()[-_LAST_LINES:])
            msg = (
                f"MXNet's process ended while it was asked to {what}. Expected a Python with "
                f"MXNet 1.9.1 at {self._process.args[0]!r}. Give it with --mxnet, or leave "
                f"{VARIABLE} unset. It said last: {last}"
            )
            raise RuntimeError(msg)
        return json.loads(reply)

    def build(self, workload: Workload, *, hybrid: bool) -> Remote:
        """Return a contestant that runs a workload."""
        name = "mxnet-hybrid" if hybrid else "mxnet"
        self.ask("build", name=name, workload=workload.as_dict(), hybrid=hybrid)
        return Remote(self, name)

    def operators(self) -> dict[str, Timer]:
        """Return timers of the tiny operators."""
        return {name: Remote(self, name).timer("forward") for name in self.ask("operators")}

    def executor(self) -> Remote:
        """Return the program with an Executor."""
        self.ask("executor", name="executor")
        return Remote(self, "executor")

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()

    def __enter__(self) -> MXNet:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class Remote:
    """A contestant in MXNet's process.

    Parameters
    ----------
    connection : MXNet
        The process.
    name : str
        What it calls the program.
    """

    modes = ("forward", "step")

    def __init__(self, connection: MXNet, name: str) -> None:
        self._connection = connection
        self._name = name

    def timer(self, mode: str) -> Timer:
        """Return what times calls of a mode."""
        return lambda calls: self._connection.ask("time", name=self._name, mode=mode, calls=calls)

    def losses(self, steps: int) -> list[float]:
        """Run training steps, and return the mean loss of each."""
        return self._connection.ask("losses", name=self._name, steps=steps)

    def settle(self, seconds: float) -> bool:  # noqa: ARG002 - as other contestants have it
        """MXNet does not become faster by itself."""
        return True

    def report(self) -> str:
        """MXNet has no report."""
        return ""


def _give_cores(process: int, count: int) -> None:
    """Keep a process that has just begun, and all threads that it will have, to some cores."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process, sorted(os.sched_getaffinity(0))[-count:])
