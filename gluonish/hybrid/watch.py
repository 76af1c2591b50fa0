"""Sees a captured program ask for the time, or talk to the world outside."""

from __future__ import annotations

import gc
import logging
import os
import sys
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_CLOCKS = frozenset(
    {
        "time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns",
        "process_time", "process_time_ns", "thread_time", "now", "utcnow", "today", "urandom",
        "localtime", "gmtime", "strftime",
    }
)  # fmt: skip
_CLOCK_MODULES = frozenset({"time", "datetime", "posix", "nt"})
_TALK = frozenset({"print", "input", "open", "warn"})
_OURS = (str(Path(__file__).resolve().parent.parent), str(Path(torch.__file__).resolve().parent))
_STANDARD = str(Path(os.__file__).resolve().parent)
_LOGGING = str(Path(logging.__file__).parent)


class Watch:
    """While active, reports calls whose result, or effect, a graph can't give again.

    The collector of cyclic garbage rests meanwhile: what it calls is not the program's doing.

    Parameters
    ----------
    report : callable
        Takes the reason.
    """

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._is_active = False
        self._collects = False

    def start(self) -> None:
        """Begin to look, unless a profiler is at work in this thread."""
        if sys.getprofile() is None:
            self._is_active = True
            self._collects = gc.isenabled()
            gc.disable()
            sys.setprofile(self._on_event)

    def stop(self) -> None:
        """Look no longer."""
        if self._is_active:
            sys.setprofile(None)
            self._is_active = False
            if self._collects:
                gc.enable()

    def _on_event(self, frame: FrameType, event: str, function: Any) -> None:
        if event != "c_call" or frame.f_code.co_filename.startswith(_OURS):
            return
        name = function.__name__
        if name in _CLOCKS:
            if _home(function) in _CLOCK_MODULES and not _is_log(frame):
                self._report(f"Python asks for the time or for chance ({name})")
        elif name in _TALK and _is_talk(frame, function):
            self._report(f"Python calls {name}()")


def _home(function: Any) -> str:
    owner = getattr(function, "__self__", None)
    if isinstance(owner, types.ModuleType):
        return owner.__name__
    return getattr(owner, "__module__", None) or function.__module__ or ""


def _is_talk(frame: FrameType, function: Any) -> bool:
    return (
        _home(function) in ("builtins", "_io", "_warnings")
        and not _is_standard(frame.f_code.co_filename)
        and not _is_traced(frame)
    )


def _is_log(frame: FrameType | None) -> bool:
    """Return whether the time is that of a log's line, which gluonish or hybrid_forward writes."""
    inner = frame
    while frame is not None and frame.f_code.co_filename.startswith(_LOGGING):
        frame = frame.f_back
    if frame is inner or frame is None:
        return False
    return frame.f_code.co_filename.startswith(_OURS) or _is_traced(frame)


def _is_standard(file: str) -> bool:
    return file.startswith(_STANDARD) and "site-packages" not in file


def _is_traced(frame: FrameType | None) -> bool:
    """Return whether hybrid_forward is at work, whose effects MXNet has once only."""
    while frame is not None:
        if frame.f_code.co_name == "forward":
            return False
        if frame.f_code.co_name == "hybrid_forward":
            return True
        frame = frame.f_back
    return False
