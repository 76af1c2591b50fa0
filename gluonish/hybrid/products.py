"""Products of matrices on a CPU in graphs on their way to a compiler, written another way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor, fx

_EXACT = (torch.float32, torch.float64)  # others are rounded in between
_aten = torch.ops.aten


def multiplications(first: Tensor, second: Tensor) -> int:
    """Return how many numbers are multiplied for a product of two matrices."""
    return first.shape[0] * first.shape[1] * second.shape[1]


def rewrite(
    traced: fx.GraphModule,
    fits: Callable[[Tensor, Tensor], bool],
    write: Callable[[fx.Graph, fx.Node, fx.Node], fx.Node],
) -> None:
    """Write products of matrices another way; a vector or matrix that is added is added after it.

    Parameters
    ----------
    traced : fx.GraphModule
        A graph with fake tensors. It is changed.
    fits : callable
        Whether to do so, for two fake tensors.
    write : callable
        Adds nodes for two matrices to the graph, and returns the one that is their product.
    """
    for node in traced.graph.nodes:
        if node.target is _aten.mm.default:
            bias, factors = None, node.args
        elif node.target is _aten.addmm.default and not node.kwargs:
            bias, *factors = node.args
        else:
            continue
        first, second = (factor.meta["val"] for factor in factors)
        if first.device.type != "cpu" or first.dtype not in _EXACT or not fits(first, second):
            continue
        with traced.graph.inserting_before(node):
            made = write(traced.graph, *factors)
            if bias is not None:
                made = traced.graph.call_function(_aten.add.Tensor, (made, bias))
        node.replace_all_uses_with(made)
        traced.graph.erase_node(node)
