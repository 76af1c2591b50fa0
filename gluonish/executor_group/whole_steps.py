"""Training steps of a bound Symbol as one graph each: forward, backward, and the update."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from gluonish.array.tensors import held, hold
from gluonish.errors import CompileError
from gluonish.hybrid.backends import WRITES_INPUTS, is_switched_off, resolve
from gluonish.hybrid.judging import Judge
from gluonish.hybrid.report import GraphRecord, say_once
from gluonish.hybrid.step_plan import StepPlan
from gluonish.optimizer import Updater
from gluonish.profiler.stages import measured

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.executor_group.group import DataParallelExecutorGroup
    from gluonish.hybrid.halves import Halves
    from gluonish.symbol.execution import Execution
    from gluonish.symbol.executor import Executor


class WholeSteps:
    """Trains the Symbol of an executor on one context, and has that compiled as one graph.

    The first steps are the plain ones: forward, backward, update. Once they have taken long
    enough, another process compiles all of it into one graph, which is adopted if it gives the
    same results faster. Weights, states, gradients and outputs are where they always are.

    Parameters
    ----------
    updater : Updater
        What updates the weights, by their positions as indices.
    where : str
        Who says in the log that a step can't be compiled.
    """

    def __init__(self, updater: Updater, where: str) -> None:
        self.updater = updater
        self._where = where
        self._judges: weakref.WeakKeyDictionary[Executor, Judge | None]
        self._judges = weakref.WeakKeyDictionary()

    def __call__(self, group: DataParallelExecutorGroup, update: Callable[[], None]) -> None:
        """Train on the batch that is loaded.

        Parameters
        ----------
        group : DataParallelExecutorGroup
            Has the executor.
        update : callable
            Updates the weights by their gradients.
        """
        executor = group.execs[0]
        judge = self._judges.get(executor)
        if judge is None or executor.is_watched:
            _step(executor, update)
            if executor not in self._judges and True in executor.execution.ways:
                self._judges[executor] = self._made(group, executor)
            return
        if not judge.holds():
            judge.renew()

        def plainly(_: list[Tensor]) -> list[Tensor]:
            _step(executor, update)
            return [held(output) for output in executor.outputs]

        outputs = judge(executor.execution.tensors(), plainly)
        for array, tensor in zip(executor.outputs, outputs, strict=True):
            hold(array, tensor)

    def _made(self, group: DataParallelExecutorGroup, executor: Executor) -> Judge | None:
        """Return the way to a compiled graph; None if there is nothing to compile."""
        execution = executor.execution
        halves = execution.ways.get(True)
        if halves is None or not halves.reached:
            say_once(f"{self._where}: a step is not compiled: its graph can't be captured")
            return None
        if not executor.is_dense:
            say_once(f"{self._where}: a step is not compiled: it has sparse arrays")
            return None
        trained = [
            (position, weights[0], grads[0])
            for position, (weights, grads) in enumerate(
                zip(group.param_arrays, group.grad_arrays, strict=True)
            )
            if grads[0] is not None
        ]

        def make(tensors: Sequence[Tensor]) -> _UpdaterPlan:  # noqa: ARG001 - what plans are made from
            return _UpdaterPlan(execution, halves, self.updater, trained)

        where = f"{self._where}: the plain loop goes on, a step is not compiled"
        return Judge(halves.joined(), GraphRecord(self._where), make, where, patience=1 / 4)


def _step(executor: Executor, update: Callable[[], None]) -> None:
    executor.forward(is_train=True)
    executor.backward()
    update()


class _UpdaterPlan(StepPlan):
    """What an Updater adds to the graph of an executor, forward and back."""

    def __init__(
        self,
        execution: Execution,
        halves: Halves,
        updater: Updater,
        trained: Sequence[tuple[int, NDArray, NDArray]],
    ) -> None:
        if halves.forward.writes_inputs or halves.backward.writes_inputs:
            raise CompileError(WRITES_INPUTS)
        arrays = execution.arrays
        places = {id(array): i for i, array in enumerate(arrays)}
        wanted = [places[id(weight)] for _, weight, _ in trained]
        if sorted(wanted) != list(halves.reached):
            msg = "some parameter takes no part in the loss"
            raise CompileError(msg)
        trained = [trained[wanted.index(place)] for place in halves.reached]
        super().__init__(
            updater,
            [grad for _, _, grad in trained],
            len(arrays),
            len(halves.heads),
            [
                (i, places[id(weight)], index, weight)
                for i, (index, weight, _) in enumerate(trained)
            ],
        )


def whole_steps(
    group: DataParallelExecutorGroup, updater: Any, kvstore: Any, where: str
) -> WholeSteps | None:
    """Return what trains in whole steps; None where steps can't be one graph.

    Parameters
    ----------
    group : DataParallelExecutorGroup
        The executors: one, whose gradients are written and are those of parameters alone.
    updater : Updater or callable
        What updates the weights.
    kvstore : KVStoreBase or None
        There must be none.
    where : str
        Who says in the log that a step can't be compiled.
    """
    is_possible = (
        len(group.contexts) == 1
        and kvstore is None
        and type(updater) is Updater
        and not group.inputs_need_grad
        and "add" not in group.grad_req.values()
        and not is_switched_off()
        and resolve(None, {}, where).name == "auto"
    )
    return WholeSteps(updater, where) if is_possible else None


measured(WholeSteps, "step", "__call__")
