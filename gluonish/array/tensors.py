"""The tensor of an array: in the recorded graph, or its memory outside of any graph."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gluonish.array.pinned import arrive
from gluonish.array.used_graphs import is_used_up
from gluonish.errors import AutogradError, ShapeError
from gluonish.errors.program_recording import lines_of_updates
from gluonish.errors.program_text import in_place, mentions, operands, with_part, written_out
from gluonish.process.needed_memory import needed, spare
from gluonish.process.postponed import postponed, settle_all
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from torch import Tensor

    from gluonish.array.core import NDArray

_IN_GRAPH = (
    "{what}: the array{of_shape} takes part in a gradient computation that is being recorded. "
    "Expected an array outside of the graph: in-place operations (+=, y[idx] = x, out=x) would "
    "change values that the gradient needs. {how}."
)

_WITHIN = (
    "Write {instead} within the `with autograd.record():` block, or do it outside: above it to set "
    "values, below it to update weights"
)
_BELOW = (
    "It updates a weight by its gradient: move {lines} below the `with autograd.record():` block"
)
_OF_WEIGHT = (
    "If it updates a weight by its gradient, move the line below the `with autograd.record():` "
    "block. If it computes something, give the result a name of its own, {other}, and go on with "
    "that: {name} keeps its gradient"
)

_INSTEAD = {
    "x[...] = y": "x = y for all of it, x = nd.where(mask, y, x) for a part,",
    **{f"x {sign}= y": f"x = x {sign} y" for sign in ("+", "-", "*", "/", "//", "%", "**", "@")},
}


def unwrap(array: NDArray) -> Tensor:
    """Return the tensor that operators work on: in the graph only while recording."""
    tensor = array._tensor
    if tensor.requires_grad:
        return recorded(array) if state.recording else plain(array)
    return tensor


def recorded(array: NDArray) -> Tensor:
    """Return the tensor in the graph; the array is a constant from now on if that is used up."""
    tensor = array._tensor
    node = tensor.grad_fn
    if node is not None and node._sequence_nr() < state.last_pass.until and is_used_up(node):
        array._tensor = tensor = plain(array)
    return tensor


def plain(array: NDArray) -> Tensor:
    """Return the array's memory outside of any graph."""
    tensor = array._tensor
    if not tensor.requires_grad:
        return tensor
    try:
        return array._plain
    except AttributeError:
        # .data, not .detach(): MXNet lets a program overwrite what was recorded.
        array._plain = outside = tensor.data
        return outside


def all_plain(arrays: Iterable[NDArray]) -> list[Tensor]:
    """Return the memory of several arrays outside of any graph."""
    found = []
    for array in arrays:
        tensor = array._tensor
        if tensor.requires_grad:
            try:
                tensor = array._plain
            except AttributeError:
                tensor = plain(array)
        found.append(tensor)
    return found


def as_default(array: NDArray) -> NDArray:
    """Return an array itself, or a sparse one's elements as a dense array."""
    return array if array.stype == "default" else array.tostype("default")


def held(array: NDArray) -> Tensor:
    """Return the very tensor that an array holds, whether it is in a graph or not."""
    return array._tensor


def hold(array: NDArray, tensor: Tensor) -> None:
    """Have an array hold another tensor; what is attached to the array stays as it is."""
    array._tensor = tensor


def overwritten(array: NDArray) -> Tensor:
    """Return an array's memory to write to, whether or not it takes part in a graph."""
    if postponed:
        settle_all()
    if needed:
        spare(array._tensor)
    return plain(array)


def writable(array: NDArray, what: str) -> Tensor:
    """Return the memory to write to.

    Raises
    ------
    AutogradError
        The array is part of a graph that is being recorded.
    """
    if postponed:
        settle_all()
    if state.recording:
        check_outside_graph(array, what)
    if array._ctx.device_type == "cpu_pinned":
        arrive()
    if needed:
        spare(array._tensor)
    return plain(array)


def assign(array: NDArray, value: Tensor, what: str) -> None:
    """Write all elements of an array; while recording, the array then stands for `value`."""
    if postponed:
        settle_all()
    target = array._tensor
    if value.shape != target.shape and not _broadcasts(value, target):
        msg = (
            f"{what}: the result has shape {tuple(value.shape)}, x has {tuple(target.shape)}. "
            f"Expected a result that fits into x. {_how_to_reduce(what, value, target)}"
        )
        raise ShapeError(msg)
    if state.recording:
        check_outside_graph(array, what)
        if value.requires_grad:
            array._tensor = value.expand_as(target).to(target, copy=True)
            return
    if array._ctx.device_type == "cpu_pinned":
        arrive()
    if needed:
        spare(array._tensor)
    plain(array).copy_(value)


def _how_to_reduce(what: str, value: Tensor, target: Tensor) -> str:
    """Return what to do with a result that is larger than what it is written to."""
    more = value.ndim - target.ndim
    sign = re.fullmatch(r"x (\S+)= y", what)
    if sign is not None and target.numel() == 1 and sign[1] in "+-":
        first, second = operands()
        first, second = first or "x", second or "y"
        return f"Write {first} {sign[1]}= {second}.sum() for all of it, or {second}.mean()."
    if sign is None or more < 1 or tuple(value.shape[more:]) != tuple(target.shape):
        return "Write x = ... to make a new array."
    axes = 0 if more == 1 else tuple(range(more))
    return (
        f"Write y.sum(axis={axes}), or y.mean(axis={axes}), in the place of y; or, for an array of "
        f"the larger shape, x = x {sign[1]} y."
    )


def in_graph(
    what: str, shape: Sequence[int] | None = None, *, is_leaf: bool = False
) -> AutogradError:
    """Return the error for writing to an array that is part of a recorded graph.

    Parameters
    ----------
    what : str
        What was written, such as `'x -= y'`.
    shape : sequence of int, optional
        The array's.
    is_leaf : bool, default False
        Whether it has a gradient of its own.
    """
    part = with_part(tuple(shape or ())) if is_leaf or not written_out() else ""
    shown = in_place(what)
    if part and not mentions(".grad"):
        of_shape = "" if shape is None else f", of shape {tuple(shape)},"
        return AutogradError(_IN_GRAPH.format(what=shown, of_shape=of_shape, how=part))
    instead = written_out() or _INSTEAD.get(what, "x = x + y").rstrip(",")
    name, _, result = instead.partition(" = ")
    pattern = _OF_WEIGHT if is_leaf else _WITHIN
    how = (_BELOW if mentions(".grad") else pattern).format(
        instead=instead, other=f"z = {result}", name=name, lines=lines_of_updates() or "it"
    )
    of_shape = "" if shape is None else f", of shape {tuple(shape)},"
    return AutogradError(_IN_GRAPH.format(what=shown, of_shape=of_shape, how=how))


def check_outside_graph(array: NDArray, what: str) -> None:
    """Refuse to write to an array that is part of a recorded graph."""
    if array._tensor.requires_grad:
        tensor = array._tensor
        error = in_graph(what, tensor.shape, is_leaf=tensor.is_leaf)
        raise error


def _broadcasts(value: Tensor, target: Tensor) -> bool:
    missing = target.ndim - value.ndim
    return missing >= 0 and all(
        size in (1, goal) for size, goal in zip(value.shape, target.shape[missing:], strict=True)
    )
