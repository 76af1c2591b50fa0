"""Draws programs of several steps, each of which takes what came before."""

from __future__ import annotations

from typing import Any

from fuzz.differential.chance import FLOATS, INTEGERS, Chance, Value
from fuzz.differential.objects import Case, kind

BINARY = ("add", "sub", "mul", "truediv", "pow", "mod", "lt", "gt", "le", "ge", "eq", "ne")
UNARY = (
    "neg", "abs", "exp", "sqrt", "log", "tanh", "square", "sign", "floor", "relu", "sigmoid",
    "T", "flat", "first", "backward", "expand", "copy", "astype",
)  # fmt: skip
REDUCTIONS = ("sum", "mean", "max", "min", "prod", "argmax")
IN_PLACE = ("iadd", "imul", "isub", "assign")
_EAGER = (*IN_PLACE, "first", "copy")


@kind
def _chain(draw: Chance) -> Case:
    """Return a chain of steps; each names what it does, its operands, and an axis or number."""
    is_np = draw.happens(0.5)
    dtype = draw.choice(FLOATS) if draw.happens(0.85) else draw.choice(INTEGERS)
    shape = tuple(draw.one(1, 2, 3, 4) for _ in range(draw.one(1, 2, 2, 3)))
    values = draw.one(("normal",), ("uniform", 0.1, 3.0), ("ints", 0, 4))
    inputs = [draw.array(shape, dtype, values)]
    for _ in range(draw.one(0, 1, 2)):
        other = draw.choice(FLOATS) if is_np and draw.happens(0.15) else dtype
        one = tuple(1 if draw.happens(0.2) and is_np else size for size in shape)
        inputs.append(draw.array(one, other, values))
    steps: list[list[Value]] = []
    for number in range(draw.randint(2, 6)):
        known = len(inputs) + number
        place = draw.choice([known - 1, known - 1, draw.randrange(known)])
        sort = draw.random()
        if sort < 0.45:
            other_place = draw.randrange(known)
            operand: Any = {"at": other_place} if draw.happens(0.5) else draw.number()
            steps.append([draw.choice(BINARY), place, operand, draw.happens(0.25)])
        elif sort < 0.8:
            steps.append([draw.choice(UNARY), place])
        elif sort < 0.92:
            axis = draw.one(None, 0, -1, 1)
            steps.append([draw.choice(REDUCTIONS), place, axis, draw.happens(0.3)])
        else:
            steps.append([draw.choice(IN_PLACE), place, draw.number()])
    hybrid = draw.happens(0.3)
    if hybrid:
        steps = [step for step in steps if step[0] not in _EAGER] or [["exp", 0]]
        steps = [[s[0], min(s[1], len(inputs) + i - 1), *s[2:]] for i, s in enumerate(steps)]
    return {
        "kind": "chain",
        "front": "chain",
        "name": "np" if is_np else "nd",
        "args": [],
        "kwargs": {},
        "inputs": inputs,
        "steps": steps,
        "hybrid": hybrid,
        "np": is_np,
        "seed": draw.randrange(1000),
    }
