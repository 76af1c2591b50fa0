"""Stages of a training: what belongs to which, and how long each call took, while somebody looks.

Who looks has calls timed by wrappers, which are put in place for as long as that lasts. Nobody else
pays for it.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from gluonish import autograd
from gluonish.array import NDArray
from gluonish.errors import doors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    Listener = Callable[["Timing"], None]

__all__ = ["Timing", "iterated", "listening", "measured"]

_THEIRS = f"{Path(__file__).parents[1]}/", f"{Path(torch.__file__).parent}/"


class Timing(NamedTuple):
    """A call that is over.

    Attributes
    ----------
    stage : str
        'data', 'forward', 'backward', 'update', 'metrics', 'waiting', or 'step' for what is one
        graph.
    owner : object
        Whose method was called.
    label : str
        What it is called in tables.
    line : str
        File and line of the program that called it.
    start, duration, own : float
        Microseconds: since 1970, all in all, and without calls inside that are timed themselves.
    around : tuple of str
        The stages of the calls around it.
    thread : int
        The thread's number.
    begins_line : bool
        Whether no call around it stands in the same line.
    """

    stage: str
    owner: Any
    label: str
    line: str
    start: float
    duration: float
    own: float
    around: tuple[str, ...]
    thread: int
    begins_line: bool


class _Place(NamedTuple):
    owner: Any
    name: str
    stage: str
    label: Callable[[Any], str]
    is_iterator: bool


class _Open:
    """A call that is going on."""

    __slots__ = ("inside", "line", "owner", "stage")

    def __init__(self, stage: str, owner: object, line: str) -> None:
        self.stage, self.owner, self.line = stage, owner, line
        self.inside = 0.0


class _Local(threading.local):
    def __init__(self) -> None:
        self.calls: list[_Open] = []


_places: list[_Place] = []
_listeners: list[Listener] = []
_originals: list[tuple[Any, str, Any]] = []
_lock = threading.RLock()
_local = _Local()


def measured(
    owner: Any, stage: str, *names: str, label: Callable[[Any], str] | None = None
) -> None:
    """Say that calls of a class's methods, or of a module's functions, are of a stage.

    Parameters
    ----------
    owner : type or module
        Whose they are; subclasses that override them, too.
    stage : str
        Which stage.
    *names : str
        Names of the methods.
    label : callable, optional
        Returns what an object is called in tables; class and method by default.

    Examples
    --------
    >>> from gluonish.profiler.stages import listening, measured
    >>> class Oven:
    ...     def bake(self): pass
    >>> measured(Oven, "update", "bake")
    >>> found = []
    >>> with listening(found.append):
    ...     Oven().bake()
    >>> found[0].stage, found[0].label
    ('update', 'Oven.bake')
    """
    for name in names:
        told = label or functools.partial(_name_of, name)
        _add(_Place(owner, name, stage, told, is_iterator=False))


def iterated(owner: type, stage: str, label: Callable[[Any], str]) -> None:
    """Say that what a class's iterators do is of a stage.

    Examples
    --------
    >>> from gluonish.profiler.stages import iterated, listening
    >>> class Eggs:
    ...     def __iter__(self): return iter([1, 2])
    >>> iterated(Eggs, "data", label=lambda eggs: "Eggs")
    >>> found = []
    >>> with listening(found.append):
    ...     list(Eggs())
    [1, 2]
    >>> len(found)  # the iterator, two steps, and the end
    4
    """
    _add(_Place(owner, "__iter__", stage, label, is_iterator=True))


def _add(place: _Place) -> None:
    with _lock:
        _places.append(place)
        if _listeners:  # its module was imported while somebody looks
            if isinstance(place.owner, type):
                doors.settle_class(place.owner)
            _wrap(place)


@contextlib.contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have a function called with the Timing of each call, for as long as it lasts."""
    listen(listener)
    try:
        yield
    finally:
        leave(listener)


def listen(listener: Listener) -> None:
    """Begin to call a function with the Timing of each call."""
    with _lock:
        if not _listeners:
            _wrap_all()
        _listeners.append(listener)


def leave(listener: Listener) -> None:
    """End what `listen` began; nothing happens if it has ended."""
    with _lock:
        if listener in _listeners:
            _listeners.remove(listener)
            if not _listeners:
                while _originals:
                    setattr(*_originals.pop())


def _wrap_all() -> None:
    for place in _places:
        _wrap(place)


def _wrap(place: _Place) -> None:
    for owner in _with_subclasses(place.owner):
        original = vars(owner).get(place.name)
        if callable(original):
            _originals.append((owner, place.name, original))
            setattr(owner, place.name, _timed(original, place))


def _with_subclasses(owner: Any) -> Iterator[Any]:
    yield owner
    if isinstance(owner, type):
        subclasses: list[type] = owner.__subclasses__()
        for each in subclasses:
            yield from _with_subclasses(each)


def _timed(function: Callable[..., Any], place: _Place) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        owner = args[0] if args else None
        if not place.is_iterator:
            return _run(place, owner, function, args, kwargs)
        return _steps(place, owner, _run(place, owner, function, args, kwargs))

    return call


def _steps(place: _Place, owner: object, iterator: Iterator[Any]) -> Iterator[Any]:
    """Yield what an iterator gives, each step timed."""
    end = object()
    while True:
        found = _run(place, owner, next, (iterator, end), {})
        if found is end:
            return
        yield found


def _run(
    place: _Place,
    owner: object,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    calls = _local.calls
    if calls and (calls[-1].stage == "data" or _is_same(calls[-1], place.stage, owner)):
        return function(*args, **kwargs)  # what happens inside of data is a part of them
    line = _line(sys._getframe(2))  # noqa: SLF001 - no public name
    around = tuple(each.stage for each in calls)
    begins_line = not calls or calls[-1].line != line
    one = _Open(place.stage, owner, line)
    calls.append(one)
    began, start = time.perf_counter_ns(), time.time_ns() / 1e3
    try:
        return function(*args, **kwargs)
    finally:
        duration = (time.perf_counter_ns() - began) / 1e3
        calls.pop()
        if calls:
            calls[-1].inside += duration
        timing = Timing(
            place.stage, owner, place.label(owner), line, start, duration,
            duration - one.inside, around, threading.get_native_id(), begins_line,
        )  # fmt: skip
        for listener in _listeners:
            listener(timing)


def _is_same(call: _Open, stage: str, owner: object) -> bool:
    """Return whether a method calls another one, or its parent's, of the same object."""
    return call.stage == stage and call.owner is owner


def _line(frame: FrameType) -> str:
    """Return file and line of the innermost frame that is neither ours nor torch's."""
    found: FrameType | None = frame
    while found is not None and found.f_code.co_filename.startswith(_THEIRS):
        found = found.f_back
    at = frame if found is None else found
    return f"{Path(at.f_code.co_filename).name}:{at.f_lineno}"


def _name_of(name: str, owner: object) -> str:
    return f"{type(owner).__name__}.{name}"


measured(NDArray, "waiting", "asnumpy", "asscalar", "wait_to_read")
measured(NDArray, "backward", "backward")
measured(autograd, "backward", "backward", "grad", label=lambda _: "autograd")
