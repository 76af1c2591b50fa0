"""Advice in the names of the program it is for: `nd.array` where that is what was imported."""

from __future__ import annotations

import linecache
import re
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from gluonish.errors.tracebacks import is_program

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FrameType

# What advice calls the modules, as MXNet's documentation does.
_SHORT = {
    "mx": "",
    "nd": "nd",
    "npx": "npx",
    "sym": "sym",
    "gluon": "gluon",
    "nn": "gluon.nn",
    "rnn": "gluon.rnn",
    "autograd": "autograd",
    "init": "init",
}
_CALL = re.compile(rf"(?<![\w.'\"/\[])({'|'.join(_SHORT)})((?:\.\w+)+)")
_IMPORT = re.compile(r"\bimport (?:gluonish|mxnet)\b|\bfrom (?:gluonish|mxnet)\b")


def spelled(advice: str, frame: FrameType) -> str:
    """Return advice with the names that a program has for our modules.

    Parameters
    ----------
    advice : str
        As in `Write mx.nd.array(x)`.
    frame : frame
        Of the program, whose names are asked. A name that it has none for comes with its import.

    Examples
    --------
    >>> import sys
    >>> import gluonish
    >>> arrays = gluonish.nd
    >>> from gluonish.errors.own_names import spelled
    >>> spelled("Write mx.nd.ones((2,)).", sys._getframe())
    'Write arrays.ones((2,)).'
    """
    if _IMPORT.search(advice) or not is_program(frame.f_code.co_filename):
        return advice
    held = {**frame.f_globals, **frame.f_locals}
    lacking: list[str] = []

    def own(found: re.Match[str]) -> str:
        head, rest = found[1], found[2]
        module = _module(_SHORT[head])
        if module is None or held.get(head) is module:
            return found[0]
        path = ".".join(filter(None, (_SHORT[head], rest[1:])))
        if head in held and _found(path) is None:  # a variable of the program's
            return found[0]
        name = _name(path, held)
        is_called = advice[found.end() : found.end() + 1] == "(" or callable(_found(path))
        if name is None and head not in lacking and is_called:
            lacking.append(head)
        return found[0] if name is None else name

    text = _CALL.sub(own, advice)
    if not lacking:
        return text
    home = _home(frame)
    if "mx" in lacking:
        return f"{text} (mx is there after 'import {home} as mx'.)"
    return f"{text} ({' and '.join(_imported(each, home) for each in lacking)}.)"


def _imported(head: str, home: str) -> str:
    parent, _, name = _SHORT[head].rpartition(".")
    origin = f"{home}.{parent}" if parent else home
    return f"{head} is there after 'from {origin} import {name}'"


def _module(path: str) -> ModuleType | None:
    """Return the module that `nd` or `gluon.nn` is; `mx` itself for no path."""
    found = _found(path)
    return found if isinstance(found, ModuleType) else None


def _found(path: str) -> object:
    found: object = sys.modules["gluonish"]
    for name in filter(None, path.split(".")):
        found = getattr(found, name, None)
    return found


def _name(path: str, held: Mapping[str, object]) -> str | None:
    """Return how a program writes `nd.array`; None if it has no name for any module on the way."""
    parts = path.split(".")
    for length in range(len(parts) - 1, -1, -1):
        module = _module(".".join(parts[:length]))
        if module is None:
            continue
        for name, each in held.items():
            if each is module and not name.startswith("_"):
                return ".".join((name, *parts[length:]))
    return None


def _home(frame: FrameType) -> str:
    """Return what the program calls the library."""
    lines = linecache.getlines(frame.f_code.co_filename)
    return "mxnet" if any("mxnet" in line for line in lines) else "gluonish"
