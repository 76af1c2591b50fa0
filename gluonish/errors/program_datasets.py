"""How many samples a program's own dataset has, as its text tells."""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING

from gluonish.errors.program_assignments import made_of
from gluonish.errors.program_text import (
    expression,
    names_of_objects,
    nodes_of_file,
    of_function,
    place,
    short_name,
    value_of,
)
from gluonish.errors.tracebacks import users_frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


def same_part(lengths: tuple[int, int]) -> str:
    """Return which rows a dataset is to take of arrays of which it gets more of one, or ''.

    Parameters
    ----------
    lengths : pair of int
        How many rows the first array, and the other one, have.

    Examples
    --------
    >>> from gluonish.errors.program_datasets import same_part
    >>> same_part((3, 2))
    ''
    """
    _, frame = users_frame()
    node = expression(place())
    parts = node.args if isinstance(node, ast.Call) else []
    cut = [each for each in parts if isinstance(each, ast.Subscript)]
    if frame is None or len(parts) != len(lengths) or len(cut) != len(parts):
        return ""
    short, long = cut[::-1] if lengths[0] > lengths[1] else cut
    held = value_of(short.value, frame)
    is_whole = isinstance(short.slice, ast.Slice) and isinstance(long.slice, ast.Slice)
    if not is_whole or not short_name(short.value) or not hasattr(held, "__len__"):
        return ""
    if len(held) < max(lengths):
        return ""
    text = ast.unparse(ast.Subscript(short.value, long.slice))
    return f"Write {text} beside {ast.unparse(long)}, where these are the labels of those"


def like_in_name(name: str, count: int, besides: Sequence[object]) -> list[str]:
    """Return what a program calls other arrays of so many rows, if it is like a name.

    Parameters
    ----------
    name : str
        As in `y_train`, which is like `y_test` and `y`.
    count : int
        How many rows.
    besides : list
        Arrays that are not meant.

    Examples
    --------
    >>> from gluonish.errors.program_datasets import like_in_name
    >>> like_in_name("y_train", 20, [])
    []
    """
    return [
        each
        for each, value in names_of_objects(lambda value: isinstance(_shape(value), tuple))
        if not any(value is other for other in besides)
        if _stem(each) == _stem(name) and value.shape[:1] == (count,)
    ]


def part_of(name: str) -> str:
    """Return the rows, as in `start:start + 4`, of which a program computes what it gives a name.

    Examples
    --------
    >>> from gluonish.errors.program_datasets import part_of
    >>> part_of("pred")
    ''
    """
    cuts = [
        ast.unparse(node.slice)
        for step in made_of(name)
        for node in ast.walk(step.value)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    ]
    return cuts[-1] if len({*cuts}) == 1 else ""


def _shape(value: object) -> object:
    return getattr(value, "shape", None)


def _stem(name: str) -> str:
    """Return what a name has in common with those of other parts of the same data."""
    return name.partition("_")[0].rstrip("0123456789")


def cut_alike(names: Sequence[str]) -> str:
    """Return how the second of two arrays of a program is cut as the first one is, or ''.

    Parameters
    ----------
    names : pair of str
        What the program calls them.

    Examples
    --------
    >>> from gluonish.errors.program_datasets import cut_alike
    >>> cut_alike(["X_train", "y_train"])
    ''
    """
    parts = [part for name in names for part in _parts_named(name)]
    if len(parts) != len(names):
        return ""
    first, second = parts
    if isinstance(first, ast.Name) or not isinstance(first.slice, ast.Slice):
        return ""
    if isinstance(second, ast.Name):
        text = ast.unparse(ast.Subscript(second, first.slice))
        return f"{names[0]} is {ast.unparse(first)}: write {text} in line {second.lineno}"
    if not isinstance(second.slice, ast.Slice):
        return ""
    if ast.dump(first.slice) == ast.dump(second.slice):
        return ""
    text = ast.unparse(ast.Subscript(second.value, first.slice))
    return (
        f"{names[0]} is {ast.unparse(first)}, {names[1]} {ast.unparse(second)}: write {text} in "
        f"line {second.lineno}"
    )


def _parts_named(name: str) -> Iterator[ast.Subscript | ast.Name]:
    """Give the arrays, or parts, that a program's assignments give a name, or one of several."""
    for statement in made_of(name):
        for target in statement.targets:
            pairs = [(target, statement.value)]
            if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                pairs = [*zip(target.elts, statement.value.elts, strict=False)]
            for each, value in pairs:
                if (
                    isinstance(each, ast.Name)
                    and each.id == name
                    and isinstance(value, (ast.Subscript, ast.Name))
                ):
                    yield value


def as_tuple() -> str:
    """Return how a program's `__getitem__` that returns a dictionary gives its parts, or ''.

    Examples
    --------
    >>> from gluonish.errors.program_datasets import as_tuple
    >>> as_tuple()
    ''
    """
    for function in nodes_of_file():
        if not isinstance(function, ast.FunctionDef) or function.name != "__getitem__":
            continue
        for node in ast.walk(function):
            fields = node.value if isinstance(node, ast.Return) else None
            if not isinstance(node, ast.Return) or not isinstance(fields, ast.Dict):
                continue
            names = [str(each.value) for each in fields.keys if isinstance(each, ast.Constant)]
            are_names = len(names) == len(fields.values) > 1 and all(map(str.isidentifier, names))
            batch = ", ".join(names) if are_names else "data, label"
            values = ", ".join(map(ast.unparse, fields.values))
            return (
                f"Write return {values} in line {node.lineno}, and for {batch} in the loop, which "
                f"then gives one array for each"
            )
    return ""
