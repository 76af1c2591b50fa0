"""A training step as one function of tensors: results, gradients and the optimizer's update."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import tensor_lists
from gluonish.array.scaling import scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor, fx

    from gluonish.array.scaling import Rule


@dataclass(frozen=True, slots=True)
class Scaling:
    """Gradients that are multiplied by one factor before the update.

    Attributes
    ----------
    rule : callable
        Returns the factor, and what else it found; see `gluonish.array.scaling`.
    places : tuple of int
        Which gradients, in the order in which the rule takes them.
    """

    rule: Rule
    places: tuple[int, ...]

    def apply(self, grads: Sequence[Tensor], number: Any) -> tuple[list[Tensor], Tensor | None]:
        """Return all gradients, these scaled, and what else the rule found."""
        result = list(grads)
        found, beside = scaled([grads[place] for place in self.places], self.rule, number)
        for place, one in zip(self.places, found, strict=True):
            result[place] = one
        return result, beside


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
    the scale of the loss, if there is one, and the number of each scaling. With `checks` the step
    has one more result: whether all gradients are finite.

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
    scalings : tuple of Scaling
        What gradients are multiplied by, one after the other.
    is_scaled : bool
        Whether the step scales the loss.
    checks : bool
        Whether an update only takes place if all gradients are finite.
    gives : bool
        Whether the gradients are results of the step, after the graph's own: somebody else sums
        those of several workers, and updates.
    results : int or None
        How many results the captured graph has before the gradients of the trained weights, where
        it computes them itself; they are kept, and what scalings found comes after the results.
        None if its first result is to be differentiated.
    """

    optimizer: Any
    trained: tuple[int, ...]
    adds: bool
    updates: bool
    groups: tuple[UpdateGroup, ...]
    layout: tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]
    scalings: tuple[Scaling, ...] = ()
    is_scaled: bool = False
    checks: bool = False
    gives: bool = False
    results: int | None = None

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
                head = head * tensors[-1][-1 - len(self.scalings)].to(head.dtype)
            found = torch.autograd.grad([outputs[0]], leaves, [head])
            grads = [grad.detach() for grad in found]
            if self.adds:
                sums, rest = rest[: len(grads)], rest[len(grads) :]
                tensor_lists.add_(sums, grads)
                grads = sums
            results = tuple(output.detach() for output in outputs)
            if self.updates:
                weights = [tensors[position] for position in self.trained]
                grads, _ = self.scaled(grads, rest[-1])
                return (*results, *self._update(weights, grads, rest[:-1], rest[-1]))
            return (*results, *grads) if self.gives else results

        return step

    def _after_gradients(
        self, module: fx.GraphModule, inputs: int, results: int
    ) -> Callable[..., tuple[Tensor, ...]]:
        """Return the step for a graph that computes gradients itself."""
        count = len(self.trained)

        def step(*tensors: Tensor) -> tuple[Tensor, ...]:
            found = module(*tensors[:inputs])
            kept, numbers = tensors[inputs : inputs + count], tensors[-1]
            grads, beside = self.scaled(found[results:], numbers)
            tensor_lists.copy_(list(kept), grads)
            states, weights = list(tensors[inputs + count : -1]), [tensors[i] for i in self.trained]
            return (*found[:results], *beside, *self._update(weights, grads, states, numbers))

        return step

    def scaled(self, grads: Sequence[Tensor], numbers: Any) -> tuple[list[Tensor], list[Tensor]]:
        """Return scaled gradients, and what else the scalings found; their numbers come last."""
        own, beside = list(grads), []
        for place, scaling in enumerate(self.scalings, -len(self.scalings)):
            own, found = scaling.apply(own, numbers[place])
            if found is not None:
                beside.append(found)
        return own, beside

    def _update(
        self,
        weights: Sequence[Tensor],
        grads: Sequence[Tensor],
        states: list[Tensor],
        numbers: Tensor,
    ) -> tuple[Tensor, ...]:
        """Update, if all gradients are finite where that is checked; return whether they are."""
        if not self.checks:
            self._change(weights, grads, states, numbers)
            return ()
        is_finite = torch.stack([grad.isfinite().all() for grad in grads]).all()
        arrays = [*weights, *states]
        updated = [array.clone() for array in arrays]
        count = len(weights)
        self._change(updated[:count], grads, updated[count:], numbers)
        for array, new in zip(arrays, updated, strict=True):
            array.copy_(torch.where(is_finite, new, array))
        return (is_finite,)

    def _change(
        self,
        weights: Sequence[Tensor],
        grads: Sequence[Tensor],
        states: list[Tensor],
        numbers: Tensor,
    ) -> None:
        scalars = numbers.unbind()
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
