"""One compiled training step: what it needs from a Trainer, and when it may be used."""

from __future__ import annotations

import contextlib
import operator
import time
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array.core import attachment, plain
from gluonish.errors import CompileError
from gluonish.gluon.loss_scaling import set_scale
from gluonish.hybrid import Structure
from gluonish.hybrid.backends import WRITES_INPUTS
from gluonish.hybrid.steps import Group, Update
from gluonish.hybrid.tuning import (
    LOOK_EVERY,
    Compilation,
    Race,
    Record,
    Trial,
    compile_after,
    say_once,
)
from gluonish.optimizer.base import columns_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torch import Tensor

    from gluonish.block import Parameter
    from gluonish.gluon.trainer import Trainer
    from gluonish.hybrid.capture import Graph
    from gluonish.hybrid.tuning import Run
    from gluonish.optimizer import Optimizer

NOISE = 1e-4  # of the largest gradient


class Plan:
    """What a Trainer adds to a captured graph of the loss to make a training step of it.

    Parameters
    ----------
    graph : Graph
        The captured graph; its first output is the loss.
    trainer : Trainer
        What updates the parameters.
    updates : bool
        Whether the step updates weights, and does not only add up gradients.
    max_norm : float or None
        What the norm of all gradients is clipped to.

    Raises
    ------
    CompileError
        They can't be one graph.
    """

    def __init__(
        self, graph: Graph, trainer: Trainer, *, updates: bool, max_norm: float | None
    ) -> None:
        self.trainer = trainer
        self.updates = updates
        self.optimizer = trainer._optimizer
        self.updater = trainer._updaters[0]
        self._version = Structure.grad_reqs
        self._grad_reqs = [param.grad_req for param in trainer._params]
        self._check_store()
        self._check_optimizer()
        params = [param for param in trainer._params if param.grad_req != "null"]
        places = {id(arrays): i for i, (arrays, _) in enumerate(graph.sources)}
        adds = {_grad_req(param, places) == "add" for param in params}
        if len(adds) > 1:
            msg = "some parameters add gradients up and others do not"
            raise CompileError(msg)
        self.adds = adds == {True}
        self._graph_tensors = graph.inputs + len(graph.sources)
        self.arrays = [next(iter(param._arrays.values())) for param in params]
        self.indices = [trainer._indices[id(param)] for param in params]
        self.groups = self._groups() if updates else []
        self._group_indices = [[self.indices[i] for i in g.trained] for g in self.groups]
        self._constants = self.optimizer.constants()
        with rehearsal(self.optimizer):
            self.optimizer._update_count(self.indices)
            factors = [self.optimizer.factors(group) for group in self._group_indices]
        self._names = [tuple(sorted({*names, "wd"})) for names in factors]
        self.scaler = trainer._amp_loss_scaler
        self._unscales = updates and max_norm is not None
        count = sum(len(g) * len(n) for g, n in self._named_groups())
        self.numbers = torch.zeros(count + (2 if self.scaler is not None else 0))
        self._view = self.numbers.numpy()
        self.update = Update(
            settings_of(self.optimizer),
            tuple(graph.inputs + places[id(param._arrays)] for param in params),
            self.adds,
            updates,
            tuple(self.groups),
            tuple(self._layout()),
            max_norm,
            self.scaler is not None,
        )
        self.beside = self._beside()
        self._states = self.updater.states

    def _check_store(self) -> None:
        self.trainer._init_kvstore()
        if self.trainer._kvstore is not None:
            msg = "the gradients pass through a KVStore"
            raise CompileError(msg)

    def _check_optimizer(self) -> None:
        if not self.optimizer.is_traceable:
            msg = f"{type(self.optimizer).__name__} computes its update in Python"
            raise CompileError(msg)
        if type(self.optimizer).__module__ == "__main__":
            msg = f"{type(self.optimizer).__name__} is defined in the program itself"
            raise CompileError(msg)

    def _groups(self) -> list[Group]:
        self.updater.settle(self.indices, self.arrays)
        states = self.updater.states
        for index, array in zip(self.indices, self.arrays, strict=True):
            if index not in states:
                states[index] = self.optimizer.create_state_multi_precision(index, array)
        masters = [self.optimizer.has_master(array) for array in self.arrays]
        groups = []
        for has_master in (False, True):
            chosen = [i for i, has in enumerate(masters) if has is has_master]
            if chosen:
                columns = columns_of([states[self.indices[i]] for i in chosen])
                groups.append(Group(tuple(chosen), len(columns), has_master))
        return groups

    def _named_groups(self) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
        return [
            (group.trained, names) for group, names in zip(self.groups, self._names, strict=True)
        ]

    def _layout(self) -> list[tuple[tuple[str, tuple[int, ...]], ...]]:
        layout = []
        place = 0
        for trained, names in self._named_groups():
            parts = []
            for name in names:
                parts.append((name, tuple(range(place, place + len(trained)))))
                place += len(trained)
            layout.append(tuple(parts))
        return layout

    def _beside(self) -> list[Tensor]:
        """Return the tensors that the step takes beside those of the graph of the loss."""
        tensors = self._sums() if self.adds else []
        if self.updates:
            states = self.updater.states
            for indices in self._group_indices:
                for column in columns_of([states[index] for index in indices]):
                    tensors += column
        if self.updates or self.scaler is not None:
            tensors.append(self.numbers)
        return tensors

    def _sums(self) -> list[Tensor]:
        """Return the gradients that are there."""
        return [array.grad._tensor for array in self.arrays if array.grad is not None]

    def holds(self) -> bool:
        """Return whether Trainer and optimizer are as they were."""
        trainer = self.trainer
        if trainer._optimizer is not self.optimizer or trainer._updaters[0] is not self.updater:
            return False
        if trainer._amp_loss_scaler is not self.scaler:
            return False
        if self._version != Structure.grad_reqs:
            self._version = Structure.grad_reqs
            if [param.grad_req for param in trainer._params] != self._grad_reqs:
                return False
        if self.updates and self.updater.states is not self._states:
            return False
        if self.adds and any(map(operator.is_not, self._sums(), self.beside)):
            return False
        attributes = self.optimizer.__dict__
        return all(attributes[name] == value for name, value in self._constants.items())

    def expect(self, batch_size: float) -> None:
        """Set the numbers for one more step, and count it if it updates."""
        scales: list[float] = []
        trainer = self.trainer
        if self.scaler is not None:
            scales = [set_scale(trainer, self.scaler), trainer._scale]
            if self._unscales:
                trainer._scale = 1.0
        values = self._count(batch_size) if self.updates else []
        self._view[:] = values + scales

    def _count(self, batch_size: float) -> list[float]:
        """Count one more update, and return its numbers."""
        optimizer = self.optimizer
        optimizer.rescale_grad = self.trainer._scale / batch_size
        if self.scaler is not None:
            self._restore = remembered(optimizer)
        optimizer._update_count(self.indices)
        values: list[float] = []
        for group, names in zip(self._group_indices, self._names, strict=True):
            factors = optimizer.factors(group)
            for name in names:
                values += factors.get(name) or [0.0] * len(group)
        return values

    def follow(self, *, is_finite: bool) -> None:
        """Let the scale of the loss follow a check; forget the update if it did not take place."""
        if self.scaler is not None and self.scaler.follow(is_finite=is_finite):
            self._restore()

    @property
    def has_skipped(self) -> bool:
        """Whether the latest step's update did not take place."""
        return self.update.checks and self.scaler is not None and self.scaler.has_skipped

    def sure(self) -> dict[int, Tensor]:
        """Return which elements of weights and states are more than rounding errors.

        Where a gradient is 0 but for rounding, any way to compute it gives another one.
        """
        grads = [plain(array.grad) for array in self.arrays if array.grad is not None]
        largest = max(float(grad.abs().max()) for grad in grads)
        masks = [grad.abs() > NOISE * largest for grad in grads]
        positions = dict(zip(self.update.trained, masks, strict=True))
        place = self._graph_tensors + (len(grads) if self.adds else 0)
        for group in self.groups:
            for _ in range(group.columns):
                for i in group.trained:
                    if self.beside[place - self._graph_tensors].shape == masks[i].shape:
                        positions[place] = masks[i]
                    place += 1
        return positions

    def mark(self) -> None:
        """Say of gradients that were added to whether an update has used them."""
        if self.adds:
            for array in self.arrays:
                attached = attachment(array)
                if attached is not None:
                    attached.is_fresh = not self.updates or self.has_skipped


def settings_of(optimizer: Optimizer) -> Optimizer:
    """Return an optimizer of the same kind with nothing but its constants.

    Equal steps are then equal text, for which a compiled graph is found on disk.
    """
    bare = type(optimizer).__new__(type(optimizer))
    bare.__dict__.update(optimizer.constants())
    return bare


@contextlib.contextmanager
def rehearsal(optimizer: Optimizer) -> Iterator[None]:
    """Let an optimizer count updates, and forget them afterwards."""
    restore = remembered(optimizer)
    try:
        yield
    finally:
        restore()


def remembered(optimizer: Optimizer) -> Callable[[], None]:
    """Return what takes an optimizer back to its present counts and numbers."""
    counts = optimizer._index_update_count
    attributes, old = dict(optimizer.__dict__), dict(counts)

    def restore() -> None:
        optimizer.__dict__.update(attributes)
        counts.clear()
        counts.update(old)

    return restore


def _check_inputs(graph: Graph, tensors: Sequence[Tensor]) -> None:
    if graph.writes_inputs:
        msg = WRITES_INPUTS
        raise CompileError(msg)
    if any(tensor.requires_grad for tensor in tensors[: graph.inputs]):
        msg = "gradients of inputs are asked for"
        raise CompileError(msg)


def _grad_req(param: Parameter, places: dict[int, int]) -> str:
    if len(param._arrays) != 1:
        msg = f"parameter {param.name} lives on several contexts"
        raise CompileError(msg)
    if id(param._arrays) not in places:
        msg = f"parameter {param.name} takes no part in the loss"
        raise CompileError(msg)
    return param.grad_req


class StepTuner:
    """Runs the captured graph of a loss, and the whole training step once that is compiled.

    Parameters
    ----------
    owner : FusedStep
        Whose steps these are.
    graph : Graph
        The captured graph of the loss.
    """

    def __init__(self, owner: Any, graph: Graph) -> None:
        self._owner = owner
        self._graph = graph
        self._forward = graph.module.forward
        self._variants: dict[bool, _Variant] = {}

    def __call__(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        """Run the step, or the loss alone; the owner is told which."""
        owner = self._owner
        variant = self._variants.get(owner.updates)
        if variant is None:
            variant = self._variants[owner.updates] = _Variant(owner, self._graph)
        if variant.run is not None:
            if not variant.is_usable(tensors):
                variant.renew()
            elif variant.race is None or variant.race.turn:
                return variant.step(tensors)
        owner.variant = variant
        variant.prepare(tensors)
        outputs: Sequence[Tensor] = self._forward(*tensors)
        return outputs

    @property
    def records(self) -> list[Record]:
        """What is known about the steps."""
        return [variant.record for variant in self._variants.values()]


class _Variant:
    """The way of one kind of step to a compiled graph: with or without an update."""

    def __init__(self, owner: Any, graph: Graph) -> None:
        self._owner = owner
        self._graph = graph
        self.record = Record(graph.record.label + ("" if owner.updates else " adding up"))
        self.record.capture = graph.record.capture
        self.record.state = "timing"
        self.run: Run | None = None
        self.race: Race | None = None
        self._plan: Plan | None = None
        self._compilation: Compilation | None = None
        self._patience = compile_after() / 4
        self._looked = 0.0
        self._trial: Trial | None = None
        self._tried: Sequence[Tensor] = ()
        self._outputs: Sequence[Tensor] = ()
        self._candidate: Run | None = None
        self._is_settled = False

    def renew(self) -> None:
        """Begin anew if what the compiled step was made for has changed."""
        if self._plan is None or not self._plan.holds():
            self.run = self.race = self._plan = self._compilation = self._trial = None
            self.record.backend, self.record.state = "fx", "timing"

    def is_usable(self, tensors: Sequence[Tensor]) -> bool:
        """Return whether the compiled step is right for Trainer and tensors as they are."""
        plan, compilation = self._plan, self._compilation
        return (
            plan is not None
            and compilation is not None
            and plan.holds()
            and compilation.fits([*tensors, *plan.beside])
        )

    def step(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        """Do the whole step."""
        plan, run, owner = self._plan, self.run, self._owner
        assert plan is not None and run is not None  # noqa: S101, PT018 - for the type checker
        if plan.updates or plan.scaler is not None:
            plan.expect(owner.batch_size)
        outputs = run([*tensors, *plan.beside])
        if plan.update.checks:
            *outputs, is_finite = outputs
            plan.follow(is_finite=bool(is_finite))
        plan.mark()
        owner.is_done = True
        if self.race is not None:
            owner.variant = self
        return outputs

    # --- on the way -----------------------------------------------------------------------------

    def prepare(self, tensors: Sequence[Tensor]) -> None:
        """Begin to compile, or to try, before the plain loop runs."""
        if self._is_settled or self.race is not None:
            return
        self._trial = None  # left over where a step has ended with an error
        if self._compilation is None:
            if self._patience <= 0:
                self._begin(tensors)
        elif time.perf_counter() - self._looked > LOOK_EVERY:
            self._looked = time.perf_counter()
            if self._compilation.job.look():
                self._try(tensors)

    def _begin(self, tensors: Sequence[Tensor]) -> None:
        owner = self._owner
        try:
            _check_inputs(self._graph, tensors)
            plan = Plan(self._graph, owner.trainer, updates=owner.updates, max_norm=owner.clip_norm)
            everything = [*(tensor.detach() for tensor in tensors), *plan.beside]
            self._compilation = Compilation(self._graph.module, everything, plan.update)
        except CompileError as error:
            self._give_up(str(error))
        else:
            self._plan = plan
            self.record.state = "compiling"
            self._looked = 0.0 if self._compilation.job.look() else time.perf_counter()

    def _try(self, tensors: Sequence[Tensor]) -> None:
        plan, compilation, owner = self._plan, self._compilation, self._owner
        assert plan is not None and compilation is not None  # noqa: S101, PT018 - for the checker
        self.record.compile = compilation.job.seconds
        if not self.is_usable(tensors):
            self.renew()
            return
        self._tried = [*tensors, *plan.beside]
        try:
            run = self._candidate = compilation.run()
            with rehearsal(plan.optimizer):
                plan.expect(owner.batch_size)
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
        difference = trial.difference(self._outputs, outputs, self._tried, plan.sure())
        self._outputs = self._tried = ()
        if difference is not None:
            self._give_up(f"the compiled step's results differ: {difference}")
        else:
            record.state = "racing"
            self.run, self.race = self._candidate, Race()

    def _give_up(self, reason: str) -> None:
        self._is_settled = True
        self.record.state = reason
        say_once(f"FusedStep: the plain loop goes on, a step is not compiled: {reason}")
