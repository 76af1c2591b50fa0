"""What a Trainer adds to a pass of a loop that is one graph: the update that ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from gluonish.array import tensor_lists
from gluonish.array.gradients import Gradient, attachment
from gluonish.array.tensors import hold
from gluonish.block.parameter_memory import copies_of
from gluonish.errors import CompileError
from gluonish.gluon.loss_scaling import are_finite
from gluonish.hybrid import ChangeCounts
from gluonish.hybrid.step_plan import GradientsPlan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.block import Parameter
    from gluonish.gluon.trainer import Trainer
    from gluonish.hybrid.joining import Joined
    from gluonish.hybrid.steps import Scaling


class LoopPlan(GradientsPlan):
    """What a Trainer adds to a pass of a loop to make a training step of it.

    Parameters
    ----------
    trainer : Trainer
        Whose `step` ends the pass.
    joined : Joined
        The pass.
    scalings : tuple of Scaling
        What gradients are multiplied by before the update.

    Raises
    ------
    CompileError
        They can't be one step.
    """

    def __init__(self, trainer: Trainer, joined: Joined, scalings: tuple[Scaling, ...]) -> None:
        if trainer._kvstore is not None:
            msg = "gradients are summed before trainer.step() updates"
            raise CompileError(msg)
        self._trainer = trainer
        self._version = ChangeCounts.grad_reqs
        self._params = list(trainer._params)
        places = {id(arrays): i for i, (arrays, _) in enumerate(joined.sources)}
        params = {
            places.get(id(param._arrays)): param
            for param in self._params
            if param.grad_req != "null"
        }
        if sorted(params, key=str) != sorted(joined.reached, key=str):
            msg = "trainer.step() updates other parameters than those that backward() reaches"
            raise CompileError(msg)
        trained = [params[place] for place in joined.reached]
        self._gradients = [_gradient(param) for param in trained]
        self._sources = joined.reached
        super().__init__(
            trainer._updaters[0],
            [gradient.buffer for gradient in self._gradients],
            joined.given + len(joined.sources),
            sum(joined.counts),
            [
                (joined.given + place, trainer._indices[id(param)], copies_of(param)[0])
                for place, param in zip(joined.reached, trained, strict=True)
            ],
            scalings,
            trainer._amp_loss_scaler,
        )

    @override
    def holds(self) -> bool:
        trainer = self._trainer
        return (
            self._version == ChangeCounts.grad_reqs
            and trainer._params == self._params
            and trainer._kvstore is None
            and trainer._amp_loss_scaler is self.scaler
            and trainer._updaters[0] is self.updater
            and not self.optimizer.obeys()
            and super().holds()
        )

    @override
    def mark(self) -> None:
        if self.has_skipped:
            return
        for gradient in self._gradients:
            gradient.is_fresh = False

    def apply(
        self, grads: Sequence[Tensor], sources: Sequence[Tensor], *, in_place: bool
    ) -> list[Tensor]:
        """Keep gradients, and update weights by them; return what scalings found.

        Parameters
        ----------
        grads : sequence of Tensor
            The gradients, each in memory of its own.
        sources : sequence of Tensor
            The memory of all arrays that the pass reads, weights among them.
        in_place : bool
            Whether gradients go into the memory of the last ones.
        """
        own, beside = self.scaled(grads)
        if in_place:
            tensor_lists.copy_(self.gradients(), own)
        else:
            for buffer, tensor in zip(self.buffers, own, strict=True):
                hold(buffer, tensor)
        if self.scaler is None or not self.scaler.follow(is_finite=are_finite(own)):
            self.update_weights([sources[place] for place in self._sources], own)
        self.mark()
        return beside


def _gradient(param: Parameter) -> Gradient:
    arrays = param._arrays
    found = attachment(next(iter(arrays.values()))) if len(arrays) == 1 else None
    if type(found) is not Gradient or found.grad_req != "write" or param.is_read_by_methods:
        msg = f"the gradient of parameter {param.name} is not simply written"
        raise CompileError(msg)
    return found
