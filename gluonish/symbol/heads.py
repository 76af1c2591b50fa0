"""Which outputs of a graph need a gradient from outside for the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.symbol.graph import order

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from gluonish.symbol.graph import Entry, Node


def needing_gradients(entries: Sequence[Entry], wanted: Collection[str]) -> list[bool]:
    """Return for each output whether gradients of some variables depend on its own gradient.

    That of a loss does not, nor that of what is computed from losses alone.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs.
    wanted : collection of str
        Names of the variables.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.symbol.heads import needing_gradients
    >>> x = mx.sym.var('x')
    >>> needing_gradients((mx.sym.Group([mx.sym.MakeLoss(x), x * 2])).entries, {'x'})
    [False, True]
    """
    reached: dict[int, bool] = {}
    for node in order(entries):
        if node.is_variable:
            reached[id(node)] = node.name in wanted
        else:
            inputs = (reached[id(entry.node)] for entry in node.inputs)
            reached[id(node)] = not _is_loss(node) and any(inputs)
    return [reached[id(entry.node)] for entry in entries]


def _is_loss(node: Node) -> bool:
    return node.op is not None and node.op.graph.is_loss and not node.params.get("out_grad", False)
