"""Blocks of one operator each, for what a loop computes between its Blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.block.block import Block
from gluonish.block.calls import graphs_for_loops
from gluonish.hybrid.results import Operators

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.hybrid.graphs import GraphCache

_found: dict[Callable[..., Any], tuple[Block, GraphCache]] = {}


class _Operator(Block):
    """A subclass for each operator has its function as `forward`."""


def _block_of(function: Callable[..., Any]) -> tuple[Block, GraphCache]:
    found = _found.get(function)
    if found is None:

        def forward(_: Block, *args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        name = getattr(function, "__name__", "operator")
        block = type(name, (_Operator,), {"forward": forward})(prefix=f"{name}_")
        found = _found[function] = block, graphs_for_loops(block)
    return found


Operators.block_of = _block_of
