"""Graphs that a backward pass has used up: what was computed in them is constant from then on.

MXNet forgets a graph with the first `backward()` that does not retain it; what it computed stays as
plain values, which later recordings take as constants. torch keeps the structure of the graph and
frees what its nodes have saved. Nodes are numbered: arrays that are younger than the last pass are
not looked at, and for the others that pass's heads say which nodes it went through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from gluonish.process.recording import state
from gluonish.process.torch_names import next_node_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor
    from torch.autograd.graph import Node

# Keys of nodes' metadata.
_USED = "gluonish: used up"
_LEAVES = "gluonish: leaves"
_next_number = next_node_number


def use_up(heads: tuple[Tensor, ...]) -> None:
    """Note that a backward pass, which retains nothing, has gone through a graph."""
    until, last = _next_number(), state.last_pass
    if until == last.until:  # nothing was recorded since: of one step
        heads += last.heads
    last.until, last.heads, last.is_marked = until, heads, False


def is_used_up(node: Node) -> bool:
    """Return whether all that an old result was computed from was used up by backward passes.

    An operator's results may have several nodes, of which a pass went through some only.
    """
    last = state.last_pass
    if not last.is_marked:
        last.is_marked = True
        heads = (head.grad_fn for head in last.heads)
        for used in reached(node for node in heads if node is not None):
            if not _is_leaf(used):
                _notes(used)[_USED] = True
    return not any(_is_leaf(each) for each in reached([node], through_used=False))


def is_past(node: Node) -> bool:
    """Return whether a result's graph was used up, looking closer only at what may be."""
    return node._sequence_nr() < state.last_pass.until and is_used_up(node)


def leaves(tensors: Iterable[Tensor]) -> list[Tensor]:
    """Return the leaves, arrays with gradients of their own, that recorded results come from."""
    found: dict[int, Tensor] = {}
    for tensor in tensors:
        node = tensor.grad_fn
        for leaf in [tensor] if node is None else _leaves(node):
            found[id(leaf)] = leaf
    return list(found.values())


def note_used(result: Tensor, ends: list[Tensor]) -> None:
    """Note that a result is a constant once a backward pass has gone by; its leaves are known."""
    node = result.grad_fn
    assert node is not None  # noqa: S101 - for the type checker
    _notes(node).update({_USED: True, _LEAVES: ends})


def _leaves(start: Node) -> list[Tensor]:
    known: list[Tensor] | None = _notes(start).get(_LEAVES)
    if known is not None:
        return known
    found: dict[int, Tensor] = {}
    waiting = [start]
    seen = {start}
    for node in waiting:
        notes = _notes(node)
        for leaf in notes.get(_LEAVES, ()):
            found[id(leaf)] = leaf
        if _USED in notes or _LEAVES in notes:
            continue
        if _is_leaf(node) and hasattr(node, "variable"):
            found[id(node.variable)] = node.variable
        for following, _ in node.next_functions:
            if following is not None and following not in seen:
                seen.add(following)
                waiting.append(following)
    _notes(start)[_LEAVES] = result = list(found.values())
    return result


def _notes(node: Node) -> dict[str, Any]:
    """Return what can be noted on a node; torch's stubs take it for a method."""
    return cast("dict[str, Any]", node.metadata)


def reached(nodes: Iterable[Node], *, through_used: bool = True) -> list[Node]:
    """Return nodes and all that they lead to; what is used up may end the way."""
    waiting = list(nodes)
    seen = set(waiting)
    for node in waiting:
        if not through_used and (_USED in _notes(node) or _is_released(node)):
            continue
        for following, _ in node.next_functions:
            if following is not None and following not in seen:
                seen.add(following)
                waiting.append(following)
    return waiting


def _is_leaf(node: Node) -> bool:
    """Return whether a node collects the gradient of an array."""
    return not node.next_functions


def _is_released(node: Node) -> bool:
    """Return whether a node has lost what it had saved."""
    try:
        for name in dir(node):
            if name.startswith("_saved_") or name == "saved_tensors":
                getattr(node, name)
    except RuntimeError:  # that is how torch says so
        return True
    return False
