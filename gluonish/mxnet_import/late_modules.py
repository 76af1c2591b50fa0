"""What is done to each of the package's modules; those imported later are no exception."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder, SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING

from typing_extensions import override

from gluonish.errors import doors, namespaces
from gluonish.mxnet_import.borrowed import borrowed
from gluonish.mxnet_import.second_names import SECOND_NAMES, real_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec


def install(package: str) -> None:
    """Settle all modules of a package that are imported, and from now on each that is.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.nn.conv_layers.Conv2D is mx.gluon.nn.Conv2D, mx.mod is mx.module
    (True, True)
    """
    start = f"{package}."
    there = list(sys.modules.items())
    found = [each for name, each in there if f"{name}.".startswith(start)]
    modules = [module for module in found if type(module) is ModuleType]
    seconds = _seconds()
    for module in modules:
        _bind(module, seconds.get(module.__name__, {}))
    for module in modules:
        doors.settle(module)
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        at = sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else 0
        sys.meta_path.insert(at, _Finder(start))


def _seconds() -> dict[str, dict[str, str]]:
    """Return for each module the second names that MXNet has there, and which modules they mean."""
    found: dict[str, dict[str, str]] = {}
    for second in SECOND_NAMES:
        parent, _, name = second.rpartition(".")
        found.setdefault(real_name(parent), {})[name] = real_name(second)
    return found


def _bind(module: ModuleType, seconds: dict[str, str]) -> None:
    """Put modules' second names into a module, and have it answer for those to be imported.

    Names that mean something there already, such as the class `ndarray` of `mx.np`, stay.
    """
    names = vars(module)
    late = borrowed(module.__name__)
    late.update((name, f"{module.__name__}.{name}") for name in names.get("_LATE", ()))
    for home, own in names.get("_LATE_NAMES", {}).items():
        late.update((name, f"{home}:{name}") for name in own)
    for name, target in seconds.items():
        if target in sys.modules:
            names.setdefault(name, sys.modules[target])
        else:
            late[name] = target
    namespaces.settle(module, late)


class _Finder:
    """Finds the package's modules as Python does, and has them settled."""

    def __init__(self, start: str) -> None:
        self._start = start

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module comes from, or None if it is none of the package's."""
        if not name.startswith(self._start):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    """Runs a module's file, and settles the module."""

    @override
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _bind(module, _seconds().get(module.__name__, {}))
        doors.settle(module)
