"""Environment variables that switch something off."""

from __future__ import annotations

import os

_OFF = ("0", "false", "off", "no")


def is_off(name: str) -> bool:
    """Return whether the environment switches something off, which is on otherwise.

    Examples
    --------
    >>> from gluonish.process.environment import is_off
    >>> is_off('GLUONISH_EXAMPLE')
    False
    """
    return os.environ.get(name, "").lower() in _OFF
