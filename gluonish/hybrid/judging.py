"""Compares two ways to run a captured graph on real calls, and adopts the better one."""

from __future__ import annotations

import contextlib
import enum
import logging
import operator
import threading
import time
from typing import TYPE_CHECKING, Any

from gluonish.array.writes import versions, wrote_to
from gluonish.errors import CompileError
from gluonish.hybrid.compilations import Compilation, compile_after, found
from gluonish.hybrid.compilers import compilers
from gluonish.hybrid.plans import NoPlan
from gluonish.hybrid.report import say_once
from gluonish.hybrid.trials import Trial
from gluonish.process.heap import give_back

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor, fx

    from gluonish.hybrid.compilations import Run
    from gluonish.hybrid.plans import Plan
    from gluonish.hybrid.report import GraphRecord

    Way = Callable[[list[Tensor]], Sequence[Tensor] | None]

_log = logging.getLogger("gluonish.hybrid")

LOOK_EVERY = 0.1  # seconds
RACE_SECONDS = 0.3
IN_A_ROW = 10
FEWEST_ROUNDS, MOST_ROUNDS = 4, 50
LONG = 0.005  # seconds: what takes longer has a heap that is worth a look,
ENOUGH = 20  # and is known well enough after so many rounds
WEIGHT = 0.1  # of the latest call, in what is usual
QUICK = 0.1  # seconds: what takes longer is not computed again in double precision
CLOSE = 0.1  # between two ways, as a part of their time: more rounds have to tell them apart


class State(enum.Enum):
    """How far the way from the plain way to a better one is: of a graph, or of a loop."""

    LEARNING = "learning"
    COMPILING = "compiling"
    TRYING = "trying"
    RACING = "racing"
    ADOPTED = "adopted"
    PLAIN = "plain"


SETTLED = (State.ADOPTED, State.PLAIN)


def _nowhere(_tensors: list[Tensor]) -> None:
    """Fit nowhere."""


class Race:
    """Compares the times of two ways to do something, of which now one and now the other is used.

    Each is used some times in a row. What takes long, and much memory, leaves none to the other:
    a heap that both had made holes in would be larger for good.

    Attributes
    ----------
    turn : int
        Whose turn it is: 0 or 1.
    best : list of float
        The shortest time of each so far, in seconds; the first time of each turn is left out.
    """

    def __init__(self) -> None:
        self.turn = 0
        self.best = [float("inf"), float("inf")]
        self._in_a_row = 0
        self._rounds = 0
        self._seconds = 0.0

    def add(self, seconds: float) -> bool:
        """Take note of how long the one in turn has taken; return whether the race is over."""
        self._seconds += seconds
        if self._in_a_row:
            self.best[self.turn] = min(self.best[self.turn], seconds)
        self._in_a_row += 1
        if self._in_a_row < IN_A_ROW:
            return False
        self._in_a_row = 0
        self._rounds += IN_A_ROW * self.turn
        self.turn = 1 - self.turn
        if seconds > LONG:
            give_back()
        if self.turn or self._rounds < FEWEST_ROUNDS:
            return False
        if self._rounds >= min(ENOUGH if seconds > LONG else MOST_ROUNDS, MOST_ROUNDS):
            return True
        first, second = self.best
        return self._seconds >= RACE_SECONDS and abs(first - second) > CLOSE * first

    def report(self, record: GraphRecord) -> bool:
        """Write the times into a record; return whether the second way is faster."""
        record.before, record.after = self.best
        if record.after >= record.before:
            record.state = "compiled, not faster"
            return False
        record.adopt("compiled", "aot")
        _log.info(
            "hybridize: %s compiled in %.1f s: %.1f us a call, %.1f before",
            record.label,
            record.compile,
            record.after * 1e6,
            record.before * 1e6,
        )
        return True


class Judge:
    """Has a graph compiled once that pays, and adopts what proved equal and faster on real calls.

    Whoever has something to run (a captured graph, a loop, a FusedStep, a Module) asks the judge
    for each call, and brings the plain way to do it.

    Parameters
    ----------
    module : fx.GraphModule
        The captured graph.
    record : GraphRecord
        Told what happens.
    make : callable
        Returns the plan of what is added to the graph, for its tensors, or raises `CompileError`.
    where : str
        Who says in the log that it is not compiled.
    patience : float
        How much of `compile_after` the plain way has to take before.

    Attributes
    ----------
    state : State
        How far it is.
    """

    def __init__(
        self,
        module: fx.GraphModule,
        record: GraphRecord,
        make: Callable[[Sequence[Tensor]], Plan],
        where: str,
        patience: float = 1.0,
    ) -> None:
        self.state = State.LEARNING
        self.record = record
        record.state = "timing"
        self._module = module
        self._make = make
        self._where = where
        self._patience = compile_after() * patience
        self._plan: Plan = NoPlan()
        self._compilation: Compilation | None = None
        self._compiled: Run | None = None
        self._candidate: Way = _nowhere  # runs the compiled graph where it fits
        self._settled: Way | None = None  # the same, once it is adopted
        self._fitting: Run | None = None  # the same with the plan's tensors, which are known to fit
        self._race = Race()
        self._usual: float | None = None  # seconds that the plain way takes alone
        self._has_looked = False
        self._looked = 0.0
        self._failures = 0
        self._seen: set[int] | None = None  # places of the graph's tensors that it writes to
        self._deciding = threading.Lock()  # one thread at a time times, tries and compares

    def __call__(
        self, tensors: list[Tensor], plainly: Callable[[list[Tensor]], Sequence[Tensor]]
    ) -> Sequence[Tensor]:
        """Do it one way or the other; return the graph's results.

        Parameters
        ----------
        tensors : list of Tensor
            What the graph runs on.
        plainly : callable
            Does it the plain way.
        """
        settled = self._settled
        if settled is not None:
            found = settled(tensors)
            return plainly(tensors) if found is None else found
        deciding = self._deciding
        if self.state is State.PLAIN or not deciding.acquire(blocking=False):
            return plainly(tensors)
        try:
            return self._decide(tensors, plainly)
        finally:
            deciding.release()

    def _decide(
        self, tensors: list[Tensor], plainly: Callable[[list[Tensor]], Sequence[Tensor]]
    ) -> Sequence[Tensor]:
        """Do it one way or the other, and learn from it."""
        if self.state in SETTLED:  # by another thread, a moment ago
            return plainly(tensors)
        if self.state is State.RACING:
            return self._next_round(tensors, plainly)
        if self._is_ready(tensors):
            return self._try(tensors, plainly)
        begin = time.perf_counter()
        outputs = self._watched(tensors, plainly) if self._seen is None else plainly(tensors)
        self._note(time.perf_counter() - begin)
        return outputs

    def _note(self, spent: float) -> None:
        """Take note of how long the plain way took, alone or beside the compiler."""
        usual, record = self._usual, self.record
        if record.before is None or usual is None:
            record.before = self._usual = spent
        elif self.state is State.COMPILING and compilers.works:
            compilers.lose(spent - usual)
        else:
            record.before = min(spent, record.before)
            self._usual = usual + (min(spent, 2 * usual) - usual) * WEIGHT
            if compilers.is_held:
                compilers.lose(0.0)
        self._patience -= spent

    def holds(self) -> bool:
        """Return whether what is added to the graph is as it was."""
        return self._plan.holds()

    def renew(self) -> None:
        """Begin anew, since what the compiled graph was made for has changed."""
        if self.state is not State.PLAIN:
            self.state = State.LEARNING
            self.record.adopt("timing")
            self.record.since = None
        self._plan, self._compilation, self._compiled = NoPlan(), None, None
        self._candidate, self._settled = _nowhere, None

    def adopted(self, plainly: Run) -> Run:
        """Return what was decided for a graph that nothing is added to."""
        run, compilation = self._compiled, self._compilation
        if self.state is not State.ADOPTED or run is None or compilation is None:
            return plainly
        fits, pick = compilation.fits, self._picks_written()

        def call(tensors: list[Tensor]) -> Sequence[Tensor]:
            if not fits(tensors):
                return plainly(tensors)
            outputs = run(tensors)
            if pick is not None:
                wrote_to(pick(tensors))
            return outputs

        return call

    def _compiled_way(self, run: Run, compilation: Compilation) -> Way:
        """Return what runs the compiled graph where it fits, and gives None elsewhere."""
        plan, pick = self._plan, self._picks_written()
        fits, expect, finish = compilation.fits, plan.expect, plan.finish

        def go_on(everything: list[Tensor]) -> Sequence[Tensor]:
            expect()
            outputs = run(everything)
            if pick is not None:
                wrote_to(pick(everything))
            return finish(outputs)

        def go(tensors: list[Tensor]) -> Sequence[Tensor] | None:
            everything = [*tensors, *plan.beside]
            return go_on(everything) if fits(everything) else None

        self._fitting = go_on
        return go

    @property
    def fitting(self) -> Run | None:
        """What runs the compiled graph, once it is adopted, where all that it takes fits."""
        return None if self._settled is None else self._fitting

    def fits(self, everything: list[Tensor]) -> bool:
        """Return whether the compiled graph can be run on all that it takes."""
        return self._compilation is not None and self._compilation.fits(everything)

    def _picks_written(self) -> Callable[[list[Tensor]], Any] | None:
        """Return what gives those of a graph's tensors that it writes to; None for none."""
        written = self._written(0)
        if not written:
            return None
        if len(written) == 1:  # of which `itemgetter` gives no tuple
            return operator.itemgetter(slice(written[0], written[0] + 1))
        return operator.itemgetter(*written)

    # --- on the way -----------------------------------------------------------------------------

    def _is_ready(self, tensors: Sequence[Tensor]) -> bool:
        """Return whether there is a compiled graph to try; have it made where that pays."""
        self.state = State.LEARNING if self._compilation is None else State.COMPILING
        if not self._has_looked:
            self._has_looked = True
            if self._patience != float("inf"):
                with contextlib.suppress(CompileError):  # which matters once it is to be compiled
                    self._compilation = self._begun(tensors, found)
        if self._compilation is None:
            if self._patience > 0:
                return False
            try:
                self._compilation = self._begun(tensors, Compilation)
            except CompileError as error:
                self._give_up(str(error))
                return False
            self.state, self.record.state = State.COMPILING, "compiling"
        elif time.perf_counter() - self._looked <= LOOK_EVERY:
            return False
        self._looked = time.perf_counter()
        return self._compilation is not None and self._compilation.job.look()

    def _begun(
        self, tensors: Sequence[Tensor], begin: Callable[..., Compilation | None]
    ) -> Compilation | None:
        plan = self._make(tensors)
        everything = [*(tensor.detach() for tensor in tensors), *plan.beside]
        compilation = begin(self._module, everything, plan.update)
        if compilation is not None:
            self._plan = plan
        return compilation

    def _try(
        self, tensors: list[Tensor], plainly: Callable[[list[Tensor]], Sequence[Tensor]]
    ) -> Sequence[Tensor]:
        """Do it both ways, the compiled one on copies."""
        plan, compilation = self._plan, self._compilation
        everything = [*tensors, *plan.beside]
        if compilation is None or not compilation.fits(everything):
            return plainly(tensors)
        if self._seen is None and plan.update is None:
            self._looked = 0.0  # the next call is tried
            return self._watched(tensors, plainly)
        self.record.compile = compilation.job.seconds
        try:
            run = compilation.run()
            with plan.rehearsal():
                plan.expect()
                trial = Trial(
                    everything,
                    self._written(len(everything)),
                    plan.replaced(),
                    is_thorough=plan.update is None or self._failures > 0,
                )
                del everything  # so that gradients that are replaced go
                exact = compilation.exact()
                candidates = trial.run(run, has_draws=bool(compilation.draws))
        except CompileError as error:
            self._give_up(str(error))
            return plainly(tensors)
        self.state = State.TRYING
        outputs = self._watched(tensors, plainly) if self._seen is None else plainly(tensors)
        if plan.has_skipped:  # which proves nothing: the next call is tried instead
            self._looked = 0.0
            return outputs
        difference = trial.difference(
            plan.compared(candidates),
            outputs,
            [*tensors, *plan.beside],
            plan.certain(),
            exact if (self._usual or 0.0) < QUICK else None,
        )
        if difference is None:
            self.state, self.record.state = State.RACING, "racing"
            self._compiled, self._race = run, Race()
            self._candidate = self._compiled_way(run, compilation)
            return outputs
        self._failures += 1
        self._looked = 0.0
        if self._failures == plan.trials:
            self._give_up(f"the compiled graph's results differ: {difference}")
        return outputs

    def _watched(
        self, tensors: list[Tensor], plainly: Callable[[list[Tensor]], Sequence[Tensor]]
    ) -> Sequence[Tensor]:
        """Go the plain way, and see what it writes to."""
        before = versions(tensors)
        outputs = plainly(tensors)
        after = versions(tensors)
        self._seen = {i for i, one in enumerate(before) if one != after[i]}
        return outputs

    def _written(self, count: int) -> list[int]:
        """Return the places of tensors that are written to: of all, while that is not known."""
        if self._seen is None:
            return list(range(count))
        return sorted(self._seen | self._plan.written())

    def _next_round(
        self, tensors: list[Tensor], plainly: Callable[[list[Tensor]], Sequence[Tensor]]
    ) -> Sequence[Tensor]:
        race = self._race
        begin = time.perf_counter()
        found = self._candidate(tensors) if race.turn else plainly(tensors)
        if found is None:
            return plainly(tensors)
        if race.add(time.perf_counter() - begin):
            if race.report(self.record):
                self.state, self._settled = State.ADOPTED, self._candidate
            else:
                self.state = State.PLAIN
        return found

    def _give_up(self, reason: str) -> None:
        self.state, self.record.state = State.PLAIN, reason
        say_once(f"{self._where}: {reason}")
