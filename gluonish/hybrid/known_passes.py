"""Passes of a loop that has become one step, put off with no more than tells that they are such."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from gluonish.array.core import new
from gluonish.array.gradients import attachment
from gluonish.array.tensors import plain
from gluonish.array.waiting import HIDDEN, SHOWN, hide, local, looks
from gluonish.context import ambient_key
from gluonish.hybrid.passes import PutOff
from gluonish.hybrid.recorder import is_capturing
from gluonish.hybrid.results import NOT_EXPECTED
from gluonish.process.postponed import postponed
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.array.scaling import Rule
    from gluonish.hybrid.capture import CapturedGraph
    from gluonish.hybrid.compilations import Run
    from gluonish.hybrid.joining import Joined
    from gluonish.hybrid.loop_steps import LoopStep
    from gluonish.hybrid.loops import Loop


class _Given:
    """What an array that the program gives to a call is like."""

    __slots__ = ("cls", "ctx", "dtype", "shape", "stride")

    def __init__(self, like: Sequence[Any], tensor: Tensor) -> None:
        self.cls, self.ctx, self.shape, self.dtype, _ = like
        self.stride = None if tensor.is_contiguous() else tensor.stride()


class _KnownCall:
    """One call of a known pass: who is called, and with what."""

    __slots__ = ("ambient", "args", "block", "cache", "cls", "ctx", "draws", "graph")

    def __init__(
        self, plan: Joined, position: int, key: Sequence[Any], given: list[Tensor]
    ) -> None:
        call = plan.calls[position]
        self.block, self.graph, self.cache = call.block, call.graph, call.graph.cache
        self.draws = plan.draws[position]
        single = plan.singles[position]
        assert single is not None  # noqa: S101 - for the type checker, since `Known.fits` says so
        self.cls, self.ctx, _ = single
        (_, _, self.ambient), *rest = key
        self.args: list[Any] = []  # a _Given, or the number of an earlier call for its result
        while rest:
            if isinstance(rest[0], tuple):
                self.args.append(rest.pop(0)[0])
            else:
                self.args.append(_Given(rest[:5], given.pop(0)))
                del rest[:5]
        del given[: len(self.draws)]

    def given(self, args: Sequence[NDArray], results: Sequence[NDArray]) -> list[Tensor] | None:
        """Return what the program gives to a call; None if it is not this one.

        Parameters
        ----------
        args : sequence of NDArray
            The call's arguments.
        results : sequence of NDArray
            Results of the calls before.
        """
        tensors = []
        position = 0
        for expected in self.args:
            array = args[position]
            position += 1
            if type(expected) is int:
                if array is not results[expected]:
                    return None
                continue
            if type(array) is not expected.cls or array._ctx is not expected.ctx:
                return None
            tensor = array._tensor
            if (
                tensor.shape != expected.shape
                or tensor.dtype is not expected.dtype
                or tensor.requires_grad
            ):
                return None
            stride = expected.stride
            if tensor.stride() != stride if stride else not tensor.is_contiguous():
                return None
            tensors.append(tensor)
        if ambient_key() != self.ambient or not (state.recording and state.training):
            return None
        return tensors if self.cache.has(self.graph) else None


class Known:
    """What is always the same in the passes of a loop that has become one step.

    Weights and gradients stay hidden from one pass to the next. As long as nobody has looked at
    anything that was hidden, they are those that they were.

    Parameters
    ----------
    loop : Loop
        The loop.
    plan : Joined
        What its passes consist of.
    step : LoopStep
        What they have become.
    key : sequence
        What the arguments of the first call are like.
    given : list of Tensor
        What the program gave to the calls of a pass, and what these drew.

    Attributes
    ----------
    weights : list of Tensor
        What the graphs read beside that.
    """

    def __init__(
        self, loop: Loop, plan: Joined, step: LoopStep, key: Sequence[Any], given: list[Tensor]
    ) -> None:
        self.loop, self.plan, self.step = loop, plan, step
        given = list(given)
        keys = [key, *(call.key for call in plan.calls[1:])]
        self.calls = [_KnownCall(plan, i, one, given) for i, one in enumerate(keys)]
        self.first = self.calls[0]
        self.count = len(self.calls)
        ((head,),) = plan.heads
        self.head = head[0]
        self.sources: list[NDArray] = []
        self.weights: list[Tensor] = []
        self.buffers: list[NDArray] = step.buffers
        self._compiled: Run | None = None
        self._states: list[NDArray] | None = None
        self._everything: list[Tensor] = []  # that the compiled step takes, but for what is given
        self._looks = -1
        self._fits = False  # whether all of it is known to lie in memory as compiled code needs it

    @staticmethod
    def fits(plan: Joined, step: LoopStep) -> bool:
        """Return whether passes are simple enough: one array each call, one of them the loss."""
        return (
            None not in plan.singles
            and len(plan.heads) == len(plan.heads[0]) == 1
            and all(type(call.key) is list for call in plan.calls[1:])
            and step.is_simple
        )

    def begin(self, args: tuple[Any, ...]) -> Any:
        """Put off the first call of a pass, if it is one."""
        first, count = self.first, len(args)
        if (
            postponed
            or count != len(first.args)
            or is_capturing()
            or local.postponed is not None
            or (count > 1 and len(set(map(id, args))) < count)
        ):
            return NOT_EXPECTED
        tensors = first.given(args, ())
        if tensors is None or (looks.count != self._looks and not self._hide()):
            return NOT_EXPECTED
        one: KnownPass = new_pass(KnownPass)
        one.known = self
        one.is_done = one.is_wished = False
        one.became = None
        one.tensors, one.versions, one.results = [], [], []
        result = one.put_off(first, tensors)
        local.postponed = one
        postponed.append(one)
        return result

    def _hide(self) -> bool:
        """Hide all arrays of the step, as they are now; return whether that can be done."""
        sources = [arrays[key] for arrays, key in self.plan.sources]
        attached = [attachment(sources[place]) for place in self.plan.reached]
        buffers = [None if one is None else one.buffer for one in attached]
        compiled = self.step.compiled()
        run, states = (None, None) if compiled is None else compiled
        arrays = [*sources, *self.buffers, *(states or ())]
        if not (
            all(map(operator.is_, buffers, self.buffers))
            and all(type(array) in HIDDEN for array in arrays)
        ):
            return False
        self.sources = sources
        self.weights = [plain(array) for array in sources]
        self._compiled, self._states = run, states
        self._everything = [] if run is None else [*self.weights, *self.step.beside]
        for array in arrays:
            hide(array)
        self._looks, self._fits = looks.count, False
        return True

    def run(self, given: list[Tensor]) -> Sequence[Tensor] | None:
        """Do the step, with what the program gives to its calls and these draw."""
        compiled = self._compiled
        if compiled is not None and self.step.states is self._states:
            everything = [*given, *self._everything]
            if self._fits or self.step.fits(everything):
                self._fits = True
                return compiled(everything)
        found = self.step.run([*given, *self.weights], [])
        if self.step.compiled() is not None:  # since a moment ago
            self._looks = -1
        return found


class KnownPass:
    """A pass that goes as all before it, so far; otherwise it becomes what any pass is.

    Parameters
    ----------
    known : Known
        What is always the same.
    """

    __slots__ = ("became", "is_done", "is_wished", "known", "results", "tensors", "versions")

    known: Known
    became: PutOff | None  # once it does not go as all before it
    is_done: bool  # or has become another one, or is being done
    is_wished: bool  # whether `backward()` was called
    tensors: list[Tensor]
    versions: list[int]
    results: list[NDArray]

    def put_off(self, call: _KnownCall, tensors: list[Tensor]) -> NDArray:
        """Put off one call with what the program gives to it."""
        if call.draws:
            tensors += [draw() for draw in call.draws]
        self.tensors += tensors
        self.versions += [tensor._version for tensor in tensors]  # noqa: SLF001 - no public name
        result: NDArray = new(call.cls)
        result._ctx = call.ctx
        self.results.append(result)
        return result

    def expected(self, block: Any, args: Any, kwargs: Any) -> Any:
        """Put off one more call, if it is the one that was expected."""
        results, known = self.results, self.known
        if len(results) < known.count and not kwargs:
            call = known.calls[len(results)]
            if call.block is block and len(args) == len(call.args):
                tensors = call.given(args, results)
                if tensors is not None:
                    with known.loop.lock:
                        if not self.is_done:
                            return self.put_off(call, tensors)
        return self._as_any().expected(block, args, kwargs)

    def backward(self, heads: Sequence[NDArray]) -> bool:
        """Note that gradients are wished for."""
        known = self.known
        if (
            len(self.results) < known.count
            or len(heads) != 1
            or heads[0] is not self.results[known.head]
            or self.is_wished
            or self._is_overwritten()
        ):
            return self._as_any().backward(heads)
        with known.loop.lock:
            if self.is_done:
                return False
            self.is_wished = True
        return True

    def _is_overwritten(self) -> bool:
        return [tensor._version for tensor in self.tensors] != self.versions  # noqa: SLF001

    def update(self, owner: Any, make: Any) -> bool:
        """Do all at once, with the update of the owner that is known."""
        known = self.known
        step = known.step
        with known.loop.lock:
            if (
                not self.is_wished
                or self.is_done
                or self._is_overwritten()
                or not step.is_still_of(owner)
            ):
                return self._as_any().update(owner, make)
            self.is_done = True  # whoever looks meanwhile sees what there was before
            try:
                found = known.run(self.tensors)
            except BaseException:  # such as an interrupt
                self.is_done = False
                self._as_any().abandon()
                raise
            if found is None:
                self.is_done = False
                return self._as_any().update(owner, make)
            for array, tensor in zip(self.results, found):  # noqa: B905 - which takes longer
                array.__class__ = SHOWN[type(array)]
                array._tensor = tensor
            postponed.remove(self)
            local.postponed = None
            state.fused_heads = (found[known.head],)
        return True

    def settle(self) -> None:
        """Do the plain way what was put off."""
        with self.known.loop.lock:
            if not self.is_done or self.became is not None:
                self._as_any().settle()

    def look(self, _array: NDArray) -> None:
        """Do nothing more than `settle` does."""

    def concerns(self, array: NDArray) -> bool:
        """Return whether an array is not one of the gradients as they are before `backward()`."""
        return self.is_wished or all(array is not each for each in self.known.buffers)

    def follow(self, graph: CapturedGraph, inputs: Sequence[NDArray]) -> Any:
        """Put off one more call as any pass does."""
        return self._as_any().follow(graph, inputs)

    def called(self, block: Any, args: Any, kwargs: Any, run: Any, captured: Any) -> Any:
        """Run a Block that was not expected."""
        return self._as_any().called(block, args, kwargs, run, captured)

    operator = PutOff.operator  # which asks `expected` and `called`, as here

    def scale(
        self, arrays: Sequence[NDArray], rule: Rule, number: float, result: NDArray | None
    ) -> bool:
        """Put off that gradients are scaled, as any pass does."""
        return self._as_any().scale(arrays, rule, number, result)

    def _as_any(self) -> PutOff:
        """Go on as any pass, of which nothing is known beforehand."""
        known = self.known
        with known.loop.lock:
            one = self.became
            if one is None:
                one = self.became = PutOff(known.loop, known.plan)
                self.is_done = True
                postponed[postponed.index(self)] = one
                one.begin_with(
                    (self.tensors, self.versions, known.weights, known.sources), self.results
                )
                if self.is_wished:
                    one.wish_for((self.results[known.head],), known.buffers)
                known.loop.forget_known()
        if local.postponed is self:
            local.postponed = one
        return one


new_pass: Any = object.__new__
