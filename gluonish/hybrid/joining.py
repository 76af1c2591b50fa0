"""Several captured graphs, called one after the other, and their gradients as one graph."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array.gradients import attachment
from gluonish.errors import CompileError
from gluonish.hybrid.backends import WRITES_INPUTS
from gluonish.hybrid.halves import Halves
from gluonish.hybrid.program import Program
from gluonish.hybrid.replaying import replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torch import Tensor, fx

    from gluonish.array import NDArray
    from gluonish.hybrid.capture import CapturedGraph
    from gluonish.hybrid.compilations import Run
    from gluonish.hybrid.program import Draw

LOOKS = 4  # at the memory of gradients, once they are computed another way; two ways may take turns


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a pass: which graph, and where what it is given comes from.

    Attributes
    ----------
    graph : CapturedGraph
        The graph.
    given : tuple of ((int, int) or None)
        For each input which result of which earlier call it is; None for what the program gives.
    block : Block or None
        Who is called, where that is known by its arguments: an earlier result is the first.
    key : object
        What the arguments are like, in that case.
    """

    graph: CapturedGraph
    given: tuple[tuple[int, int] | None, ...]
    block: Any = None
    key: Any = None

    def is_current(self) -> bool:
        """Return whether it would still run its graph."""
        cache = self.graph.cache
        return cache is not None and cache.has(self.graph)


@dataclass(slots=True)
class Pass:
    """What goes on between two updates: calls, and results that are differentiated.

    Attributes
    ----------
    calls : list of Call
        The calls.
    heads : list of list of (int, int)
        For each `backward()` which results of which calls it starts from.
    """

    calls: list[Call] = field(default_factory=list)
    heads: list[list[tuple[int, int]]] = field(default_factory=list)

    def behind(self, heads: Sequence[tuple[int, int]]) -> set[int]:
        """Return the calls that have a part in results."""
        waiting = [call for call, _ in heads]
        needed = set(waiting)
        while waiting:
            for place in self.calls[waiting.pop()].given:
                if place is not None and place[0] not in needed:
                    needed.add(place[0])
                    waiting.append(place[0])
        return needed

    def is_complete(self) -> bool:
        """Return whether all calls have a part in what is differentiated so far."""
        return len(set().union(*map(self.behind, self.heads))) == len(self.calls)

    def is_like(self, other: Pass | None) -> bool:
        """Return whether two passes are alike."""
        return other is not None and self.heads == other.heads and self.calls == other.calls


class Joined:
    """Calls of captured graphs that always go one way, and the gradients of results.

    The tensors of all of it are what the program gives to each call and what the call draws, call
    by call; then the arrays that the graphs read beside that, each once.

    Parameters
    ----------
    one : Pass
        The calls, and which results are differentiated.

    Attributes
    ----------
    calls : list of Call
        The calls.
    heads : list of list of (int, int)
        Which results of which calls each `backward()` differentiates.
    modules : list of fx.GraphModule
        The graph of each call; draws of random numbers are its last inputs.
    draws : list of list of Draw
        What each call draws.
    counts : list of int
        How many results each has.
    given_to : list of list of int
        Which inputs of each call the program gives.
    singles : list of ((class, Context, (int, int)) or None)
        Class, context and place of the result of each, where that is one array.
    sources : list of (dict, key)
        Where the arrays are that the graphs read beside their inputs.
    source_positions : list of list of int
        Which of them each call reads.
    written : list of int
        Those that the calls write to, such as moving averages.
    wanted : list of int
        Those with gradients.
    reached : list of int
        Those of them that these results depend on, once it is traced.
    module : fx.GraphModule
        The one graph, once it is traced.
    seconds : float
        How long that took.

    Raises
    ------
    CompileError
        They can't be one graph.
    """

    module: fx.GraphModule
    seconds = 0.0

    def __init__(self, one: Pass) -> None:
        self.calls, self.heads = one.calls, one.heads
        programs = [Program.of(call.graph.module) for call in one.calls]
        self.modules = [
            program.module() if program.draws else call.graph.module
            for program, call in zip(programs, one.calls, strict=True)
        ]
        self.draws: list[list[Draw]] = [program.draws for program in programs]
        self.counts = [len(program.outputs) for program in programs]
        self.given_to = [
            [i for i, place in enumerate(call.given) if place is None] for call in one.calls
        ]
        found = [call.graph.waiting_single() for call in one.calls]
        self.singles = [None if it is None else (*it, (i, 0)) for i, it in enumerate(found)]
        self.sources: list[tuple[dict[Any, NDArray], Any]] = []
        places: dict[tuple[int, Any], int] = {}
        self.source_positions: list[list[int]] = []
        written: set[int] = set()
        for call in one.calls:
            if call.graph.writes_inputs:
                raise CompileError(WRITES_INPUTS)
            for arrays, key in call.graph.sources:
                if places.setdefault((id(arrays), key), len(self.sources)) == len(self.sources):
                    self.sources.append((arrays, key))
            positions = [places[id(arrays), key] for arrays, key in call.graph.sources]
            written.update(positions[i] for i in call.graph.written)
            self.source_positions.append(positions)
        self.written = sorted(written)
        self.given = sum(
            len(given) + len(draws) for given, draws in zip(self.given_to, self.draws, strict=True)
        )
        self.wanted = [i for i, source in enumerate(self.sources) if _is_wanted(source)]
        self.reached: list[int] = []
        self._copied: set[tuple[int, int]] = set()
        self._looks = 0
        if not self.wanted:
            msg = "there is nothing to train"
            raise CompileError(msg)
        if len(self.heads) > 1:
            self._check_apart(one)

    def _check_apart(self, one: Pass) -> None:
        """Refuse results that are differentiated one after the other, and share a parameter."""
        seen: set[int] = set()
        for heads in self.heads:
            found = {place for call in one.behind(heads) for place in self.source_positions[call]}
            found &= set(self.wanted)
            if found & seen:
                msg = "a parameter has a part in results that are differentiated one after another"
                raise CompileError(msg)
            seen |= found

    def inputs_of(
        self,
        position: int,
        given: Iterator[Tensor],
        results: Sequence[Sequence[Tensor]],
        sources: Sequence[Tensor],
    ) -> list[Tensor]:
        """Return what the graph of a call runs on.

        Parameters
        ----------
        position : int
            Which call.
        given : iterator of Tensor
            What the program gives and what is drawn, from this call on.
        results : sequence of sequence of Tensor
            Results of the calls before.
        sources : sequence of Tensor
            What graphs read beside that.
        """
        places = self.calls[position].given
        tensors = [
            next(given) if place is None else results[place[0]][place[1]] for place in places
        ]
        tensors += [sources[i] for i in self.source_positions[position]]
        tensors += [next(given) for _ in self.draws[position]]
        return tensors

    def joined(
        self, position: int, results: Sequence[Tensor], tensors: Sequence[Tensor]
    ) -> Sequence[Tensor]:
        """Return a call's results as its graph gives them; see `CapturedGraph.joined`."""
        count = len(tensors) - len(self.draws[position])
        return self.calls[position].graph.joined(results, tensors[:count])

    def _outputs(self, tensors: list[Tensor]) -> list[Tensor]:
        """Make all calls; only results that are differentiated have gradients."""
        given, sources = iter(tensors[: self.given]), tensors[self.given :]
        results: list[Sequence[Tensor]] = []
        heads = {head for group in self.heads for head in group}
        for position, module in enumerate(self.modules):
            results.append(module.forward(*self.inputs_of(position, given, results, sources)))
        return [
            tensor if (i, k) in heads else tensor.detach()
            for i, found in enumerate(results)
            for k, tensor in enumerate(found)
        ]

    def trace(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        """Make the graph, run it, and return what it gives; see `run`.

        Raises
        ------
        CompileError
            A replay would not do what the calls do.
        """
        begin = time.perf_counter()
        wanted = [self.given + position for position in self.wanted]
        moved = [self.given + position for position in self.written]
        halves = Halves(self._outputs, tensors, wanted, moved, keeps_values=False)
        if halves.obstacle is not None:
            raise CompileError(halves.obstacle)
        self.reached = [position - self.given for position in halves.reached]
        has_constants = any(call.graph.unreached is not None for call in self.calls)
        if has_constants and len(self.reached) < len(self.wanted):
            msg = "a parameter has no part in the result, or its gradient is zero"
            raise CompileError(msg)
        self.module = halves.joined()
        del halves  # which has all that was computed, and memory is needed for another run
        self.settle(replay(self.module))
        self.seconds = time.perf_counter() - begin
        return self.run(tensors)

    def settle(self, run: Run) -> None:
        """Run the graph this way from now on."""
        self._run = run
        self._copied = set()
        self._looks = LOOKS

    def run(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        """Return the results of all calls, then gradients, each in memory of its own."""
        found = self._run(tensors)
        if self._looks:
            self._looks -= 1
            self._look_at_memory(found, tensors)
        if self._copied:
            found = list(found)
            for place, like in self._copied:
                found[place] = torch.empty_like(tensors[like]).copy_(found[place])
        return found

    def _look_at_memory(self, found: Sequence[Tensor], tensors: Sequence[Tensor]) -> None:
        """Find gradients that share memory, or lie in memory otherwise than their weights."""
        first = len(found) - len(self.reached)
        known = [*found[:first], *tensors, *self.module.buffers()]
        seen = {tensor.untyped_storage().data_ptr() for tensor in known}
        for place, position in enumerate(self.reached, first):
            gradient, weight = found[place], tensors[self.given + position]
            memory = gradient.untyped_storage().data_ptr()
            if memory in seen or gradient.stride() != weight.stride():
                self._copied.add((place, self.given + position))
            seen.add(memory)


def _is_wanted(source: tuple[dict[Any, NDArray], Any]) -> bool:
    arrays, key = source
    array = arrays[key]
    attached = attachment(array)
    if attached is None or not array._tensor.requires_grad:
        return False
    if attached.buffer.stype != "default":
        msg = f"a gradient is of storage type {attached.buffer.stype!r}"
        raise CompileError(msg)
    return True
