"""Has a captured graph compiled once that pays, and adopts what proved equal and faster."""

from __future__ import annotations

import logging
import os
import time
from typing import TYPE_CHECKING

import torch

from gluonish import random_streams
from gluonish.errors import CompileError, InvalidArgumentError
from gluonish.hybrid.jobs import CompileJob, has_compiler, is_switched_off
from gluonish.hybrid.program import Like, Program
from gluonish.hybrid.replaying import replay
from gluonish.hybrid.worker import CompileTask

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor, fx

    from gluonish.hybrid.program import Draw
    from gluonish.hybrid.steps import StepUpdate

    Run = Callable[[list[Tensor]], Sequence[Tensor]]

_log = logging.getLogger("gluonish.hybrid")
_said: set[str] = set()

LOOK_EVERY = 0.1  # seconds
RACE_SECONDS = 0.3
FEWEST_ROUNDS, MOST_ROUNDS = 4, 50
_TOLERANCES = {
    torch.float64: 1e-7, torch.float32: 1e-3, torch.float16: 3e-2, torch.bfloat16: 1e-1,
    torch.complex64: 1e-3, torch.complex128: 1e-7,
}  # fmt: skip


def found(
    module: fx.GraphModule, tensors: Sequence[Tensor], update: StepUpdate | None = None
) -> Compilation | None:
    """Return what an earlier program has had compiled, if it has; see `Compilation`."""
    if compile_after() == float("inf"):
        return None
    try:
        compilation = Compilation(module, tensors, update, begin=False)
    except CompileError:  # which matters once it is to be compiled
        return None
    return compilation if compilation.job.is_done else None


def compile_after() -> float:
    """Return how many seconds a graph has to work before it is compiled.

    The environment variable `GLUONISH_COMPILE_AFTER` says it; 2 by default.

    Raises
    ------
    InvalidArgumentError
        It is no number.
    """
    text = os.environ.get("GLUONISH_COMPILE_AFTER") or "2"
    try:
        return float(text)
    except ValueError as error:
        msg = (
            f"the environment variable GLUONISH_COMPILE_AFTER is {text!r}. Expected seconds, or "
            f"'inf' for never. Set it to a number such as 2."
        )
        raise InvalidArgumentError(msg) from error


class GraphRecord:
    """What is known about how one graph runs; a report shows it.

    Attributes
    ----------
    label : str
        The signature.
    backend : str
        What runs it at present: 'fx', 'aot' or the name of another backend.
    state : str
        'fx', 'timing', 'compiling', 'racing', 'compiled'; or why it was not compiled.
    capture, compile : float
        Seconds.
    before, after : float or None
        Seconds a call, of the captured graph and of the compiled one.
    """

    def __init__(self, label: str = "") -> None:
        self.label = label
        self.backend = "fx"
        self.state = "fx"
        self.capture = 0.0
        self.compile = 0.0
        self.before: float | None = None
        self.after: float | None = None


class Compilation:
    """A graph on its way to a compiler, and what comes back.

    Parameters
    ----------
    module : fx.GraphModule
        The captured graph.
    tensors : list of Tensor
        What it runs on, the results of its draws not among them.
    update : StepUpdate, optional
        What makes a training step of it; then `tensors` begin with the graph's inputs and end
        with what the step takes beside them.
    begin : bool, default True
        Whether to compile what was not compiled before.

    Raises
    ------
    CompileError
        The graph can't be compiled.
    """

    def __init__(
        self,
        module: fx.GraphModule,
        tensors: Sequence[Tensor],
        update: StepUpdate | None = None,
        *,
        begin: bool = True,
    ) -> None:
        if is_switched_off():
            msg = "the environment variable GLUONISH_COMPILE is 0"
            raise CompileError(msg)
        if begin and not has_compiler():
            msg = "there is no C++ compiler (g++ or clang++)"
            raise CompileError(msg)
        program = Program.of(module)
        self.draws: list[Draw] = program.draws
        self.inputs = program.inputs
        likes = [Like.of(tensor) for tensor in tensors]
        self._strides = [like.stride for like in likes]
        likes[program.inputs : program.inputs] = [
            Like.of(value) for value in program.rehearse_draws()
        ]
        task = CompileTask(program, update, likes, torch.get_num_threads())
        self.job = CompileJob(task, begin=begin)

    def fits(self, tensors: Sequence[Tensor]) -> bool:
        """Return whether tensors lie in memory as those did that it was compiled for."""
        return [tensor.stride() for tensor in tensors] == self._strides

    def run(self) -> Run:
        """Return what runs the compiled graph on tensors in which the draws are not.

        Raises
        ------
        CompileError
            Compiling failed.
        """
        if self.job.error is not None:
            raise CompileError(self.job.error)
        run = self.job.load()
        if not self.draws:
            return run
        draws, inputs = self.draws, self.inputs

        def run_with_draws(tensors: list[Tensor]) -> list[Tensor]:
            return run([*tensors[:inputs], *[draw() for draw in draws], *tensors[inputs:]])

        return run_with_draws


class Tuner:
    """Runs a captured graph, watches what that costs, and replaces itself by the faster way.

    Parameters
    ----------
    module : fx.GraphModule
        The captured graph.
    record : GraphRecord
        Told what happens.
    settle : callable
        Takes what is to run the graph from now on.
    """

    def __init__(
        self,
        module: fx.GraphModule,
        record: GraphRecord,
        settle: Callable[[Run], None],
    ) -> None:
        self._module = module
        self._replay = replay(module)
        self._record = record
        self._settle = settle
        self._patience = compile_after()
        self._compilation: Compilation | None = None
        self._has_looked = False
        self._looked = 0.0
        record.state = "timing"

    def __call__(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        """Run the graph."""
        if not self._has_looked:
            self._has_looked = True
            self._compilation = found(self._module, tensors)
        begin = time.perf_counter()
        if self._compilation is not None and begin - self._looked > LOOK_EVERY:
            self._looked = begin
            if self._compilation.job.look():
                return self._try(tensors)
            begin = time.perf_counter()
        outputs = self._replay(tensors)
        spent = time.perf_counter() - begin
        record = self._record
        if record.before is None or spent < record.before:
            record.before = spent
        if self._compilation is None:
            self._patience -= spent
            if self._patience <= 0:
                self.begin(tensors)
        return outputs

    def begin(self, tensors: Sequence[Tensor]) -> None:
        """Have the graph compiled, unless that has begun."""
        if self._compilation is not None:
            return
        try:
            self._compilation = Compilation(self._module, tensors)
        except CompileError as error:
            self._give_up(str(error))
        else:
            self._record.state = "compiling"
            self._looked = -LOOK_EVERY if self._compilation.job.look() else time.perf_counter()

    def _give_up(self, reason: str) -> None:
        self._record.state = reason
        say_once(f"hybridize: a graph is replayed and not compiled: {reason}")
        self._settle(self._replay)

    def _try(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        """Run both ways, and decide."""
        compilation, record = self._compilation, self._record
        if compilation is None or not compilation.fits(tensors):
            return self._replay(tensors)
        record.compile = compilation.job.seconds
        try:
            trial = Trial(tensors)
            run = compilation.run()
            candidates = trial.run(run, has_draws=bool(compilation.draws))
        except CompileError as error:
            self._give_up(str(error))
            return self._replay(tensors)
        outputs = self._replay(tensors)
        difference = trial.difference(candidates, outputs, tensors)
        if difference is not None:
            self._give_up(f"the compiled graph's results differ: {difference}")
        else:
            record.state = "racing"
            replayed = self._replay
            self._settle(
                _Racer(record, replayed, guarded(run, compilation, replayed), self._settle)
            )
        return outputs


class Race:
    """Compares the times of two ways to do something, of which now one and now the other is used.

    Attributes
    ----------
    turn : int
        Whose turn it is: 0 or 1.
    best : list of float
        The shortest time of each so far, in seconds; the first time of each is left out.
    """

    def __init__(self) -> None:
        self.turn = 0
        self.best = [float("inf"), float("inf")]
        self._rounds = 0
        self._seconds = 0.0

    def add(self, seconds: float) -> bool:
        """Take note of how long the one in turn has taken; return whether the race is over."""
        self._seconds += seconds
        if self._rounds:
            self.best[self.turn] = min(self.best[self.turn], seconds)
        self._rounds += self.turn
        self.turn = 1 - self.turn
        if self.turn or self._rounds < FEWEST_ROUNDS:
            return False
        return self._rounds >= MOST_ROUNDS or self._seconds >= RACE_SECONDS

    def report(self, record: GraphRecord) -> bool:
        """Write the times into a record; return whether the second way is faster."""
        record.before, record.after = self.best
        if record.after >= record.before:
            record.state = "compiled, not faster"
            return False
        record.backend, record.state = "aot", "compiled"
        _log.info(
            "hybridize: %s compiled in %.1f s: %.1f us a call, %.1f before",
            record.label,
            record.compile,
            record.after * 1e6,
            record.before * 1e6,
        )
        return True


class _Racer:
    """Runs a graph now replayed and now compiled, until it is clear which is faster."""

    def __init__(
        self, record: GraphRecord, replayed: Run, compiled: Run, settle: Callable[[Run], None]
    ) -> None:
        self._record = record
        self._ways = (replayed, compiled)
        self._settle = settle
        self._race = Race()

    def __call__(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        race = self._race
        begin = time.perf_counter()
        outputs = self._ways[race.turn](tensors)
        if race.add(time.perf_counter() - begin):
            self._settle(self._ways[race.report(self._record)])
        return outputs


class Trial:
    """A trial run of a compiled graph, on copies of the tensors that it may write to.

    Parameters
    ----------
    tensors : sequence of Tensor
        What the graph is to run on.

    Raises
    ------
    CompileError
        They can't be copied.
    """

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        try:
            self._before = [_copy(tensor) for tensor in tensors]
            self._after = [_copy(tensor) for tensor in tensors]
        except RuntimeError as error:
            msg = f"there is no memory for a trial ({str(error).strip().splitlines()[0]})"
            raise CompileError(msg) from error

    def run(self, run: Run, *, has_draws: bool) -> Sequence[Tensor]:
        """Run the graph, and return its results; streams stay as they are.

        Raises
        ------
        CompileError
            It fails.
        """
        before = random_streams.get_state() if has_draws else None
        try:
            return run(list(self._after))
        except RuntimeError as error:
            lines = str(error).strip().splitlines() or [""]
            msg = f"the compiled graph fails: {lines[0]}"
            raise CompileError(msg) from error
        finally:
            if before is not None:
                random_streams.set_state(before)

    def difference(
        self,
        outputs: Sequence[Tensor],
        expected: Sequence[Tensor],
        tensors: Sequence[Tensor],
        sure: dict[int, Tensor] | None = None,
    ) -> str | None:
        """Return how results, or changes to tensors, differ from what they should be, or None.

        Parameters
        ----------
        outputs, expected : sequence of Tensor
            Results of the trial, and of the program itself.
        tensors : sequence of Tensor
            What the program itself ran on, as it left them.
        sure : dict of int to Tensor, optional
            For positions of tensors, which elements have to agree; all by default.
        """
        for position, (output, right) in enumerate(zip(outputs, expected, strict=True)):
            if not are_close(output, right.detach()):
                return f"result {position}"
        for position, (before, after, right) in enumerate(
            zip(self._before, self._after, tensors, strict=True)
        ):
            if before.is_floating_point():
                change, expected_change = after - before, right.detach() - before
                if sure is not None and position in sure:
                    change, expected_change = (
                        change * sure[position],
                        expected_change * sure[position],
                    )
                if not are_close(change, expected_change, like=before):
                    return f"what is written to tensor {position}"
            elif not torch.equal(after, right):
                return f"what is written to tensor {position}"
        return None


def _copy(tensor: Tensor) -> Tensor:
    """Return a copy that lies in memory as a tensor does, gaps and repetitions included.

    A compiled graph relies on that: it would read past the end of a denser copy.
    """
    tensor = tensor.detach()
    if not tensor.numel():
        return tensor.clone()
    strides = tensor.stride()
    length = 1 + sum((n - 1) * step for n, step in zip(tensor.shape, strides, strict=True))
    return tensor.as_strided((length,), (1,)).clone().as_strided(tensor.shape, strides)


def are_close(values: Tensor, expected: Tensor, like: Tensor | None = None) -> bool:
    """Return whether values agree within what another order of operations can explain.

    `like` is what both were subtracted from, whose rounding they then have.
    """
    if values.shape != expected.shape or values.dtype != expected.dtype:
        return False
    if not values.numel():
        return True
    tolerance = _TOLERANCES.get(values.dtype)
    if tolerance is None:
        return torch.equal(values, expected)
    kind = torch.float64 if values.dtype == torch.float64 else torch.float32
    if values.is_complex():
        return torch.allclose(values, expected, rtol=tolerance, atol=tolerance)
    a, b = values.to(kind), expected.to(kind)
    if like is not None:
        tolerance *= 10  # differences of numbers that are close to each other
    bound = tolerance * _largest(b)
    if like is not None:
        rounding = torch.finfo(values.dtype).eps * 4
        bound += rounding * _largest(like.to(kind))
    return torch.allclose(a, b, rtol=tolerance, atol=bound, equal_nan=True)


def _largest(values: Tensor) -> float:
    """Return the largest absolute value that is finite, or 0."""
    return float(values.abs().nan_to_num(0.0, 0.0, 0.0).max())


def guarded(run: Run, compilation: Compilation, otherwise: Run) -> Run:
    """Return what runs a compiled graph where it fits, and replays the captured one elsewhere."""
    fits = compilation.fits

    def call(tensors: list[Tensor]) -> Sequence[Tensor]:
        return run(tensors) if fits(tensors) else otherwise(tensors)

    return call


def say_once(text: str) -> None:
    """Write a warning to the log, unless this process has written it before."""
    if text not in _said and not is_switched_off():  # which whoever did so knows
        _said.add(text)
        _log.warning(text)
