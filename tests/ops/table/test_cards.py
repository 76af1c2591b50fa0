"""What is said of an operator stands where it is defined, and is looked up by no name elsewhere."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gluonish
from gluonish.ops import ops

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(gluonish.__file__).parent
NAMES = {name for op in ops() for (_, path), file in op.files.items() for name in (path, file)}
NAMES |= {op.function.__name__ for op in ops()}
# Words that name something else, too: inputs (`gamma`), statistics, modes.
NAMES -= {name for op in ops() for name in op.inputs} | {"min", "max", "mean", "add", "mod"}
# Where a name is looked at by which operators are told apart.
SUBJECTS = {"name", "file_name", "__name__", "op", "path", "kind"}
EXCEPTIONS = {
    "conversion/graphs.py": "prepares graphs for other formats, as ONNX and torch have them",
    "gluon/rnn/cells.py": "names of activation functions, which are arguments",
    "hybrid/inference/reading.py": "torch's functions and kernels",
    "hybrid/inference/rewriting.py": "oneDNN's functions of elements",
    "numpy/protocol.py": "NumPy's functions",
    "onnx/layers.py": "ONNX's operators",
    "onnx/recurrent.py": "ONNX's operators",
}


def strings(node: ast.AST) -> list[str]:
    """Return the strings that a container holds, for a dictionary as keys."""
    parts: list[ast.expr | None] = []
    if isinstance(node, ast.Dict):
        parts = [*node.keys]
    elif isinstance(node, (ast.Set, ast.Tuple, ast.List)):
        parts = [*node.elts]
    return [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]


def is_table(words: list[str]) -> bool:
    """Return whether most of several words are names of operators."""
    known = [word for word in words if word in NAMES or word.partition(".")[2] in NAMES]
    return len(words) > 1 and len(known) * 2 > len(words)


def subject(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_own(name: object) -> bool:
    """Return whether a word can be nothing but an operator's name."""
    return isinstance(name, str) and name in NAMES and (name != name.lower() or "_" in name)


def compares(node: ast.Compare) -> bool:
    """Return whether a name is compared with that of an operator."""
    sides = [node.left, *node.comparators]
    constants = [side.value for side in sides if isinstance(side, ast.Constant)]
    asks_name = any(subject(side) in SUBJECTS for side in sides)
    return any(is_own(name) or (asks_name and name in NAMES) for name in constants)


def look_ups(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the lines in which operators are looked up by name, with these lines' text."""
    exported = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        and node.value is not None
        and "__all__" in ast.unparse(node)
    }
    for node in ast.walk(tree):
        if id(node) in exported:
            continue
        if isinstance(node, ast.Compare):
            is_look_up = compares(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
            is_look_up = len(words) > 2 and is_table(words)
        else:
            is_look_up = is_table(strings(node))
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
    ],
)
def test_other_words_are_not_taken_for_look_ups(code: str) -> None:
    assert [*look_ups(ast.parse(code))] == []
