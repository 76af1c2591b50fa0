"""Shapes that graphs compute with, some of whose lengths only data tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import symbol
from gluonish.onnx.values import Length

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.onnx.values import Node
    from gluonish.symbol import Symbol


def fold_lengths(node: Node) -> onp.ndarray | None:
    """Return what a node computes of shapes, if it does nothing else."""
    if node.op == "Shape":
        return _shape(node)
    if not any(_is_open(node.graph.values[name]) for name in node.inputs if name):
        return None
    values = [node.graph.values[name] if name else None for name in node.inputs]
    if not all(value is None or isinstance(value, onp.ndarray) for value in values):
        return None
    rule = _RULES.get(node.op)
    return None if rule is None else rule(node, *values)


def _is_open(value: Any) -> bool:
    return isinstance(value, onp.ndarray) and value.dtype == object


def _shape(node: Node) -> onp.ndarray:
    lengths = [
        Length(node[0], axis) if length is None else length
        for axis, length in enumerate(node.shape(0))
    ]
    part = lengths[node.attrs.get("start", 0) : node.attrs.get("end")]
    known = all(isinstance(length, int) for length in part)
    result = onp.empty(len(part), dtype="int64" if known else object)
    result[:] = part
    return result


def _gather(node: Node, data: Any, indices: Any) -> Any:
    found = onp.take(data, indices, axis=node.attrs.get("axis", 0))
    return found if isinstance(found, onp.ndarray) else onp.array(found, dtype=object)


def _slice(node: Node, data: Any, *_: Any) -> Any:
    starts, ends = node.known(1, "starts"), node.known(2, "ends")
    steps = node.known(4, "", [1])
    return data[starts[0] : ends[0] : steps[0]]


def _concat(_: Node, *parts: Any) -> Any:
    return onp.concatenate([onp.atleast_1d(onp.asarray(part, object)) for part in parts])


def _same(_: Node, data: Any, *__: Any) -> Any:
    return data


def _flat(_: Node, data: Any, *__: Any) -> Any:
    return data.reshape(-1)


def _first(_: Node, data: Any, *__: Any) -> Any:
    return onp.asarray(data.reshape(-1)[0], dtype=object) if data.size == 1 else data


_RULES: dict[str, Callable[..., Any]] = {
    "Gather": _gather,
    "Slice": _slice,
    "Concat": _concat,
    "Cast": _same,
    "Identity": _same,
    "Unsqueeze": _flat,
    "Reshape": _flat,
    "Squeeze": _first,
}


def target(node: Node, lengths: Sequence[Any]) -> tuple[int, ...]:
    """Return the shape that a reshaping gives, with -1 for what follows from the data."""
    found: list[int] = []
    name = node.inputs[0]
    data = node.graph.values[name]
    for place, length in enumerate(lengths):
        if isinstance(length, Length):
            is_kept = length.source is data and length.axis == place
            found.append(0 if is_kept else -1)
        else:
            found.append(int(length))
    if found.count(-1) > 1:
        # What is not known is the batch, nearly always.
        first = found.index(-1)
        if isinstance(lengths[first], Length) and lengths[first].axis == first == 0:
            found[0] = 0
    if found.count(-1) > 1:
        node.refuse(f"the shape {found} has several unknown lengths", "one")
    return tuple(found)


def expanded(data: Symbol, rank: int, lengths: Sequence[Any]) -> Symbol:
    """Return data broadcast to a shape, which may be of fewer axes."""
    more = max(len(lengths) - rank, 0)
    lengths = [1] * (rank - len(lengths)) + list(lengths)
    if more:
        for _ in range(more):
            data = symbol.expand_dims(data, axis=0)
    fixed = tuple(
        0 if isinstance(length, Length) or length == 1 else int(length) for length in lengths
    )
    if any(fixed):
        data = symbol.broadcast_to(data, shape=fixed)
    for axis, length in enumerate(lengths):
        if isinstance(length, Length):
            data = symbol.broadcast_like(
                data, length.source, lhs_axes=(axis,), rhs_axes=(length.axis,)
            )
    return data
