"""One captured call of a Block: how its graph is made, and how it runs."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from gluonish.array.constant_results import join_outputs, unreached
from gluonish.array.core import new
from gluonish.array.sparse import is_sparse
from gluonish.array.sparse_base import parts_of
from gluonish.array.tensors import plain
from gluonish.array.waiting import WAITING
from gluonish.array.writes import versions
from gluonish.errors import DTypeError
from gluonish.hybrid.graph_modules import graph_module
from gluonish.hybrid.recorder import Recorder
from gluonish.hybrid.replaying import replay
from gluonish.hybrid.report import GraphRecord
from gluonish.hybrid.structure import flatten, map_arrays
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import TypeAlias

    from torch import Tensor, fx

    from gluonish.array import NDArray
    from gluonish.context import Context
    from gluonish.hybrid.blocks import Weight
    from gluonish.hybrid.compilations import Run
    from gluonish.hybrid.loops import Loop

    Source: TypeAlias = "tuple[dict[Any, NDArray], Any]"


class CapturedGraph:
    """One captured call: a `torch.fx.GraphModule` and what goes in and comes out.

    Parameters
    ----------
    module : fx.GraphModule
        What is run.
    inputs : int
        How many of its inputs are the call's; the others are read from sources.
    sources : list of (dict, key)
        Where the arrays are that the graph reads beside its inputs.
    results : callable
        Makes the Block's result of the graph's outputs.
    single : (class, Context) or None
        Class and context of the result, where it is one array.
    writes_inputs : bool, default False
        Whether it writes to the call's inputs.
    written : collection of int, default none
        Positions of those sources whose arrays it writes to, such as moving averages.

    Attributes
    ----------
    run : callable
        Runs the graph on a list of tensors; a backend's choice.
    record : GraphRecord
        How that goes.
    unreached : list of int or None
        What no gradient flows to, by the positions of the graph's inputs; None if gradients flow
        from all of its outputs to all inputs that have some.
    enter : Loop or None
        Called with the inputs in place of the graph itself, where it may be part of a loop.
    cache : GraphCache or None
        Where it is kept.
    writes_inputs : bool
        Whether it writes to what it is called with; two arguments may share memory in one call
        and not in the next, which compilers do not expect.
    written : collection of int
        Positions of those sources whose arrays it writes to.
    """

    __slots__ = (
        "_results", "_single", "cache", "enter", "inputs", "module", "record", "run", "sources",
        "unreached", "writes_inputs", "written",
    )  # fmt: skip

    def __init__(
        self,
        module: fx.GraphModule,
        inputs: int,
        sources: list[Source],
        results: Callable[[Sequence[Tensor], Sequence[NDArray]], Any],
        single: tuple[type[NDArray], Context] | None,
        *,
        writes_inputs: bool = False,
        written: Collection[int] = (),
    ) -> None:
        self.module = module
        self.writes_inputs, self.written = writes_inputs, written
        self.inputs = inputs
        self.run = replay(module, is_recorded=bool(state.recording))
        self.record = GraphRecord()
        self.sources = sources
        self.unreached: list[int] | None = None
        self._results = results
        self._single = single
        self.enter: Loop | None = None
        self.cache: Any = None

    def settle(self, run: Run) -> None:
        """Run the graph another way from now on."""
        self.run = run

    def tensors(self, inputs: Sequence[NDArray]) -> list[Tensor]:
        """Return what the graph runs on: inputs, and the parameters' present values."""
        if state.recording:
            tensors = [array._tensor for array in inputs]
            for arrays, key in self.sources:
                tensors.append(arrays[key]._tensor)
        else:
            tensors = []
            for array in inputs:
                tensor = array._tensor
                tensors.append(plain(array) if tensor.requires_grad else tensor)
            for arrays, key in self.sources:
                array = arrays[key]
                tensor = array._tensor
                if tensor.requires_grad:
                    try:  # `plain`, without a call for each
                        tensor = array._plain  # noqa: SLF001
                    except AttributeError:
                        tensor = plain(array)
                tensors.append(tensor)
        return tensors

    def __call__(self, inputs: Sequence[NDArray]) -> Any:
        """Run the graph on arrays."""
        return self.result(self.outputs(self.tensors(inputs)), inputs)

    def outputs(self, tensors: list[Tensor]) -> Sequence[Tensor]:
        """Run the graph on tensors; what no gradient flows to is a part of it all the same."""
        return self.joined(self.run(tensors), tensors)

    def joined(self, results: Sequence[Tensor], tensors: Sequence[Tensor]) -> Sequence[Tensor]:
        """Return the graph's results as a part of what no gradient flows to, if there is such."""
        if self.unreached is None:
            return results
        return join_outputs(results, tensors, self.unreached)

    def find_unreached(self, outputs: Sequence[NDArray], inputs: Sequence[NDArray]) -> None:
        """Find out what no gradient flows to; the outputs of a call that was captured learn it."""
        tensors, results = self.tensors(inputs), [output._tensor for output in outputs]
        missing = unreached(results, tensors)
        in_graph = any(tensor.requires_grad for tensor in tensors)
        if missing or (in_graph and not all(result.requires_grad for result in results)):
            self.unreached = missing
            for output, joined in zip(
                outputs, join_outputs(results, tensors, missing), strict=True
            ):
                output._tensor = joined

    def waiting_single(self) -> tuple[type[NDArray], Context] | None:
        """Return class and context of a result that is put off, where it is one array."""
        return None if self._single is None else (WAITING[self._single[0]], self._single[1])

    def result(self, outputs: Sequence[Tensor], inputs: Sequence[NDArray]) -> Any:
        """Return the Block's result for the graph's outputs."""
        if self._single is None:
            return self._results(outputs, inputs)
        result = new(self._single[0])
        result._tensor = outputs[0]
        result._ctx = self._single[1]
        return result


def _values(gradient: NDArray) -> Tensor:
    return parts_of(gradient).values if is_sparse(gradient) else gradient._tensor


class Capture:
    """A call that is being captured: a context manager around it.

    Parameters
    ----------
    inputs : sequence of NDArray
        The arrays among the arguments.
    weights : iterable of Parameter
        The parameters that may take part.
    arrays : list of NDArray
        Other arrays that may take part, whose values are read at every replay.
    """

    def __init__(
        self, inputs: Sequence[NDArray], weights: Iterable[Weight], arrays: list[NDArray]
    ) -> None:
        self._inputs = list(inputs)
        self._versions = _versions(self._inputs)
        self._sources: list[Source] = []
        named = [(f"input{i}", array) for i, array in enumerate(inputs)]
        for weight in weights:
            for ctx, array in weight._arrays.items():
                named.append((weight.name, array))
                self._sources.append((weight._arrays, ctx))
        self._add_arrays(arrays, named)
        self._source_versions = list(map(_version_of, self._sources))
        self._before = [(array, array._tensor) for _, array in named]
        self.recorder = Recorder(
            [(_identifier(name), [_seen(array)]) for name, array in _distinct(named)],
            [_values(array.grad) for _, array in named if array.grad is not None],
        )
        for _, array in named:
            if array._tensor.requires_grad and state.recording:
                self.recorder.add_detached(plain(array), array._tensor)

    def _add_arrays(self, arrays: list[NDArray], named: list[tuple[str, NDArray]]) -> None:
        known = {id(array._tensor) for _, array in named}
        table: dict[Any, NDArray] = dict(enumerate(arrays))
        for position, array in table.items():
            if id(array._tensor) not in known:
                named.append(("array", array))
                self._sources.append((table, position))

    @property
    def is_ambiguous(self) -> bool:
        """Whether an input is a parameter at the same time, so that a graph would mix them up."""
        own = {id(array._tensor) for array in self._inputs}
        return any(id(arrays[key]._tensor) in own for arrays, key in self._sources)

    def rebound(self) -> str | None:
        """Return what the program has done to its arrays that a replay would not do."""
        for array, tensor in self._before:
            if array._tensor is not tensor and self.recorder.is_reordered(array._tensor, tensor):
                array._tensor = tensor
        if all(array._tensor is tensor for array, tensor in self._before):
            return None
        return "an array that was there before is bound to a new result"

    def is_called_with(self, arguments: Any) -> bool:
        """Return whether nested arguments still hold the arrays that they held."""
        found: list[NDArray] = []
        try:
            flatten(arguments, found)
        except DTypeError:
            return False
        return len(found) == len(self._inputs) and all(map(operator.is_, found, self._inputs))

    def finish(self, result: Any) -> CapturedGraph:
        """Return the graph.

        Raises
        ------
        DTypeError
            The result holds something that a graph can't make anew.
        """
        flatten(result, [])
        recorder = self.recorder
        nodes: list[fx.Node] = []
        kinds: list[tuple[type[NDArray], Context]] = []

        given = {id(array): i for i, array in enumerate(self._inputs)}

        def place(array: NDArray) -> _Slot | _Given:
            if id(array) in given:
                return _Given(given[id(array)])
            nodes.append(recorder.output_of(_seen(array)))
            kinds.append((type(array), array._ctx))
            return _Slot(len(kinds) - 1)

        template = map_arrays(place, result)
        recorder.graph.output(tuple(nodes))
        sources, written = self._used_sources()
        recorder.graph.lint()
        module = graph_module(recorder.root, recorder.graph)
        single = kinds[0] if isinstance(template, _Slot) else None

        def rebuild(outputs: Sequence[Tensor], inputs: Sequence[NDArray]) -> Any:
            return _fill(template, outputs, inputs, kinds)

        writes = self._versions != _versions(self._inputs)
        return CapturedGraph(
            module,
            len(self._inputs),
            sources,
            rebuild,
            single,
            writes_inputs=writes,
            written=written,
        )

    def _used_sources(self) -> tuple[list[Source], list[int]]:
        """Return the sources that the graph reads, and which of them the call has written to."""
        placeholders = [n for n in self.recorder.graph.nodes if n.op == "placeholder"]
        used: list[Source] = []
        written: list[int] = []
        for node, source, before in zip(
            placeholders[len(self._inputs) :], self._sources, self._source_versions, strict=True
        ):
            if not node.users:
                self.recorder.graph.erase_node(node)
                continue
            if before is None or before != _version_of(source):
                written.append(len(used))
            used.append(source)
        return used, written


def _version_of(source: Source) -> int | None:
    """Return a number that changes when an array is written to; None if nothing tells."""
    arrays, key = source
    tensor = arrays[key]._tensor
    return None if tensor.is_inference() else tensor._version  # noqa: SLF001 - no public name


def _versions(arrays: Sequence[NDArray]) -> list[int]:
    return versions([array._tensor for array in arrays])


def _seen(array: NDArray) -> Tensor:
    return array._tensor if state.recording else plain(array)


def _distinct(arrays: list[tuple[str, NDArray]]) -> list[tuple[str, NDArray]]:
    """Give names that occur several times a number."""
    seen: dict[str, int] = {}
    named = []
    for name, array in arrays:
        count = seen[name] = seen.get(name, -1) + 1
        named.append((f"{name}_on_{count}" if count else name, array))
    return named


def _identifier(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name)


class _Slot:
    """Where an output of the graph goes in the Block's result."""

    __slots__ = ("position",)

    def __init__(self, position: int) -> None:
        self.position = position


class _Given:
    """Where an input is in the Block's result."""

    __slots__ = ("position",)

    def __init__(self, position: int) -> None:
        self.position = position


def _fill(
    template: Any,
    outputs: Sequence[Tensor],
    inputs: Sequence[NDArray],
    kinds: list[tuple[type[NDArray], Context]],
) -> Any:
    if isinstance(template, _Given):
        return inputs[template.position]
    if isinstance(template, _Slot):
        cls, ctx = kinds[template.position]
        array = new(cls)
        array._tensor = outputs[template.position]
        array._ctx = ctx
        return array
    if isinstance(template, dict):
        return type(template)((k, _fill(v, outputs, inputs, kinds)) for k, v in template.items())
    if isinstance(template, tuple) and hasattr(template, "_fields"):
        return type(template)(*(_fill(part, outputs, inputs, kinds) for part in template))
    if isinstance(template, (list, tuple)):
        return type(template)(_fill(part, outputs, inputs, kinds) for part in template)
    return template
