"""Run a program as `python` does, with gluonish in mxnet's place."""

from __future__ import annotations

import builtins
import importlib.util
import io
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from gluonish.errors import MissingFileError, MissingNameError
from gluonish.errors.wording import listed
from gluonish.mxnet_import.python2 import as_python3, import_from_python2
from gluonish.mxnet_import.taking_over import as_mxnet, wait_for_import

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, TracebackType

_FAILED, _INTERRUPTED = 1, 130


def _programs_in(folder: Path) -> str:
    """Return what to name in place of a folder."""
    found = sorted(each.name for each in folder.glob("[!_]*.py")) if folder.is_dir() else []
    if len(found) == 1:
        return f"Did you mean {str(folder / found[0])!r}?"
    return f"Name the file that is the program{': ' * bool(found)}{listed(found, 5)}."


def run_script(path: str, arguments: Sequence[str], *, is_python2: bool = False) -> int:
    """Run a file, or a folder or archive with a `__main__.py`, as `python path` does.

    Parameters
    ----------
    path : str
        The program.
    arguments : sequence of str
        What it finds in `sys.argv[1:]`.
    is_python2 : bool, default False
        Whether it, and the modules of its folder, are in Python 2.

    Returns
    -------
    int
        Exit status. A `SystemExit` of the program is not caught.

    Raises
    ------
    MissingFileError
        If there is no such file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from gluonish.mxnet_import.running import run_script
    >>> program = pathlib.Path(tempfile.mkdtemp(), 'train.py')
    >>> _ = program.write_text('import mxnet as mx; print(mx.nd.ones(2).sum().asscalar())')
    >>> run_script(str(program), [])  # doctest: +SKIP
    2.0
    0
    """
    where = Path(path)
    sys.argv = [path, *arguments]
    if where.is_dir() or where.suffix in (".zip", ".pyz"):
        sys.path[0] = path
        spec = PathFinder.find_spec("__main__", [path])
        if spec is None:
            msg = (
                f"{path!r} is a folder without a __main__.py. Expected a program. "
                f"{_programs_in(where)}"
            )
            raise MissingFileError(msg)
        return _execute(_code(spec), _main_module(spec.origin, spec))
    if not where.is_file():
        msg = f"there is no file {path!r}. Expected a program in Python, or -m and a module."
        raise MissingFileError(msg)
    sys.path[0] = str(where.resolve().parent)
    with io.open_code(str(where.absolute())) as file:
        source: bytes | str = file.read()
    if is_python2:
        import_from_python2(where.resolve().parent)
        source = as_python3(bytes(source), path)  # type: ignore[arg-type]
    try:
        code = compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return _report(error, None)
    return _execute(code, _main_module(path))


def run_module(name: str, arguments: Sequence[str]) -> int:
    """Run a module, or a package's `__main__`, as `python -m name` does.

    Raises
    ------
    MissingNameError
        If there is no such module, or it is a package without `__main__`.

    Examples
    --------
    >>> from gluonish.mxnet_import.running import run_module
    >>> run_module('timeit', ['-n', '1', 'pass'])  # doctest: +SKIP
    1 loop, best of 5: 125 nsec per loop
    0
    """
    sys.path[0] = str(Path.cwd())
    sys.argv = ["-m", *arguments]
    as_mxnet()
    spec = _find(name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = _find(f"{name}.__main__")
    if spec is None or spec.loader is None:
        msg = f"there is no module {name!r} that can be run. Expected one in this folder, "
        msg += "or an installed one; a package needs a module __main__."
        raise MissingNameError(msg)
    sys.argv[0] = str(spec.origin)
    return _execute(_code(spec), _main_module(spec.origin, spec))


def _find(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        if error.name is not None and name.startswith(error.name):
            return None
        raise


def _code(spec: ModuleSpec) -> CodeType:
    get_code = getattr(spec.loader, "get_code", None)
    code: CodeType | None = get_code(spec.name) if get_code is not None else None
    if code is None:
        msg = f"{spec.name!r} is not written in Python. Expected a program in Python."
        raise MissingNameError(msg)
    return code


def _main_module(file: str | None, spec: ModuleSpec | None = None) -> ModuleType:
    main = ModuleType("__main__")
    main.__file__ = file
    main.__builtins__ = builtins  # type: ignore[attr-defined]
    if spec is not None:
        main.__spec__ = spec  # by which multiprocessing's children find the program
        main.__loader__ = spec.loader
        main.__package__ = spec.parent
        main.__cached__ = spec.cached  # type: ignore[attr-defined]
    return main


def _execute(code: CodeType, main: ModuleType) -> int:
    as_mxnet()
    wait_for_import()
    sys.modules["__main__"] = main
    try:
        exec(code, main.__dict__)
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - the program's own, told as python tells it
        trace = error.__traceback__
        return _report(error, None if trace is None else trace.tb_next)
    return 0


def _report(error: BaseException, trace: TracebackType | None) -> int:
    sys.stdout.flush()
    sys.excepthook(type(error), error.with_traceback(trace), trace)
    return _INTERRUPTED if isinstance(error, KeyboardInterrupt) else _FAILED
