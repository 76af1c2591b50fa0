"""Runs a captured graph by itself: replayed, with its parameters folded, or compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.hybrid.inference.adopting import Inference
from gluonish.hybrid.judging import SETTLED, Judge
from gluonish.hybrid.plans import NoPlan
from gluonish.hybrid.replaying import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor, fx

    from gluonish.hybrid.compilations import Run
    from gluonish.hybrid.report import GraphRecord


class Tuner:
    """Runs a captured graph by itself, the way its judge says, until that has decided.

    Parameters
    ----------
    module : fx.GraphModule
        The captured graph.
    record : GraphRecord
        Told what happens.
    settle : callable
        Takes what is to run the graph from then on.
    parameters : int, optional
        From which input on the graph has parameters, which are folded once they are settled;
        `FOUND_OUT` if calls have to show which inputs these are; by default there are none.
    """

    def __init__(
        self,
        module: fx.GraphModule,
        record: GraphRecord,
        settle: Callable[[Run], None],
        parameters: int | None = None,
    ) -> None:
        self._settle = settle
        self._replay = replay(module)
        self._inference: Inference | None = None
        if parameters is not None:
            self._inference = Inference(module, self._replay, record, parameters)
            self._replay = self._inference
        where = "hybridize: a graph is replayed and not compiled"
        self._judge = Judge(module, record, lambda _: NoPlan(), where)

    def __call__(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        """Run the graph."""
        inference, judge = self._inference, self._judge
        if inference is not None and (not inference.is_decided or inference.beats_compilers):
            if inference.beats_compilers:
                self._settle(inference)
            return inference(tensors)
        outputs = judge(tensors, self._replay)
        if judge.state in SETTLED:
            self._settle(judge.adopted(self._replay))
        return outputs

    def decide(self, tensors: list[Tensor]) -> None:
        """Find out at once whether folding the parameters pays."""
        if self._inference is not None:
            self._inference.decide(tensors)
