"""What a program's line combines: sums that lose an axis, arrays that `and` joins."""

from __future__ import annotations

import ast
import re

from gluonish.errors.program_assignments import made_of
from gluonish.errors.program_text import expression, of_line, place, text_of, value_of
from gluonish.errors.tracebacks import users_frame

_CONDITION = re.compile(r"(if|elif|while|assert)\b")
_LONGEST = 60  # letters of a call that is repeated


def with_kept_axis(*, is_second: bool) -> str:
    """Return an operand of a program's line, `x.max(axis=1)`, with `keepdims=True`; or ''.

    Parameters
    ----------
    is_second : bool
        Whether it is the one behind the operator.

    Examples
    --------
    >>> from gluonish.errors.program_operands import with_kept_axis
    >>> with_kept_axis(is_second=True)
    ''
    """
    node = expression(place())
    if not isinstance(node, ast.BinOp):
        return ""
    call = node.right if is_second else node.left
    names = [each.arg for each in call.keywords] if isinstance(call, ast.Call) else []
    if not isinstance(call, ast.Call) or "axis" not in names or "keepdims" in names:
        return ""
    kept = ast.keyword("keepdims", ast.Constant(True))
    text = ast.unparse(ast.Call(call.func, call.args, [*call.keywords, kept]))
    return text if len(text) <= _LONGEST else ""


def joined_by_words() -> str:
    """Return how a program's line joins arrays, where it writes `and` or `or`; '' if it does not.

    Examples
    --------
    >>> from gluonish.errors.program_operands import joined_by_words
    >>> joined_by_words()
    ''
    """
    where = place()
    line = "" if where is None else text_of(where)
    tree = of_line(line)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.BoolOp):
            is_and = isinstance(node.op, ast.And)
            parts = [f"({ast.unparse(each)})" for each in node.values]
            text = " * ".join(parts) if is_and else f"({' + '.join(parts)}) > 0"
            if len(text) > _LONGEST:
                continue
            if _CONDITION.match(line):
                text = f"({text}).min(), which holds for all elements, or .max() for one"
            return f"`{'and' if is_and else 'or'}` does not join arrays: write {text}."
    return ""


def is_beside_several(comparison: str) -> bool:
    """Return whether the second side of a program's comparison has several elements.

    Examples
    --------
    >>> from gluonish.errors.program_operands import is_beside_several
    >>> is_beside_several("(loss < 1)")
    False
    """
    _, frame = users_frame()
    node = ast.parse(comparison, mode="eval").body
    if frame is None or not isinstance(node, ast.Compare):
        return False
    size = getattr(value_of(node.comparators[-1], frame), "size", 1)
    return isinstance(size, int) and size > 1


def as_keywords(name: str) -> str:
    """Return what a program's call is given in a dictionary, by a keyword, as keywords; or ''.

    Examples
    --------
    >>> from gluonish.errors.program_operands import as_keywords
    >>> as_keywords("feed_dict")
    ''
    """
    node = expression(place())
    for one in node.keywords if isinstance(node, ast.Call) else ():
        if one.arg == name and isinstance(one.value, ast.Dict):
            pairs = [*zip(one.value.keys, one.value.values, strict=True)]
            texts = [
                f"{key.value}={ast.unparse(value)}"
                for key, value in pairs
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            ]
            return ", ".join(texts) if len(texts) == len(pairs) else ""
    return ""


def with_flat_operands() -> str:
    """Return how vectors are made for a product that a line reads, of `x.flatten()`; or ''.

    Examples
    --------
    >>> from gluonish.errors.program_operands import with_flat_operands
    >>> with_flat_operands()
    ''
    """
    where, (_, frame) = place(), users_frame()
    if where is None or frame is None:
        return ""
    made = made_of(text_of(where))
    if not any("dot(" in ast.unparse(each.value) for each in made):
        return ""
    flat = [
        (each, each.value.func.value)
        for each in made
        if isinstance(each.value, ast.Call)
        and isinstance(each.value.func, ast.Attribute)
        and each.value.func.attr == "flatten"
        and len(getattr(value_of(each.targets[0], frame), "shape", ())) > 1
    ]
    texts = [f"{ast.unparse(of)}.reshape((-1,)) in line {each.lineno}" for each, of in flat]
    if not texts or max(map(len, texts)) > _LONGEST:
        return ""
    return f"flatten() keeps the first axis; for vectors write {' and '.join(texts)}."
