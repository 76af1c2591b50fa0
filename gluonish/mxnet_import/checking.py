"""Find the names of mxnet in a program that gluonish lacks, without running it."""

from __future__ import annotations

import ast
import importlib
import inspect
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from typing_extensions import override

from gluonish.errors import FileFormatError
from gluonish.mxnet_import.explaining import lacks_name
from gluonish.mxnet_import.finder import counterpart, lacks_module

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Missing(NamedTuple):
    """A name that a program uses, and gluonish lacks."""

    line: int
    what: str


def missing_names(path: Path) -> list[Missing]:
    r"""Return what a program uses of mxnet that gluonish lacks, in the order of its lines.

    Imports are followed, and the names that they bind; names that the program binds itself,
    such as `net`, are not. Keyword arguments are looked up, too.

    Raises
    ------
    FileFormatError
        If the file is no program of this Python.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from gluonish.mxnet_import.checking import missing_names
    >>> program = pathlib.Path(tempfile.mkdtemp(), 'train.py')
    >>> _ = program.write_text('import mxnet as mx\nmx.nd.oens(3)')
    >>> missing_names(program)[0].line
    2
    """
    source = path.read_bytes()
    try:
        tree = ast.parse(source, str(path))
    except (SyntaxError, ValueError) as error:
        msg = f"{str(path)!r} is no program of Python 3: {error}."
        raise FileFormatError(msg) from error
    scan = _Scan()
    scan.visit(tree)
    return sorted(set(scan.missing))


class _Nothing:
    """What a name is that cannot be followed."""


_NOTHING = _Nothing()


class _Scan(ast.NodeVisitor):
    """Follows imports, chains of attributes, and calls."""

    def __init__(self) -> None:
        self.known: dict[str, object] = {}
        self.missing: list[Missing] = []

    @override
    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.name.partition(".")[0] != "mxnet":
                self.known.pop(alias.asname or alias.name.partition(".")[0], None)
                continue
            module = self._module(alias.name, node.lineno)
            whole = importlib.import_module("gluonish")
            self.known[alias.asname or "mxnet"] = module if alias.asname else whole

    @override
    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level or (node.module or "").partition(".")[0] != "mxnet":
            for alias in node.names:
                self.known.pop(alias.asname or alias.name, None)
            return
        module = self._module(str(node.module), node.lineno)
        for alias in node.names:
            if alias.name == "*":
                self.known.update(_stars(module))
            else:
                found = self._attribute(module, alias.name, node.lineno)
                self.known[alias.asname or alias.name] = found

    @override
    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):  # the name means something else from here on
            self.known.pop(node.id, None)

    @override
    def visit_arg(self, node: ast.arg) -> None:
        self.known.pop(node.arg, None)

    @override
    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._resolve(node)

    @override
    def visit_Call(self, node: ast.Call) -> None:
        called = self._resolve(node.func)
        for keyword in node.keywords:
            if keyword.arg is not None and not _takes(called, keyword.arg):
                name = getattr(called, "__name__", "it")
                told = f"{name} takes no argument {keyword.arg!r}; it takes {_signature(called)}"
                self.missing.append(Missing(keyword.lineno, told))
        for child in [*node.args, *node.keywords]:
            self.visit(child)

    def _resolve(self, node: ast.expr) -> object:
        if isinstance(node, ast.Name):
            return self.known.get(node.id, _NOTHING)
        if isinstance(node, ast.Attribute):
            return self._attribute(self._resolve(node.value), node.attr, node.lineno)
        self.visit(node)
        return _NOTHING

    def _module(self, name: str, line: int) -> object:
        try:
            return importlib.import_module(counterpart(name))
        except ModuleNotFoundError:
            self.missing.append(Missing(line, lacks_module(name)))
            return _NOTHING

    def _attribute(self, owner: object, name: str, line: int) -> object:
        if not isinstance(owner, ModuleType):
            return getattr(owner, name, _NOTHING) if inspect.isclass(owner) else _NOTHING
        if hasattr(owner, name):
            return getattr(owner, name)
        if not owner.__name__.startswith("gluonish"):
            return _NOTHING
        try:
            return importlib.import_module(f"{owner.__name__}.{name}")
        except ModuleNotFoundError:
            self.missing.append(Missing(line, lacks_name(owner, name)))
            return _NOTHING


def _stars(module: object) -> Iterator[tuple[str, object]]:
    if isinstance(module, ModuleType):
        public = [name for name in vars(module) if not name.startswith("_")]
        yield from ((name, getattr(module, name)) for name in getattr(module, "__all__", public))


def _parameters(called: object) -> dict[str, inspect.Parameter] | None:
    if not callable(called):
        return None
    try:
        return dict(inspect.signature(called).parameters)
    except (TypeError, ValueError):
        return None


def _takes(called: object, keyword: str) -> bool:
    parameters = _parameters(called)
    if parameters is None or keyword in parameters:
        return True
    if keyword in ("name", "out", "ctx", "attr"):
        return True  # each front end adds its own
    return any(each.kind is each.VAR_KEYWORD for each in parameters.values())


def _signature(called: object) -> str:
    names = [name for name in _parameters(called) or {} if name != "self"]
    return ", ".join(names) or "none"
