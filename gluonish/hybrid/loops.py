"""Loops: what a training loop does before `trainer.step()` as one graph, once it goes one way."""

from __future__ import annotations

import enum
import logging
import threading
from typing import TYPE_CHECKING, Any

from gluonish.array.waiting import local
from gluonish.errors import CompileError
from gluonish.hybrid.joining import Joined, Pass
from gluonish.hybrid.judging import Race
from gluonish.hybrid.loop_steps import LoopStep
from gluonish.hybrid.passes import PutOff
from gluonish.hybrid.recorder import line_of_program
from gluonish.hybrid.report import GraphRecord
from gluonish.hybrid.results import NOT_EXPECTED
from gluonish.hybrid.tuning import Tuner
from gluonish.hybrid.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gluonish.array import NDArray
    from gluonish.hybrid.capture import CapturedGraph
    from gluonish.hybrid.steps import Scaling

_log = logging.getLogger("gluonish.hybrid")

ALIKE = 4  # passes in a row that have to be alike before they become one graph
LESSONS = 12  # passes that may differ before a loop is left alone
INTERRUPTIONS = 3  # in a row, before it is left alone
BEGINNINGS = 4  # of a loop that goes one way, and then another for good
PLANS = 20  # of updates, before it is differentiated at once for good
UNSEEN = "other operators use what it computes, or it is read, before backward()"
SLOWEST = 1.01  # of the plain way's time, for what may still be compiled
LONGEST = 0.05  # seconds: what takes longer has little to gain from fewer calls


class Phase(enum.Enum):
    """How far a loop is."""

    LEARNING = "learning"
    TRYING = "trying"
    RACING = "racing"
    FUSED = "fused"
    LEFT = "left alone"


class Loop:
    """A loop that begins with one graph: learned, tried, raced, and then run as one.

    It is called in place of the graph.

    Parameters
    ----------
    graph : CapturedGraph
        The graph of its first call.

    Attributes
    ----------
    phase : Phase
        How far it is.
    record : GraphRecord
        How that goes, for reports.
    learned : Pass or None
        What the latest pass consisted of.
    race : Race or None
        Which way is faster, while that is found out.
    waits : bool
        Whether `backward()` is put off, too, until `trainer.step()`.
    lock : RLock
        Who holds it does what was put off.
    """

    def __init__(self, graph: CapturedGraph) -> None:
        self.graph = graph
        self.phase = Phase.LEARNING
        self.record = GraphRecord(f"{graph.record.label}, loop")
        self.learned: Pass | None = None
        self.race: Race | None = None
        self.waits = False
        self.lock = threading.RLock()
        self._joined: Joined | None = None
        self._alike = 0
        self._lessons = 0
        self._interruptions = 0
        self._beginnings = 0
        self._reason: str | None = None  # for its last interruption
        self._step: LoopStep | None = None
        self._told: GraphRecord | None = None  # how what it became is run
        self._plans = 0

    def __call__(self, inputs: Sequence[NDArray]) -> Any:
        """Run the graph on arrays, or put that off."""
        work: Any = local.postponed
        if work is not None:
            result = work.follow(self.graph, inputs)
            if result is not NOT_EXPECTED:
                return result
        if self.phase is Phase.LEFT:
            return self.graph(inputs)
        if self._joined is None or (self.race is not None and not self.race.turn):
            local.postponed = watched = Watched(self)
            result = watched.follow(self.graph, inputs)
            return self.graph(inputs) if result is NOT_EXPECTED else result
        return PutOff(self, self._joined).first(inputs)

    def records(self) -> Iterator[GraphRecord]:
        """Yield what there is to tell: of the loop, and of what it has become."""
        if self.phase is not Phase.LEARNING:
            yield self.record
        if self._told is not None:
            yield self._told

    def learn(self, one: Pass, seconds: float) -> None:
        """Take note of a pass that went the plain way."""
        if self.race is not None:
            self.finish(seconds)
            return
        self._lessons += 1
        if one.is_like(self.learned):
            self._alike += 1
        else:
            self._alike, self.learned = 0, one
        if self._alike >= ALIKE:
            if seconds > LONGEST:
                self.leave("a pass takes so long that fewer calls would not help")
            else:
                self._join(one)
        elif self._lessons > LESSONS:
            self.leave(self._reason or "its passes differ")

    def _join(self, one: Pass) -> None:
        try:
            self._joined = Joined(one)
        except CompileError as error:
            self.leave(str(error))
        else:
            self.phase = Phase.TRYING

    def failed(self, reason: str = UNSEEN) -> None:
        """Take note of a pass that can't be one graph; of some, since their end was not seen."""
        self._lessons += 1
        if self.phase is not Phase.LEARNING:
            self.interrupted()
        elif self._lessons > LESSONS:
            self.leave(self._reason or reason)

    def tried(self, difference: str | None) -> None:
        """Take note of how the trial went."""
        if self._joined is not None:
            self.record.capture = self._joined.seconds
        if difference is None:
            self.phase, self.race = Phase.RACING, Race()
            self.record.state = "racing"
        else:
            self.leave(f"as one graph its results differ: {difference}")

    @property
    def is_trying(self) -> bool:
        """Whether the next pass is to go both ways."""
        return self.phase is Phase.TRYING

    def finish(self, seconds: float) -> None:
        """Take note of a pass that took so long."""
        self._interruptions = 0
        race = self.race
        if race is None or not race.add(seconds):
            return
        self.race = None
        self.record.before, self.record.after = race.best
        if self.is_faster(race.best) and self._joined is not None:
            self.phase, self.waits = Phase.FUSED, True
            self.record.adopt("one graph")
        else:
            self.leave("as one graph it is not faster")

    def is_faster(self, best: Sequence[float]) -> bool:
        """Return whether one graph takes no more time than the plain way: it may be compiled."""
        return best[1] <= SLOWEST * best[0]

    def step_by(
        self,
        owner: Any,
        make: Callable[[Any, Joined, tuple[Scaling, ...]], Any],
        gradients: Sequence[NDArray],
        scalings: tuple[Scaling, ...],
    ) -> LoopStep | None:
        """Return the step that ends with an owner's update; None if it can't.

        Parameters
        ----------
        owner : Trainer
            Who updates.
        make : callable
            Returns the plan of that, or raises `CompileError`.
        gradients : sequence of NDArray
            Where gradients are to arrive.
        scalings : tuple of Scaling
            What they are multiplied by before the update.
        """
        step, joined = self._step, self._joined
        if step is not None and step.holds(owner, gradients, scalings):
            self._interruptions = 0
            return step
        if joined is None or not self.waits:
            return None
        self._plans += 1
        if self._plans > PLANS:
            self.wait_no_more("the updates differ")
            return None
        try:
            told = self._tell("to trainer.step()")
            self._step = LoopStep(joined, owner, make, scalings, told)
        except CompileError as error:
            self.wait_no_more(str(error))
            return None
        return self._step

    def looked_at(self) -> None:
        """Take note that somebody looked between `backward()` and `trainer.step()`."""
        self._interruptions += 1
        if self._interruptions >= INTERRUPTIONS:
            self.wait_no_more(f"{line_of_program()}: something is used before trainer.step()")

    def wait_no_more(self, reason: str) -> None:
        """Compute gradients at once from now on, and leave updates to their owner."""
        self.waits, self._step, self._interruptions = False, None, 0
        self.record.state = f"one graph, but for updates: {reason}"
        _log.info("hybridize: %s: updates are no part of it: %s", self.record.label, reason)
        if self._joined is not None:
            told = self._tell("to backward()")
            self._joined.settle(Tuner(self._joined.module, told, self._joined.settle))

    def _tell(self, until: str) -> GraphRecord:
        self._told = GraphRecord(f"{self.record.label} {until}")
        return self._told

    def interrupted(self) -> None:
        """Take note that somebody looked at what was put off."""
        self._interruptions += 1
        if self._interruptions < INTERRUPTIONS:
            return
        self._reason = f"{line_of_program()}: what it computes is used before backward()"
        self._beginnings += 1
        if self._beginnings == BEGINNINGS:
            self.leave(self._reason)
        else:
            self._forget()
            self.phase = Phase.LEARNING

    def _forget(self) -> None:
        self._joined = self.race = self.learned = self._step = self._told = None
        self._alike = self._lessons = self._interruptions = 0
        self.waits = False

    def leave(self, reason: str) -> None:
        """Let the loop go its plain way for good."""
        self._forget()
        self.phase, self.record.state = Phase.LEFT, f"not one graph: {reason}"
        _log.info("hybridize: %s is not one graph: %s", self.record.label, reason)
