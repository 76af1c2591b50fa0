"""ONNX's operators that hold graphs: branches, loops and scans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import symbol
from gluonish.onnx.values import handles

sym: Any = symbol  # whose functions are those of the op table

if TYPE_CHECKING:
    from gluonish.onnx.values import Node

_MOST = 10_000  # steps that a graph repeats


@handles("If")
def _if(node: Node) -> Any:
    known = node.number(0)
    if known is not None:
        return node.inside("then_branch" if known else "else_branch", {})
    then, otherwise = (
        [_symbol(node, f"{name}{i}", value) for i, value in enumerate(node.inside(name, {}))]
        for name in ("then_branch", "else_branch")
    )
    chosen = sym.contrib.cond(
        sym.reshape(node[0], shape=(1,)), lambda: then, lambda: otherwise, name=node.name
    )
    return list(chosen) if isinstance(chosen, (list, tuple)) else [chosen]


@handles("Loop")
def _loop(node: Node) -> Any:
    most = node.number(0) if node.has(0) else _MOST
    goes_on: Any = node.value(1) if node.has(1) else onp.array(True)
    if most is None:
        node.refuse("its number of steps is computed", "a constant")
    body = node.attrs["body"]
    names = [each.name for each in body.input]
    carried = [node.value(place) for place in range(2, len(node.inputs))]
    rows: list[list[Any]] = [[] for _ in range(len(body.output) - 1 - len(carried))]
    for number in range(int(most)):
        if not isinstance(goes_on, onp.ndarray):
            node.refuse("whether it goes on is computed", "a constant, or a number of steps")
        if not goes_on.all():
            break
        given = dict(zip(names, [onp.array(number), goes_on, *carried], strict=True))
        goes_on, *results = node.inside("body", given)
        carried, scanned = results[: len(carried)], results[len(carried) :]
        for row, value in zip(rows, scanned, strict=True):
            row.append(value)
    return [*carried, *(_stacked(node, f"row{i}", row, 0) for i, row in enumerate(rows))]


@handles("Scan")
def _scan(node: Node) -> Any:
    body, count = node.attrs["body"], node.attrs["num_scan_inputs"]
    if node.version < 9:
        node.refuse("Scan of version 8", "that of version 9")
    names = [each.name for each in body.input]
    states = len(names) - count
    carried = [node.value(place) for place in range(states)]
    axes = node.attrs.get("scan_input_axes", [0] * count)
    turns = node.attrs.get("scan_input_directions", [0] * count)
    lengths = {node.shape(states + i)[axes[i]] for i in range(count)}
    steps = lengths.pop()
    if lengths or steps is None:
        node.refuse("the number of its steps is not known", "data of one known length")
    rows: list[list[Any]] = [[] for _ in range(len(body.output) - states)]
    for number in range(steps):
        given = dict(zip(names, carried, strict=False))
        for i, name in enumerate(names[states:]):
            place = steps - 1 - number if turns[i] else number
            given[name] = _row(node, states + i, axes[i], place)
        results = node.inside("body", given)
        carried, scanned = results[:states], results[states:]
        for row, value in zip(rows, scanned, strict=True):
            row.append(value)
    out_axes = node.attrs.get("scan_output_axes", [0] * len(rows))
    out_turns = node.attrs.get("scan_output_directions", [0] * len(rows))
    found = [
        _stacked(node, f"row{i}", row[::-1] if out_turns[i] else row, out_axes[i])
        for i, row in enumerate(rows)
    ]
    return [*carried, *found]


def _row(node: Node, place: int, axis: int, number: int) -> Any:
    """Return one step of an input."""
    value = node.value(place)
    if isinstance(value, onp.ndarray):
        return value.take(number, axis)
    part = sym.slice_axis(value, axis=axis, begin=number, end=number + 1)
    return sym.squeeze(part, axis=axis) if node.rank(place) > 1 else part


def _stacked(node: Node, suffix: str, row: list[Any], axis: int) -> Any:
    """Return the results of all steps, along a new axis."""
    if not row:
        node.refuse("no step runs", "one at least")
    if all(isinstance(value, onp.ndarray) for value in row):
        return onp.stack(row, axis)
    return sym.stack(
        *(_symbol(node, f"{suffix}_{i}", value) for i, value in enumerate(row)), axis=axis
    )


def _symbol(node: Node, suffix: str, value: Any) -> Any:
    return node.constant(suffix, value) if isinstance(value, onp.ndarray) else value
