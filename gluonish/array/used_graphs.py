"""Graphs that a backward pass has used up: what was computed in them is constant from then on.

MXNet forgets a graph with the first `backward()` that does not retain it; what it computed stays as
plain values, which later recordings take as constants. torch keeps the structure of the graph and
frees what its nodes have saved. Nodes are numbered: arrays that are younger than the last pass are
not looked at, and for the others that pass's heads say which nodes it went through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import torch

from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor
    from torch.autograd.graph import Node

_USED = "gluonish: used up"  # a key of nodes' metadata
_next_number = torch._C._autograd._get_sequence_nr


def use_up(heads: tuple[Tensor, ...]) -> None:
    """Note that a backward pass, which retains nothing, has gone through a graph."""
    until = _next_number()
    if until == state.used_until:  # nothing was recorded since: of one step
        heads += state.used_heads
    state.used_heads = heads
    state.used_until = until
    state.is_marked = False


def was_head(tensor: Tensor) -> bool:
    """Return whether a pass of the last step, which retained nothing, began here."""
    for head in state.used_heads:  # noqa: SIM110 - a generator costs as much as all the rest
        if head is tensor:
            return True
    return False


def is_used_up(node: Node) -> bool:
    """Return whether all that an old result was computed from was used up by backward passes.

    An operator's results may have several nodes, of which a pass went through some only.
    """
    if not state.is_marked:
        state.is_marked = True
        heads = (head.grad_fn for head in state.used_heads)
        for used in _reached(node for node in heads if node is not None):
            if not _is_leaf(used):
                _notes(used)[_USED] = True
    return not any(_is_leaf(each) for each in _reached([node], through_used=False))


def _notes(node: Node) -> dict[str, object]:
    """Return what can be noted on a node; torch's stubs take it for a method."""
    return cast("dict[str, object]", node.metadata)


def _reached(nodes: Iterable[Node], *, through_used: bool = True) -> list[Node]:
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
