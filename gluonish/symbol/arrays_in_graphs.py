"""What is said of arrays that stand where graphs need Symbols."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from gluonish.errors import SymbolTypeError
from gluonish.errors.arguments import value_text
from gluonish.errors.program_text import name_of

if TYPE_CHECKING:
    from types import FrameType

    from gluonish.symbol.symbol import Symbol


def constant(value: object) -> str:
    """Return how an array becomes a constant of the Block whose `hybrid_forward` uses it.

    Empty where the value is no array, or no `hybrid_forward` runs.
    """
    if not hasattr(value, "shape"):
        return ""
    frame: FrameType | None = inspect.currentframe()
    while frame is not None and frame.f_code.co_name != "hybrid_forward":
        frame = frame.f_back
    block = None if frame is None else frame.f_locals.get("self")
    if frame is None or not hasattr(block, "_reg_params"):
        return ""
    kept = (key for key, one in vars(block).items() if one is value)
    key = next(kept, None)
    code = frame.f_code
    taken = code.co_varnames[: code.co_argcount][1:]
    name = key or "value"
    where = f"{type(block).__name__}.hybrid_forward"
    what = f"self.{key}" if key else "the array"
    given = "value" if key else "array"
    return (
        f"In {where}, which builds a graph here, {what} is to be a constant of the Block: in "
        f"__init__, self.{name} = self.params.get_constant('{name}', {given}), and "
        f"hybrid_forward(self, {', '.join((*taken, name))}) gets it by that name"
    )


def _how_to_combine(other: object) -> str:
    if how := constant(other):
        return f"{how}."
    if hasattr(other, "asnumpy"):
        name = name_of(other)
        name = name if name.isidentifier() else "y"
        return (
            f"Make it a variable, {name} = mx.sym.var('{name}'), and give the array to eval or "
            f"bind, as '{name}'; mx.sym.ones((2, 3)) and F.ones((2, 3)) are constants of graphs."
        )
    return "Write float(...) for a number, mx.sym.var('x') for an input."


def not_an_operand(symbol: Symbol, other: object) -> SymbolTypeError:
    """Return the error for an operand that is neither Symbol nor number."""
    msg = (
        f"{symbol!r} and {value_text(other)} were given: type {type(other)} not supported. "
        f"Expected two Symbols, or a Symbol and a number. {_how_to_combine(other)}"
    )
    return SymbolTypeError(msg)
