"""One pass of a loop on its plain way, watched."""

from __future__ import annotations

import contextlib
import time
import weakref
from typing import TYPE_CHECKING, Any

from gluonish.array.gradients import run_backward
from gluonish.array.waiting import can_wait, hide, is_waiting, local, show
from gluonish.hybrid.joining import Call, Pass
from gluonish.hybrid.results import NOT_EXPECTED, Operators, arrays_of, key_of
from gluonish.process.heap import pages_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.array import NDArray
    from gluonish.hybrid.capture import CapturedGraph
    from gluonish.hybrid.loops import Loop
    from gluonish.hybrid.results import Places

MOST_CALLS = 16
_AS_EVER = contextlib.nullcontext()


class Watched:
    """A pass that goes the plain way, while somebody takes notes.

    Its results look as if they waited, so that it is noticed when somebody looks at them.
    """

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._pass = Pass()
        self._made: dict[int, tuple[weakref.ref[NDArray], tuple[int, int]]] = {}
        self._asked: tuple[Any, Any] | None = None
        self._begin = time.perf_counter()

    def settle(self) -> None:
        """Do nothing, for nothing is put off."""

    def look(self, array: NDArray) -> None:
        """Leave the pass if somebody looks at a result of it."""
        if id(array) in self._made:
            self._leave()

    def concerns(self, _array: NDArray) -> bool:
        """Return False, for nothing is put off."""
        return False

    def _leave(self, *reason: str) -> None:
        self._release()
        local.postponed = None
        self._loop.failed(*reason)

    def _places(self) -> Places:
        return {key: place for key, (made, place) in self._made.items() if made() is not None}

    def follow(self, graph: CapturedGraph, inputs: Sequence[NDArray]) -> Any:
        """Run a graph; `NOT_EXPECTED` if the pass has been left."""
        if len(self._pass.calls) == MOST_CALLS or self._pass.heads:
            self._leave()
            return NOT_EXPECTED
        places = self._places()
        for array in inputs:
            if id(array) not in places and array._tensor.requires_grad:
                self._leave("what it computes meets what has a gradient of its own")
                return NOT_EXPECTED
        given = tuple(places.get(id(array)) for array in inputs)
        block, key = self._asked or (None, None)
        self._asked = None
        result = self._shown(inputs, lambda: graph(inputs))
        self._note(result, Call(graph, given, block, key))
        return result

    def _note(self, result: Any, made_by: Call | None) -> None:
        """Have it noticed when somebody looks at a result."""
        calls = self._pass.calls
        if made_by is not None:
            calls.append(made_by)
        for position, array in enumerate(arrays_of(result)):
            if can_wait(array):
                self._made[id(array)] = weakref.ref(array), (len(calls) - 1, position)
                hide(array)

    def _shown(self, arrays: Sequence[NDArray], run: Callable[[], Any]) -> Any:
        """Run something that may look at arrays."""
        shown = list({id(array): array for array in arrays if is_waiting(array)}.values())
        for array in shown:
            show(array)
        with self._memory():
            result = run()
        for array in shown:
            if can_wait(array):
                hide(array)
        return result

    def _memory(self) -> contextlib.AbstractContextManager[None]:
        """Return where a part of the pass takes its memory from.

        What goes its way a few times before it goes another one leaves no holes in the heap; in a
        race both sides take what they will take.
        """
        return _AS_EVER if self._loop.race is not None else pages_apart()

    def expected(self, _block: Any, _args: Any, _kwargs: Any) -> Any:
        """Put nothing off."""
        return NOT_EXPECTED

    def called(
        self, block: Any, args: Any, kwargs: Any, run: Callable[..., Any], captured: Any
    ) -> Any:
        """Run a Block on results of earlier calls, by its captured graph if there may be one."""
        given = arrays_of((args, kwargs))
        if self._loop.race is not None or captured is None:
            result = self._shown(given, lambda: run(*args, **kwargs))
            if self._loop.race is not None:
                self._note(result, None)
            return result
        key = key_of(args, kwargs, self._places())
        self._asked = None if key is None else (block, key)
        try:
            return self._shown(given, lambda: captured(args, kwargs))
        finally:
            self._asked = None

    def operator(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call an operator on earlier results, by its captured graph."""
        block, captured = Operators.block_of(function)
        return self.called(block, args, kwargs, function, captured)

    def backward(self, heads: Sequence[NDArray]) -> bool:
        """Differentiate the plain way; False if that is not what the pass is to end with."""
        local.postponed = None
        known = self._places()
        different = dict.fromkeys(map(id, heads))
        places = [known[number] for number in different if number in known]
        groups = self._pass.heads
        groups.append(places)
        is_complete = self._pass.is_complete()
        if is_complete:
            self._release()
        if len(places) < len(heads):
            self._release()
            self._loop.failed()
            return False
        try:
            self._shown(heads, lambda: run_backward(list(heads), None, retain_graph=False))
        except BaseException:
            self._release()
            raise
        if is_complete:
            self._loop.learn(self._pass, time.perf_counter() - self._begin)
        else:
            local.postponed = self  # others may be differentiated next
        return True

    def scale(self, _arrays: Any, _rule: Any, _number: Any, _result: Any) -> bool:
        """Put nothing off."""
        return False

    def update(self, _owner: Any, _make: Any) -> bool:
        """Leave the update to its owner."""
        if self._pass.heads:  # nothing else is differentiated before it
            self._leave()
        return False

    def _release(self) -> None:
        for made, _ in self._made.values():
            array = made()
            if array is not None and is_waiting(array):
                show(array)
        self._made.clear()
