"""Errors for functions of a program that do not take what gluonish calls them with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from gluonish.errors import MXNetError, UnknownArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


def check_arity(where: str, function: Callable[..., Any], error: TypeError, expected: str) -> None:
    """Raise the error for a function that refused its arguments; return if it failed inside.

    Parameters
    ----------
    where : str
        Who called it.
    function : callable
        What was called.
    error : TypeError
        What was caught in the frame of the call.
    expected : str
        How it is called, and what to do: two sentences.

    Raises
    ------
    UnknownArgumentError
        The function does not take its arguments.

    Examples
    --------
    >>> from gluonish.errors.callables import check_arity
    >>> def double(x):
    ...     return 2 * x
    >>> try:
    ...     double(1, 2)
    ... except TypeError as error:
    ...     check_arity('apply', double, error, 'double(x), with one number. Leave one out.')
    Traceback (most recent call last):
    gluonish.errors.UnknownArgumentError: apply: double() takes 1 positional argument but 2 were \
given. Expected double(x), with one number. Leave one out.
    """
    trace = error.__traceback__
    if isinstance(error, MXNetError) or trace is None:
        return
    is_block = hasattr(error, "is_explained") and not hasattr(function, "__code__")
    if is_block and "positional argument" in str(error):
        error = TypeError(f"{type(function).__name__}() takes fewer arguments than it was given")
    elif trace.tb_next is not None or not hasattr(function, "__code__"):
        return
    msg = f"{where}: {error}. Expected {expected}"
    raise UnknownArgumentError(msg) from None


def called(where: str, expected: str, function: Callable[..., Result], *args: object) -> Result:
    """Return what a function of a program returns; see `check_arity`.

    Examples
    --------
    >>> from gluonish.errors.callables import called
    >>> called('apply', 'a function of one number. Write one.', abs, -1)
    1
    """
    try:
        return function(*args)
    except TypeError as error:
        check_arity(where, function, error, expected)
        raise
