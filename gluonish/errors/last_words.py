"""What an error that ends a program shows: the program's lines alone, words for others' errors."""

from __future__ import annotations

import linecache
import re
import sys
from typing import TYPE_CHECKING

from gluonish.errors import MXNetError
from gluonish.errors.habits import ELSEWHERE
from gluonish.errors.program_names import what_it_is, where_it_came_from
from gluonish.errors.suggestions import late_import, nearest
from gluonish.errors.tracebacks import alone, is_full, is_ours, is_users

if TYPE_CHECKING:
    from types import TracebackType


_NO_ROW = (
    "Only a Sequential is a row of layers; net.collect_params().items() are a layer's parameters "
    "by name."
)


def install() -> None:
    """Have errors that end a program show its own lines, and what helps; whatever hook there is.

    Only those of gluonish, a Ctrl-C inside of it, and errors of Python and torch that come from
    taking gluonish for another library, are changed. `GLUONISH_FULL_TRACEBACK=1` keeps all.

    Examples
    --------
    >>> from gluonish.errors.last_words import install
    >>> install()
    """
    before = sys.excepthook
    if getattr(before, "__module__", None) == __name__:
        return

    def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not is_full():
            trace = improve(error, trace)
        before(kind, error, trace)

    sys.excepthook = show


def improve(error: BaseException, trace: TracebackType | None) -> TracebackType | None:
    """Return the part of a traceback that is the program's, after adding a note if one is known.

    Examples
    --------
    >>> from gluonish.errors.last_words import improve
    >>> error = TypeError("gluonish.nn.basic.Dense is not a Module subclass")
    >>> _ = improve(error, None)
    >>> print(error.__notes__[0])
    net.to_torch() makes a module of PyTorch from a Block; gluon.nn.Sequential takes Blocks.
    """
    if isinstance(error, MXNetError):
        alone(error)
    frames = []
    step = trace
    while step is not None:
        frames.append(step)
        step = step.tb_next
    programs = [frame for frame in frames if is_users(frame)]
    words = _words(error, programs[-1] if programs else None) or _of_attribute(error)
    if words is not None:
        noted = getattr(error, "noted_call", None)  # which knows less
        kept = [note for note in getattr(error, "__notes__", ()) if note != noted]
        error.__notes__ = [*kept, words]
    is_in_ours = any(is_ours(frame.tb_frame.f_code.co_filename) for frame in frames)
    is_interrupt = isinstance(error, KeyboardInterrupt) and is_in_ours
    is_told = words is not None or hasattr(error, "noted_call")
    if not programs or not (is_told or is_interrupt or isinstance(error, MXNetError)):
        return trace
    for frame, after in zip(programs, [*programs[1:], None], strict=True):
        frame.tb_next = after
    error.__traceback__ = programs[0]
    return programs[0]


def _of_attribute(error: BaseException) -> str | None:
    """Return what to say of an attribute that an object of ours, or of a class below, lacks."""
    obj = getattr(error, "obj", None)
    cls = obj if isinstance(obj, type) else type(obj)
    is_known = any(base.__module__.startswith("gluonish.") for base in cls.__mro__[:-1])
    if type(error) is not AttributeError or not is_known:
        return None
    word = error.name or ""
    error.name = None  # Python's own proposal would be a private name
    found = nearest(word, [each for each in dir(obj) if not each.startswith("_")], 0.75)
    more = "" if found is None else f" The nearest name there is {found!r}."
    return f"dir(x) lists what a {cls.__name__} x has.{more}"


def _words(error: BaseException, place: TracebackType | None) -> str | None:
    """Return what an error of others means in a program that uses gluonish, or None."""
    if isinstance(error, MXNetError):
        return None
    line = (
        ""
        if place is None
        else linecache.getline(place.tb_frame.f_code.co_filename, place.tb_lineno)
    )
    if isinstance(error, SyntaxError):
        line = error.text or ""
    text = f"{type(error).__name__}: {error}"
    for message, wanted, words in ELSEWHERE:
        if re.search(message, text) and re.search(wanted, line):
            return words
    if isinstance(error, ImportError):
        is_told = hasattr(error, "__notes__")  # where gluonish stands in for mxnet
        return None if is_told else late_import(str(error))
    layer = re.match(r"TypeError: '?(?:object of type ')?(\w+)'.*(not iterable|no len)", text)
    if layer is not None and layer[1] in sys.modules["gluonish.nn"].__all__:
        return _NO_ROW
    if isinstance(error, AttributeError) and (known := what_it_is(error, _array_class())):
        return known
    if place is None:
        return None
    return where_it_came_from(error, place.tb_frame, place.tb_lineno)


def _array_class() -> type:
    found: type = sys.modules["gluonish.ndarray"].NDArray
    return found
