"""Passes with the update that ends them as one step: replayed, or compiled."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from gluonish.hybrid.judging import Judge
from gluonish.hybrid.replaying import REPLAY_ERRORS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.hybrid.compilations import Run
    from gluonish.hybrid.joining import Joined
    from gluonish.hybrid.report import GraphRecord
    from gluonish.hybrid.steps import Scaling


class _NotReplayedError(Exception):
    """A replay has failed before it changed anything."""


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
    scalings : tuple of Scaling
        What gradients are multiplied by before it.
    record : GraphRecord
        Told what happens.
    where : str
        Who says in the log that it is not compiled.

    Raises
    ------
    CompileError
        The update can't be part of the step.
    """

    def __init__(
        self,
        joined: Joined,
        owner: Any,
        make: Callable[[Any, Joined, tuple[Scaling, ...]], Any],
        scalings: tuple[Scaling, ...],
        record: GraphRecord,
        where: str,
    ) -> None:
        self.owner, self.record = owner, record
        self._scalings = scalings
        self._plan = plan = make(owner, joined, scalings)
        self.joined = joined
        self._results = sum(joined.counts)
        self._judge = Judge(joined.module, record, lambda _: plan, where, patience=1 / 4)

    def holds(
        self, owner: Any, gradients: Sequence[NDArray], scalings: tuple[Scaling, ...]
    ) -> bool:
        """Return whether an owner's update, by gradients in some arrays, is what was planned."""
        plan = self._plan
        return (
            self.owner is owner
            and self._scalings == scalings
            and (
                all(map(operator.is_, gradients, plan.buffers))
                if gradients
                else plan.are_attached()
            )
            and bool(plan.holds())
        )

    @property
    def is_simple(self) -> bool:
        """Whether gradients are neither scaled, checked nor added up before the update."""
        return not self._scalings and not self._plan.update.adds and self._plan.scaler is None

    @property
    def buffers(self) -> list[NDArray]:
        """The arrays that gradients arrive in."""
        buffers: list[NDArray] = self._plan.buffers
        return buffers

    def compiled(self) -> tuple[Run, list[NDArray]] | None:
        """Return what runs it, once that is compiled, and the arrays of the update's states.

        What is run takes all tensors of the passes, and then `beside`, as long as neither these
        arrays nor those of gradients have other tensors.
        """
        run, states = self._judge.fitting, self.states
        return None if run is None or states is None else (run, states)

    @property
    def states(self) -> list[NDArray] | None:
        """The arrays of the update's states, the same list as long as these are the same."""
        states: list[NDArray] | None = self._plan.fixed_states()
        return states

    def fits(self, everything: list[Tensor]) -> bool:
        """Return whether the compiled step can be run on some tensors."""
        return self._judge.fits(everything)

    @property
    def beside(self) -> list[Tensor]:
        """What the compiled step takes beside the tensors of the passes."""
        beside: list[Tensor] = self._plan.beside
        return beside

    def is_still_of(self, owner: Any) -> bool:
        """Return whether an owner's update is what was planned, if its arrays are the same."""
        return self.owner is owner and bool(self._plan.holds())

    def run(self, tensors: list[Tensor], numbers: list[float]) -> Sequence[Tensor] | None:
        """Do the whole step; return the results of all calls, or None if nothing could be done.

        What scalings found comes after these.

        Parameters
        ----------
        tensors : list of Tensor
            What the passes run on; see `Joined`.
        numbers : list of float
            One for each scaling.
        """
        self._plan.numbers_of_scalings = numbers
        try:
            return self._judge(tensors, self._replay)
        except _NotReplayedError:  # no memory, for example: the plain way needs less, or says so
            return None

    def _replay(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        joined = self.joined
        self._plan.make_room()
        try:
            found = joined.run(tensors)
        except REPLAY_ERRORS as error:
            raise _NotReplayedError from error
        weights = tensors[joined.given :]
        results = self._results
        beside = self._plan.apply(found[results:], weights)
        return [*found[:results], *beside] if beside else found[:results]
