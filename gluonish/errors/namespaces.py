"""How the package's modules answer `dir()`, and requests for names that they lack."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from gluonish.errors import UnknownNameError
from gluonish.errors.suggestions import unknown_name
from gluonish.errors.tracebacks import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType


def settle(module: ModuleType, late: Mapping[str, str]) -> None:
    """Have a module list its own names, and no others, and say what was meant by names it lacks.

    A module's own names are those in its `__all__`, and in `_UNSTARRED`: what MXNet has there, too,
    but `import *` leaves out. `late` says where names are that are imported when they are asked
    for: a module, or what a module has after a colon. All is done here, not by functions in each
    module, so that type checkers go on finding misspelt names.

    Examples
    --------
    >>> import gluonish as mx
    >>> hasattr(mx.gluon.nn, "Dence"), "annotations" in dir(mx.gluon.nn)
    (False, False)
    """
    names = vars(module)
    if "_BUILDERS" in names:  # which has answered without knowing what is late
        del names["__getattr__"]
        if "__all__" in names:
            del names["__dir__"]
    names.setdefault("__getattr__", partial(_missing, names, late))
    if "__all__" in names:
        names.setdefault("__dir__", partial(_own, names))


def build_late(module: ModuleType, name: str, build: Callable[[], object]) -> None:
    """Have a module make what it has under a name when that is asked for first.

    Examples
    --------
    >>> from types import ModuleType
    >>> from gluonish.errors.namespaces import build_late
    >>> module = ModuleType("numbers")
    >>> build_late(module, "two", lambda: 1 + 1)
    >>> "two" in vars(module), "two" in dir(module), module.two, vars(module)["two"]
    (False, True, 2, 2)
    """
    names = vars(module)
    builders = names.get("_BUILDERS")
    if builders is None:
        builders = names["_BUILDERS"] = {}
        names["__getattr__"] = partial(_missing, names, {})
        names.setdefault("__dir__", partial(_built_or_not, names))
    names.pop(name, None)
    builders[name] = build


def without_inner(names: Iterable[str]) -> list[str]:
    """Return names but those that begin with one underscore.

    Examples
    --------
    >>> from gluonish.errors.namespaces import without_inner
    >>> without_inner(["abs", "_space", "__doc__"])
    ['abs', '__doc__']
    """
    return [name for name in names if name.startswith("__") or not name.startswith("_")]


def _own(names: Mapping[str, Any]) -> list[str]:
    dunder = (name for name in names if name.startswith("__"))
    return sorted({*names["__all__"], *names.get("_UNSTARRED", ()), *dunder})


def _built_or_not(names: Mapping[str, Any]) -> list[str]:
    return sorted({*without_inner(names), *names["_BUILDERS"]})


def _missing(names: dict[str, Any], late: Mapping[str, str], name: str) -> object:
    build = names.get("_BUILDERS", {}).get(name)
    if build is not None:
        return names.setdefault(name, build())  # two threads may have asked
    if name == "__all__" and "_BUILDERS" in names:  # what `import *` takes from such a module
        return [each for each in _built_or_not(names) if not each.startswith("_")]
    if name in late:
        home, _, own = late[name].partition(":")
        there = importlib.import_module(home)
        found: object = getattr(there, own) if own else there
        names[name] = found
        return found
    try:
        lacks(names["__name__"], name)
    except UnknownNameError as error:
        shorten(error)
        raise


def lacks(module: str, name: str) -> NoReturn:
    """Raise the error for a name that a module does not have.

    Examples
    --------
    >>> from gluonish.errors.namespaces import lacks
    >>> lacks("gluonish.ndarray", "sofmax")
    Traceback (most recent call last):
    ...
    gluonish.errors.UnknownNameError: module 'gluonish.ndarray' has no attribute 'sofmax'. The ...
    """
    raise unknown_name(module, name)
