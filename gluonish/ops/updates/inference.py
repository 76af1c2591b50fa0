"""Rules that find shapes and dtypes of an update's arrays from those of the others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from gluonish.ops.table import Graph
from gluonish.ops.table.inference import merged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.ops.table import Shape
    from gluonish.ops.updates.rows import Form

_NUMBERS = ("rescale_grad", "r1", "r2")
_OF_ROWS = "group_adagrad"


def inferred(form: Form) -> dict[str, Any]:
    """Return what the card of an update says of shapes and dtypes, and of the states of many.

    Gradient and states have the weight's shape and dtype; beside a copy of the weight in float32,
    states and what leads to the weight are float32, too.
    """
    if form.is_flat:
        own = ("data",) if form.is_half or form.is_preloaded else ()
        return {"graph": Graph(own_dtypes=own, auxiliary=partial(_states, form=form))}
    numbers = [name for name in form.options if "Tensor" in form.argument(name).annotation]
    rule = partial(_shapes, rows="history" if form.name.startswith(_OF_ROWS) else "")
    wide = form.arrays[1 if form.arrays[1] == "g" else 2 :] if form.is_half else ()
    return {
        "shapes": rule,
        "reverse": rule,
        "graph": Graph(float32=(*wide, *numbers)),
    }


def weights_told(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: that of the weights, 1 where it is not told."""
    return int(given.get("num_weights") or 1)


def _states(count: int, *, form: Form) -> list[int]:
    """Rule for auxiliary states: what follows weight and gradient of each weight."""
    each = len(form.arrays)
    several = count - 2 * form.is_preloaded
    return [place for place in range(several) if place % each > 1]


def _shapes(
    shapes: Mapping[str, Shape | None],
    outputs: Sequence[Shape | None] = (),
    *,
    rows: str,
    **_: object,
) -> dict[str, Shape]:
    """Rule: all arrays, and the output, have one shape, but numbers and one number for each row."""
    alike = [name for name in shapes if name not in (*_NUMBERS, rows)]
    known = [shape for shape in (*map(shapes.get, alike), *outputs) if shape is not None]
    if not known:
        return {}
    shape = merged(known) or known[0]
    found: dict[str, Shape] = dict.fromkeys(alike, shape)
    if rows and len(shape) > 1:
        found[rows] = (shape[0], *(1,) * (len(shape) - 1))
    return found
