"""Steps of a loop whose last pass is put off until the update: replayed, or compiled."""

from __future__ import annotations

import operator
import time
from typing import TYPE_CHECKING, Any

from gluonish.hybrid.step_variant import Variant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.hybrid.joining import Joined
    from gluonish.hybrid.tuning import GraphRecord


class LoopStep:
    """Passes of a loop with the updates that end them.

    Parameters
    ----------
    joined : Joined
        The passes.
    owner : Trainer
        Who updates.
    make : callable
        Returns the plan of the owner's update, or raises `CompileError`.
    record : GraphRecord
        Told what happens.

    Raises
    ------
    CompileError
        The update can't be part of the step.
    """

    def __init__(
        self,
        joined: Joined,
        owner: Any,
        make: Callable[[Any, Joined], Any],
        record: GraphRecord,
    ) -> None:
        self.owner = owner
        self._plan = plan = make(owner, joined)
        self._joined = joined
        self._results = sum(joined.counts)
        self._variant: Variant | None = Variant(
            joined.module, record, lambda _: plan, "hybridize: a loop is replayed"
        )

    def holds(self, owner: Any, gradients: Sequence[NDArray]) -> bool:
        """Return whether an owner's update, by gradients in some arrays, is what was planned."""
        plan = self._plan
        return (
            self.owner is owner
            and all(map(operator.is_, gradients, plan.buffers))
            and bool(plan.holds())
        )

    def run(self, given: list[Tensor], weights: list[Tensor]) -> Sequence[Tensor] | None:
        """Do the whole step; return the results of all calls, or None if nothing could be done.

        Parameters
        ----------
        given, weights : list of Tensor
            What the passes run on; see `Joined`.
        """
        tensors = [*given, *weights]
        variant = self._variant
        if variant is None:
            return self._replay(tensors, weights)
        race = variant.race
        if variant.run is not None and (race is None or race.turn):
            everything = [*tensors, *self._plan.beside]
            if variant.fits(everything):
                begin = time.perf_counter()
                outputs = variant.run_planned(everything)
                if race is not None:
                    variant.finish(outputs, time.perf_counter() - begin)
                return outputs
        variant.prepare(tensors)
        if variant.has_given_up:
            self._variant = None
        begin = time.perf_counter()
        found = self._replay(tensors, weights, in_place=variant.is_trying)
        if found is not None:
            variant.finish(found, time.perf_counter() - begin)
        return found

    def _replay(
        self, tensors: list[Tensor], weights: list[Tensor], *, in_place: bool = False
    ) -> Sequence[Tensor] | None:
        try:
            found = self._joined.run(tensors)
        except RuntimeError:  # no memory, for example: the plain way needs less, or says so
            return None
        self._plan.apply(found[self._results :], weights, in_place=in_place)
        return found[: self._results]
