"""Calls of Blocks on what an earlier call of a loop gave, or is still to give."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from gluonish.array.waiting import is_waiting, local, show
from gluonish.block.calls import graphs_for_loops
from gluonish.hybrid.results import NOT_EXPECTED, arrays_of
from gluonish.process.postponed import settle_all

if TYPE_CHECKING:
    from gluonish.block.block import Block
    from gluonish.hybrid.graphs import GraphCache

# Captured graphs of Blocks that nobody hybridized, for their part in loops that are one graph.
_unasked: weakref.WeakKeyDictionary[Block, GraphCache] = weakref.WeakKeyDictionary()


def call(block: Block, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a Block whose first argument waits, or is watched.

    A layer or loss of gluonish that was not hybridized is captured all the same, since nobody can
    tell the difference.
    """
    work: Any = local.postponed
    if work is not None:
        result = work.expected(block, args, kwargs)
        if result is not NOT_EXPECTED:
            return result
    graphs = block._graphs
    run = block.forward if graphs is None else graphs.run
    if work is None:
        settle_all()
        for array in filter(is_waiting, arrays_of((args, kwargs))):
            show(array)
        return run(*args, **kwargs)
    if graphs is None and _is_ours(block):
        graphs = _unasked.get(block)
        if graphs is None:
            graphs = _unasked[block] = graphs_for_loops(block)
    return work.called(block, args, kwargs, run, graphs)


def _is_ours(block: Block) -> bool:
    """Return whether no code of a program is called by a Block."""
    blocks = [block]
    for each in blocks:
        if not type(each).__module__.startswith("gluonish.") or "forward" in vars(each):
            return False
        blocks += each._children.values()
    return hasattr(block, "hybrid_forward")
