"""What an Executor's monitor sees: results, inputs and gradients of every operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import zeros_like

from gluonish.array.core import NDArray, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torch import Tensor

    from gluonish.context import Context
    from gluonish.symbol.graph import Node


class Monitoring:
    """Tells a function of every operator that runs.

    Parameters
    ----------
    callback : callable
        Called with a name and an array.
    ctx : Context
        Where operators run.
    contexts : dict of int to Context
        Where nodes run, by `id`, that run elsewhere.
    sees_inputs : bool
        Whether the function is told of inputs too.
    """

    def __init__(
        self,
        callback: Callable[[str, NDArray], object],
        ctx: Context,
        contexts: Mapping[int, Context],
        *,
        sees_inputs: bool,
    ) -> None:
        self._callback = callback
        self._ctx = ctx
        self._contexts = contexts
        self._sees_inputs = sees_inputs
        self._gradients: list[tuple[Node, list[Tensor], dict[int, Tensor]]] = []

    def begin(self) -> None:
        """Forget the gradients of an earlier run."""
        self._gradients = []

    def before(self, node: Node, inputs: list[Tensor]) -> list[Tensor]:
        """Tell of the inputs of an operator, and arrange for their gradients to be seen."""
        found: dict[int, Tensor] = {}
        self._gradients.append((node, inputs, found))
        given = list(inputs)
        for position, (name, entry, tensor) in enumerate(
            zip(node.watched_names, node.inputs, inputs, strict=True)
        ):
            if self._sees_inputs:
                if entry.node.is_variable:
                    self._tell(entry.node.name, tensor, node)
                self._tell(f"{node.name}_{name}", tensor, node)
            if tensor.requires_grad:
                given[position] = tensor.view_as(tensor)
                given[position].register_hook(  # type: ignore[no-untyped-call]
                    _keeper(found, position)
                )
        return given

    def after(self, node: Node, outputs: Sequence[Tensor]) -> None:
        """Tell of the results of an operator."""
        for name, tensor in zip(node.output_names, outputs, strict=False):
            self._tell(name, tensor, node)

    def tell_gradients(self) -> None:
        """Tell of the gradients that the way back has computed, from the last operator on.

        Inputs that get none, of an operator of which others do, count as in MXNet: theirs are 0.
        """
        for node, inputs, found in reversed(self._gradients):
            if not found:
                continue
            many = len(inputs) > 1
            states = () if node.op is None else node.op.aux
            for position, (name, tensor) in enumerate(zip(node.names, inputs, strict=True)):
                if name not in states:
                    grad = found[position] if position in found else zeros_like(tensor)
                    shown = f"{node.name}_backward_output{position if many else ''}"
                    self._tell(shown, grad, node)

    def _tell(self, name: str, tensor: Tensor, node: Node) -> None:
        ctx = self._contexts.get(id(node), self._ctx)
        self._callback(name, wrap(tensor.detach(), ctx, NDArray))


def _keeper(found: dict[int, Tensor], position: int) -> Callable[[Tensor], None]:
    def keep(grad: Tensor) -> None:
        found[position] = grad

    return keep
