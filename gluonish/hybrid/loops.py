"""Loops: what a training loop does before `trainer.step()` as one graph, once it goes one way."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Any

from gluonish.array.waiting import local
from gluonish.errors import CompileError
from gluonish.hybrid.joining import Joined, Pass
from gluonish.hybrid.judging import Race, State
from gluonish.hybrid.known_passes import Known
from gluonish.hybrid.loop_steps import LoopStep
from gluonish.hybrid.passes import PutOff, as_recorded
from gluonish.hybrid.recorder import line_of_program
from gluonish.hybrid.report import GraphRecord, say_once
from gluonish.hybrid.results import NOT_EXPECTED
from gluonish.hybrid.tuning import Tuner
from gluonish.hybrid.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torch import Tensor

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
LONGEST = 0.1  # seconds: what takes longer has little to gain from fewer calls


class Loop:
    """A loop that begins with one graph: learned, tried, raced, and then run as one.

    It is called in place of the graph.

    Parameters
    ----------
    graph : CapturedGraph
        The graph of its first call.
    asked_by : str
        Who wants it to be one graph, however long its passes take, and says in the log if it
        can't be; empty for nobody.

    Attributes
    ----------
    state : State
        How far it is.
    record : GraphRecord
        How that goes, for reports.
    learned : Pass or None
        What the latest pass consisted of.
    race : Race or None
        Which way is faster, while that is found out.
    waits : bool
        Whether `backward()` is put off, too, until `trainer.step()`.
    calls : int
        Of how many calls its passes consist, once that is known.
    falls_short : bool
        Whether it is not what somebody has asked for.
    lock : RLock
        Who holds it does what was put off.
    """

    def __init__(self, graph: CapturedGraph, asked_by: str = "") -> None:
        self.graph = graph
        self._asked_by = asked_by
        self.state = State.LEARNING
        self.record = GraphRecord(f"{graph.record.label}, loop")
        self.learned: Pass | None = None
        self.race: Race | None = None
        self.waits = self.falls_short = False
        self.lock = threading.RLock()
        self.calls = 0
        self._joined: Joined | None = None
        self._alike = 0
        self._lessons = 0
        self._interruptions = 0
        self._beginnings = 0
        self._reason: str | None = None  # for its last interruption
        self._steps: dict[bool, LoopStep] = {}  # by whether they update
        self._told: GraphRecord | None = None  # how what ends with backward() is run
        self._plans = 0
        self._known: Known | None = None

    def __call__(self, inputs: Sequence[NDArray]) -> Any:
        """Run the graph on arrays, or put that off."""
        work: Any = local.postponed
        if work is not None:
            result = work.follow(self.graph, inputs)
            if result is not NOT_EXPECTED:
                return result
        if self.state is State.PLAIN:
            return self.graph(inputs)
        if self._joined is None or (self.race is not None and not self.race.turn):
            local.postponed = watched = Watched(self)
            result = watched.follow(self.graph, inputs)
            return self.graph(inputs) if result is NOT_EXPECTED else result
        return PutOff(self, self._joined).first(inputs)

    def records(self) -> Iterator[GraphRecord]:
        """Yield what there is to tell: of the loop, and of what it has become."""
        if self.state is not State.LEARNING:
            yield self.record
        yield from self.became()

    def became(self) -> Iterator[GraphRecord]:
        """Yield what there is to tell of what it has become."""
        for step in self._steps.values():
            yield step.record
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
        if self._alike >= ALIKE or self._asked_by:
            if seconds > LONGEST and not self._asked_by:
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
            self.state, self.calls = State.TRYING, len(one.calls)

    def failed(self, reason: str = UNSEEN) -> None:
        """Take note of a pass that can't be one graph; of some, since their end was not seen."""
        self._lessons += 1
        if self.state is not State.LEARNING:
            self.interrupted()
        elif self._lessons > LESSONS:
            self.leave(self._reason or reason)

    def tried(self, difference: str | None) -> None:
        """Take note of how the trial went."""
        if self._joined is not None:
            self.record.capture = self._joined.seconds
        if difference is not None:
            self.leave(difference)
        elif self._asked_by:  # which is for compilers, before all
            self._adopt()
        else:
            self.state, self.race = State.RACING, Race()
            self.record.state = "racing"

    def _adopt(self) -> None:
        self.state, self.waits = State.ADOPTED, True
        self.record.adopt("one graph")

    @property
    def is_trying(self) -> bool:
        """Whether the next pass is to go both ways."""
        return self.state is State.TRYING

    def finish(self, seconds: float) -> None:
        """Take note of a pass that took so long."""
        self._interruptions = 0
        race = self.race
        if race is None or not race.add(seconds):
            return
        self.race = None
        self.record.before, self.record.after = race.best
        if self.is_faster(race.best) and self._joined is not None:
            self._adopt()
        else:
            self.leave("as one graph it is not faster")

    def is_faster(self, best: Sequence[float]) -> bool:
        """Return whether one graph takes no more time than the plain way: it may be compiled."""
        return best[1] <= SLOWEST * best[0]

    def step_by(
        self,
        owner: Any,
        make: Callable[[Any, Joined, tuple[Scaling, ...]], Any],
        scalings: tuple[Scaling, ...],
        gradients: Sequence[NDArray] = (),
        *,
        updates: bool = True,
    ) -> LoopStep | None:
        """Return the step that ends with an owner's update; None if it can't.

        Parameters
        ----------
        owner : Trainer
            Who updates.
        make : callable
            Returns the plan of that, or raises `CompileError`.
        scalings : tuple of Scaling
            What gradients are multiplied by before the update.
        gradients : sequence of NDArray
            Where they are to arrive, if that is known.
        updates : bool, default True
            Whether it updates anything: there may be one step that does, and one that does not.
        """
        step, joined = self._steps.get(updates), self._joined
        if step is not None and step.holds(owner, gradients, scalings):
            self._interruptions = 0
            return step
        if joined is None or not self.waits:
            return None
        self._plans += 1
        if self._plans > PLANS and not self._asked_by:
            self.wait_no_more("the updates differ")
            return None
        told = self._record(" to trainer.step()", "" if updates else " adding up")
        where = self._asked_by or "hybridize: a loop is replayed, a step is not compiled"
        try:
            step = self._steps[updates] = LoopStep(joined, owner, make, scalings, told, where)
        except CompileError as error:
            self._say(str(error))
            self.wait_no_more(str(error))
            return None
        return step

    def at_once(
        self, step: LoopStep, inputs: Sequence[NDArray], more: list[Tensor], numbers: list[float]
    ) -> tuple[Any, bool]:
        """Do a whole step for somebody who has all of it in hand, so that nothing is put off.

        Parameters
        ----------
        step : LoopStep
            The step.
        inputs : sequence of NDArray
            What the graph of the first call is called with.
        more : list of Tensor
            What the program gives to later calls, which draw nothing.
        numbers : list of float
            One for each scaling.

        Returns
        -------
        result : object
            The result of the first call.
        is_done : bool
            Whether that was all; otherwise gradients and update are still to come.
        """
        graph, all_draws = self.graph, step.joined.draws[0]
        tensors = graph.tensors(inputs)
        draws = [draw() for draw in all_draws] if all_draws else []
        if draws or more:
            tensors[graph.inputs : graph.inputs] = [*draws, *more]
        found = step.run(tensors, numbers)
        if found is not None:
            return graph.result(found, inputs), True
        module = step.joined.modules[0]
        self.leave("it fails as one graph")
        with as_recorded():
            tensors = graph.tensors(inputs)
            outputs = graph.joined(module.forward(*tensors, *draws), tensors)
            return graph.result(outputs, inputs), False

    def know(self, given: list[Tensor]) -> None:
        """Take note of a pass that was one step, with what the program gave to its calls."""
        step, joined = self._steps.get(True), self._joined
        cache = self.graph.cache
        if step is None or joined is None or self._asked_by or cache is None:
            return
        if self._known is None or self._known.step is not step:
            key = cache.flat_key(self.graph)
            if key is None or not Known.fits(joined, step):
                return
            self._known = Known(self, joined, step, key, given)
        cache.known = self._known

    def forget_known(self) -> None:
        """Put off the next pass as any other."""
        cache = self.graph.cache
        if cache is not None and cache.known is self._known:
            cache.known = None

    def looked_at(self) -> None:
        """Take note that somebody looked between `backward()` and `trainer.step()`."""
        self._interruptions += 1
        if self._interruptions >= INTERRUPTIONS:
            self.wait_no_more(f"{line_of_program()}: something is used before trainer.step()")

    def wait_no_more(self, reason: str) -> None:
        """Compute gradients at once from now on, and leave updates to their owner."""
        self.waits, self._interruptions = False, 0
        self._steps.clear()
        self.forget_known()
        self.record.state = f"one graph, but for updates: {reason}"
        _log.info("hybridize: %s: updates are no part of it: %s", self.record.label, reason)
        if self._joined is not None:
            self._told = told = self._record(" to backward()")
            self._joined.settle(Tuner(self._joined.module, told, self._joined.settle))

    def _record(self, until: str, kind: str = "") -> GraphRecord:
        """Return a new record: of a loop to where it is one graph, or of a step of some kind."""
        if not self._asked_by:
            return GraphRecord(self.record.label + until)
        record = GraphRecord(self.graph.record.label + kind)
        record.capture = self.graph.record.capture + self.record.capture
        return record

    def _say(self, reason: str) -> None:
        """Say why it is not one graph, if somebody has asked for that."""
        if self._asked_by:
            self.falls_short = True
            say_once(f"{self._asked_by}: {reason}")

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
            self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self._joined = self.race = self.learned = self._told = None
        self._alike = self._lessons = self._interruptions = 0
        self.waits = self.falls_short = False
        self._steps.clear()
        self.forget_known()
        self.state = State.LEARNING

    def leave(self, reason: str) -> None:
        """Let the loop go its plain way for good."""
        self.forget()
        self._say(reason)
        self.state, self.record.state = State.PLAIN, f"not one graph: {reason}"
        _log.info("hybridize: %s is not one graph: %s", self.record.label, reason)
