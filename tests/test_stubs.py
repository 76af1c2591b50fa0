"""The checked-in type stubs are those of the op table."""

from __future__ import annotations

import ast
import importlib
import importlib.util
from pathlib import Path

import pytest

_PATH = Path(__file__).parents[1] / "scripts" / "make_stubs.py"
_SPEC = importlib.util.spec_from_file_location("make_stubs", _PATH)
make_stubs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(make_stubs)
STUBS = make_stubs.stubs()
IDS = ["/".join(path.parts[-2:]) for path in STUBS]


@pytest.mark.parametrize("path", list(STUBS), ids=IDS)
def test_stub_is_current(path: Path) -> None:
    expected = make_stubs.formatted(STUBS[path])
    assert path.read_text(encoding="utf-8") == expected, "run python scripts/make_stubs.py"


@pytest.mark.parametrize("path", list(STUBS), ids=IDS)
def test_stub_names_what_is_there(path: Path) -> None:
    relative = path.relative_to(make_stubs.ROOT.parent).with_suffix("")
    module = importlib.import_module(".".join(relative.parts).removesuffix(".__init__"))
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert sorted(name for name in named if not hasattr(module, name)) == []


@pytest.mark.parametrize("module", ["ndarray", "numpy", "numpy_extension"])
def test_every_public_name_is_in_the_stub(module: str) -> None:
    found = importlib.import_module(f"gluonish.{module}")
    text = STUBS[make_stubs.ROOT / module / "__init__.pyi"]
    missing = [
        name
        for name in found.__all__
        if not any(mark in text for mark in (f"def {name}(", f" as {name}\n", f"\n{name}"))
    ]
    assert missing == []
