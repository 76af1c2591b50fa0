"""How an Executor's graph runs: captured once, replayed by a backend, forward and back."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import torch

from gluonish import autograd, random_streams
from gluonish.array import tensor_lists
from gluonish.array.tensors import overwritten, plain
from gluonish.array.writes import versions
from gluonish.hybrid.backends import is_switched_off, resolve
from gluonish.hybrid.graph_writer import address
from gluonish.hybrid.halves import Halves
from gluonish.process.needed_memory import forget, let_go, need, place_of
from gluonish.process.recording import differentiated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.context import Context
    from gluonish.hybrid.report import GraphRecord
    from gluonish.symbol.plan import GraphPlan, Watcher


class Execution:
    """A graph with the arrays that it runs on.

    Parameters
    ----------
    plan : GraphPlan
        The graph.
    ctx : Context
        Where it runs.
    arrays : list of NDArray
        The value of each variable.
    moved : set of int
        Which of these the graph updates.
    grads : dict of int to (NDArray, str)
        Where the gradients of variables go, and whether they are written (`'write'`) or added.

    Attributes
    ----------
    plan, ctx, arrays
        What was given.
    moved : set of int
        Which of these are updated on the way back.
    ways : dict of bool to Halves or None
        For training and prediction, once they have run twice: the captured graphs, or None where
        they can't be captured.
    """

    def __init__(
        self,
        plan: GraphPlan,
        ctx: Context,
        arrays: list[NDArray],
        moved: set[int],
        grads: dict[int, tuple[NDArray, str]],
    ) -> None:
        self.plan = plan
        self.ctx = ctx
        python = [step for step in plan.steps if hasattr(step.function, "needs_heads")]
        at_once = {slot for step in python for slot in step.sources}  # as its program writes them
        self.moved = moved - at_once
        self.arrays = arrays
        self._wanted = [i for i in sorted(grads) if arrays[i]._tensor.dtype.is_floating_point]
        self._grads = dict(sorted(grads.items()))
        self._overwrites = all(request == "write" for _, request in grads.values())
        self.ways: dict[bool, Halves | None] = {}
        self._seen: set[bool] = set()
        self._in_python = bool(python)
        self._is_eager = self._in_python or is_switched_off()
        self._halves: Halves | None = None
        self._kept: Sequence[Tensor] = ()
        self._owner = weakref.ref(self, forget)
        self._lent: list[int] = []  # where the outputs are, which a program may write to
        self._record: RecordedRun | None = None
        self._draws = any(step.node.params.get("mode") == "always" for step in plan.steps)
        self._before: dict[str, Any] | None = None

    def tensors(self) -> list[Tensor]:
        """Return the tensors of all variables, as graphs take them."""
        tensors = []
        for array in self.arrays:
            tensor = array._tensor
            tensors.append(plain(array) if tensor.requires_grad else tensor)
        return tensors

    def forward(self, *, is_train: bool, watch: Watcher | None = None) -> Sequence[Tensor]:
        """Return the outputs."""
        tensors = self.tensors()
        self._record = self._halves = None
        let_go(self._owner, self._lent)
        if self._draws and not is_train:
            self._before = random_streams.get_state()  # Dropout(mode='always') draws once more
        if watch is None and not self._is_eager:
            if is_train not in self.ways and is_train in self._seen:
                return self._capture(tensors, is_train=is_train)
            self._seen.add(is_train)  # a graph that runs once is not worth capturing
            halves = self.ways.get(is_train)
            if halves is not None:
                found = halves.forward.run(tensors)
                if is_train:
                    count = len(halves.heads)
                    self._keep(halves, found[:count], found[count:])
                return found
        wanted = self._wanted if is_train else []
        record = RecordedRun(self, tensors, wanted, is_train=is_train, watch=watch)
        if is_train:
            self._record = record
        return record.outputs

    def _capture(self, tensors: list[Tensor], *, is_train: bool) -> Sequence[Tensor]:
        """Run forward, and keep what that takes; gradients are computed on the way."""
        wanted = self._wanted if is_train else []
        scope = autograd.record if wanted else autograd.pause
        before = random_streams.get_state()
        with scope(train_mode=is_train):
            halves = Halves(
                lambda leaves: self.plan.run(leaves, self.ctx), tensors, wanted, self.moved
            )
        if halves.obstacle is not None:
            self.ways[is_train] = None
            random_streams.set_state(before)
            return self.forward(is_train=is_train)
        self.ways[is_train] = halves
        outputs, kept = halves.first
        places = {address(tensor) for tensor in tensors}
        halves.attach(resolve(None, {}, "Executor"), tensors, writes=len(places) < len(tensors))
        halves.first = [], []
        if is_train:
            self._keep(halves, outputs, kept)
        return outputs

    def _keep(self, halves: Halves, outputs: Sequence[Tensor], kept: Sequence[Tensor]) -> None:
        """Keep what the way back needs, some of which may be the outputs themselves."""
        self._halves, self._kept = halves, kept
        if halves.reached:
            self._lent = need(self._owner, outputs)

    def copy_from(self, place: int) -> None:
        """Copy what the way back needs of an output that is written to."""
        self._kept = [each.clone() if place_of(each) == place else each for each in self._kept]

    def records(self) -> Iterator[GraphRecord]:
        """Yield how each captured graph runs."""
        for is_train, halves in self.ways.items():
            if halves is not None:
                halves.forward.record.label = "forward, training" if is_train else "forward"
                yield halves.forward.record
                if halves.reached:
                    halves.backward.record.label = "backward"
                    yield halves.backward.record

    def has_gradient(self, position: int) -> bool:
        """Return whether an output of the last run depends on what is differentiated by."""
        if self._halves is not None:
            return self._halves.heads[position]
        return self._record is None or self._record.results[position].requires_grad

    def backward(self, heads: Sequence[Tensor | None], *, is_train: bool) -> None:
        """Compute the gradients, and write them where they belong.

        Parameters
        ----------
        heads : sequence of Tensor or None
            The gradient of each output; None where it does not count.
        is_train : bool
            Whether operators are differentiated as in training.
        """
        if not self._wanted:
            return
        halves, record = self._halves, self._record
        if halves is not None and is_train:
            given: list[Tensor] = []
            for head, has in zip(heads, halves.heads, strict=True):
                if has:
                    given.append(halves.ones[len(given)] if head is None else head)
            found = halves.backward.run([*self._kept, *self.tensors(), *given])
            self._write(halves.reached, found)
            return
        if record is None or not is_train:
            record = self._run_again(self._before, is_train=False)
        elif record.is_outdated() and not self._in_python:
            record = self._record = self._run_again(record.drawn_from, is_train=True)
        with differentiated(as_training=is_train):
            self._write(*record.gradients(heads))
        for position, tensor in record.moved.items():
            overwritten(self.arrays[position]).copy_(tensor)

    def _run_again(self, drawn_from: dict[str, Any] | None, *, is_train: bool) -> RecordedRun:
        """Run with what an earlier pass drew, if that is known."""
        now = None if drawn_from is None else random_streams.get_state()
        if drawn_from is not None:
            random_streams.set_state(drawn_from)
        record = RecordedRun(self, self.tensors(), self._wanted, is_train=is_train, watch=None)
        if now is not None:
            random_streams.set_state(now)
        return record

    def _write(self, reached: Sequence[int], found: Sequence[Tensor]) -> None:
        if self._overwrites and len(reached) == len(self._grads):
            targets = [overwritten(array) for array, _ in self._grads.values()]
            tensor_lists.copy_(targets, list(found))
            return
        for position, value in zip(reached, found, strict=True):
            array, request = self._grads[position]
            if request == "write":
                overwritten(array).copy_(value)
            else:
                overwritten(array).add_(value)
        if len(reached) < len(self._grads):
            for position, (array, request) in self._grads.items():
                if position not in reached and request == "write":
                    overwritten(array).zero_()


class RecordedRun:
    """A run that torch records, for graphs that no replay can repeat.

    Parameters
    ----------
    execution : Execution
        Whose graph it is.
    tensors : list of Tensor
        The values of its variables.
    wanted : list of int
        What gradients are wanted of.
    is_train : bool
        Whether operators behave as in training.
    watch : Watcher, optional
        Told of each operator.

    Attributes
    ----------
    results, outputs : list of Tensor
        The outputs, in the graph of gradients and outside of it.
    moved : dict of int to Tensor
        What the graph has made of the variables that it updates.
    drawn_from : dict or None
        The state of random numbers before, if there are such variables.
    """

    def __init__(
        self,
        execution: Execution,
        tensors: list[Tensor],
        wanted: list[int],
        *,
        is_train: bool,
        watch: Watcher | None,
    ) -> None:
        leaves = [tensor.data for tensor in tensors]  # values may change before the way back
        self.moved = {i: leaves[i].clone() for i in execution.moved} if wanted else {}
        self.drawn_from = random_streams.get_state() if self.moved else None
        self._updated = [tensors[i] for i in self.moved]
        self._versions = versions(self._updated)
        for position, tensor in self.moved.items():
            leaves[position] = tensor
        for position in wanted:
            leaves[position].requires_grad_()
        self._wanted = wanted
        self._leaves = [leaves[position] for position in wanted]
        scope = autograd.record if wanted else autograd.pause
        with scope(train_mode=is_train), torch.set_grad_enabled(bool(wanted)):
            self.results = execution.plan.run(leaves, execution.ctx, watch)
        places = {address(tensor) for tensor in tensors}
        # A program may write to outputs, and torch keeps results for the way back.
        self.outputs = [
            result.detach().clone() if wanted or address(result) in places else result.detach()
            for result in self.results
        ]

    def is_outdated(self) -> bool:
        """Return whether what it updates has got other values since."""
        return versions(self._updated) != self._versions

    def gradients(self, heads: Sequence[Tensor | None]) -> tuple[list[int], list[Tensor]]:
        """Return positions of variables, and their gradients."""
        pairs = [
            (result, torch.ones_like(result) if head is None else head)
            for result, head in zip(self.results, heads, strict=True)
            if result.requires_grad
        ]
        if not pairs:
            return [], []
        found = torch.autograd.grad(
            [result for result, _ in pairs],
            self._leaves,
            [head for _, head in pairs],
            retain_graph=True,
            allow_unused=True,
        )
        reached = [i for i, grad in zip(self._wanted, found, strict=True) if grad is not None]
        return reached, [grad for grad in found if grad is not None]
