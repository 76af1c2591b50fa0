"""Environment variables for the length of a `with` block."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from gluonish.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def environment(*args: str | dict[str, str | None] | None) -> Iterator[None]:
    """Set environment variables inside a `with` block: a name and a value, or a dictionary.

    A value of None removes the variable.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.test_utils.environment('GLUONISH_EXAMPLE', '1'):
    ...     mx.util.getenv('GLUONISH_EXAMPLE')
    '1'
    """
    if len(args) == 1 and isinstance(args[0], dict):
        wanted = dict(args[0])
    elif len(args) == 2 and isinstance(args[0], str) and not isinstance(args[1], dict):
        wanted = {args[0]: args[1]}
    else:
        msg = (
            f"environment: {args!r} was given. Expected a name and a value, or a dictionary. Write "
            f"environment('NAME', 'value')."
        )
        raise InvalidArgumentError(msg)
    before = {name: os.environ.get(name) for name in wanted}
    _set_all(wanted)
    try:
        yield
    finally:
        _set_all(before)


def _set_all(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
