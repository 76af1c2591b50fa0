"""Tracebacks that end in the user's program: frames of gluonish itself are left out."""

from __future__ import annotations

import functools
import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gluonish.errors import CustomOperatorError, MXNetError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import TypeVar

    Error = TypeVar("Error", bound=BaseException)
    Function = TypeVar("Function", bound=Callable[..., Any])

VARIABLE = "GLUONISH_FULL_TRACEBACK"

_OURS = f"{Path(__file__).parents[1]}{os.sep}"
_BETWEEN = (f"{os.sep}contextlib.py", f"{os.sep}functools.py")  # what we call, and calls us
_STANDARD = f"{Path(os.__file__).parent}{os.sep}"
_INSTALLED = f"{os.sep}site-packages{os.sep}"


def shorten(error: Error) -> Error:
    """Leave our own frames out of an error's traceback, all but the first; return the error.

    Called where a user's call enters gluonish, in an `except` clause. What a bug of gluonish
    itself raises stays as it is. `GLUONISH_FULL_TRACEBACK=1` in the environment keeps all frames.

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
    2
    """
    first = error.__traceback__
    if first is None or is_full() or not _is_for_users(error, first):
        return error
    last, following = first, first.tb_next
    while following is not None:
        if not _is_inside(following):
            last.tb_next = following
            last = following
        following = following.tb_next
    last.tb_next = None
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


def front_door(function: Function) -> Function:
    """Have the errors of a function that users call end where they called it; a decorator.

    Examples
    --------
    >>> import traceback
    >>> from gluonish.errors.tracebacks import front_door
    >>> @front_door
    ... def refuse():
    ...     raise ValueError("no")
    >>> refuse()
    Traceback (most recent call last):
    ValueError: no
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> object:
        try:
            return function(*args, **kwargs)
        except MXNetError as error:
            shorten(alone(error))
            raise

    return call  # type: ignore[return-value]


def users_level() -> int:
    """Return the `stacklevel` with which a warning shows the user's line.

    Examples
    --------
    >>> from gluonish.errors.tracebacks import users_level
    >>> users_level()
    1
    """
    frame = inspect.currentframe()
    level = 0
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
        level += 1
    return max(level, 1)


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


def _is_for_users(error: BaseException, trace: TracebackType) -> bool:
    if isinstance(error, (MXNetError, RecursionError)):
        return True
    while trace.tb_next is not None:
        trace = trace.tb_next
    return _is_users(trace)


def _is_theirs(error: BaseException) -> bool:
    """Return whether an error comes from the user's program."""
    trace = error.__traceback__
    while trace is not None:
        if _is_users(trace):
            return True
        trace = trace.tb_next
    return False


def _is_users(trace: TracebackType) -> bool:
    path = trace.tb_frame.f_code.co_filename
    return not (path.startswith((_OURS, _STANDARD, "<frozen ")) or _INSTALLED in path)


def _is_inside(trace: TracebackType) -> bool:
    path = trace.tb_frame.f_code.co_filename
    return path.startswith(_OURS) or path.endswith(_BETWEEN)
