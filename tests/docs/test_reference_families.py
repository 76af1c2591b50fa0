"""The reference has a page for each module of operators."""

from __future__ import annotations

import ast
from pathlib import Path

from gluonish.ops import ops

SCRIPT = ast.parse((Path(__file__).parents[2] / "scripts" / "docs_reference.py").read_text())
FAMILIES = next(
    ast.literal_eval(node.value)
    for node in SCRIPT.body
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_FAMILIES"
)
MODULES = {op.function.__module__.removeprefix("gluonish.ops.") for op in ops()}
NAMED = [name for given in FAMILIES.values() for name in given.split()]


def test_every_module_of_operators_has_a_page() -> None:
    assert [
        module
        for module in sorted(MODULES)
        if module not in NAMED and f"{module.partition('.')[0]}.*" not in NAMED
    ] == []


def test_every_module_that_a_page_names_is_there() -> None:
    assert [name for name in NAMED if not name.endswith("*") and name not in MODULES] == []
