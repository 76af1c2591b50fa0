"""The import of mxnet and of all its modules, which gives gluonish's."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING

from typing_extensions import override

from gluonish.errors.suggestions import instead
from gluonish.mxnet_import.second_names import (
    SECOND_NAMES,
    RenamingFinder,
    RenamingLoader,
    real_name,
)

if TYPE_CHECKING:
    from types import ModuleType


def counterpart(name: str) -> str:
    """Return which of gluonish's modules stands in for one of mxnet's.

    Examples
    --------
    >>> from gluonish.mxnet_import.finder import counterpart
    >>> counterpart('mxnet.gluon.nn.basic_layers')
    'gluonish.nn'
    """
    return real_name("gluonish" + name.removeprefix("mxnet"))


# Modules that `import mxnet` leaves in sys.modules, where programs look for them.
_BROUGHT = """
attribute autograd base callback context contrib engine executor gluon image initializer io kvstore
lr_scheduler metric model module monitor name ndarray numpy numpy_extension operator optimizer
profiler random recordio rnn runtime symbol util visualization
"""


def bring_along() -> None:
    """Have those modules of mxnet be there whose counterparts are imported."""
    for name in _BROUGHT.split():
        ours = sys.modules.get(counterpart(f"mxnet.{name}"))
        if ours is not None:
            sys.modules.setdefault(f"mxnet.{name}", ours)


class _RootLoader(RenamingLoader):
    @override
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        bring_along()


class Finder(RenamingFinder):
    """Answers imports of mxnet's modules with gluonish's."""

    @override
    def loader(self, name: str, found: str) -> RenamingLoader:
        return (_RootLoader if name == "mxnet" else RenamingLoader)(found)

    @override
    def real_name(self, name: str) -> str | None:
        if name != "mxnet" and not name.startswith("mxnet."):
            return None
        ours = counterpart(name)
        return ours if _exists(ours) else None


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
