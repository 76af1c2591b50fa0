"""Modules that are imported when something in them is asked for, since few programs do."""

from __future__ import annotations

import importlib


class LateModule:
    """Stands for a module of ours until one of its names is asked for.

    Type checkers read the import that stands under TYPE_CHECKING.

    Parameters
    ----------
    name : str
        The module's full name.

    Examples
    --------
    >>> from gluonish.late import LateModule
    >>> LateModule("gluonish.optimizer.saving").form((None, None))
    '(nothing, nothing)'
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> object:
        """Return what the module has under a name, and keep it."""
        found: object = getattr(importlib.import_module(self._name), name)
        self.__dict__[name] = found
        return found
