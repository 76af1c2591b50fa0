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
    choose: Callable[[Tensor, Tensor], Callable[[fx.Graph, fx.Node, fx.Node], fx.Node] | None],
) -> None:
    """Write products of matrices another way; a vector or matrix that is added is added after it.

    Parameters
    ----------
    traced : fx.GraphModule
        A graph with fake tensors. It is changed.
    choose : callable
        Returns, for two fake tensors, what adds nodes for two matrices to the graph and returns the
        one that is their product; None if the product stays as it is.
    """
    for node in traced.graph.nodes:
        if node.target is _aten.mm.default:
            bias, factors = None, node.args
        elif node.target is _aten.addmm.default and not node.kwargs:
            bias, *factors = node.args
        else:
            continue
        first, second = (factor.meta["val"] for factor in factors)
        if first.device.type != "cpu" or first.dtype not in _EXACT:
            continue
        write = choose(first, second)
        if write is None:
            continue
        with traced.graph.inserting_before(node):
            made = write(traced.graph, *factors)
            if bias is not None:
                made = traced.graph.call_function(_aten.add.Tensor, (made, bias))
        node.replace_all_uses_with(made)
        traced.graph.erase_node(node)
