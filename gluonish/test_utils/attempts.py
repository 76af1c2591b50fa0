"""Calls that should fail, or may."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from gluonish.errors import DifferentArraysError, RefusedArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["assert_exception", "retry"]


def assert_exception(
    f: Callable[..., Any],
    exception_type: type[BaseException],
    *args: Any,
    **kwargs: Any,
) -> None:
    """Check that a call raises an error of a class.

    Raises
    ------
    DifferentArraysError
        It does not.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.assert_exception(int, ValueError, 'x')
    """
    try:
        f(*args, **kwargs)
    except exception_type:
        return
    msg = (
        f"{getattr(f, '__name__', f)} did not raise. Expected {exception_type.__name__}. Check the "
        f"arguments."
    )
    raise DifferentArraysError(msg)


def retry(n: int) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Return a decorator for tests that hang on chance: up to `n` calls, until one passes.

    Parameters
    ----------
    n : int
        How often to try, at least 1.

    Raises
    ------
    RefusedArgumentError
        `n` is less than 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> thrown = iter([1, 6])
    >>> @mx.test_utils.retry(2)
    ... def throw():
    ...     assert next(thrown) == 6
    >>> throw()
    """
    if n < 1:
        msg = f"retry: n={n!r} was given. Expected at least 1. Leave the decorator out for one try."
        raise RefusedArgumentError(msg)

    def decorate(function: Callable[..., Any]) -> Callable[..., None]:
        @functools.wraps(function)
        def tried(*args: Any, **kwargs: Any) -> None:
            for left in reversed(range(n)):
                try:
                    function(*args, **kwargs)
                except AssertionError:
                    if not left:
                        raise
                else:
                    return

        return tried

    return decorate
