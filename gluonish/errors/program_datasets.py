"""How many samples a program's own dataset has, as its text tells."""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING

from gluonish.errors.program_text import of_function

if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNTS = ("size", "length", "count", "num_samples", "len")  # methods that programs have for it


def count_of_samples(cls: type, own: str) -> str:
    """Return what `__len__` of a dataset returns: fewer than rows where a sample has several.

    Parameters
    ----------
    cls : type
        The program's class.
    own : str
        What it calls its rows, such as `self.samples`.

    Examples
    --------
    >>> from gluonish.errors.program_datasets import count_of_samples
    >>> count_of_samples(dict, "self.samples")
    'len(self.samples)'
    """
    for name in _COUNTS:
        if inspect.isfunction(vars(cls).get(name)):
            return f"self.{name}()"
    whole = f"len({own})"
    function = of_function(vars(cls).get("__getitem__"))
    if function is None or len(function.args.args) != 2:
        return whole
    index = function.args.args[1].arg
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            sides = [ast.unparse(node.left), ast.unparse(node.right)]
            if index in sides:
                sides.remove(index)
                return f"{whole} // {sides[0]}"
    reached = [*_reached(function, index)]
    if len({other for other, _ in reached}) != 1:
        return whole
    is_read = any(not is_cut for _, is_cut in reached)
    return f"{whole} - {reached[0][0]}{'' if is_read else ' + 1'}"


def _reached(function: ast.FunctionDef, index: str) -> Iterator[tuple[str, bool]]:
    """Give what is added to the index, and whether it ends a part, which may end behind all."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Subscript):
            continue
        for part in ast.walk(node.slice):
            if not isinstance(part, ast.BinOp) or not isinstance(part.op, ast.Add):
                continue
            if ast.unparse(part.left) == index:
                yield ast.unparse(part.right), isinstance(node.slice, ast.Slice)
