"""What an optimizer needs for one compiled training step, and what it makes of it."""

from __future__ import annotations

import contextlib
import operator
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.array import NDArray
from gluonish.array.waiting import slot_of
from gluonish.errors import CompileError
from gluonish.hybrid.plans import Plan
from gluonish.hybrid.steps import StepUpdate, UpdateGroup
from gluonish.optimizer.base import columns_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Protocol

    from torch import Tensor

    from gluonish.hybrid.steps import Scaling
    from gluonish.optimizer import Optimizer, Updater

    class Scaler(Protocol):
        """The factor on losses, which follows what the gradients bear."""

        has_skipped: bool

        def follow(self, *, is_finite: bool) -> bool:
            """Let the factor follow what a check of the gradients gave; return whether to skip."""


NOISE = 1e-4  # of the largest gradient
_is = operator.is_
_tensor_of = operator.attrgetter("_tensor")
TRIALS = 10  # where a ReLU's input is nearly 0, rounding decides


class StepPlan(Plan):
    """The optimizer's part of a training step whose graph computes the gradients.

    Parameters
    ----------
    updater : Updater
        What updates the weights, with their states.
    buffers : list of NDArray
        The arrays that gradients arrive in, in their order.
    tensors, results : int
        How many tensors the graph takes, and how many results it gives before the gradients.
    trained : list of (int, int, int, NDArray)
        Which gradient, the place of its weight among the graph's tensors, the optimizer's index
        of the weight, and its array.
    scalings : tuple of Scaling
        What gradients are multiplied by before the update.
    scaler : Scaler, optional
        Is told whether the gradients are finite; weights are only updated if they are.
    updates, keeps, adds : bool
        See `StepUpdate`.

    Attributes
    ----------
    update : StepUpdate
        What the step does beside computing the graph.
    numbers_of_scalings : list of float
        Set before each step: what the rules of the scalings are given.

    Raises
    ------
    CompileError
        The optimizer's update can't be part of a graph.
    """

    update: StepUpdate
    trials = TRIALS

    def __init__(
        self,
        updater: Updater,
        buffers: list[NDArray],
        tensors: int,
        results: int,
        trained: list[tuple[int, int, Any, NDArray]],
        scalings: tuple[Scaling, ...] = (),
        scaler: Scaler | None = None,
        *,
        updates: bool = True,
        keeps: bool = True,
        adds: bool = False,
    ) -> None:
        self.updater = updater
        self.optimizer = updater.optimizer
        if not self.optimizer.is_traceable or self.optimizer.is_patched():
            msg = f"{type(self.optimizer).__name__} computes its update in Python"
            raise CompileError(msg)
        if type(self.optimizer).__module__ == "__main__":
            msg = f"{type(self.optimizer).__name__} is defined in the program itself"
            raise CompileError(msg)
        self.buffers, self.scaler, self._tensors = buffers, scaler, tensors
        self.numbers_of_scalings: list[float] = []
        self.indices = [index for _, _, index, _ in trained]
        self.arrays = [array for _, _, _, array in trained]
        self.groups = self._groups() if updates else []
        self._group_indices = [[self.indices[i] for i in g.trained] for g in self.groups]
        self._constants = self.optimizer.constants()
        self._values = tuple(self._constants.values())
        self._pick_values = _picking(self._constants)
        self._latest: list[float] = []
        with rehearsal(self.optimizer):
            self.optimizer._update_count(self.indices)
            factors = [self.optimizer.factors(group) for group in self._group_indices]
        self._names = [tuple(sorted({*names, "wd"})) for names in factors]
        self._counted = [
            (group, names, [0.0] * len(group))
            for group, names in zip(self._group_indices, self._names, strict=True)
        ]
        count = sum(len(g) * len(n) for g, n in self._named_groups())
        self.numbers = torch.zeros(count + len(scalings))
        self._view = self.numbers.numpy()
        self._states = self.updater.states
        self._order = [index for group in self._group_indices for index in group]
        self._kept = [self._states[index] for index in self._order]
        self._state_arrays = self._flat_states()
        self.update = StepUpdate(
            settings_of(self.optimizer),
            results,
            tuple(place for _, place, _, _ in trained),
            tuple(gradient for gradient, _, _, _ in trained),
            tuple(self.groups),
            self._layout(),
            scalings,
            updates=updates,
            keeps=keeps,
            adds=adds,
            checks=updates and scaler is not None,
        )

    @property
    @override
    def beside(self) -> list[Tensor]:
        kept = map(slot_of, self.buffers if self.update.keeps else ())
        if not self.update.updates:
            return list(kept)
        return [*kept, *self._state_tensors(), self.numbers]

    def gradients(self) -> list[Tensor]:
        """Return the memory of the gradients."""
        return list(map(slot_of, self.buffers))

    def _groups(self) -> list[UpdateGroup]:
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
                groups.append(UpdateGroup(tuple(chosen), len(columns), has_master))
        return groups

    def _named_groups(self) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
        return [
            (group.trained, names) for group, names in zip(self.groups, self._names, strict=True)
        ]

    def _layout(self) -> tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]:
        """Return where the numbers of each group are; see `StepUpdate.layout`."""
        layout = []
        place = 0
        for trained, names in self._named_groups():
            parts = []
            for name in names:
                parts.append((name, tuple(range(place, place + len(trained)))))
                place += len(trained)
            layout.append(tuple(parts))
        return tuple(layout)

    def _state_tensors(self) -> Iterable[Tensor]:
        """Return the tensors of the weights' states, in the order of a step."""
        arrays, states = self.fixed_states(), self.updater.states
        if arrays is not None:
            return map(_tensor_of, arrays)
        tensors: list[Tensor] = []
        for indices in self._group_indices:
            for column in columns_of([states[index] for index in indices]):
                tensors += column
        return tensors

    def fixed_states(self) -> list[NDArray] | None:
        """Return the arrays of all states, in one list until they change; None if they may do."""
        states = self.updater.states
        if not all(map(_is, map(states.__getitem__, self._order), self._kept)):
            self._kept = [states[index] for index in self._order]
            self._state_arrays = self._flat_states()
        return self._state_arrays

    def _flat_states(self) -> list[NDArray] | None:
        """Return the arrays of all states; None if a state may change as a list does."""
        if not all(map(_is_fixed, self._kept)):
            return None
        found: list[NDArray] = []
        states = self.updater.states
        for indices in self._group_indices:
            for column in columns_of([states[index] for index in indices], _itself):
                found += column
        return found

    @override
    def holds(self) -> bool:
        if self.updater.optimizer is not self.optimizer:
            return False
        if self.update.updates and self.updater.states is not self._states:
            return False
        return bool(self._pick_values(self.optimizer.__dict__) == self._values)

    @override
    def written(self) -> set[int]:
        first, beside = self._tensors, len(self.beside)
        if not self.update.updates:
            return set(range(first, first + beside))
        return {*self.update.trained, *range(first, first + beside - 1)}  # the last are numbers

    @override
    def replaced(self) -> set[int]:
        if self.update.adds or not self.update.keeps:
            return set()
        return set(range(self._tensors, self._tensors + len(self.buffers)))

    @override
    def rehearsal(self) -> contextlib.AbstractContextManager[None]:
        return rehearsal(self.optimizer)

    @override
    def expect(self) -> None:
        if not self.update.updates:
            return
        values = self.count()
        if values != self._latest:
            self._latest = values
            self._view[:] = values

    def count(self) -> list[float]:
        """Count one more update, and return its numbers."""
        optimizer = self.optimizer
        if self.scaler is not None:
            self._restore = remembered(optimizer)
        optimizer._update_count(self.indices)
        values: list[float] = []
        for group, names, zeros in self._counted:
            factors = optimizer.factors(group)
            for name in names:
                values += factors.get(name) or zeros
        return values + self.numbers_of_scalings

    def follow(self, *, is_finite: bool) -> None:
        """Take note of whether the gradients were finite, for a step that checks that."""
        if self.scaler is not None and self.scaler.follow(is_finite=is_finite):
            self._restore()

    @property
    @override
    def has_skipped(self) -> bool:
        return self.update.checks and self.scaler is not None and self.scaler.has_skipped

    @override
    def finish(self, outputs: Sequence[Tensor]) -> Sequence[Tensor]:
        if self.update.checks:
            *outputs, is_finite = outputs
            self.follow(is_finite=bool(is_finite))
        if self.update.keeps:
            self.mark()
        return outputs

    @override
    def compared(self, outputs: Sequence[Tensor]) -> Sequence[Tensor]:
        return outputs[:-1] if self.update.checks else outputs

    def mark(self) -> None:
        """Take note of the gradients after a step."""

    @override
    def certain(self) -> dict[int, Tensor]:
        # Where a gradient is 0 but for rounding, any way to compute it gives another one.
        update, all_grads = self.update, self.gradients()
        grads = [all_grads[i] for i in update.gradients]
        largest = max(float(grad.abs().max()) for grad in grads)
        masks = [grad.abs() > NOISE * largest for grad in grads]
        positions = dict(zip(update.trained, masks, strict=True))
        beside, first = self.beside, self._tensors
        place = first + (len(all_grads) if update.keeps else 0)
        for group in self.groups:
            for _ in range(group.columns):
                for i in group.trained:
                    if beside[place - first].shape == masks[i].shape:
                        positions[place] = masks[i]
                    place += 1
        return positions

    def scaled(self, grads: Sequence[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
        """Return scaled gradients, and what else the scalings found."""
        return self.update.scaled(grads, self.numbers_of_scalings)

    def update_weights(self, weights: list[Tensor], grads: list[Tensor]) -> None:
        """Count an update, and do it; both lists are in the order of what is trained."""
        optimizer, states = self.optimizer, self.updater.states
        optimizer._update_count(self.indices)
        for group, indices in zip(self.groups, self._group_indices, strict=True):
            own, found = weights, grads
            if len(self.groups) > 1:
                own = [weights[i] for i in group.trained]
                found = [grads[i] for i in group.trained]
            compute = optimizer.compute_multi_precision if group.has_master else optimizer.compute
            columns = columns_of([states[index] for index in indices])
            compute(own, found, columns, optimizer.factors(indices))


def _is_fixed(state: Any) -> bool:
    """Return whether a weight's state consists of the same arrays as long as it is the same."""
    if type(state) is tuple:
        return all(map(_is_fixed, state))
    return state is None or isinstance(state, NDArray)


def _picking(names: Iterable[str]) -> Callable[[dict[str, Any]], Any]:
    """Return what gives the values of some names in a dictionary, which are two at least."""
    return operator.itemgetter(*names)


def _itself(array: Any) -> Any:
    return array


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
