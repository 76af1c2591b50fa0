"""One pass of a loop, put off until it is differentiated, or until somebody looks."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array.core import new
from gluonish.array.gradients import attachment, deliver, run_backward
from gluonish.array.scaling import scale_
from gluonish.array.tensors import plain
from gluonish.array.waiting import HIDDEN, SLOT, failure, hide, local, put, show, slot_of
from gluonish.array.writes import versions
from gluonish.errors import AutogradError, CompileError
from gluonish.hybrid.replaying import REPLAY_ERRORS
from gluonish.hybrid.results import NOT_EXPECTED, Operators, arrays_of, key_of
from gluonish.hybrid.steps import Scaling
from gluonish.hybrid.trials import are_close
from gluonish.process.heap import pages_apart
from gluonish.process.postponed import postponed
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.array.gradients import Gradient
    from gluonish.array.scaling import Rule
    from gluonish.hybrid.capture import CapturedGraph
    from gluonish.hybrid.joining import Joined
    from gluonish.hybrid.loops import Loop
    from gluonish.hybrid.results import Places

_DIFFERS = "as one graph its results differ"


class PutOff:
    """A pass that is put off until it is differentiated, or until somebody looks.

    Whoever looks at a result, or writes to any array, has `settle` called: the calls are then
    made as they would have been, draws of random numbers excepted, which are made in time.

    Parameters
    ----------
    loop : Loop
        Told how it went.
    plan : Joined
        What the pass is expected to consist of.
    """

    __slots__ = (
        "_begin", "_gradients", "_heads", "_is_done", "_lock", "_loop", "_noted", "_places",
        "_plan", "_results", "_scaled", "_sources", "_tensors", "_versions", "_weights",
    )  # fmt: skip

    def __init__(self, loop: Loop, plan: Joined) -> None:
        self._begin = time.perf_counter()
        self._loop = loop
        self._plan = plan
        self._lock = loop.lock
        self._is_done = False
        self._tensors: list[Tensor] = []
        self._versions: list[int] = []
        self._weights: list[Tensor] = []
        self._sources: list[NDArray] = []
        self._results: list[list[NDArray | None]] = []
        self._places: Places = {}
        self._noted: list[Sequence[NDArray]] = []  # heads of each backward() so far
        self._heads: Sequence[NDArray] = ()  # once gradients are wished for, which are put off, too
        self._gradients: list[NDArray] = []
        self._scaled: list[_Scaled] = []  # of these, before the update

    def first(self, inputs: Sequence[NDArray]) -> Any:
        """Put off the first call."""
        sources, weights, classes = self._sources, self._weights, HIDDEN
        for arrays, key in self._plan.sources:
            array = arrays[key]
            cls = classes.get(type(array))
            if cls is None or (cls is type(array) and postponed):  # by another thread
                for one in sources:
                    show(one)
                return self._loop.graph(inputs)
            tensor = slot_of(array)
            if tensor.requires_grad:
                try:  # `plain`, without a call for each
                    tensor = array._plain  # noqa: SLF001
                except AttributeError:
                    tensor = plain(array)
            weights.append(tensor)
            sources.append(array)
            array.__class__ = cls
        with self._lock:  # another thread may settle all as soon as this is known
            local.postponed = self
            postponed.append(self)
            return self._put_off(0, inputs)

    def begin_with(self, taken: tuple[Any, ...], results: list[NDArray]) -> None:
        """Take over what a pass of one array each call has begun; see `KnownPass`."""
        self._tensors, self._versions, self._weights, self._sources = taken
        self._results = [[array] for array in results]
        self._places = {id(array): (call, 0) for call, array in enumerate(results)}

    def wish_for(self, heads: Sequence[NDArray], gradients: list[NDArray]) -> None:
        """Take over, too, that gradients are wished for, in arrays that wait."""
        self._heads, self._gradients = heads, list(gradients)

    def end(self) -> None:
        """Take over nothing, for that was done already."""
        self._is_done = True

    def _put_off(self, position: int, inputs: Sequence[NDArray]) -> Any:
        plan = self._plan
        tensors, places, versions = self._tensors, self._places, self._versions
        for i in plan.given_to[position]:
            tensor = inputs[i]._tensor
            tensors.append(tensor)
            versions.append(tensor._version)  # noqa: SLF001 - no public name
        for draw in plan.draws[position]:
            tensors.append(draw())
            versions.append(tensors[-1]._version)  # noqa: SLF001 - no public name
        single = plan.singles[position]
        if single is not None:
            cls, ctx, place = single
            array = new(cls)
            array._ctx = ctx
            places[id(array)] = place
            self._results.append([array])
            return array
        count = plan.counts[position]
        numbers: Any = range(count)
        result = plan.calls[position].graph.result(numbers, inputs)
        found: list[NDArray | None] = [None] * count
        for array in arrays_of(result):
            slot = SLOT.__get__(array)
            if type(slot) is int:
                found[slot] = array
                places[id(array)] = (position, slot)
                hide(array)
        self._results.append(found)
        return result

    def follow(self, graph: CapturedGraph, inputs: Sequence[NDArray]) -> Any:
        """Put off one more call, or settle if it is not the one that was expected."""
        position = len(self._results)
        calls = self._plan.calls
        if (
            position < len(calls)
            and calls[position].graph is graph
            and calls[position].block is None
            and calls[position].given == tuple(self._places.get(id(array)) for array in inputs)
        ):
            with self._lock:
                if not self._is_done:
                    return self._put_off(position, inputs)
        self.settle()
        return NOT_EXPECTED

    def expected(self, block: Any, args: Any, kwargs: Any) -> Any:
        """Put off the call of a Block on earlier results, if it is the one that was expected."""
        position = len(self._results)
        calls = self._plan.calls
        if self._is_done or position == len(calls):
            return NOT_EXPECTED
        call = calls[position]
        if call.block is not block:
            return NOT_EXPECTED
        key = key_of(args, kwargs, self._places)
        if call.key != key or not call.is_current():
            return NOT_EXPECTED
        inputs = args if type(key) is list else arrays_of((args, kwargs))  # which are arrays alone
        with self._lock:
            return NOT_EXPECTED if self._is_done else self._put_off(position, inputs)

    def called(
        self, _block: Any, args: Any, kwargs: Any, run: Callable[..., Any], _captured: Any
    ) -> Any:
        """Run a Block that was not expected."""
        self.settle()
        return run(*args, **kwargs)

    def operator(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Put off an operator on earlier results, if it is the one that was expected."""
        block, captured = Operators.block_of(function)
        result = self.expected(block, args, kwargs)
        if result is NOT_EXPECTED:
            return self.called(block, args, kwargs, function, captured)
        return result

    def settle(self) -> None:
        """Do the plain way what was put off."""
        with self._lock:
            if local.postponed is self:
                local.postponed = None
            if self._is_done:
                return
            self._show()
            if not self._heads:
                self._run_plainly()
                self._go_back(self._noted)
                self._loop.interrupted()
            else:
                self._differentiate(self._heads)
                self._scale()
                self._loop.looked_at()

    def look(self, array: NDArray) -> None:
        """Do nothing more than `settle` does."""

    def concerns(self, _array: NDArray) -> bool:
        """Return True: all arrays that wait have to do with it, or with others of its kind."""
        return True

    def _show(self) -> None:
        """Stop waiting; others wait for the results that are still to come."""
        self._is_done = True
        if local.postponed is self:
            local.postponed = None
        for array in self._sources:
            show(array)
        for array in self._gradients:
            show(array)

    def _give(self, outputs: Sequence[Tensor]) -> None:
        """Hand the results of all calls to the arrays that wait for them."""
        place = 0
        for arrays in self._results:
            for array in arrays:
                if array is not None:
                    put(array, outputs[place])  # before others may look
                    show(array)
                place += 1
        postponed.remove(self)

    def _run_plainly(self) -> None:
        try:
            with as_recorded():
                given = iter(self._tensors)
                outputs: list[Sequence[Tensor]] = []
                weights = [array._tensor for array in self._sources]
                for position, results in enumerate(self._results):
                    tensors = self._plan.inputs_of(position, given, outputs, weights)
                    found = self._run(position, tensors)
                    found = self._plan.joined(position, found, tensors)
                    outputs.append(found)
                    for array, tensor in zip(results, found, strict=True):
                        if array is not None:
                            put(array, tensor)  # before others may look
                            show(array)
        except Exception as error:
            failure.told = str(error)
            raise
        finally:
            postponed.remove(self)

    def _run(self, position: int, tensors: Sequence[Tensor]) -> Sequence[Tensor]:
        try:
            found: Sequence[Tensor] = self._plan.modules[position].forward(*tensors)
        except REPLAY_ERRORS as error:
            graph = self._plan.calls[position].graph
            graph.cache.tell(error, tensors[: graph.inputs])
            raise
        return found

    def backward(self, heads: Sequence[NDArray]) -> bool:
        """Do all at once; False if that is not what was expected.

        Raises
        ------
        AutogradError
            What the Blocks were called with was overwritten behind our back.
        """
        plan, loop, noted = self._plan, self._loop, self._noted
        if (
            len(self._results) < len(plan.calls)
            or self._heads
            or [self._places.get(id(head)) for head in heads] != plan.heads[len(noted)]
        ):
            return False
        with self._lock:
            if self._is_done:
                return False
            self._check_versions()
            if len(plan.heads) > 1:
                if not noted and not self._hide_gradients():
                    return False
                noted.append(heads)
                if len(noted) < len(plan.heads):
                    return True
                heads = [head for group in noted for head in group]
            if loop.is_trying:
                with pages_apart():  # both ways, once
                    loop.tried(self._trial(heads))
                return True
            if loop.waits:
                if self._wish(heads):
                    return True
                loop.wait_no_more("a gradient is not simply written")
            self._show()
            self._differentiate(heads)
        loop.finish(time.perf_counter() - self._begin)
        return True

    def _check_versions(self) -> None:
        if [tensor._version for tensor in self._tensors] == self._versions:  # noqa: SLF001
            return
        pairs = zip(self._tensors, self._versions, strict=True)
        wrong = next(tensor for tensor, version in pairs if tensor._version != version)  # noqa: SLF001
        self.abandon()
        error = _overwritten(wrong)
        raise error

    def _wish(self, heads: Sequence[NDArray]) -> bool:
        """Note that gradients are wished for; False if somebody has to see them arrive."""
        sources, gradients, classes = self._sources, self._gradients, HIDDEN
        for array in gradients:  # which wait already, for others of several heads
            show(array)
        gradients.clear()
        for position in self._plan.reached:
            attached = sources[position]._attached  # noqa: SLF001 - a slot, read for each weight
            buffer = attached.buffer
            cls = classes.get(type(buffer))
            if cls is None or attached.grad_req != "write" or attached.listener is not None:
                for one in gradients:
                    show(one)
                gradients.clear()
                return False
            attached.is_fresh = True
            buffer.__class__ = cls
            gradients.append(buffer)
        self._heads = heads
        return True

    def _hide_gradients(self) -> bool:
        """Have it noticed when somebody looks at a gradient; False if one can't wait."""
        buffers = [self._attached(position).buffer for position in self._plan.wanted]
        if not all(type(buffer) in HIDDEN for buffer in buffers):
            return False
        for buffer in buffers:
            hide(buffer)
        self._gradients = buffers
        return True

    def _differentiate(self, heads: Sequence[NDArray]) -> None:
        """Compute results and gradients."""
        plan = self._plan
        for position in plan.reached:
            attached = self._attached(position)
            if attached.is_large:
                attached.make_room()
        try:
            found = plan.run([*self._tensors, *self._weights])
        except REPLAY_ERRORS:  # no memory, for example: the plain way needs less, or says so
            self._run_plainly()
            self._loop.leave("it fails as one graph")
            self._go_back(self._noted or [heads])
            return
        self._give(found)
        reached = plan.reached
        deliver([self._sources[position] for position in reached], found[-len(reached) :])
        state.fused_heads = [head._tensor for head in heads]

    def scale(
        self, arrays: Sequence[NDArray], rule: Rule, number: float, result: NDArray | None
    ) -> bool:
        """Put off that gradients are scaled, if they are among those that are put off."""
        known = {id(array): place for place, array in enumerate(self._gradients)}
        places = tuple(known.get(id(array), -1) for array in arrays)
        if not self._heads or self._is_done or -1 in places or len(set(places)) < len(places):
            return False
        self._scaled.append(_Scaled(Scaling(rule, places), number, result))
        if result is not None:
            hide(result)
        return True

    def _scale(self) -> None:
        """Scale gradients that are there."""
        for one in self._scaled:
            tensors = [self._gradients[place]._tensor for place in one.scaling.places]
            one.fill(scale_(tensors, one.scaling.rule, one.number))

    def update(self, owner: Any, make: Any) -> bool:
        """Do all at once, with an owner's update; False if the owner is to update.

        Raises
        ------
        AutogradError
            What the Blocks were called with was overwritten behind our back.
        """
        heads = self._heads
        if not heads:
            if self._noted:  # others were expected before the update
                self.settle()
            return False
        with self._lock:
            if self._is_done:
                return False
            self._check_versions()
            self._show()
            try:
                found = self._step(owner, make)
            except BaseException:  # such as an interrupt
                self.abandon()
                raise
            if found is None:
                self._differentiate(heads)
                self._scale()
                return False
            self._give(found)
            state.fused_heads = [head._tensor for head in heads]
        if not self._scaled:
            self._loop.know(self._tensors)
        return True

    def abandon(self) -> None:
        """Have results read all the same, without gradients, after an update that failed."""
        self._show()
        if self._heads:
            for position in self._plan.reached:
                self._attached(position).is_fresh = False
        self._run_plainly()
        for one in self._scaled:
            one.fill(torch.tensor([torch.nan]))

    def _step(self, owner: Any, make: Any) -> Sequence[Tensor] | None:
        """Do the whole step, if that can be done; return the results of all calls."""
        put_off = self._scaled
        step = self._loop.step_by(
            owner, make, tuple([one.scaling for one in put_off]), self._gradients
        )
        if step is None:
            return None
        found = step.run([*self._tensors, *self._weights], [one.number for one in put_off])
        waiting = [one for one in put_off if one.result is not None]
        if found is None or not waiting:
            return found
        for one, tensor in zip(waiting, found[-len(waiting) :], strict=True):
            one.fill(tensor)
        return found

    def _trial(self, heads: Sequence[NDArray]) -> str | None:
        """Go the plain way, and the other one on copies; return why it can't replace that."""
        plan = self._plan
        self._show()
        written, noted = set(plan.written), versions(self._weights)
        before = [t.clone() if i in written else t for i, t in enumerate(self._weights)]
        sums = {}
        for position in plan.wanted:
            attached = self._attached(position)
            if attached.grad_req == "add":
                sums[position] = plain(attached.buffer).clone()
        self._run_plainly()
        self._go_back(self._noted or [heads])
        for place, now in enumerate(versions(self._weights)):
            if now != noted[place] and place not in written:
                return f"an array of shape {tuple(before[place].shape)} is written to now and then"
        try:
            found = plan.trace([*self._tensors, *before])
        except CompileError as error:
            return str(error)
        except RuntimeError as error:  # no memory, for example
            return f"it fails as one graph ({str(error).strip().splitlines()[0]})"
        results = [array for arrays in self._results for array in arrays]
        for place, array in enumerate(results):
            if array is not None and not are_close(found[place], plain(array)):
                return f"{_DIFFERS}: result {place}"
        for position, gradient in zip(plan.reached, found[len(results) :], strict=True):
            attached = self._attached(position)
            expected = plain(attached.buffer)
            if position in sums:
                expected = expected - sums[position]
            if not are_close(gradient, expected):
                return f"{_DIFFERS}: a gradient of shape {tuple(gradient.shape)}"
        for position in plan.written:
            one = before[position]
            if not are_close(one, plain(self._sources[position])):
                return f"{_DIFFERS}: what is written to an array of shape {tuple(one.shape)}"
        return None

    def _go_back(self, groups: Sequence[Sequence[NDArray]]) -> None:
        """Differentiate results the plain way, each group in a pass of its own."""
        for heads in groups:
            run_backward(list(heads), None, retain_graph=False)

    def _attached(self, position: int) -> Gradient:
        attached = attachment(self._sources[position])
        assert attached is not None  # noqa: S101 - for the type checker
        return attached


class _Scaled:
    """A scaling that is put off, and the array that waits for what it finds, if there is one."""

    __slots__ = ("number", "result", "scaling")

    def __init__(self, scaling: Scaling, number: float, result: NDArray | None) -> None:
        self.scaling = scaling
        self.number = number
        self.result = result

    def fill(self, tensor: Tensor | None) -> None:
        """Give what was found to the array that waits for it."""
        if self.result is not None and tensor is not None:
            show(self.result)
            self.result._tensor = tensor


@contextlib.contextmanager
def as_recorded() -> Iterator[None]:
    """Do something as it would have been done inside of `autograd.record()`."""
    before = state.recording, state.training
    state.recording = state.training = True
    try:
        yield
    finally:
        state.recording, state.training = before


def _overwritten(tensor: Tensor) -> AutogradError:
    msg = (
        f"backward: an array of shape {tuple(tensor.shape)} that a hybridized Block was called "
        f"with was written to, by way of its torch tensor, before backward(). Expected it to stay "
        f"as it is until then. Write to it later, or call net.hybridize(fuse_loop=False)."
    )
    return AutogradError(msg)
