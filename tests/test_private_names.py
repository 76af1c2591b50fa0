"""Private names are reached for across packages only where `pyproject.toml` says why."""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gluonish"
TOOL = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
ALLOWED = TOOL["private-names"]["allowed"]
FOREIGN = TOOL["private-names"]["foreign"]
OWN = ("self", "cls")


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


def is_own(node):
    """Whether an object is the one whose method this is."""
    if isinstance(node, ast.Call):
        node = node.func
        return isinstance(node, ast.Name) and node.id == "super"
    return isinstance(node, ast.Name) and node.id in OWN


def defined(node):
    """Names that a statement or expression gives to a function, class, slot or attribute."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_own(node.value):
        return [node.attr]
    if isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == "__slots__" for target in node.targets
    ):
        return [one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant)]
    return []


def survey(sources):
    """Return who defines each private name, and where others' objects are asked for one.

    Parameters
    ----------
    sources : dict of str to str
        Files by their path inside the package.
    """
    owners = defaultdict(set)
    reached = []
    for path, source in sources.items():
        room = path.partition("/")[0].removesuffix(".py")
        for node in ast.walk(ast.parse(source)):
            for name in filter(is_private, defined(node)):
                owners[name].add(room)
            if isinstance(node, ast.Attribute) and is_private(node.attr) and not is_own(node.value):
                reached.append((node.attr, room, f"{path}:{node.lineno} {ast.unparse(node)}"))
    return owners, reached


def across(owners, reached):
    """Return the places that reach for what only other packages define: (name, package, place)."""
    return [
        (name, room, place)
        for name, room, place in reached
        if name in owners and room not in owners[name] and name not in FOREIGN
    ]


@pytest.fixture(scope="module")
def surveyed():
    return survey(
        {
            path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(PACKAGE.rglob("*.py"))
        }
    )


def test_reads_and_writes_of_other_packages_names_are_found():
    owners, reached = survey(
        {
            "low/things.py": "class A:\n    __slots__ = ('_b',)\n    def _c(self): self._d = 1\n",
            "low/other.py": "def f(a): return a._b\n",
            "high.py": "def f(a):\n    a._b = a.x._c()\n    del a._d\n    a._e\n    self._b\n",
        }
    )
    assert sorted((name, room) for name, room, _ in across(owners, reached)) == [
        ("_b", "high"),
        ("_c", "high"),
        ("_d", "high"),
    ]


def test_private_names_stay_in_their_packages_but_for_those_with_a_reason(surveyed):
    refused = [
        place
        for name, room, place in across(*surveyed)
        if room not in ALLOWED.get(name, {"by": ()})["by"]
    ]
    assert not refused, (
        f"{len(refused)} private names of other packages: {refused[:10]}. Use or add a public "
        f"function of the package that owns them."
    )


def test_every_allowance_is_needed_and_says_who_owns_the_name(surveyed):
    owners, _ = surveyed
    met = {(name, room) for name, room, _ in across(*surveyed)}
    given = {(name, room) for name, row in ALLOWED.items() for room in row["by"]}
    assert sorted(given - met) == []
    assert [name for name, row in ALLOWED.items() if row["of"] not in owners[name]] == []
    assert all(row["why"].strip() for row in ALLOWED.values())


def test_names_that_belong_to_others_are_reached_for(surveyed):
    _, reached = surveyed
    assert FOREIGN.keys() <= {name for name, _, _ in reached}


def test_ruff_ignores_no_name_that_is_not_reached_for(surveyed):
    _, reached = surveyed
    ignored = TOOL["ruff"]["lint"]["flake8-self"]["extend-ignore-names"]
    assert sorted(set(ignored) - {name for name, _, _ in reached}) == []
