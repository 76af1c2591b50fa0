"""Runs programs in copies of this process as `python program.py` would; keeps what they say."""

from __future__ import annotations

import contextlib
import json
import linecache
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
import types
from pathlib import Path
from typing import NamedTuple

SECONDS = 20
_NAME = "program.py"
_POLL = 0.005  # seconds


class Ending(NamedTuple):
    """How a program ended.

    Attributes
    ----------
    told : str
        What stood on the terminal beside what it printed itself.
    kind : str
        The error's class with its module; '' if there was none, 'timeout' or 'signal N'.
    line : int
        The program's innermost line in the traceback; 0 for none.
    defined : frozenset of str
        Names that this line can use.
    """

    told: str
    kind: str
    line: int
    defined: frozenset[str]


def run(program: str) -> Ending:
    """Run a program in a folder of its own, and return how it ended."""
    with tempfile.TemporaryDirectory() as folder:
        child = os.fork()
        if not child:
            _be_the_program(program, Path(folder))
        kind = _wait(child)
        found = Path(folder, "ending.json")
        told = Path(folder, "told").read_text(errors="replace")
        if kind or not found.exists():
            return Ending(told, kind or "no end", 0, frozenset())
        ending = json.loads(found.read_text())
    return Ending(told, ending["kind"], ending["line"], frozenset(ending["defined"]))


def _wait(child: int) -> str:
    """Wait for a process, for a while; return what is wrong with its end, or ''."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else ""
        time.sleep(_POLL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "timeout"


def _be_the_program(program: str, folder: Path) -> None:
    """Do what Python does with a file, and end this process."""
    os.setsid()
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
    told = os.open(folder / "told", os.O_WRONLY | os.O_CREAT)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(told, 2)
    sys.stdout, sys.stderr = open(1, "w"), open(2, "w")  # noqa: SIM115 - descriptors
    path = folder / _NAME
    path.write_text(program)
    linecache.clearcache()
    sys.argv = [str(path)]
    sys.path[0] = str(folder)
    module = types.ModuleType("__main__")
    module.__file__ = str(path)
    sys.modules["__main__"] = module
    ending = {"kind": "", "line": 0, "defined": sorted(dir(module))}
    try:
        exec(compile(program, str(path), "exec"), module.__dict__)
    except SystemExit:
        pass
    except BaseException as error:  # noqa: BLE001 - whatever ends a program
        trace = error.__traceback__.tb_next if error.__traceback__ else None
        error.__traceback__ = trace
        sys.excepthook(type(error), error, trace)
        ending = _ending(error, trace, str(path), module)
    Path(folder, "ending.json").write_text(json.dumps(ending))
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(0)


def _ending(
    error: BaseException, trace: types.TracebackType | None, path: str, module: types.ModuleType
) -> dict[str, object]:
    line, names = 0, set(vars(module))
    for frame, number in traceback.walk_tb(trace):
        if frame.f_code.co_filename == path:
            line, names = number, {*vars(module), *frame.f_locals}
    if isinstance(error, SyntaxError):
        line = error.lineno or 0
    kind = type(error)
    return {"kind": f"{kind.__module__}.{kind.__name__}", "line": line, "defined": sorted(names)}
