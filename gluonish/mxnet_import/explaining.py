"""What to say when a program asks mxnet for a name that gluonish does not have."""

from __future__ import annotations

import importlib
import re
from types import ModuleType

from gluonish.errors.suggestions import instead, nearest
from gluonish.mxnet_import.finder import lacks_module

_IMPORT = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")


def explain(error: BaseException) -> str | None:
    """Return what to add to an error of an import: which name or module there is instead.

    Returns
    -------
    str or None
        Nothing if the error is about something else.

    Examples
    --------
    >>> from gluonish.mxnet_import.explaining import explain
    >>> explain(ImportError("cannot import name 'Dence' from 'gluonish.nn'"))
    "gluonish stands in for mxnet and has no 'nn.Dence'; is it 'nn.Dense'?"
    """
    if isinstance(error, ModuleNotFoundError):
        is_ours = error.name is not None and error.name.startswith("mxnet.")
        return lacks_module(error.name) if is_ours and error.name else None
    if isinstance(error, ImportError):
        found = _IMPORT.match(str(error))
        if found and found[2].partition(".")[0] in ("gluonish", "mxnet"):
            return lacks_name(importlib.import_module(found[2]), found[1])
    return None


def lacks_name(owner: object, name: str) -> str:
    """Say that a module or class has no attribute of a name, and which it has.

    Examples
    --------
    >>> from gluonish import gluon
    >>> from gluonish.mxnet_import.explaining import lacks_name
    >>> lacks_name(gluon, 'Trainr')
    "gluonish stands in for mxnet and has no 'gluon.Trainr'; is it 'gluon.Trainer'?"
    """
    path = _path(owner)
    start = f"gluonish stands in for mxnet and has no '{path}{name}'"
    other = instead(f"gluonish.{path}{name}")
    if other is not None:
        return f"{start}. {other}"
    known = [each for each in dir(owner) if not each.startswith("_") or name.startswith("_")]
    near = nearest(name, known)
    return start if near is None else f"{start}; is it '{path}{near}'?"


def _path(owner: object) -> str:
    if isinstance(owner, ModuleType):
        return "".join(f"{part}." for part in owner.__name__.split(".")[1:])
    return f"{getattr(owner, '__name__', type(owner).__name__)}."
