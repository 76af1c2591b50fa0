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


@pytest.mark.parametrize("module", ["ndarray", "numpy", "numpy_extension", "symbol"])
def test_every_public_name_is_in_the_stub(module: str) -> None:
    found = importlib.import_module(f"gluonish.{module}")
    text = STUBS[make_stubs.ROOT / module / "__init__.pyi"]
    missing = [
        name
        for name in found.__all__
        if not any(mark in text for mark in (f"def {name}(", f" as {name}\n", f"\n{name}"))
    ]
    assert missing == []


@pytest.mark.parametrize("space", ["numpy", "numpy_extension", "sparse", "contrib", "_internal"])
def test_every_name_of_a_space_of_symbols_is_in_its_stub(space: str) -> None:
    found = importlib.import_module(f"gluonish.symbol.{space}")
    folder = make_stubs.ROOT / "symbol"
    text = STUBS.get(folder / f"{space}.pyi") or STUBS[folder / space / "__init__.pyi"]
    assert [name for name in found.__all__ if f"def {name}(" not in text] == []


def test_arrays_of_symbols_may_be_left_out() -> None:
    text = STUBS[make_stubs.ROOT / "symbol" / "__init__.pyi"]
    found = next(line for line in text.splitlines() if line.startswith("def one_hot("))
    assert found.startswith(
        "def one_hot(indices: Symbol | None = None, depth: builtins.int = ..., on_value: "
    )
    assert found.endswith(
        "*, name: builtins.str | None = None, attr: Mapping[builtins.str, builtins.str] | None = "
        "None, **attributes: Unpack[Attributes]) -> Symbol: ..."
    )
