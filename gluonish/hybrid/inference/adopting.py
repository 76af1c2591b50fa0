"""Decides when a graph's parameters are settled, and whether folding them pays."""

from __future__ import annotations

import enum
import logging
import math
import threading
import time
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, fx
from typing_extensions import override

from gluonish import random_streams
from gluonish.array.writes import versions
from gluonish.errors import CompileError
from gluonish.hybrid.compilations import compile_after
from gluonish.hybrid.inference import reading
from gluonish.hybrid.inference.comparing import difference
from gluonish.hybrid.inference.folding import Folding
from gluonish.hybrid.inference.heats import Heats, seconds_alone
from gluonish.hybrid.inference.rewriting import is_worth_it
from gluonish.hybrid.judging import FEWEST_ROUNDS
from gluonish.ops.random.draws import draw
from gluonish.process.heap import give_back, pages_apart
from gluonish.process.torch_names import convolution_pointwise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.hybrid.inference.folding import Fold
    from gluonish.hybrid.replaying import Run
    from gluonish.hybrid.report import GraphRecord

_log = logging.getLogger("gluonish.hybrid")

PATIENCE = 0.1  # of `compile_after`, in which parameters have to stay as they are
FEWEST_CALLS = 3
MARGIN = 2.0  # how often over folding has to pay before it is done again
FOUND_OUT = -1


class State(enum.Enum):
    """How far a graph is."""

    WAITING = "waiting"  # for parameters to stay as they are
    RACING = "racing"
    FOLDED = "folded"
    PLAIN = "plain"  # for good


class Inference:
    """Runs a captured graph, with its parameters folded where these are settled and that pays.

    Parameters
    ----------
    module : fx.GraphModule
        The captured graph.
    plainly : callable
        Replays it.
    record : GraphRecord
        Told what happens.
    first : int
        From which input on the graph's inputs are parameters; `FOUND_OUT` if calls have to show
        which of them stay as they are.

    Attributes
    ----------
    state : State
        How far it is.
    beats_compilers : bool
        Whether it takes less time than the products alone do in the plain way, which no
        compiler makes faster.
    """

    def __init__(
        self, module: fx.GraphModule, plainly: Run, record: GraphRecord, first: int
    ) -> None:
        self._module = module
        self._plainly = plainly
        self._record = record
        self._first = first
        self._lock = threading.Lock()
        self._patience = compile_after() * PATIENCE
        self._seen: list[tuple[int, int]] = []
        self._unchanged: list[int] = []
        self._calls = 0  # since a parameter changed
        self._spent = 0.0  # seconds in them
        self._usual = 0  # calls between changes
        self._folding: Folding | None = None
        self._fold: Fold | None = None
        self._heats = Heats(math.inf)
        self._plain_calls, self._plain_best = 0, math.inf  # seconds
        self._cost = 0.0  # seconds to fold
        self._products = 0.0  # seconds of a plain call
        self._is_tried = self._is_asked = self._is_promising = False
        self._draws = any(node.target is draw for node in module.graph.nodes)
        self.state = State.WAITING if _has_products(module) else State.PLAIN
        self.beats_compilers = False

    def __call__(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        """Run the graph."""
        fold = self._fold
        if fold is not None:
            if fold.holds(tensors):
                return self._run(fold, tensors)
            self._undo()
        if self.state is State.PLAIN or not self._lock.acquire(blocking=False):
            return self._plainly(tensors)
        try:
            return self._wait(tensors)
        finally:
            self._lock.release()

    @property
    def is_decided(self) -> bool:
        """Whether it is known for good if folding pays."""
        return self.state is State.PLAIN or (self._is_tried and self.state is not State.RACING)

    def decide(self, tensors: list[Tensor]) -> None:
        """Fold at once, whatever calls may come, and find out whether that pays."""
        self._is_asked = True
        before = random_streams.get_state()
        try:
            while not self.is_decided:
                is_timed = self._is_timed
                self(tensors)
                if self._fold is None and is_timed:  # for now it can't
                    break
        finally:
            self._is_asked = False
            random_streams.set_state(before)

    def _run(self, fold: Fold, tensors: list[Tensor]) -> Sequence[Tensor]:
        if self.state is State.RACING:
            if not self._lock.acquire(blocking=False):
                return self._plainly(tensors)
            try:
                return self._next_round(fold, tensors)
            finally:
                self._lock.release()
        outputs = fold.run(tensors)
        self._calls += 1
        return self._plainly(tensors) if outputs is None else outputs

    def _undo(self) -> None:
        """Go the plain way again: a parameter was written to, or is another one now."""
        self._fold = None
        self._changed()
        if self.state is State.FOLDED:
            self.state = State.WAITING
            self._record.backend, self._record.state = "fx", "waiting for parameters to settle"

    def _changed(self) -> None:
        """Count calls anew; so many as there were are expected again."""
        if self._calls:
            self._usual = self._calls
        self._calls, self._spent = 0, 0.0

    # --- on the way -----------------------------------------------------------------------------

    def _wait(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        if not all(map(_is_here, tensors)):
            self.state = State.PLAIN
            return self._plainly(tensors)
        self._look(tensors)
        if self._is_time():
            give_back()
            with pages_apart():  # what was folded stays, and the rest happens once
                found = self._begin(tensors)
            give_back()
            return found
        begin = time.perf_counter()
        outputs = self._plainly(tensors)
        seconds = time.perf_counter() - begin
        self._spent += seconds
        self._calls += 1
        self._plain_calls += 1
        self._plain_best = min(self._plain_best, seconds)
        return outputs

    @property
    def _is_timed(self) -> bool:
        """Whether it is known how long the plain way takes."""
        return self._plain_calls >= FEWEST_ROUNDS

    def _look(self, tensors: list[Tensor]) -> None:
        """Note which tensors are as they were at the latest call."""
        now = list(zip(map(id, tensors), versions(tensors), strict=True))
        if len(self._seen) != len(now):
            self._unchanged = [0] * len(now)
        else:
            same = [old == new for old, new in zip(self._seen, now, strict=True)]
            watched = () if self._first == FOUND_OUT else same[self._first :]
            if not all(watched) or (self._folding and not all(self._folding.of(same))):
                self._changed()
            self._unchanged = [
                count + 1 if is_same else 0
                for count, is_same in zip(self._unchanged, same, strict=True)
            ]
        self._seen = now

    def _is_time(self) -> bool:
        """Return whether parameters have been the same for so long that folding them pays."""
        if self._is_asked:
            return self._is_timed
        if not self._calls:
            return False
        if not self._is_tried:
            is_due = self._is_timed and self._calls >= FEWEST_CALLS
            is_due = is_due and self._spent >= self._patience
            return is_due and (self._first != FOUND_OUT or 0 in self._unchanged)
        slow, fast = self._heats.best
        expected = max(self._calls, self._usual)
        return expected * (slow - fast) > MARGIN * self._cost

    def _begin(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        """Fold, for the first time or again; return the results of a call."""
        folding = self._folding
        if folding is not None and self._is_tried:
            fold, found = self._folded(folding, tensors, None)
            if fold is not None and self.state is State.WAITING:
                self.state = State.FOLDED
                self._record.adopt("folded", "folded")
            return found
        before = random_streams.get_state() if self._draws else None
        watch = _Watched(self._module)
        outputs: Sequence[Tensor] = watch.run(*tensors)
        after = random_streams.get_state() if self._draws else None
        if folding is None:
            folding = self._rewritten(tensors, watch)
            if folding is None:
                return outputs
        try:
            if before is not None:
                random_streams.set_state(before)
            if not self._is_promising and self._is_hopeless(folding, tensors):
                return outputs
            fold, found = self._folded(folding, tensors, outputs)
        finally:
            if after is not None:
                random_streams.set_state(after)
        if fold is not None and found is not outputs:
            reason = difference(found, outputs)
            if reason is None:
                self._is_tried, self.state = True, State.RACING
                self._heats = Heats(self._plain_best)
            else:
                self._give_up(reason)
        return outputs

    def _folded(
        self, folding: Folding, tensors: list[Tensor], outputs: Sequence[Tensor] | None
    ) -> tuple[Fold | None, Sequence[Tensor]]:
        """Fold; return results of the folded graph, or those of the plain way if it can't run."""
        begin = time.perf_counter()
        found = None
        try:
            fold = folding.fold(tensors)
            self._cost = _cost_of(begin)
            if fold is not None:
                found = fold.run(tensors)
        except (CompileError, RuntimeError) as error:
            fold = None
            self._give_up(str(error).strip().partition("\n")[0])
        else:
            self._fold = None if found is None else fold
            self._calls += 1
        if found is None:
            self._calls = self._usual = 0
            self._spent = 0.0
            return None, self._plainly(tensors) if outputs is None else outputs
        return fold, found

    def _is_hopeless(self, folding: Folding, tensors: list[Tensor]) -> bool:
        """Return whether the products alone take longer than all takes now, and give up if so."""
        try:
            seconds = seconds_alone(folding, tensors)
        except RuntimeError as error:
            self._give_up(str(error).strip().partition("\n")[0])
            return True
        if seconds < self._plain_best:
            self._is_promising = True
            return False
        self._record.before, self._record.after = self._plain_best, seconds
        self._give_up("its products alone take longer")
        return True

    def _rewritten(self, tensors: list[Tensor], watch: _Watched) -> Folding | None:
        """Return the graph for oneDNN, if there is something in it that oneDNN computes."""
        if self._first == FOUND_OUT:
            positions = [i for i, count in enumerate(self._unchanged) if count >= FEWEST_CALLS]
        else:
            positions = list(range(self._first, len(tensors)))
        if watch.writes:
            self._give_up("it writes to arrays")
        elif positions:
            folding = Folding(self._module, positions)
            if folding.products:
                self._folding, self._products = folding, watch.products
                return folding
        if self.state is not State.PLAIN:
            self._give_up("its products are not oneDNN's")
        return None

    def _give_up(self, reason: str) -> None:
        self.state, self._fold, self._folding = State.PLAIN, None, None
        self._record.state = f"not folded: {reason}"

    def _next_round(self, fold: Fold, tensors: list[Tensor]) -> Sequence[Tensor]:
        heats = self._heats
        self._calls += 1
        begin = time.perf_counter()
        outputs = fold.run(tensors) if heats.turn else None
        if outputs is None:
            heats.turn = 0
            outputs = self._plainly(tensors)
        if heats.add(time.perf_counter() - begin):
            self._settle()
        return outputs

    def _settle(self) -> None:
        record = self._record
        slow, fast = record.before, record.after = self._heats.best
        give_back()
        if fast >= slow:
            self.state, self._fold, self._folding = State.PLAIN, None, None
            record.state = "folded, not faster"
            return
        self.state = State.FOLDED
        self.beats_compilers = fast <= self._products
        record.adopt("folded", "folded")
        _log.info(
            "hybridize: %s folded in %.2f s: %.1f us a call, %.1f before",
            record.label,
            self._cost,
            fast * 1e6,
            slow * 1e6,
        )


class _Watched(fx.Interpreter):
    """Runs a graph, and sees whether it writes to tensors and how long its products take."""

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.extra_traceback = False  # errors are those of any call
        self.writes = False
        self.products = 0.0

    @override
    def run_node(self, n: fx.Node) -> Any:
        given = [self.env[each] for each in n.all_input_nodes]
        tensors = [each for each in given if isinstance(each, Tensor)]
        before = versions(tensors)
        begin = time.perf_counter()
        result = super().run_node(n)
        if reading.convolution(n) or reading.product(n):
            self.products += time.perf_counter() - begin
        self.writes = self.writes or versions(tensors) != before
        return result


def _cost_of(begin: float) -> float:
    return time.perf_counter() - begin


def _is_here(tensor: Tensor) -> bool:
    """Return whether oneDNN, which computes on CPUs alone, may have it."""
    return tensor.is_cpu


def _has_products(module: fx.GraphModule) -> bool:
    """Return whether a graph has something that oneDNN may compute."""
    if convolution_pointwise is None or not torch.backends.mkldnn.enabled:
        return False
    return is_worth_it(module.graph)
