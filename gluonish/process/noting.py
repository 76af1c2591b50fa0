"""Which files' recordings are noted, operator by operator, for `autograd.get_symbol`.

Notes cost time, and few programs want them: those that speak of it are noted from the start.
"""

from __future__ import annotations

import linecache
import re
from typing import TYPE_CHECKING, Final

from gluonish.process.recording import NOTED

if TYPE_CHECKING:
    from types import FrameType

_NAME: Final = "get_symbol"
_OWNERS = re.compile(rf"\b(\w+)\s*\.\s*{_NAME}\b")
_MODULE = "autograd"
_HOME = "gluonish.symbol.recordings"
ways: dict[str, int] = {}
"""For the name of each file that has recorded, what `state.recording` becomes there."""


class _Unknown:
    """What it becomes in files that do not speak of it."""

    way: int = True


def find_way(frame: FrameType) -> int:
    """Return what `state.recording` becomes in a frame's file, and remember it.

    The files of all callers are looked at.

    Examples
    --------
    >>> import sys
    >>> from gluonish.process.noting import find_way
    >>> find_way(sys._getframe()) in (True, 2)
    True
    """
    way = _Unknown.way
    place: FrameType | None = frame
    while place is not None:
        if _speaks(place):
            way = NOTED
        place = place.f_back
    ways[frame.f_code.co_filename] = way
    return way


def _speaks(frame: FrameType) -> bool:
    """Return whether a frame's file speaks of it, and not of another function of that name."""
    code, names = frame.f_code, frame.f_globals
    lines = linecache.getlines(code.co_filename, names)
    if not lines:
        return _NAME in code.co_names
    owners = {owner for line in lines if _NAME in line for owner in _OWNERS.findall(line)}
    return (
        getattr(names.get(_NAME), "__module__", "") == _HOME
        or _MODULE in owners
        or any(getattr(names.get(owner), "__name__", "").endswith(_MODULE) for owner in owners)
    )


def note_all() -> None:
    """Have everything noted that is recorded from now on."""
    _Unknown.way = NOTED
    ways.clear()
