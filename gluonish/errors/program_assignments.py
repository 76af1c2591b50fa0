"""What a program's text assigns to its names, and where: the function or module that runs."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from gluonish.errors.program_text import name_of, nodes_of_file, of_file
from gluonish.errors.tracebacks import users_frame

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FrameType

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ASSIGNMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign)


def scope_of(frame: FrameType) -> ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the syntax of the function, or module, that runs.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.program_assignments import scope_of
    >>> scope_of(sys._getframe()) is None or "its text is known"
    'its text is known'
    """
    tree = of_file(frame.f_code.co_filename)
    if tree is None or frame.f_code.co_name == "<module>":
        return tree
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    if frame.f_code.co_name.startswith("<"):  # of a list that is computed, for example
        line = frame.f_lineno
        around = [each for each in functions if each.lineno <= line <= (each.end_lineno or line)]
        return max(around, key=lambda each: each.lineno) if around else tree
    lines = {each.lineno: one for one in functions for each in (one, *one.decorator_list)}
    return lines.get(frame.f_code.co_firstlineno)


def made_by(name: str, method: str) -> bool:
    """Return whether the function that runs gives a name what a method returns.

    Examples
    --------
    >>> from gluonish.errors.program_assignments import made_by
    >>> made_by("x", "flatten")
    False
    """
    _, frame = users_frame()
    scope = None if frame is None else scope_of(frame)
    for node in ast.walk(scope) if scope is not None else ():
        if isinstance(node, ast.Assign) and sets(node, name):
            calls = [each for each in ast.walk(node.value) if isinstance(each, ast.Call)]
            if any(getattr(each.func, "attr", "") == method for each in calls):
                return True
    return False


def line_of_call(name: str, method: str) -> int:
    """Return in which line a name gets what a method or function returns on the way to it, or 0.

    Examples
    --------
    >>> from gluonish.errors.program_assignments import line_of_call
    >>> line_of_call("x", "dot")
    0
    """
    calls = [
        node.lineno
        for step in made_of(name)
        for node in ast.walk(step.value)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == method
    ]
    return calls[-1] if calls else 0


def made_of(text: str) -> list[ast.Assign]:
    """Return the assignments of the function that runs to names in a text, and to those they name.

    Examples
    --------
    >>> from gluonish.errors.program_assignments import made_of
    >>> made_of("x + y")
    []
    """
    _, frame = users_frame()
    scope = None if frame is None else scope_of(frame)
    left = [each for each in ast.walk(scope) if isinstance(each, ast.Assign)] if scope else []
    names, found = set(re.findall(r"\w+", text)), list[ast.Assign]()
    while new := [each for each in left if any(sets(each, name) for name in names)]:
        found += new
        left = [each for each in left if each not in new]
        names |= {n.id for each in new for n in ast.walk(each.value) if isinstance(n, ast.Name)}
    return sorted(found, key=lambda each: each.lineno)


def moved_below(method: str, later: str) -> str:
    """Return which line to move below which, where a program calls two methods the wrong way round.

    Parameters
    ----------
    method : str
        The one whose call failed.
    later : str
        The one that has to come first; its call stands further below, on the same object.

    Examples
    --------
    >>> from gluonish.errors.program_assignments import moved_below
    >>> moved_below("init_params", "bind")
    ''
    """
    _, frame = users_frame()
    scope = None if frame is None else scope_of(frame)
    if scope is None or frame is None:
        return ""
    calls = [
        (*ast.unparse(node.value.func).rpartition(".")[::2], node.lineno)
        for node in ast.walk(scope)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ]
    here = frame.f_lineno
    owners = [owner for owner, name, line in calls if name == method and line == here]
    after = sorted(at for owner, name, at in calls if name == later and owner in owners[:1])
    line = next((at for at in after if at > here), 0)
    told = f"Move {{0}}.{method}(...) of line {here} below {{0}}.{later}(...) of line {line}"
    return told.format(owners[0]) if line else ""


def made_with(made: object, settings: Mapping[str, object]) -> str:
    """Return the call that a program has made an object by, with some settings more.

    Parameters
    ----------
    made : object
        What the call has returned.
    settings : dict of str to object
        What it is to be given, too.

    Examples
    --------
    >>> from gluonish.errors.program_assignments import made_with
    >>> made_with([], {"rate": 0.1})
    'list(rate=0.1)'
    """
    texts = {key: f"{key}={value!r}" for key, value in sorted(settings.items())}
    name = name_of(made)
    for node in nodes_of_file() if name else ():
        call = node.value if isinstance(node, ast.Assign) and sets(node, name) else None
        if isinstance(call, ast.Call):
            kept = [ast.unparse(each) for each in call.args]
            kept += [ast.unparse(each) for each in call.keywords if each.arg not in texts]
            return f"{name} = {ast.unparse(call.func)}({', '.join([*kept, *texts.values()])})"
    return f"{type(made).__name__}({', '.join(texts.values())})"


def sets(node: ast.AST, name: str) -> bool:
    """Return whether a statement gives a name a value.

    Examples
    --------
    >>> import ast
    >>> from gluonish.errors.program_assignments import sets
    >>> sets(ast.parse("a, b = 1, 2").body[0], "b")
    True
    """
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    parts = (part for each in targets if each is not None for part in ast.walk(each))
    is_there = any(isinstance(part, ast.Name) and part.id == name for part in parts)
    return isinstance(node, ASSIGNMENTS) and is_there
