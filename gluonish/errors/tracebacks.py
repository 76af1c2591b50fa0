"""Tracebacks that end in the user's program: frames of gluonish itself are left out."""

from __future__ import annotations

import inspect
import os
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from gluonish.errors import CustomOperatorError, MXNetError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType, TracebackType
    from typing import TypeVar

    Error = TypeVar("Error", bound=BaseException)

VARIABLE = "GLUONISH_FULL_TRACEBACK"

_OURS = f"{Path(__file__).parents[1]}{os.sep}"
_BETWEEN = (  # what we call, and calls us
    f"{os.sep}concurrent{os.sep}futures{os.sep}_base.py",
    f"{os.sep}concurrent{os.sep}futures{os.sep}thread.py",
    f"{os.sep}contextlib.py",
    f"{os.sep}functools.py",
    f"{os.sep}torch{os.sep}autograd{os.sep}function.py",
    f"{os.sep}torch{os.sep}overrides.py",
)
_STANDARD = f"{Path(os.__file__).parent}{os.sep}"
_INSTALLED = f"{os.sep}site-packages{os.sep}"


def shorten(error: Error) -> Error:
    """Leave our own frames out of an error's traceback; return the error.

    Called where a user's call enters gluonish, in an `except` clause that then says `raise`, which
    adds no frame: the traceback ends where the user called. What a bug of gluonish itself raises
    stays as it is. `GLUONISH_FULL_TRACEBACK=1` in the environment keeps all frames.

    Examples
    --------
    >>> import traceback
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(2, in_units=3)
    >>> net.initialize()
    >>> try:
    ...     net(mx.nd.ones((4, 5)))
    ... except mx.MXNetError as error:
    ...     print(len(traceback.extract_tb(error.__traceback__)))
    1
    """
    first = error.__traceback__
    if first is None or is_full() or not _is_for_users(error, first):
        return error
    kept = []
    following: TracebackType | None = first
    while following is not None:
        if not _is_inside(following):
            kept.append(following)
        following = following.tb_next
    while isinstance(error, KeyboardInterrupt) and kept and not is_users(kept[-1]):
        kept.pop()  # where a library waited
    for one, after in pairwise(kept):
        one.tb_next = after
    if kept:
        kept[-1].tb_next = None
    error.__traceback__ = kept[0] if kept else None
    return error


def explained(error: Error) -> Error:
    """Have an error that Python raised count as one of ours, since notes explain it; return it.

    Examples
    --------
    >>> from gluonish.errors.tracebacks import explained
    >>> explained(TypeError("no x")).is_explained
    True
    """
    error.is_explained = True  # type: ignore[attr-defined]
    return error


def without_ours(error: Error) -> Error:
    """Leave out the frames of gluonish that an error has come through so far; return the error.

    For errors that are raised once more, which adds the frame that does.

    Examples
    --------
    >>> from gluonish.errors.tracebacks import without_ours
    >>> without_ours(ValueError("no frames")).__traceback__ is None
    True
    """
    if is_full() or not isinstance(error, MXNetError):
        return error
    frame = error.__traceback__
    while frame is not None and _is_inside(frame):
        frame = frame.tb_next
    error.__traceback__ = frame
    return shorten(error)


def users_level() -> int:
    """Return the `stacklevel` with which a warning shows the user's line.

    Examples
    --------
    >>> from gluonish.errors.tracebacks import users_level
    >>> users_level()
    1
    """
    return users_frame()[0]


def users_line() -> str:
    """Return the file and line of a program that lines of a log are about; '' where there is none.

    Examples
    --------
    >>> from gluonish.errors.tracebacks import users_line
    >>> users_line()  # doctest: +ELLIPSIS
    '<doctest ...>:1'
    """
    _, frame = users_frame()
    return "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def codes_of_program() -> Iterator[CodeType]:
    """Yield the code of a program's functions, and of its modules, that run at this moment.

    Examples
    --------
    >>> from gluonish.errors.tracebacks import codes_of_program
    >>> next(codes_of_program()).co_name
    '<module>'
    """
    _, frame = users_frame()
    while frame is not None:
        yield frame.f_code
        frame = frame.f_back


def users_frame() -> tuple[int, FrameType | None]:
    """Return the number of our frames that are called at this moment, and the one before them.

    Examples
    --------
    >>> from gluonish.errors.tracebacks import users_frame
    >>> users_frame()[0]
    1
    """
    frame = inspect.currentframe()
    frame = frame and frame.f_back
    level = 0
    while frame is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
        level += 1
    return max(level, 1), frame


def alone(error: Error) -> Error:
    """Leave out what our frames raised before an error, where its message tells all of it.

    Examples
    --------
    >>> from gluonish.errors.tracebacks import alone
    >>> try:
    ...     raise KeyError from ValueError()
    ... except KeyError as error:
    ...     alone(error).__suppress_context__
    True
    """
    cause = error.__cause__ or error.__context__
    is_needed = isinstance(error, CustomOperatorError) or (cause is not None and _is_theirs(cause))
    if not (is_needed or is_full()):
        error.__cause__ = None
        error.__suppress_context__ = True
    return error


def is_full() -> bool:
    """Return whether all frames are asked for."""
    return os.environ.get(VARIABLE, "0") not in ("", "0")


def is_ours(path: str) -> bool:
    """Return whether a file is gluonish's, or of Python's that stand between two of them.

    Examples
    --------
    >>> from gluonish.errors import tracebacks
    >>> tracebacks.is_ours(tracebacks.__file__), tracebacks.is_ours("train.py")
    (True, False)
    """
    return path.startswith(_OURS) or path.endswith(_BETWEEN)


def is_from_ours(error: BaseException) -> bool:
    """Return whether an error comes from gluonish, not from a program's function that it called.

    Examples
    --------
    >>> from gluonish.errors.tracebacks import is_from_ours
    >>> is_from_ours(ValueError())
    False
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and not is_users(trace)


def _is_for_users(error: BaseException, trace: TracebackType) -> bool:
    if isinstance(error, (MXNetError, RecursionError, KeyboardInterrupt)):
        return True
    if hasattr(error, "is_explained"):
        return True
    while trace.tb_next is not None:
        trace = trace.tb_next
    return is_users(trace)


def _is_theirs(error: BaseException) -> bool:
    """Return whether an error comes from the user's program."""
    trace = error.__traceback__
    while trace is not None:
        if is_users(trace):
            return True
        trace = trace.tb_next
    return False


def is_users(trace: TracebackType) -> bool:
    """Return whether a step of a traceback is in a program, not in what is installed."""
    return is_program(trace.tb_frame.f_code.co_filename)


def is_program(path: str) -> bool:
    """Return whether a file is of a program, not of what is installed.

    Examples
    --------
    >>> from gluonish.errors import tracebacks
    >>> tracebacks.is_program("train.py"), tracebacks.is_program(tracebacks.__file__)
    (True, False)
    """
    is_installed = path.startswith((_OURS, _STANDARD, "<frozen ")) or _INSTALLED in path
    return not (is_installed or path.endswith((".pyx", ".pxd", ".pxi")))  # Cython's


def _is_inside(trace: TracebackType) -> bool:
    return is_ours(trace.tb_frame.f_code.co_filename)
