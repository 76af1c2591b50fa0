"""MXNet's second names for modules: `gluonish.nd` is `gluonish.ndarray`, wherever imported."""

from __future__ import annotations

import importlib
import sys
from abc import ABC, abstractmethod
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

SECOND_NAMES = {
    "gluonish.nd": "gluonish.ndarray",
    "gluonish.ndarray.ndarray": "gluonish.ndarray",
    "gluonish.ndarray.op": "gluonish.ndarray",
    "gluonish.np": "gluonish.numpy",
    "gluonish.npx": "gluonish.numpy_extension",
    "gluonish.initializer": "gluonish.init",
    "gluonish.image.image": "gluonish.image",
    "gluonish.img": "gluonish.image",
    "gluonish.io.io": "gluonish.io",
    "gluonish.kv": "gluonish.kvstore",
    "gluonish.mod": "gluonish.module",
    "gluonish.mon": "gluonish.monitor",
    "gluonish.rnd": "gluonish.random",
    "gluonish.visualization": "gluonish.viz",
    "gluonish.gluon.nn": "gluonish.nn",
    "gluonish.optimizer.optimizer": "gluonish.optimizer",
    "gluonish.contrib.nd": "gluonish.ndarray.contrib",
    "gluonish.contrib.ndarray": "gluonish.ndarray.contrib",
    "gluonish.contrib.sym": "gluonish.symbol.contrib",
    "gluonish.contrib.symbol": "gluonish.symbol.contrib",
    "gluonish.contrib.onnx": "gluonish.onnx",
    "gluonish.gluon.contrib.data.text": "gluonish.contrib.text.wikitext",
    "gluonish.sym": "gluonish.symbol",
    "gluonish.symbol.np": "gluonish.symbol.numpy",
    "gluonish.symbol.npx": "gluonish.symbol.numpy_extension",
    "gluonish.symbol.op": "gluonish.symbol",
    # Where MXNet has files of their own, and gluonish keeps the names in one module.
    "gluonish.nn.basic_layers": "gluonish.nn",
    "gluonish.nn.conv_layers": "gluonish.nn",
    "gluonish.gluon.contrib.rnn.conv_rnn_cell": "gluonish.gluon.contrib.rnn",
    "gluonish.gluon.contrib.rnn.rnn_cell": "gluonish.gluon.contrib.rnn",
    "gluonish.io.utils": "gluonish.io",
    "gluonish.misc": "gluonish.lr_scheduler",
    "gluonish.ndarray.numpy": "gluonish.numpy",
    "gluonish.ndarray.numpy_extension": "gluonish.numpy_extension",
    "gluonish.ndarray.utils": "gluonish.ndarray",
    "gluonish.numpy.arrayprint": "gluonish.numpy",
    "gluonish.numpy.function_base": "gluonish.numpy",
    "gluonish.numpy.io": "gluonish.numpy",
    "gluonish.numpy.multiarray": "gluonish.numpy",
    "gluonish.numpy.stride_tricks": "gluonish.numpy",
    "gluonish.numpy.utils": "gluonish.numpy",
    "gluonish.numpy_extension.utils": "gluonish.numpy_extension",
}


def real_name(name: str) -> str:
    """Return the one name under which a module is kept.

    Examples
    --------
    >>> from gluonish.mxnet_import.second_names import real_name
    >>> real_name("gluonish.nd.random")
    'gluonish.ndarray.random'
    """
    end = len(name)
    while end > 0:
        first = SECOND_NAMES.get(name[:end])
        if first is not None:
            return real_name(first + name[end:])
        end = name.rfind(".", 0, end)
    return name


class RenamingFinder(ABC):
    """Answers imports of some names with modules that have other names."""

    @abstractmethod
    def real_name(self, name: str) -> str | None:
        """Return the name of the module to give, or None for names that are not its own."""

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - importlib passes it
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Return where a module comes from, or None if its name is none of these."""
        found = self.real_name(name)
        return None if found is None else ModuleSpec(name, self.loader(name, found))

    def loader(self, name: str, found: str) -> RenamingLoader:  # noqa: ARG002 - for subclasses
        """Return what gives a module for a name."""
        return RenamingLoader(found)


class RenamingLoader(Loader):
    """Gives a module that has another name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._spec: ModuleSpec | None = None

    @override
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._name)
        self._spec = module.__spec__
        return module

    @override
    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # importlib has put the other name's there


class _Finder(RenamingFinder):
    """Answers imports of second names with the module itself."""

    @override
    def real_name(self, name: str) -> str | None:
        first = real_name(name) if name.startswith("gluonish.") else name
        return None if first == name else first


def install() -> None:
    """Make all second names importable; a second call changes nothing."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
