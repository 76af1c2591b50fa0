"""The way of a training step from the plain loop to a compiled graph: tried, raced, adopted."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

from gluonish.errors import CompileError
from gluonish.hybrid.step_plan import rehearsal
from gluonish.hybrid.tuning import (
    LOOK_EVERY,
    Compilation,
    Race,
    Trial,
    compile_after,
    found,
    say_once,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor, fx

    from gluonish.hybrid.step_plan import StepPlan
    from gluonish.hybrid.tuning import GraphRecord, Run

TRIALS = 10  # of which one has to succeed: where a ReLU's input is nearly 0, rounding decides


class Variant:
    """The way of one kind of step to a compiled graph.

    Parameters
    ----------
    module : fx.GraphModule
        The captured graph.
    record : GraphRecord
        Told what happens.
    make : callable
        Returns the plan of a step for the graph's tensors, or raises `CompileError`.
    where : str
        Who says in the log that a step can't be compiled, and what goes on instead.
    """

    def __init__(
        self,
        module: fx.GraphModule,
        record: GraphRecord,
        make: Callable[[Sequence[Tensor]], StepPlan],
        where: str,
    ) -> None:
        self._module = module
        self._make = make
        self._where = where
        self.record = record
        self.record.state = "timing"
        self.run: Run | None = None
        self.race: Race | None = None
        self._plan: StepPlan | None = None
        self._compilation: Compilation | None = None
        self._patience = compile_after() / 4
        self._has_looked = False
        self._looked = 0.0
        self._trial: Trial | None = None
        self._tried: Sequence[Tensor] = ()
        self._outputs: Sequence[Tensor] = ()
        self._candidate: Run | None = None
        self._is_settled = False
        self._failures = 0

    def renew(self) -> None:
        """Begin anew if what the compiled step was made for has changed."""
        if self._plan is None or not self._plan.holds():
            self.run = self.race = self._plan = self._compilation = self._trial = None
            self.record.backend, self.record.state = "fx", "timing"

    @property
    def has_given_up(self) -> bool:
        """Whether the plain loop goes on for good."""
        return self._is_settled and self.run is None

    @property
    def is_trying(self) -> bool:
        """Whether this step goes the plain way, and what it changes is compared."""
        return self._trial is not None

    def is_usable(self, tensors: Sequence[Tensor]) -> bool:
        """Return whether the compiled step is right for optimizer and tensors as they are."""
        plan = self._plan
        return plan is not None and plan.holds() and self.fits([*tensors, *plan.beside])

    def fits(self, everything: Sequence[Tensor]) -> bool:
        """Return whether the compiled step is right for tensors, the plan's among them."""
        return self._compilation is not None and self._compilation.fits(everything)

    def step(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        """Do the whole step."""
        assert self._plan is not None  # noqa: S101 - for the type checker
        return self.run_planned([*tensors, *self._plan.beside])

    def run_planned(self, everything: list[Tensor]) -> Sequence[Tensor]:
        """Do the whole step on tensors, the plan's among them."""
        plan, run = self._plan, self.run
        assert plan is not None and run is not None  # noqa: S101, PT018 - for the type checker
        plan.expect()
        outputs = run(everything)
        if plan.update.checks:
            *outputs, is_finite = outputs
            plan.follow(is_finite=bool(is_finite))
        elif plan.update.gives:
            count = len(plan.update.trained)
            outputs, grads = outputs[:-count], outputs[-count:]
            plan.take(grads)
        plan.mark()
        return outputs

    # --- on the way -----------------------------------------------------------------------------

    def prepare(self, tensors: Sequence[Tensor]) -> None:
        """Begin to compile, or to try, before the plain loop runs."""
        if self._is_settled or self.race is not None:
            return
        self._trial = None  # left over where a step has ended with an error
        if not self._has_looked:
            self._look_on_disk(tensors)
        if self._compilation is None:
            if self._patience <= 0:
                self._begin(tensors)
        elif time.perf_counter() - self._looked > LOOK_EVERY:
            self._looked = time.perf_counter()
            if self._compilation.job.look():
                self._try(tensors)

    def _look_on_disk(self, tensors: Sequence[Tensor]) -> None:
        self._has_looked = True
        if compile_after() == float("inf"):
            return
        with contextlib.suppress(CompileError):  # which matters once it is to be compiled
            plan = self._make(tensors)
            everything = [*(tensor.detach() for tensor in tensors), *plan.beside]
            self._compilation = found(self._module, everything, plan.update)
            self._plan = None if self._compilation is None else plan

    def _begin(self, tensors: Sequence[Tensor]) -> None:
        try:
            plan = self._make(tensors)
            everything = [*(tensor.detach() for tensor in tensors), *plan.beside]
            self._compilation = Compilation(self._module, everything, plan.update)
        except CompileError as error:
            self._give_up(str(error))
        else:
            self._plan = plan
            self.record.state = "compiling"
            self._looked = 0.0 if self._compilation.job.look() else time.perf_counter()

    def _try(self, tensors: Sequence[Tensor]) -> None:
        plan, compilation = self._plan, self._compilation
        assert plan is not None and compilation is not None  # noqa: S101, PT018 - for the checker
        self.record.compile = compilation.job.seconds
        if not self.is_usable(tensors):
            self.renew()
            return
        self._tried = [*tensors, *plan.beside]
        try:
            run = self._candidate = compilation.run()
            with rehearsal(plan.optimizer):
                plan.expect()
                self._trial = Trial(self._tried)
                outputs = self._trial.run(run, has_draws=bool(compilation.draws))
            self._outputs = outputs[:-1] if plan.update.checks else outputs
        except CompileError as error:
            self._trial, self._tried = None, ()
            self._give_up(str(error))

    def finish(self, outputs: Sequence[Tensor], spent: float) -> None:
        """Take note of what a step gave, and how long it took."""
        record = self.record
        if self.race is not None:
            if self.race.add(spent):
                if not self.race.report(record):
                    self.run, self._is_settled = None, True
                self.race = None
            return
        record.before = spent if record.before is None else min(spent, record.before)
        self._patience -= spent
        trial, self._trial = self._trial, None
        plan = self._plan
        if trial is None or plan is None:
            return
        if plan.has_skipped:  # which proves nothing: the next step is tried instead
            self._outputs = self._tried = ()
            self._looked = 0.0
            return
        if plan.update.gives:
            outputs = [*outputs, *plan.gradients()]
        difference = trial.difference(self._outputs, outputs, self._tried, plan.certain())
        self._outputs = self._tried = ()
        if difference is None:
            record.state = "racing"
            self.run, self.race = self._candidate, Race()
            return
        self._failures += 1
        self._looked = 0.0
        if self._failures == TRIALS:
            self._give_up(f"the compiled step's results differ: {difference}")

    def _give_up(self, reason: str) -> None:
        self._is_settled = True
        self.record.state = reason
        say_once(f"{self._where}, a step is not compiled: {reason}")
