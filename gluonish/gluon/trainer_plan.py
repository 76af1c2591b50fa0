"""What a Trainer adds to the graph of a pass: the update that makes a training step of it."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import TYPE_CHECKING

from typing_extensions import override

from gluonish.array import tensor_lists
from gluonish.array.gradients import Gradient, attachment
from gluonish.array.waiting import put
from gluonish.block.parameter_memory import copies_of
from gluonish.errors import CompileError
from gluonish.gluon.loss_scaling import are_finite
from gluonish.hybrid import ChangeCounts
from gluonish.hybrid.step_plan import StepPlan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.block import Parameter
    from gluonish.gluon.trainer import Trainer
    from gluonish.hybrid.joining import Joined
    from gluonish.hybrid.steps import Scaling

_attached_to = operator.attrgetter("_attached")
ON_SEVERAL = "lives on several contexts"


class TrainerPlan(StepPlan):
    """What a Trainer adds to a pass of a loop, or of a FusedStep, to make a training step of it.

    Parameters
    ----------
    trainer : Trainer
        Whose `step` ends the pass.
    joined : Joined
        The pass.
    scalings : tuple of Scaling
        What gradients are multiplied by before the update.
    updates : bool, default True
        Whether weights are updated; otherwise gradients are added up.
    keeps : bool, default True
        Whether a compiled step keeps gradients that nothing is added to.

    Raises
    ------
    CompileError
        They can't be one step.
    """

    def __init__(
        self,
        trainer: Trainer,
        joined: Joined,
        scalings: tuple[Scaling, ...],
        *,
        updates: bool = True,
        keeps: bool = True,
    ) -> None:
        trainer.prepare()
        if trainer._kvstore is not None:
            msg = "gradients are summed before trainer.step() updates"
            raise CompileError(msg)
        if trainer.has_own_steps():
            msg = f"{type(trainer).__name__} replaces a part of a step by its own"
            raise CompileError(msg)
        self._trainer = trainer
        self._version = ChangeCounts.grad_reqs
        self._params = list(trainer._params)
        self._grad_reqs = [param.grad_req for param in self._params]
        arrays = [_source(*joined.sources[place]) for place in joined.reached]
        found = [attachment(array) for array in arrays]
        gradients = [gradient for gradient in found if type(gradient) is Gradient]
        if len(gradients) < len(arrays):
            msg = "a gradient is not simply written"
            raise CompileError(msg)
        order = {id(array): i for i, array in enumerate(arrays)}
        params = [param for param in self._params if param.grad_req != "null"]
        places = [_place(param, order) for param in params]
        reqs = {gradient.grad_req for gradient in gradients}
        if len(reqs) > 1:
            msg = "some parameters add gradients up and others do not"
            raise CompileError(msg)
        self._large = [gradient for gradient in gradients if gradient.is_large]
        self._sources = [joined.reached[place] for place in places]
        self._gradients = [gradients[place] for place in places]
        super().__init__(
            trainer._updaters[0],
            [gradient.buffer for gradient in gradients],
            joined.given + len(joined.sources),
            sum(joined.counts),
            [
                (place, joined.given + joined.reached[place], trainer._indices[id(param)], array)
                for place, param in zip(places, params, strict=True)
                for array in copies_of(param)
            ],
            tuple(replace(one, places=one.places or tuple(places)) for one in scalings),
            trainer._amp_loss_scaler,
            updates=updates,
            keeps=keeps or "add" in reqs,
            adds="add" in reqs,
        )

    @override
    def holds(self) -> bool:
        trainer = self._trainer
        if self._version != ChangeCounts.grad_reqs:
            if [param.grad_req for param in self._params] != self._grad_reqs:
                return False
            self._version = ChangeCounts.grad_reqs
        return (
            trainer._params == self._params
            and trainer._kvstore is None
            and trainer._amp_loss_scaler is self.scaler
            and trainer._updaters[0] is self.updater
            and not self.optimizer.obeys()
            and super().holds()
        )

    def are_attached(self) -> bool:
        """Return whether gradients still arrive where they arrived."""
        try:
            return list(map(_attached_to, self.arrays)) == self._gradients
        except AttributeError:  # one has none any more
            return False

    def make_room(self) -> None:
        """Let go of large gradients that others are about to replace, as `backward()` does."""
        for gradient in self._large:
            gradient.make_room()

    @override
    def mark(self) -> None:
        is_fresh = not self.update.updates or self.has_skipped
        for gradient in self._gradients:
            gradient.is_fresh = is_fresh

    def apply(self, grads: Sequence[Tensor], sources: Sequence[Tensor]) -> list[Tensor]:
        """Keep gradients, and update weights by them; return what scalings found.

        Parameters
        ----------
        grads : sequence of Tensor
            The gradients, each in memory of its own.
        sources : sequence of Tensor
            The memory of all arrays that the pass reads, weights among them.
        """
        update, own = self.update, grads
        beside: list[Tensor] = []
        if update.adds:
            own = self.gradients()
            tensor_lists.add_(own, list(grads))
        if update.scalings:
            own, beside = self.scaled(own)
        if not update.adds:
            for buffer, tensor in zip(self.buffers, own, strict=True):
                put(buffer, tensor)
        elif update.scalings:
            tensor_lists.copy_(self.gradients(), list(own))
        if update.updates:
            trained = [own[place] for place in update.gradients]
            if self.scaler is None or not self.scaler.follow(is_finite=are_finite(trained)):
                self.update_weights([sources[place] for place in self._sources], trained)
        self.mark()
        return beside


def _source(arrays: dict[object, NDArray], key: object) -> NDArray:
    return arrays[key]


def _place(param: Parameter, order: dict[int, int]) -> int:
    """Return which of the gradients is a parameter's."""
    arrays = copies_of(param)
    if len(arrays) != 1:
        msg = f"parameter {param.name} {ON_SEVERAL}"
        raise CompileError(msg)
    if param.is_read_by_methods:
        msg = f"the gradient of parameter {param.name} is not simply written"
        raise CompileError(msg)
    place = order.get(id(arrays[0]))
    if place is None:
        msg = f"parameter {param.name} takes no part in the loss"
        raise CompileError(msg)
    return place
