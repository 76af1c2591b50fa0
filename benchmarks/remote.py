"""Contestants in processes of their own, which answer one line for each line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Self

    from benchmarks.timing import Timer
    from benchmarks.workloads import Workload

__all__ = ["ByHand", "MXNet", "Remote", "find_python"]

VARIABLE = "GLUONISH_BENCH_MXNET"
_ROOT = Path(__file__).parents[1]
_LAST_LINES = 5


def find_python(given: str | None) -> str | None:
    """Return the Python that has MXNet: as given, from the environment, or beside the project.

    Raises
    ------
    SystemExit
        What is given is no program.
    """
    own = _ROOT / ".mx" / "bin" / "python"
    found = given or os.environ.get(VARIABLE) or (str(own) if own.exists() else None)
    if found is not None and shutil.which(found) is None:
        msg = (
            f"benchmarks: {'--mxnet' if given else VARIABLE} is {found!r}. Expected the path of a "
            f"Python that has MXNet. Correct it, or leave it out: then .mx/bin/python is taken if "
            f"it is there, and no MXNet otherwise."
        )
        raise SystemExit(msg)
    return found


class _Process:
    """A connection to a process that runs contestants.

    Parameters
    ----------
    python : str
        Its interpreter.
    module : str
        What it runs.
    threads : int
        How many threads it computes with.
    environment : dict of str to str, optional
        Further variables of its environment.
    """

    advice = ""

    def __init__(
        self, python: str, module: str, threads: int, environment: Mapping[str, str] | None
    ) -> None:
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - lives as long as the process
        own = {"OMP_NUM_THREADS": str(threads), "PYTHONPATH": str(_ROOT)}
        self._process = subprocess.Popen(
            [python, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=_ROOT,
            env={**os.environ, **own, **(environment or {})},
            text=True,
        )
        self._begin(threads)
        try:
            self.version: str = self.ask("hello")
        except RuntimeError:
            self.close()
            raise

    def _begin(self, threads: int) -> None:
        """Do what the process needs before it is asked anything."""

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
                f"{type(self).__name__}'s process ended while it was asked to {what}. "
                f"{self.advice.format(self._process.args[0])}It said last: {last}"
            )
            raise RuntimeError(msg)
        return json.loads(reply)

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class MXNet(_Process):
    """The real MXNet, whose engine has a thread beside Python's and gets no core for it.

    Parameters
    ----------
    python : str
        Its interpreter.
    threads : int
        How many threads it computes with, and how many cores it gets.
    environment : dict of str to str, optional
        Further variables of its environment.
    """

    advice = (
        "Expected a Python with MXNet 1.9.1 at {!r}. Give it with --mxnet, or leave "
        f"{VARIABLE} unset. "
    )

    def __init__(
        self, python: str, threads: int = 1, environment: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(python, "benchmarks.mxnet_driver", threads, environment)

    def _begin(self, threads: int) -> None:
        _give_cores(self._process.pid, threads)

    def build(self, workload: Workload, *, hybrid: bool) -> Remote:
        """Return a contestant that runs a workload."""
        name = "mxnet-hybrid" if hybrid else "mxnet"
        self.ask("build", name=name, workload=workload.as_dict(), hybrid=hybrid)
        return Remote(self, name)

    def operators(self) -> dict[str, Timer]:
        """Return timers of the tiny operators."""
        return {name: Remote(self, name).timer("forward") for name in self.ask("operators")}

    def input(self, folder: str) -> dict[str, Timer]:
        """Return what times one pass through the pictures in a folder, per picture, by way."""
        return {
            name: lambda _, name=name: self.ask("feed", name=name)
            for name in self.ask("input", folder=folder)
        }

    def executor(self) -> Remote:
        """Return the program with an Executor."""
        self.ask("executor", name="executor")
        return Remote(self, "executor")


class ByHand(_Process):
    """PyTorch by hand, in a process that knows nothing of gluonish.

    Parameters
    ----------
    threads : int
        How many threads it computes with.
    environment : dict of str to str, optional
        Further variables of its environment.
    """

    def __init__(self, threads: int = 1, environment: Mapping[str, str] | None = None) -> None:
        super().__init__(sys.executable, "benchmarks.torch_driver", threads, environment)

    def build(self, name: str, workload: Workload) -> Remote:
        """Return a contestant that runs a workload: 'torch', 'compile' or 'whole'."""
        modes = self.ask("build", name=name, workload=workload.as_dict())
        return Remote(self, name, tuple(modes))


class Remote:
    """A contestant in another process.

    Parameters
    ----------
    connection : MXNet or ByHand
        The process.
    name : str
        What it calls the program.
    modes : tuple of str, optional
        What it can do.
    """

    def __init__(
        self, connection: _Process, name: str, modes: tuple[str, ...] = ("forward", "step")
    ) -> None:
        self._connection = connection
        self._name = name
        self.modes = modes

    def timer(self, mode: str) -> Timer:
        """Return what times calls of a mode."""
        return lambda calls: self._connection.ask("time", name=self._name, mode=mode, calls=calls)

    def losses(self, steps: int) -> list[float]:
        """Run training steps, and return the mean loss of each."""
        return self._connection.ask("losses", name=self._name, steps=steps)

    def outputs(self) -> list[float]:
        """Return some numbers of a prediction."""
        return self._connection.ask("outputs", name=self._name)

    def settle(self, seconds: float) -> bool:  # noqa: ARG002 - as other contestants have it
        """Return True: it does not become faster by itself."""
        return True

    def report(self) -> str:
        """Return nothing: it has no report."""
        return ""


def _give_cores(process: int, count: int) -> None:
    """Keep a process that has just begun, and all threads that it will have, to some cores."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process, sorted(os.sched_getaffinity(0))[-count:])
