"""Find the names of mxnet in a program that gluonish lacks, without running it."""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import inspect
import sys
import textwrap
from collections import Counter
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from typing_extensions import override

from gluonish.errors import FileFormatError, MXNetError
from gluonish.errors.arguments import meant
from gluonish.errors.suggestions import names_of
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

    Imports are followed, and the names that they bind; of names that the program binds itself,
    such as `net`, those that it binds once, to an object of a class of mxnet. Keyword arguments
    are looked up, too, and modules of Python that a program uses without importing them.

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
    scan = _Scan(_bound_once(tree))
    scan.visit(tree)
    return sorted(set(scan.missing))


class _Nothing:
    """What a name is that cannot be followed."""


_NOTHING = _Nothing()


class _Made(NamedTuple):
    """An object of a class."""

    kind: type


def _bound_once(tree: ast.AST) -> set[str]:
    """Return the names that a program binds at one place only."""
    bound = Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )
    bound.update(node.arg for node in ast.walk(tree) if isinstance(node, ast.arg))
    return {name for name, count in bound.items() if count == 1}


class _Scan(ast.NodeVisitor):
    """Follows imports, chains of attributes, and calls."""

    def __init__(self, once: set[str]) -> None:
        self._once = once
        self.known: dict[str, object] = {}
        self.missing: list[Missing] = []
        self.imported: set[str] = set()

    @override
    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            first = alias.name.partition(".")[0]
            if first != "mxnet":
                self.known.pop(alias.asname or first, None)
                if first in sys.stdlib_module_names and alias.name == (alias.asname or first):
                    self.known[first] = importlib.import_module(first)
                self.imported.add(alias.name)
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
    def visit_Assign(self, node: ast.Assign) -> None:
        value = self._resolve(node.value)
        for target in node.targets:
            self.visit(target)
            if isinstance(target, ast.Name) and target.id in self._once:
                self.known[target.id] = value if isinstance(value, _Made) else _NOTHING

    @override
    def visit_Call(self, node: ast.Call) -> None:
        self._resolve(node)

    def _call(self, node: ast.Call) -> object:
        called = self._resolve(node.func)
        for keyword in node.keywords:
            if keyword.arg is not None and not _takes(called, keyword.arg):
                name = getattr(called, "__name__", "it")
                known = _keywords(called) or {}
                told = f"{name} takes no argument {keyword.arg!r}; it takes "
                told += f"{', '.join(known) or 'none'}.{meant([name], [keyword.arg], known, True)}"
                self.missing.append(Missing(keyword.lineno, told))
        for child in [*node.args, *node.keywords]:
            self.visit(child)
        is_ours = isinstance(called, type) and called.__module__.startswith("gluonish.")
        return _Made(called) if is_ours else _NOTHING  # type: ignore[arg-type]

    def _resolve(self, node: ast.expr) -> object:
        if isinstance(node, ast.Name):
            return self.known.get(node.id, _NOTHING)
        if isinstance(node, ast.Attribute):
            owner = self._resolve(node.value)
            if not isinstance(node.ctx, ast.Load):  # the program's own attribute
                return _NOTHING
            return self._attribute(owner, node.attr, node.lineno)
        if isinstance(node, ast.Call):
            return self._call(node)
        self.visit(node)
        return _NOTHING

    def _module(self, name: str, line: int) -> object:
        try:
            return importlib.import_module(counterpart(name))
        except ModuleNotFoundError:
            self.missing.append(Missing(line, lacks_module(name)))
            return _NOTHING

    def _attribute(self, owner: object, name: str, line: int) -> object:
        kind = owner.kind if isinstance(owner, _Made) else owner
        if isinstance(kind, type):
            found = inspect.getattr_static(kind, name, _NOTHING)
            hint = _hint(kind, name)
            if hint is not None and not (isinstance(owner, _Made) and name in _set_inside(kind)):
                self.missing.append(Missing(line, hint))
            return found if isinstance(owner, type) and inspect.isclass(found) else _NOTHING
        if not isinstance(owner, ModuleType):
            return _NOTHING
        if hasattr(owner, name):
            return getattr(owner, name)
        if not owner.__name__.startswith("gluonish"):
            path = f"{owner.__name__}.{name}"
            is_package = hasattr(owner, "__path__")
            if (
                is_package
                and path not in self.imported
                and importlib.util.find_spec(path) is not None
            ):
                told = f"{path} is a module that importing mxnet brings along; write import {path}"
                self.missing.append(Missing(line, told))
            return _NOTHING
        try:
            return importlib.import_module(f"{owner.__name__}.{name}")
        except ModuleNotFoundError:
            self.missing.append(Missing(line, lacks_name(owner, name)))
            return _NOTHING


def _stars(module: object) -> Iterator[tuple[str, object]]:
    if isinstance(module, ModuleType):
        public = [name for name in names_of(module.__name__) if not name.startswith("_")]
        yield from ((name, getattr(module, name)) for name in getattr(module, "__all__", public))


def _hint(kind: type, name: str) -> str | None:
    """Return what an error says of an attribute that objects of a class of ours lack, or None."""
    if not kind.__module__.startswith("gluonish.") or hasattr(kind, "__getattr__"):
        return None
    try:
        getattr(kind, name)
    except AttributeError as error:
        text = str(error) if isinstance(error, MXNetError) else ""
        return text or f"{kind.__name__} has no attribute {name!r}"
    return None


@functools.cache
def _set_inside(kind: type) -> frozenset[str]:
    """Return the attributes that methods of a class of ours set."""
    found: set[str] = set()
    for cls in kind.__mro__[:-1]:
        found.update(vars(cls).get("__annotations__", {}), vars(cls).get("__slots__", ()))
        if cls.__module__.startswith("gluonish."):
            source = ast.parse(textwrap.dedent(inspect.getsource(cls)))
            found.update(
                node.attr
                for node in ast.walk(source)
                if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
            )
    return frozenset(found)


def _parameters(called: object) -> dict[str, inspect.Parameter] | None:
    if not callable(called):
        return None
    try:
        return dict(inspect.signature(called).parameters)
    except (TypeError, ValueError):
        return None


def _takes(called: object, keyword: str) -> bool:
    known = _keywords(called)
    if known is None or keyword in known:
        return True
    return not isinstance(called, type) and keyword in ("name", "out", "ctx", "attr")  # of all


def _keywords(called: object) -> dict[str, None] | None:
    """Return the keywords that something takes, by what it passes on, too; None if any."""
    makers: list[object] = [called]
    if isinstance(called, type):
        makers = [vars(each)["__init__"] for each in called.__mro__ if "__init__" in vars(each)]
        if not called.__module__.startswith("gluonish.") or not makers[:-1]:
            makers = [called]
        else:
            makers.pop()  # object's
    known: dict[str, None] = {}
    for maker in makers:
        parameters = _parameters(maker)
        if parameters is None:
            return None
        known.update((key, None) for key, one in parameters.items() if one.kind < one.VAR_KEYWORD)
        rest = [each for each in parameters.values() if each.kind is each.VAR_KEYWORD]
        if not rest or rest[0].annotation == "Never":
            known.pop("self", None)
            return known
    return None
