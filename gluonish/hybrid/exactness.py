"""Computes a captured graph in double precision, to tell what rounding makes of its results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, fx
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.hybrid.steps import StepUpdate

_COARSE = frozenset({torch.float32, torch.float16, torch.bfloat16})
_TO_COARSE = frozenset({"float", "half", "bfloat16"})


class _InDouble(fx.Interpreter):
    """Runs a graph's calls with double in the place of each coarser floating-point dtype."""

    @override
    def fetch_attr(self, target: str) -> Any:
        return in_double(super().fetch_attr(target))

    @override
    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return super().call_function(target, *_mapped((args, kwargs)))

    @override
    def call_method(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        name = "double" if target in _TO_COARSE else target
        return super().call_method(name, *_mapped((args, kwargs)))


def exactly(
    module: fx.GraphModule, update: StepUpdate | None, tensors: Sequence[Tensor], inputs: int
) -> tuple[Sequence[Tensor], list[Tensor]] | None:
    """Return the results of a graph, and tensors as it leaves them; None if it can't be said.

    Parameters
    ----------
    module : fx.GraphModule
        The graph, with its draws as its last inputs.
    update : StepUpdate or None
        What makes a training step of it.
    tensors : sequence of Tensor
        What it runs on; they are not written to.
    inputs : int
        How many of them the graph takes; the others are the step's.
    """
    copies = [in_double(tensor.detach()).clone() for tensor in tensors]
    run: Any = _InDouble(module).run
    if update is not None:
        run = update.function(run, inputs)
    try:
        with torch.no_grad():
            return run(*copies), copies
    except (RuntimeError, TypeError, ValueError):  # a kernel that takes no other dtype
        return None


def in_double(value: Any) -> Any:
    """Return a tensor in double precision; anything else, and other dtypes, as they are."""
    return value.double() if isinstance(value, Tensor) and value.dtype in _COARSE else value


def _mapped(value: Any) -> Any:
    """Return nested arguments with double in the place of coarser dtypes."""
    return fx.node.map_aggregate(
        value, lambda one: torch.float64 if isinstance(one, torch.dtype) and one in _COARSE else one
    )
