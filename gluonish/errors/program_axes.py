"""Where a program's own sums and means lose the axis that it needs."""

from __future__ import annotations

import ast

from gluonish.errors.program_text import expression, place

_LONGEST = 60  # letters of a call that is repeated


def with_kept_axis(*, is_second: bool) -> str:
    """Return an operand of a program's line, `x.max(axis=1)`, with `keepdims=True`; or ''.

    Parameters
    ----------
    is_second : bool
        Whether it is the one behind the operator.

    Examples
    --------
    >>> from gluonish.errors.program_axes import with_kept_axis
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
