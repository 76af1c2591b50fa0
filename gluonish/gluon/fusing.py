"""One compiled training step: what it needs from a Trainer, and when it may be used."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.array.gradients import attachment
from gluonish.array.scaling import by_norm, by_number
from gluonish.array.tensors import held, hold, plain
from gluonish.block.parameter_memory import copies_of
from gluonish.errors import CompileError
from gluonish.gluon.loss_scaling import set_scale
from gluonish.hybrid import ChangeCounts
from gluonish.hybrid.backends import WRITES_INPUTS
from gluonish.hybrid.judging import Judge, State
from gluonish.hybrid.loops import Loop
from gluonish.hybrid.report import GraphRecord
from gluonish.hybrid.step_plan import StepPlan, settings_of
from gluonish.hybrid.steps import Scaling, StepUpdate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.block import Parameter
    from gluonish.gluon.loss_scaling import LossScaler
    from gluonish.hybrid.capture import CapturedGraph


WHERE = "FusedStep: the plain loop goes on, a step is not compiled"
ON_SEVERAL = "lives on several contexts"


class TrainerPlan(StepPlan):
    """What a Trainer adds to a captured graph of the loss to make a training step of it.

    Parameters
    ----------
    graph : CapturedGraph
        The captured graph; its first output is the loss.
    owner : FusedStep
        Has the Trainer.
    updates : bool
        Whether the step updates weights.

    Raises
    ------
    CompileError
        They can't be one graph.
    """

    scaler: LossScaler | None

    def __init__(self, graph: CapturedGraph, owner: Any, *, updates: bool) -> None:
        trainer = owner.trainer
        trainer.prepare()
        if trainer.has_own_steps():
            msg = f"{type(trainer).__name__} replaces a part of a step by its own"
            raise CompileError(msg)
        self._store = trainer._kvstore
        super().__init__(trainer._updaters[0])
        self._owner, self.trainer = owner, trainer
        self.updates = updates and self._store is None
        self._version = ChangeCounts.grad_reqs
        self._grad_reqs = [param.grad_req for param in trainer._params]
        params = [param for param in trainer._params if param.grad_req != "null"]
        places = {id(arrays): i for i, (arrays, _) in enumerate(graph.sources)}
        adds = {_grad_req(param, places) == "add" for param in params}
        if len(adds) > 1:
            msg = "some parameters add gradients up and others do not"
            raise CompileError(msg)
        for param in params:
            if param._grad_stype != "default":
                msg = f"parameter {param.name} has gradients of storage type {param._grad_stype}"
                raise CompileError(msg)
        self.adds = adds == {True}
        self.scaler = trainer._amp_loss_scaler
        self._max_norm = owner.clip_norm if self.updates else None
        scalings: list[Scaling] = []
        if self._max_norm is not None:
            rules = (by_norm,) if self.scaler is None else (by_number, by_norm)
            scalings = [Scaling(rule, tuple(range(len(params)))) for rule in rules]
        self.prepare(
            [trainer._indices[id(param)] for param in params],
            [copies_of(param)[0] for param in params],
            extra=len(scalings) + (self.scaler is not None),
        )
        self.update = StepUpdate(
            settings_of(self.optimizer),
            tuple(graph.inputs + places[id(param._arrays)] for param in params),
            self.adds,
            self.updates,
            tuple(self.groups),
            self.layout(),
            tuple(scalings),
            is_scaled=self.scaler is not None,
            checks=self.updates and self.scaler is not None,
            gives=self._store is not None and not self.adds,
        )
        self.places = graph.inputs + len(graph.sources), len(params) if self.adds else 0
        self._beside = self._sums() if self.adds else []
        if self.updates:
            self._beside += self.states()
        if self.updates or self.scaler is not None:
            self._beside.append(self.numbers)

    @property
    @override
    def beside(self) -> list[Tensor]:
        return self._beside

    def _sums(self) -> list[Tensor]:
        """Return the gradients that are there."""
        return [held(array.grad) for array in self.arrays if array.grad is not None]

    @override
    def gradients(self) -> list[Tensor]:
        return [plain(array.grad) for array in self.arrays if array.grad is not None]

    @override
    def holds(self) -> bool:
        trainer = self.trainer
        if trainer._optimizer is not self.optimizer or trainer._updaters[0] is not self.updater:
            return False
        if trainer._amp_loss_scaler is not self.scaler or trainer._kvstore is not self._store:
            return False
        if self._version != ChangeCounts.grad_reqs:
            self._version = ChangeCounts.grad_reqs
            if [param.grad_req for param in trainer._params] != self._grad_reqs:
                return False
        if self.adds and any(map(operator.is_not, self._sums(), self._beside)):
            return False
        return super().holds()

    @override
    def expect(self) -> None:
        numbers: list[float] = []
        trainer, max_norm = self.trainer, self._max_norm
        if self.scaler is not None:
            numbers.append(set_scale(trainer, self.scaler))
            if max_norm is not None:
                numbers.append(trainer._scale)
                trainer._scale = 1.0
        if max_norm is not None:
            numbers.append(max_norm)
        values = self.count() if self.updates else []
        if values or numbers:
            self._view[:] = values + numbers

    @override
    def count(self) -> list[float]:
        self.optimizer.rescale_grad = self.trainer.scale_for(self._owner.batch_size)
        return super().count()

    @override
    def take(self, grads: Sequence[Tensor]) -> None:
        """Have gradients as backward() leaves them: each with memory of its own."""
        seen: set[int] = set()
        for array, gradient in zip(self.arrays, grads, strict=True):
            attached = attachment(array)
            if attached is None:
                continue
            if gradient.data_ptr() in seen or gradient.stride() != held(array).stride():
                gradient = torch.empty_like(plain(array)).copy_(gradient)
            seen.add(gradient.data_ptr())
            hold(attached.buffer, gradient)
            attached.is_fresh = True

    @override
    def mark(self) -> None:
        if self.adds:
            for array in self.arrays:
                attached = attachment(array)
                if attached is not None:
                    attached.is_fresh = not self.updates or self.has_skipped


def _check_inputs(graph: CapturedGraph, tensors: Sequence[Tensor]) -> None:
    if graph.writes_inputs:
        msg = WRITES_INPUTS
        raise CompileError(msg)
    if any(tensor.requires_grad for tensor in tensors[: graph.inputs]):
        msg = "gradients of inputs are asked for"
        raise CompileError(msg)


def _grad_req(param: Parameter, places: dict[int, int]) -> str:
    if len(copies_of(param)) != 1:
        msg = f"parameter {param.name} {ON_SEVERAL}"
        raise CompileError(msg)
    if id(param._arrays) not in places:
        msg = f"parameter {param.name} takes no part in the loss"
        raise CompileError(msg)
    return param.grad_req


def step_judge(graph: CapturedGraph, owner: Any) -> Judge | None:
    """Return who says how a step is run; None if that is the plain loop for good.

    Parameters
    ----------
    graph : CapturedGraph
        The captured graph of the loss.
    owner : FusedStep
        Whose step it is.
    """
    updates = owner.updates
    judge = graph.judges.get(updates)
    if judge is None:
        record = GraphRecord(graph.record.label + ("" if updates else " adding up"))
        record.capture = graph.record.capture

        def make(tensors: Sequence[Tensor]) -> TrainerPlan:
            _check_inputs(graph, tensors)
            return TrainerPlan(graph, owner, updates=updates)

        judge = graph.judges[updates] = Judge(graph.module, record, make, WHERE, patience=1 / 4)
    elif judge.state is State.PLAIN:
        if all(each.state is State.PLAIN for each in graph.judges.values()):
            graph.enter = graph.enter or Loop(graph)
        return None
    elif not judge.holds():
        judge.renew()
    return judge
