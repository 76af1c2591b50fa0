"""How the package's modules answer `dir()`, and requests for names that they lack."""

from __future__ import annotations

import sys
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from gluonish.errors import UnknownNameError
from gluonish.errors.suggestions import unknown_name
from gluonish.errors.tracebacks import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def install(package: str) -> None:
    """Have all modules of a package that are imported list their own names, and no others.

    A module's own names are those in its `__all__`, and in `_UNSTARRED`: what MXNet has there, too,
    but `import *` leaves out. Of names it lacks it says what was meant. All is done here, not by
    functions in each module, so that type checkers go on finding misspelt names.

    Examples
    --------
    >>> import gluonish as mx
    >>> hasattr(mx.gluon.nn, "Dence"), "annotations" in dir(mx.gluon.nn)
    (False, False)
    """
    for name, module in list(sys.modules.items()):
        if type(module) is ModuleType and f"{name}.".startswith(f"{package}."):
            names = vars(module)
            names.setdefault("__getattr__", partial(_refuse, module.__name__))
            if "__all__" in names:
                names.setdefault("__dir__", partial(_own, names))


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


def _refuse(module: str, name: str) -> NoReturn:
    try:
        _lacks(module, name)
    except UnknownNameError as error:
        shorten(error)
        raise


def _lacks(module: str, name: str) -> NoReturn:
    raise unknown_name(module, name)
