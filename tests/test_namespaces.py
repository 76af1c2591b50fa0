"""What namespaces list, and how modules that MXNet has say so."""

from __future__ import annotations

import ast
import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

import gluonish as mx

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(mx.__file__).parent
THEIRS = json.loads((Path(__file__).parent / "mxnet_import/modules.json").read_text("utf-8"))


def _public(module: ModuleType, path: str) -> Iterator[tuple[str, ModuleType]]:
    """Yield a module and those that its namespace lists."""
    seen: set[int] = set()
    found = [(path, module)]
    while found:
        path, module = found.pop()
        if id(module) in seen or not module.__name__.startswith("gluonish"):
            continue
        seen.add(id(module))
        yield path, module
        inner = ((f"{path}.{name}", getattr(module, name)) for name in dir(module))
        found += [each for each in inner if isinstance(each[1], ModuleType)]


PUBLIC = dict(_public(mx, "mx"))


def test_modules_at_the_top_say_which_of_mxnets_they_are() -> None:
    files = [path for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")]
    assert len(files) > 15
    for file in files:
        said = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
        assert said.startswith(f"`mx.{file.stem}`: "), file


@pytest.mark.parametrize("path", PUBLIC)
def test_a_namespace_lists_its_own_names(path: str) -> None:
    module = PUBLIC[path]
    listed = dir(module)
    assert {"annotations", "TYPE_CHECKING", "Any", "onp", "torch"}.isdisjoint(listed)
    assert {name for name in getattr(module, "__all__", ()) if name not in listed} == set()
    assert [name for name in listed if not hasattr(module, name)] == []
    allowed = {*getattr(module, "__all__", ()), *getattr(module, "_UNSTARRED", ())}
    inner = {name for name in listed if name not in allowed and not name.startswith("__")}
    assert {name for name in inner if name.startswith("_")} == set()
    modules = {name for name in inner if isinstance(getattr(module, name), ModuleType)}
    assert {name for name in modules if hasattr(getattr(module, name), "__file__")} == set()


def _starred() -> Iterator[str]:
    for file in PACKAGE.rglob("*.py"):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                yield str(node.module)


@pytest.mark.parametrize("module", sorted(set(_starred())))
def test_files_that_packages_take_over_list_what_is_taken(module: str) -> None:
    assert importlib.import_module(module).__all__


def test_there_are_many_namespaces() -> None:
    assert len(PUBLIC) > 90
    names = {module.__name__.removeprefix("gluonish.") for module in PUBLIC.values()}
    assert names > {"gluon.contrib.rnn", "ndarray.sparse", "numpy.random", "symbol.contrib"}


@pytest.mark.parametrize("path", [path for path in THEIRS if path != "mxnet.misc"])
def test_submodules_that_mxnet_has_too_are_listed(path: str) -> None:
    parent, _, name = path.rpartition(".")
    module = mx
    for each in parent.split(".")[1:]:
        module = getattr(module, each)
    assert name in dir(module)


def test_a_package_lists_no_files_of_ours() -> None:
    names = [name for name in dir(mx.gluon.contrib.rnn) if not name.startswith("__")]
    assert names == sorted(mx.gluon.contrib.rnn.__all__)


def test_errors_are_listed_alone() -> None:
    listed = {name: getattr(mx.errors, name) for name in dir(mx.errors) if name != "__dir__"}
    assert listed["ShapeError"] is mx.errors.ShapeError
    assert [name for name, error in listed.items() if not issubclass(error, Exception)] == []


def test_names_that_are_not_listed_can_be_reached() -> None:
    assert "cells" not in dir(mx.gluon.contrib.rnn)
    assert mx.gluon.contrib.rnn.cells.LSTMPCell is mx.gluon.contrib.rnn.LSTMPCell
