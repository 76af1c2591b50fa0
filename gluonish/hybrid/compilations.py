"""Captured graphs on their way to a compiler, and what comes back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import torch

from gluonish.errors import CompileError, InvalidArgumentError
from gluonish.hybrid.exactness import exactly
from gluonish.hybrid.jobs import CompileJob, has_compiler, is_switched_off
from gluonish.hybrid.program import Like, Program
from gluonish.hybrid.worker import CompileTask

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor, fx

    from gluonish.hybrid.program import Draw
    from gluonish.hybrid.steps import StepUpdate

    Exact = tuple[Sequence[Tensor], Sequence[Tensor]]
    Run = Callable[[list[Tensor]], Sequence[Tensor]]

_is_contiguous = torch.Tensor.is_contiguous


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
        self._program = program = Program.of(module)
        self._update = update
        self.draws: list[Draw] = program.draws
        self.inputs = program.inputs
        likes = [Like.of(tensor) for tensor in tensors]
        self._strides = [like.stride for like in likes]
        self._are_contiguous = all(map(_is_contiguous, tensors))
        drawn = program.rehearse_draws()
        likes[program.inputs : program.inputs] = map(Like.of, drawn)
        task = CompileTask(program, update, likes, torch.get_num_threads())
        self.job = CompileJob(task, begin=begin)

    def fits(self, tensors: Sequence[Tensor]) -> bool:
        """Return whether tensors lie in memory as those did that it was compiled for."""
        if self._are_contiguous:
            return all(map(_is_contiguous, tensors))
        return list(map(torch.Tensor.stride, tensors)) == self._strides

    def exact(self) -> Callable[[Sequence[Tensor]], Exact | None]:
        """Return what computes the graph in double precision, with the draws that come next."""
        program, update, inputs = self._program, self._update, self.inputs
        drawn = program.rehearse_draws()

        def run(tensors: Sequence[Tensor]) -> Exact | None:
            module = program.module()
            everything = [*tensors[:inputs], *drawn, *tensors[inputs:]]
            found = exactly(module, update, everything, inputs + len(drawn))
            if found is None:
                return None
            results, left = found
            return results, [*left[:inputs], *left[inputs + len(drawn) :]]

        return run

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
