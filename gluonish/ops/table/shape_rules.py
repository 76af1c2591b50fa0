"""Rules that find shapes of what was reshaped or transposed from those of the results."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gluonish.ops.table.inference import elementwise, merged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from gluonish.ops.table import Shape

    Shapes: TypeAlias = Mapping[str, Shape | None]
    Outputs: TypeAlias = Sequence[Shape | None]


def _first(shapes: Shapes, found: Shape) -> dict[str, Shape]:
    """Return what is known of the first input, with what was found."""
    name = next(iter(shapes))
    return {name: merged([shapes[name], found]) or found}


def reshape(
    shapes: Shapes,
    outputs: Outputs,
    shape: int | Sequence[int] = (),
    reverse: bool = False,
    **_: object,
) -> dict[str, Shape]:
    """Rule of `Reshape`: one open length of the data follows from the number of elements."""
    data, output = shapes["data"], outputs[0]
    if data is None or output is None:
        return {}
    codes = (shape,) if isinstance(shape, int) else tuple(shape)
    if codes and codes[0] == 0 and data and not reverse:
        data = (merged([data[:1], output[:1]]) or data[:1]) + data[1:]
    if data.count(None) == 1 and None not in output:
        known = math.prod(length for length in data if length is not None)
        total = math.prod(length for length in output if length is not None)
        if known and total % known == 0:
            data = tuple(total // known if length is None else length for length in data)
    return {"data": data}


def keeps_batch(shapes: Shapes, outputs: Outputs, **_: object) -> dict[str, Shape]:
    """Rule: the first axis of the first input is that of the output."""
    data, output = next(iter(shapes.values())), outputs[0]
    if not data or not output:
        return {}
    return _first(shapes, (output[0], *(None,) * (len(data) - 1)))


def transpose(
    shapes: Shapes, outputs: Outputs, axes: Sequence[int] | None = (), **_: object
) -> dict[str, Shape]:
    """Rule of `transpose`: the same lengths in another order."""
    output = outputs[0]
    if output is None:
        return {}
    order = tuple(axes or range(len(output) - 1, -1, -1))
    places = {place % len(output): position for position, place in enumerate(order)}
    if len(places) != len(output):
        return {}
    return _first(shapes, tuple(output[places[axis]] for axis in range(len(output))))


def swap(shapes: Shapes, outputs: Outputs, dim1: int, dim2: int) -> dict[str, Shape]:
    """Rule of `SwapAxis`: the same lengths, two of them exchanged."""
    output = outputs[0]
    if not output:
        return {}
    found = list(output)
    found[dim1], found[dim2] = output[dim2], output[dim1]
    return _first(shapes, tuple(found))


def expand_dims(shapes: Shapes, outputs: Outputs, axis: int) -> dict[str, Shape]:
    """Rule of `expand_dims`: one axis less."""
    output = outputs[0]
    if not output:
        return {}
    axis %= len(output)
    return _first(shapes, output[:axis] + output[axis + 1 :])


def stack(shapes: Shapes, outputs: Outputs = (), axis: int = 0, **_: object) -> dict[str, Shape]:
    """Rule of `stack`: all arrays are alike, and the result has one axis more."""
    known = list(shapes.values())
    output = outputs[0] if outputs else None
    if output:
        place = axis % len(output)
        known.append(output[:place] + output[place + 1 :])
    found = merged(known)
    return {} if found is None else dict.fromkeys(shapes, found)


def lookup(shapes: Shapes, outputs: Outputs, **_: object) -> dict[str, Shape]:
    """Rule of `Embedding`: each id became a row."""
    output = outputs[0]
    return {} if not output else _first(shapes, output[:-1])


def recurrent(shapes: Shapes, outputs: Outputs, **_: object) -> dict[str, Shape]:
    """Rule of `RNN`: outputs have the steps and the batch of the data, states the batch too."""
    output = merged([shapes["data"], outputs[0] and (*outputs[0][:2], None)])
    states = [shapes.get(name) for name in ("state", "state_cell")] + list(outputs[1:])
    known = merged([(state[1],) for state in states if state] + ([output[1:2]] if output else []))
    if known is None:
        return {}
    batch = known[0]
    found: dict[str, Shape] = {"data": (output[0], batch, output[2])} if output else {}
    for name in ("state", "state_cell"):
        found[name] = merged([shapes.get(name), (None, batch, None)]) or (None, batch, None)
    return found


def running(
    shapes: Shapes, outputs: Outputs, axis: int | None = None, **_: object
) -> dict[str, Shape]:
    """Rule of running sums: the data has the result's shape, unless all of it was one row."""
    return {} if axis is None else elementwise(shapes, outputs)


def branches(shapes: Shapes, outputs: Outputs = (), **_: object) -> dict[str, Shape]:
    """Rule of `where`: both branches and the result have one shape."""
    found = merged([shapes["x"], shapes["y"], *outputs])
    return {} if found is None else {"x": found, "y": found}
