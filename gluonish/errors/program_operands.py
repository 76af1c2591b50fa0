"""What a program's line combines: sums that lose an axis, arrays that `and` joins."""

from __future__ import annotations

import ast
import re

from gluonish.errors.program_text import expression, of_line, place, text_of

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
