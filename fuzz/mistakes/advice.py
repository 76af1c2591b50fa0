"""Finds the lines of code that an answer tells people to write, and writes them for them."""

from __future__ import annotations

import ast
import builtins
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEFORE = re.compile(r"\b[Ww]rite (?:for example )?|\bas in |\b[Ff]or example:? ")
_MOST = 200  # characters of one advised line


def advised(told: str) -> list[str]:
    """Return the code that an answer tells people to write: whole expressions or assignments."""
    text = " ".join(told.split())
    found = []
    for match in _BEFORE.finditer(text):
        code = _longest_code(text[match.end() : match.end() + _MOST])
        if code is not None and code not in found:
            found.append(code)
    return found


def _longest_code(text: str) -> str | None:
    """Return the longest beginning of a text, in whole words, that is more than a word of code."""
    ends = [match.start() for match in re.finditer(r"(?=\s|[,.;:](?:\s|$)|$)", text)]
    for end in reversed(ends):
        code = text[:end].rstrip()
        try:
            tree = ast.parse(code)
        except SyntaxError:
            continue
        if len(tree.body) == 1 and not code.endswith(",") and _is_code(tree.body[0]):
            return code
    return None


def _is_code(line: ast.stmt) -> bool:
    if isinstance(line, ast.Assign):
        return True
    value = line.value if isinstance(line, ast.Expr) else None
    return isinstance(value, (ast.Call, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp))


def is_complete(code: str) -> bool:
    """Return whether a line leaves nothing to fill in."""
    return not any(
        isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(ast.parse(code))
    )


def unknown_names(code: str, defined: frozenset[str]) -> list[str]:
    """Return the names that a line of code uses and its reader's program does not have."""
    tree = ast.parse(code)
    bound = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    } | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    used = [
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    ]
    known = bound | defined | set(dir(builtins))
    return sorted({name for name in used if name not in known})


def followed(program: str, line: int, code: str) -> Iterator[str]:
    """Yield programs in which somebody followed the advice, in each way that it can be read."""
    try:
        tree = ast.parse(program)
    except SyntaxError:
        return
    statement = _innermost(tree, line)
    if statement is None:
        return
    advice = ast.parse(code).body[0]
    text = ast.get_source_segment(program, statement) or ""
    indent = " " * statement.col_offset
    lines = program.splitlines(keepends=True)
    begin = sum(map(len, lines[: statement.lineno - 1])) + statement.col_offset
    head = program[begin : begin + len(text)]
    for new in _rewritten(statement, text, advice, code):
        yield program[:begin] + new + program[begin + len(head) :]
    yield program[:begin] + code + "\n" + indent + program[begin:]


def _innermost(tree: ast.Module, line: int) -> ast.stmt | None:
    found = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line):
            found = node  # statements within others come later
    return found


def _rewritten(statement: ast.stmt, text: str, advice: ast.stmt, code: str) -> Iterator[str]:
    """Yield the statement with the advice in each place where it may be meant."""
    yield code  # instead of all of it
    nodes = [node for node in ast.walk(statement) if isinstance(node, ast.expr)]
    if isinstance(advice, ast.Assign):
        target, value = ast.unparse(advice.targets[0]), ast.unparse(advice.value)
        if isinstance(statement, ast.Assign):
            yield f"{ast.unparse(statement.targets[0])} = {value}"
        for node in nodes:
            if isinstance(node, ast.Call):
                yield _instead(text, statement, node, _with_keyword(node, target, value))
        return
    for node in nodes:
        if isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            yield _instead(text, statement, node, f"({code})" if _needs_them(code) else code)


def _needs_them(code: str) -> bool:
    return isinstance(ast.parse(code).body[0].value, (ast.BinOp, ast.UnaryOp))  # type: ignore[attr-defined]


def _with_keyword(call: ast.Call, name: str, value: str) -> str:
    parts = [ast.unparse(arg) for arg in call.args]
    parts += [ast.unparse(keyword) for keyword in call.keywords if keyword.arg != name]
    return f"{ast.unparse(call.func)}({', '.join([*parts, f'{name}={value}'])})"


def _instead(text: str, statement: ast.stmt, node: ast.expr, new: str) -> str:
    lines = text.splitlines(keepends=True)

    def place(line: int, column: int) -> int:
        row = line - statement.lineno
        column -= statement.col_offset if row == 0 else 0
        return sum(map(len, lines[:row])) + column

    begin = place(node.lineno, node.col_offset)
    end = place(node.end_lineno or 0, node.end_col_offset or 0)
    return text[:begin] + new + text[end:]
