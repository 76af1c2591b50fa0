"""`as_mxnet`: gluonish in mxnet's place, in this process and in those that it starts."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gluonish.errors import StandInError
from gluonish.mxnet_import.explaining import explain
from gluonish.mxnet_import.finder import Finder, bring_along

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

VERSION = "1.9.1"
_CHILDREN = Path(__file__).with_name("children")


class _Before(NamedTuple):
    """What was there before gluonish stood in."""

    version: str
    python_path: str | None
    hook: Callable[[type[BaseException], BaseException, TracebackType | None], object]


_before: list[_Before] = []


def as_mxnet() -> None:
    """Stand in for mxnet: from now on, `import mxnet` and all its modules give gluonish.

    It holds for this process and for those that it starts: workers of a DataLoader or of
    `multiprocessing`, however they are started, and programs run by `sys.executable`. They find
    a small module `mxnet` through `sys.path` and the environment variable `PYTHONPATH`. A second
    call changes nothing.

    Raises
    ------
    StandInError
        If the real mxnet was imported before.

    Notes
    -----
    `mxnet.__version__`, and so `gluonish.__version__`, is '1.9.1' from now on, as programs
    compare it; `gluonish.libinfo.__version__` is always gluonish's own. If mxnet itself is
    installed, gluonish goes before it.

    Examples
    --------
    A program's first lines:

    >>> import gluonish
    >>> gluonish.as_mxnet()  # doctest: +SKIP
    >>> import mxnet as mx  # doctest: +SKIP
    >>> from mxnet.gluon import nn  # doctest: +SKIP
    """
    root = importlib.import_module("gluonish")
    there = sys.modules.get("mxnet")
    if there is root or (there is None and _before):
        sys.modules["mxnet"] = root
        bring_along()
        return
    place = getattr(there, "__file__", None)  # None, too, for a mere folder of that name
    if place is not None and Path(place).parent != _CHILDREN:
        msg = (
            f"as_mxnet: mxnet itself is imported, from {place}. Gluonish stands in only "
            "where nobody holds mxnet's own arrays. Call gluonish.as_mxnet(), or start the "
            "program by `gluonish run`, before anything imports mxnet."
        )
        raise StandInError(msg)
    _before.append(_Before(root.__version__, os.environ.get("PYTHONPATH"), sys.excepthook))
    sys.meta_path.insert(0, Finder())
    sys.modules["mxnet"] = root
    bring_along()
    root.__version__ = VERSION  # type: ignore[attr-defined]
    parts = [str(_CHILDREN), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(parts)
    sys.path.insert(1, str(_CHILDREN))  # multiprocessing hands it on to spawned workers
    sys.excepthook = _explaining_hook


def wait_for_import() -> None:
    """Have nothing of mxnet be there before the program imports it, as programs check."""
    for name in [name for name in sys.modules if name == "mxnet" or name.startswith("mxnet.")]:
        del sys.modules[name]


def give_back() -> None:
    """End what `as_mxnet` began; modules that imported gluonish as mxnet keep it."""
    if not _before:
        return
    version, python_path, hook = _before.pop()
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, Finder)]
    wait_for_import()
    importlib.import_module("gluonish").__version__ = version  # type: ignore[attr-defined]
    sys.path[:] = [path for path in sys.path if path != str(_CHILDREN)]
    if python_path is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = python_path
    if sys.excepthook is _explaining_hook:
        sys.excepthook = hook


def installed_mxnet() -> tuple[str, str] | None:
    """Return version and place of the real mxnet, or None where it is not installed."""
    elsewhere = [path for path in sys.path if Path(path) != _CHILDREN]
    spec = PathFinder.find_spec("mxnet", elsewhere)
    if spec is None or spec.origin is None:
        return None
    packages = importlib.metadata.packages_distributions().get("mxnet", [])
    version = importlib.metadata.version(packages[0]) if packages else "of unknown version"
    return version, str(Path(spec.origin).parent)


def _explaining_hook(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    told = explain(error)
    if told is not None and told not in getattr(error, "__notes__", []):
        error.add_note(told)
    hook = _before[-1].hook if _before else sys.__excepthook__
    hook(kind, error, trace)
