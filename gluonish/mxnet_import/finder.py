"""The import of mxnet and of all its modules, which gives gluonish's."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from difflib import get_close_matches
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

from typing_extensions import override

from gluonish.errors.suggestions import instead
from gluonish.mxnet_import.second_names import SECOND_NAMES, real_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

__all__ = ["Finder", "counterpart", "lacks_module"]


def counterpart(name: str) -> str:
    """Return which of gluonish's modules stands in for one of mxnet's.

    Examples
    --------
    >>> from gluonish.mxnet_import.finder import counterpart
    >>> counterpart('mxnet.gluon.nn.basic_layers')
    'gluonish.nn'
    """
    return real_name("gluonish" + name.removeprefix("mxnet"))


class Finder:
    """Answers imports of mxnet's modules with gluonish's."""

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - importlib passes it
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Return where a module comes from, or None if it is none of mxnet's."""
        if name != "mxnet" and not name.startswith("mxnet."):
            return None
        ours = counterpart(name)
        return ModuleSpec(name, _Loader(ours)) if _exists(ours) else None


class _Loader(Loader):
    def __init__(self, ours: str) -> None:
        self._ours = ours
        self._spec: ModuleSpec | None = None

    @override
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._ours)
        self._spec = module.__spec__
        return module

    @override
    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # importlib has put that of mxnet there


def _exists(name: str) -> bool:
    if name in sys.modules:  # made while gluonish was imported, as those of operators are
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is no package
        return False


def lacks_module(name: str) -> str:
    """Say that gluonish has no module in place of one of mxnet's, and which it has.

    Examples
    --------
    >>> from gluonish.mxnet_import.finder import lacks_module
    >>> lacks_module('mxnet.gluon.dta')
    "gluonish stands in for mxnet and has no module 'mxnet.gluon.dta'; is it 'mxnet.gluon.data'?"
    """
    other = instead(counterpart(name))
    if other is not None:
        return f"gluonish stands in for mxnet and has no module {name!r}. {other}"
    parent = name.rpartition(".")[0]
    while parent and not _exists(counterpart(parent)):
        parent = parent.rpartition(".")[0]
    module = importlib.import_module(counterpart(parent or "mxnet"))
    inside = {each.name for each in pkgutil.iter_modules(getattr(module, "__path__", []))}
    inside |= {second.rpartition(".")[2] for second in SECOND_NAMES if _parent(second) == parent}
    wanted = name.removeprefix(f"{parent}.").partition(".")[0]
    near = get_close_matches(wanted, sorted(inside), n=1)
    start = f"gluonish stands in for mxnet and has no module {name!r}"
    return f"{start}; is it '{parent}.{near[0]}'?" if near else start


def _parent(second: str) -> str:
    return "mxnet" + second.rpartition(".")[0].removeprefix("gluonish")
