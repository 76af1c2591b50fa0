"""What is said of an operator stands where it is defined, and is looked up by no name elsewhere."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gluonish
from gluonish.ops import ops

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(gluonish.__file__).parent
NAMES = {name for op in ops() for (_, path), file in op.files.items() for name in (path, file)}
NAMES |= {op.function.__name__ for op in ops()}
# Words that name something else, too: inputs (`gamma`), statistics, modes.
NAMES -= {name for op in ops() for name in op.inputs} | {"min", "max", "mean", "add", "mod"}
FUNCTIONS = {op.function.__name__ for op in ops()}
# Where a name is looked at by which operators are told apart.
SUBJECTS = {"name", "file_name", "__name__", "op", "path"}
OPERATORS_NAMES = ("op.name", "file_name", "function.__name__")
FINDERS = {"by_path", "find", "in_nd", "in_np"}  # functions that return an operator
EXCEPTIONS = {
    "conversion/graphs.py": "prepares graphs for other formats, as ONNX and torch have them",
    "errors/habits/attributes.py": "methods of arrays, in advice",
    "errors/habits/rarer_names.py": "names that other libraries have, in advice",
    "gluon/contrib/rnn/cells.py": "names of activation functions, which are arguments",
    "gluon/rnn/cells.py": "names of activation functions, which are arguments",
    "hybrid/inference/reading.py": "torch's functions and kernels",
    "hybrid/inference/rewriting.py": "oneDNN's functions of elements",
    "mxnet_import/borrowed.py": "what MXNet's modules import, whatever it is",
    "numpy/fallback.py": "NumPy's functions",
    "numpy/protocol.py": "NumPy's functions",
    "onnx/elementwise.py": "ONNX's operators",
    "onnx/layers.py": "ONNX's operators",
    "onnx/reading.py": "ONNX's operators",
    "onnx/recurrent.py": "ONNX's operators",
    "onnx/shaping.py": "ONNX's operators",
    "onnx/supported.py": "operators that ONNX models can hold",
}


def strings(node: ast.AST) -> list[str]:
    """Return the strings that a container holds, for a dictionary as keys; one of each row."""
    parts: list[ast.expr | None] = []
    if isinstance(node, ast.Dict):
        parts = [*node.keys]
    elif isinstance(node, (ast.Set, ast.Tuple, ast.List)):
        parts = [*node.elts]
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "dict":
        return [each.arg for each in node.keywords if each.arg]
    found = []
    for part in parts:
        words = strings(part) if isinstance(part, ast.Tuple) else constants(part)
        found += sorted(words, key=lambda word: word not in NAMES)[:1]
    return found


def constants(node: ast.AST | None) -> list[str]:
    """Return a string, or those of a pattern in `case`."""
    if isinstance(node, ast.MatchOr):
        return [word for pattern in node.patterns for word in constants(pattern)]
    value = node.value if isinstance(node, (ast.MatchValue, ast.Constant)) else None
    value = value.value if isinstance(value, ast.Constant) else value
    return [value] if isinstance(value, str) else []


def is_table(words: list[str]) -> bool:
    """Return whether most of several words are names of operators."""
    known = [word for word in words if word in NAMES or word.partition(".")[2] in NAMES]
    return len(words) > 1 and len(known) * 2 > len(words)


def subject(node: ast.AST) -> ast.AST:
    """Return what an expression asks: `op.name` for `op.name.lower()` and `op.name[0]`."""
    while isinstance(node, (ast.Call, ast.Subscript, ast.NamedExpr)):
        is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if isinstance(node, ast.Call) and not is_method:
            break
        node = node.func.value if is_method else node.value
    return node


def last_word(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def asks_operator(node: ast.AST) -> bool:
    """Return whether an expression can be nothing but the name of some operator."""
    return ast.unparse(subject(node)).endswith(OPERATORS_NAMES)


def is_own(name: object) -> bool:
    """Return whether a word can be nothing but an operator's name."""
    return isinstance(name, str) and name in NAMES and (name != name.lower() or "_" in name)


def is_capital(name: object) -> bool:
    """Return whether a word is an operator's name, and no function's."""
    return isinstance(name, str) and name in NAMES and name != name.lower() and "_" not in name


def compares(sides: Sequence[ast.AST]) -> bool:
    """Return whether a name is compared with that of an operator, or with several."""
    single = [word for side in sides for word in constants(side)]
    words = single + [word for side in sides for word in strings(side)]
    if any(asks_operator(side) for side in sides) and words:
        return True
    asks_name = any(last_word(subject(side)) in SUBJECTS for side in sides)
    return any(map(is_own, single)) or (asks_name and any(word in NAMES for word in words))


def finds_one(node: ast.Compare, functions: set[str]) -> bool:
    """Return whether something is compared with one operator, or with its function."""
    sides = [node.left, *node.comparators]
    if any(isinstance(side, ast.Constant) for side in sides):
        return False
    found = [side for side in sides if isinstance(side, ast.Call)]
    if isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and any(map(asks_operator, sides)):
        return any(last_word(side).isupper() for side in sides)  # a constant of the module
    return any(last_word(side.func) in FINDERS for side in found) or any(
        last_word(side) in functions for side in sides
    )


def chooses(node: ast.Call) -> bool:
    """Return whether a call tells operators apart, or enters one somewhere, by its name."""
    called = last_word(node.func)
    if called == "getattr" and len(node.args) > 1:
        parts = [part for part in ast.walk(node.args[1]) if isinstance(part, ast.Attribute)]
        return any(asks_operator(part) for part in parts)
    if isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "re":
        return any(asks_operator(each) for each in node.args)
    if called in ("startswith", "endswith"):
        return asks_operator(node.func.value) if isinstance(node.func, ast.Attribute) else False
    words = [word for each in node.args for word in constants(each)]
    return called not in FINDERS and any(map(is_capital, words))


def look_ups(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the lines in which operators are looked up by name, with these lines' text."""
    exported = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        and node.value is not None
        and "__all__" in ast.unparse(node)
    }
    functions = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gluonish.ops.")
        for alias in node.names
        if alias.name in FUNCTIONS
    }
    for node in ast.walk(tree):
        if id(node) in exported:
            continue
        is_look_up = is_table(strings(node))
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            is_look_up = compares(sides) or finds_one(node, functions)
        elif isinstance(node, ast.Match):
            is_look_up = compares([node.subject, *(case.pattern for case in node.cases)])
        elif isinstance(node, ast.Call):
            is_look_up = is_look_up or chooses(node)
        elif isinstance(node, ast.FunctionDef):
            is_look_up = is_capital(node.name.rpartition("_")[2])
        elif isinstance(node, ast.Subscript):
            is_look_up = any(map(is_capital, constants(node.slice)))
        elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            is_look_up = is_look_up or any(last_word(each) in functions for each in node.elts)
        elif isinstance(node, ast.Dict):
            is_look_up = is_look_up or any(last_word(key) in functions for key in node.keys if key)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
            is_look_up = len(words) > 2 and is_table(words)
        if is_look_up:
            yield node.lineno, ast.unparse(node)


def found_in(root: Path) -> dict[str, list[tuple[int, str]]]:
    """Return the look-ups in all modules outside the op table, by the modules' paths."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if not name.startswith("ops/"):
            hits = [*look_ups(ast.parse(path.read_text(encoding="utf-8")))]
            if hits:
                found[name] = hits
    return found


def test_nothing_outside_the_table_looks_operators_up_by_name() -> None:
    found = found_in(ROOT)
    assert {name: hits for name, hits in found.items() if name not in EXCEPTIONS} == {}
    assert EXCEPTIONS.keys() - found.keys() == set()  # those that are needed no more


@pytest.mark.parametrize(
    "code",
    [
        "LOSSES = frozenset({'SoftmaxOutput', 'MakeLoss'})",
        "COUNTED = {'LRN': 2, 'sort': 2}",
        "WRITTEN = {'nd.arange': 'step=1.0', 'nd.eye': 'M=0 k=0'}",
        "NAMES = 'abs sign sqrt square'.split()",
        "if op.name == 'UpSampling': pass",
        "if node.file_name in ('Convolution', 'FullyConnected'): pass",
        "if op.function.__name__ == 'clip': pass",
        "if kind == 'Activation': pass",
        "if op.name in {'UpSampling'}: pass",
        "if op.name.lower() == 'abs': pass",
        "if 'pool' in node.op.name: pass",
        "if op.name.startswith('broadcast_'): pass",
        "if re.match('.*Pooling', op.name): pass",
        "if op.name == UP: pass",
        "if op is by_path('nd', 'UpSampling'): pass",
        "from gluonish.ops.graph.custom import custom\nif op.function is custom: pass",
        "from gluonish.ops.graph.custom import custom\nRULES = {custom: 1}",
        "match node.file_name:\n    case 'Convolution' | 'Deconvolution': pass",
        "RULES['Convolution'] = rule",
        "RULES = dict(Convolution=1, Pooling=2)",
        "RULES = {('nd', 'Convolution'): 2, ('nd', 'Pooling'): 3}",
        "NAMES.add('Convolution')",
        "class Walker:\n    def visit_Convolution(self, node): pass",
        "getattr(self, f'_{node.file_name}')(node)",
    ],
)
def test_look_ups_by_name_are_seen(code: str) -> None:
    assert [*look_ups(ast.parse(code))]


@pytest.mark.parametrize(
    "code",
    [
        "__all__ = ['Activation', 'BatchNorm']",
        "SUFFIXES = ('weight', 'bias', 'gamma', 'beta')",
        "if grad_req == 'add': pass",
        "if self.rand_type == 'uniform': pass",
        "x = nn.Dense(8, 'relu')",
        "made = by_path('nd', 'UpSampling')",
        "if find(name) is None: pass",
        "if op.quantized.role == 'sum': pass",
        "if node.file_name in listed: pass",
    ],
)
def test_other_words_are_not_taken_for_look_ups(code: str) -> None:
    assert [*look_ups(ast.parse(code))] == []
