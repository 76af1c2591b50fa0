"""A training step as one function of tensors: results, gradients and the optimizer's update."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import tensor_lists

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor, fx


@dataclass(frozen=True, slots=True)
class UpdateGroup:
    """Weights that an optimizer updates in one call.

    Attributes
    ----------
    trained : tuple of int
        Which of the step's trained weights they are.
    columns : int
        How many arrays each weight's state has.
    has_master : bool
        Whether they are half-precision weights with float32 copies.
    """

    trained: tuple[int, ...]
    columns: int
    has_master: bool


@dataclass(frozen=True, slots=True)
class StepUpdate:
    """What a training step does beside computing the loss.

    The tensors of a step are, in this order: inputs and weights of the captured graph, its draws,
    gradients that are added to or kept (if any), states, and a vector of numbers, which ends with
    the scale of the loss and what gradients are multiplied by before they are clipped. With
    `checks` the step has one more result: whether all gradients are finite.

    Attributes
    ----------
    optimizer : Optimizer
        Computes the update.
    trained : tuple of int
        Positions of the trained weights among the graph's inputs.
    adds : bool
        Whether gradients are added to those there are.
    updates : bool
        Whether weights are updated.
    groups : tuple of UpdateGroup
        Which weights are updated together.
    layout : tuple of tuple of (str, tuple of int)
        For each group: names of factors, and for each of its weights the place of its number in
        the vector.
    max_norm : float or None
        What the norm of all gradients is clipped to.
    is_scaled : bool
        Whether the loss is scaled. An update then only takes place if all gradients are finite.
    gives : bool
        Whether the gradients are results of the step, after the graph's own: somebody else sums
        those of several workers, and updates.
    results : int or None
        How many results the captured graph has before the gradients of the trained weights, where
        it computes them itself; they are kept. None if its first result is to be differentiated.
    """

    optimizer: Any
    trained: tuple[int, ...]
    adds: bool
    updates: bool
    groups: tuple[UpdateGroup, ...]
    layout: tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]
    max_norm: float | None
    is_scaled: bool = False
    gives: bool = False
    results: int | None = None

    @property
    def checks(self) -> bool:
        """Whether gradients are checked for infinities."""
        return self.is_scaled and self.updates

    def function(self, module: fx.GraphModule, inputs: int) -> Callable[..., tuple[Tensor, ...]]:
        """Return the step as a function of tensors; `inputs` is the number of the module's."""
        if self.results is not None:
            return self._after_gradients(module, inputs, self.results)

        def step(*tensors: Tensor) -> tuple[Tensor, ...]:
            given = list(tensors[:inputs])
            rest = list(tensors[inputs:])
            leaves = []
            for position in self.trained:
                given[position] = given[position].detach().requires_grad_()
                leaves.append(given[position])
            with torch.enable_grad():
                outputs = module(*given)
            head = torch.ones_like(outputs[0])
            if self.is_scaled:
                head = head * tensors[-1][-2].to(head.dtype)
            found = torch.autograd.grad([outputs[0]], leaves, [head])
            grads = [grad.detach() for grad in found]
            if self.adds:
                sums, rest = rest[: len(grads)], rest[len(grads) :]
                tensor_lists.add_(sums, grads)
                grads = sums
            results = tuple(output.detach() for output in outputs)
            if self.updates:
                weights = [tensors[position] for position in self.trained]
                if self.is_scaled:
                    return (*results, self._checked_update(weights, grads, rest[:-1], rest[-1]))
                self._update(weights, grads, rest[:-1], rest[-1])
            return (*results, *grads) if self.gives else results

        return step

    def _after_gradients(
        self, module: fx.GraphModule, inputs: int, results: int
    ) -> Callable[..., tuple[Tensor, ...]]:
        """Return the step for a graph that computes gradients itself."""
        count = len(self.trained)

        def step(*tensors: Tensor) -> tuple[Tensor, ...]:
            found = module(*tensors[:inputs])
            grads, kept = found[results:], tensors[inputs : inputs + count]
            tensor_lists.copy_(list(kept), list(grads))
            states = list(tensors[inputs + count : -1])
            self._update([tensors[i] for i in self.trained], grads, states, tensors[-1])
            return tuple(found[:results])

        return step

    def _checked_update(
        self,
        weights: Sequence[Tensor],
        grads: Sequence[Tensor],
        states: list[Tensor],
        numbers: Tensor,
    ) -> Tensor:
        """Update if all gradients are finite; return whether they are."""
        if self.max_norm is not None:
            grads = [(grad * numbers[-1]).to(grad.dtype) for grad in grads]
            grads = clip_norm(grads, self.max_norm)
        is_finite = torch.stack([grad.isfinite().all() for grad in grads]).all()
        arrays = [*weights, *states]
        updated = [array.clone() for array in arrays]
        count = len(weights)
        self._update(updated[:count], grads, updated[count:], numbers)
        for array, new in zip(arrays, updated, strict=True):
            array.copy_(torch.where(is_finite, new, array))
        return is_finite

    def _update(
        self,
        weights: Sequence[Tensor],
        grads: Sequence[Tensor],
        states: list[Tensor],
        numbers: Tensor,
    ) -> None:
        scalars = numbers.unbind()
        if self.max_norm is not None and not self.is_scaled:
            grads = clip_norm(grads, self.max_norm)
        for group, layout in zip(self.groups, self.layout, strict=True):
            count = len(group.trained)
            columns = [states[i * count : (i + 1) * count] for i in range(group.columns)]
            states = states[group.columns * count :]
            factors = {name: [scalars[place] for place in places] for name, places in layout}
            compute = self.optimizer.compute
            if group.has_master:
                compute = self.optimizer.compute_multi_precision
            compute(
                [weights[i] for i in group.trained],
                [grads[i] for i in group.trained],
                columns,
                factors,
            )


def clip_norm(grads: Sequence[Tensor], max_norm: float) -> list[Tensor]:
    """Return gradients scaled down so that the norm of all is at most `max_norm`."""
    norms = tensor_lists.norm([grad.float() for grad in grads])
    total = torch.stack(list(norms)).norm()
    scale = torch.clamp(max_norm / (total + 1e-8), max=1.0)
    return list(tensor_lists.mul(list(grads), scale))
