"""A training step as one function of tensors: results, gradients and the optimizer's update."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import tensor_lists
from gluonish.array.scaling import scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from gluonish.array.scaling import Rule


@dataclass(frozen=True, slots=True)
class Scaling:
    """Gradients that are multiplied by one factor before the update.

    Attributes
    ----------
    rule : callable
        Returns the factor, and what else it found; see `gluonish.array.scaling`.
    places : tuple of int
        Which gradients, in the order in which the rule takes them. None before a plan has them
        stands for all that are trained, in the order of who updates.
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
    """What a training step does beside computing results and gradients.

    The tensors of a step are, in this order: those of the graph, draws included; the gradients
    that are kept, if they are; and for an update states and a vector of numbers, which ends with
    the number of each scaling. What scalings found comes after the graph's own results. With
    `checks` there is one more: whether all gradients are finite.

    Attributes
    ----------
    optimizer : Optimizer
        Computes the update.
    results : int
        How many results the graph has before the gradients.
    trained : tuple of int
        Positions of the trained weights among the graph's tensors.
    gradients : tuple of int
        Which of the graph's gradients are theirs.
    groups : tuple of UpdateGroup
        Which weights are updated together.
    layout : tuple of tuple of (str, tuple of int)
        For each group: names of factors, and for each of its weights the place of its number in
        the vector.
    scalings : tuple of Scaling
        What gradients are multiplied by before the update, one after the other.
    updates : bool
        Whether weights are updated; otherwise gradients are only added up.
    keeps : bool
        Whether gradients are kept in arrays.
    adds : bool
        Whether they are added to those that are there, and are kept.
    checks : bool
        Whether an update only takes place if all gradients are finite.
    """

    optimizer: Any
    results: int
    trained: tuple[int, ...]
    gradients: tuple[int, ...]
    groups: tuple[UpdateGroup, ...]
    layout: tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]
    scalings: tuple[Scaling, ...] = ()
    updates: bool = True
    keeps: bool = True
    adds: bool = False
    checks: bool = False

    def function(
        self, module: Callable[..., Sequence[Tensor]], inputs: int
    ) -> Callable[..., tuple[Tensor, ...]]:
        """Return the step as a function of tensors; `inputs` is the number of the graph's."""

        def step(*tensors: Tensor) -> tuple[Tensor, ...]:
            found = module(*tensors[:inputs])
            results, grads = found[: self.results], list(found[self.results :])
            count = len(grads) if self.keeps else 0
            kept = list(tensors[inputs : inputs + count])
            if self.adds:
                tensor_lists.add_(kept, grads)
                grads = kept
            if not self.updates:
                return tuple(results)
            numbers = tensors[-1]
            grads, beside = self.scaled(grads, numbers)
            if self.keeps and (self.scalings or not self.adds):
                tensor_lists.copy_(kept, grads)
            weights = [tensors[i] for i in self.trained]
            own, states = [grads[i] for i in self.gradients], list(tensors[inputs + count : -1])
            return (*results, *beside, *self._update(weights, own, states, numbers))

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
