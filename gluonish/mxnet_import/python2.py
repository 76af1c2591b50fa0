"""Programs in Python 2, read as Python 3: what `gluonish run --from-python2` does."""

from __future__ import annotations

import functools
import importlib
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import decode_source
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from typing_extensions import override

from gluonish.errors import FileFormatError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType


def as_python3(source: bytes, path: str) -> str:
    """Return a program in Python 2 as one in Python 3.

    Parameters
    ----------
    source : bytes
        The program, in the encoding that it names.
    path : str
        Its file, for messages.

    Raises
    ------
    MissingExtraError
        fissix is not installed.
    FileFormatError
        The program is in neither.

    Examples
    --------
    >>> from gluonish.mxnet_import.python2 import as_python3
    >>> as_python3(b"print 'loss', 2", 'train.py')
    "print('loss', 2)"
    """
    text = decode_source(source)
    try:
        return str(_tool().refactor_string(f"{text}\n", path))[:-1] if text else text
    except Exception as error:
        if type(error).__module__.partition(".")[0] != "fissix":
            raise
        msg = (
            f"{path}: {error}. Expected a program in Python 2. Run it without --from-python2 if it "
            f"is in Python 3, or look at that line."
        )
        raise FileFormatError(msg) from error


def import_from_python2(folder: Path) -> None:
    """Have modules that a program imports from a folder of its own read in the same way."""
    sys.meta_path.insert(0, _Finder(folder.resolve()))


class _Tool(Protocol):
    """What is used of fissix."""

    def refactor_string(self, data: str, name: str) -> object:
        """Return the tree of a program after all changes; its text is the program."""


class _Finder(MetaPathFinder):
    """Finds modules below a folder as Python does, and has them read as Python 2."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @override
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(fullname, path, target)
        if found is None or type(found.loader) is not SourceFileLoader or found.origin is None:
            return None
        place = Path(found.origin).resolve()
        if not place.is_relative_to(self._folder) or "site-packages" in place.parts:
            return None
        found.loader = _Loader(found.loader.name, found.loader.path)
        return found


class _Loader(SourceFileLoader):
    """Reads a module in Python 2; its bytecode is not kept, since Python 3 would take it."""

    @override
    def path_stats(self, path: Any) -> NoReturn:
        raise OSError

    @override
    def source_to_code(self, data: Any, path: Any, **options: Any) -> CodeType:  # type: ignore[override]
        return super().source_to_code(as_python3(data, str(path)).encode(), path, **options)


@functools.cache
def _tool() -> _Tool:
    try:
        refactor = importlib.import_module("fissix.refactor")
    except ImportError as error:
        msg = (
            "gluonish run --from-python2: fissix is not installed, which reads Python 2. Expected "
            "the extra python2. Install it: pip install 'gluonish[python2]'."
        )
        raise MissingExtraError(msg) from error
    tool: _Tool = refactor.RefactoringTool(refactor.get_fixers_from_package("fissix.fixes"))
    return tool
