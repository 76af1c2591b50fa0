"""Files and classes can be read alone: they are small, and no two files import each other."""

from __future__ import annotations

import ast
import functools
import graphlib
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "gluonish"
LINES = 450  # of code in a file: docstrings, comments and blank lines aside
METHODS = 40  # public ones of a class, its properties and what it inherits among them

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
parsed = functools.cache(ast.parse)


def definitions(node):
    """Yield the classes and functions of a file, and those inside of them."""
    for part in getattr(node, "body", ()):
        if isinstance(part, (ast.ClassDef, *_FUNCTIONS)):
            yield part
        yield from definitions(part)


def lines_of_code(source):
    """Return how many lines of a file hold code."""
    lines = source.splitlines()
    tree = parsed(source)
    for node in (tree, *definitions(tree)):
        if ast.get_docstring(node):
            text = node.body[0]
            lines[text.lineno - 1 : text.end_lineno] = [""] * (text.end_lineno - text.lineno + 1)
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in lines)


def public_methods(sources):
    """Return the names of the public methods of each class, by (module, class).

    Parameters
    ----------
    sources : dict of str to str
        Files by the names of their modules.
    """
    own, bases, imported = {}, {}, {}
    for module, source in sources.items():
        for node in parsed(source).body:
            if isinstance(node, ast.ClassDef):
                members = (one.name for one in node.body if isinstance(one, _FUNCTIONS))
                own[module, node.name] = {name for name in members if not name.startswith("_")}
                bases[module, node.name] = [
                    ast.unparse(base).partition("[")[0] for base in node.bases
                ]
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    imported[module, alias.asname or alias.name] = (node.module, alias.name)

    def named(module, name):
        """Return the class that a name stands for in a module."""
        first, _, rest = name.partition(".")
        while (module, first) not in own and (module, first) in imported:
            module, first = imported[module, first]
        return named(f"{module}.{first}", rest) if rest else (module, first)

    def methods(key):
        inherited = [methods(named(key[0], base)) for base in bases.get(key, ())]
        return own.get(key, set()).union(*inherited)

    return {key: methods(key) for key in own}


def imports_of(statements):
    """Yield what a module's statements import when it is imported: pairs of module and name."""
    for statement in statements:
        if isinstance(statement, ast.ImportFrom):
            yield from ((statement.module, alias.name) for alias in statement.names)
        elif isinstance(statement, ast.Import):
            yield from ((alias.name, "") for alias in statement.names)
        elif isinstance(statement, ast.Try):
            yield from imports_of(statement.body)
        elif isinstance(statement, ast.If) and "TYPE_CHECKING" not in ast.unparse(statement.test):
            yield from imports_of(statement.body + statement.orelse)


def order(sources):
    """Return modules, each after those that it imports.

    Parameters
    ----------
    sources : dict of str to str
        Files by the names of their modules.

    Raises
    ------
    CycleError
        There is no such order.
    """
    graph = {}
    for module, source in sources.items():
        pairs = imports_of(parsed(source).body)
        named = [(f"{place}.{name}", place) for place, name in pairs]
        found = {inner if inner in sources else place for inner, place in named}
        graph[module] = (found & sources.keys()) - {module}
    return [*graphlib.TopologicalSorter(graph).static_order()]


@pytest.fixture(scope="module")
def sources():
    """Files by the names of their modules."""
    return {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        ): path.read_text(encoding="utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def test_lines_of_code_are_neither_blank_nor_comments_nor_docstrings():
    function = 'def f(\n    x,\n):\n    """Doc."""\n\n    # why\n    return x + """\na"""\n'
    assert lines_of_code(f'"""Text.\n\nMore.\n"""\n{function}') == 5


def test_methods_that_are_inherited_under_another_name_count():
    files = {
        "a": "class A:\n    def x(self): ...\n    def _y(self): ...\n",
        "b": "from a import A as C\n",
        "c": "from b import C\nclass D(C[int]):\n    @property\n    def z(self): ...\n",
        "d": "from e import c\nclass E(c.D): ...\n",
        "e.c": "from c import D\n",
    }
    assert public_methods(files)["d", "E"] == {"x", "z"}


def test_no_file_has_more_lines_of_code_than_can_be_read_at_once(sources):
    sizes = {module: lines_of_code(source) for module, source in sources.items()}
    assert {module: size for module, size in sizes.items() if size > LINES} == {}


def test_no_class_has_more_public_methods_than_can_be_remembered(sources):
    """Those that NDArray and Symbol have of the op table are installed, and not counted."""
    sizes = {key: len(names) for key, names in public_methods(sources).items()}
    assert {key: size for key, size in sizes.items() if size > METHODS} == {}


def test_a_circle_is_found_and_annotations_make_none():
    files = {
        "a": "from b import x\n",
        "a.c": "import a\n",
        "b": "if TYPE_CHECKING:\n    import a\n",
    }
    assert order(files) == ["b", "a", "a.c"]
    with pytest.raises(graphlib.CycleError, match=r"'b', 'a', 'b'|'a', 'b', 'a'"):
        order({**files, "b": "try:\n    import a\nexcept ImportError: pass\n"})


def test_modules_import_each_other_in_an_order_at_run_time(sources):
    assert sorted(order(sources)) == sorted(sources)
