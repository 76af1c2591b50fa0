"""Graphs inside of nodes: what loops and branches run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from typing_extensions import override

from gluonish.context import Context
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.table import Op
from gluonish.symbol import dtype_inference, shape_inference
from gluonish.symbol.graph import auxiliary, order
from gluonish.symbol.plan import GraphPlan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from gluonish.symbol.graph import Entry
    from gluonish.symbol.shape_inference import Shape

    Sources: TypeAlias = Sequence[Sequence[int]]

_META = Context.apart("meta")
_ROUNDS = 3  # of inference: what a step says of its states is what the next one gets


class Subgraph:
    """A graph that a node runs, perhaps many times.

    Parameters
    ----------
    entries : sequence of Entry
        Its outputs.

    Attributes
    ----------
    entries : list of Entry
        Its outputs.
    names : list of str
        Its variables, in the order in which values are given.
    updated : set of int
        Positions of the variables that its operators update themselves.
    """

    __slots__ = ("_plans", "entries", "names", "updated")

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = list(entries)
        plan = GraphPlan(self.entries)
        self.names = plan.variables
        nodes = order(self.entries)
        states = auxiliary(nodes)
        variables = [node for node in nodes if node.is_variable]
        self.updated = {i for i, node in enumerate(variables) if id(node) in states}
        self._plans: dict[object, GraphPlan] = {None: plan}

    def run(self, tensors: Sequence[Tensor], ctx: Context) -> list[Tensor]:
        """Return the outputs for the value of each variable."""
        values = [
            tensor.detach() if position in self.updated else tensor
            for position, tensor in enumerate(tensors)
        ]
        return self._plan(values).run(values, ctx)

    def _plan(self, tensors: Sequence[Tensor]) -> GraphPlan:
        """Return the order of evaluation; zeros of open shape need one for each set of shapes."""
        plan = self._plans[None]
        if not plan.is_open:
            return plan
        key = tuple(tuple(tensor.shape) for tensor in tensors)
        if key not in self._plans:
            shapes: dict[str, Shape] = dict(zip(self.names, key, strict=True))
            self._plans[key] = GraphPlan(self.entries, shape_inference.infer(self.entries, shapes))
        return self._plans[key]


class ControlFlow(ABC):
    """The function of an operator that runs subgraphs.

    Parameters
    ----------
    name : str
        The operator's name in files.
    subgraphs : sequence of Subgraph
        What it runs.
    sources : sequence of sequence of int
        For each subgraph, which of the operator's inputs its variables are.
    outputs : int
        How many outputs the operator has.
    """

    def __init__(
        self, name: str, subgraphs: Sequence[Subgraph], sources: Sources, outputs: int
    ) -> None:
        self.__name__ = name
        self.subgraphs = tuple(subgraphs)
        self.sources = tuple(map(tuple, sources))
        self.outputs = outputs

    @abstractmethod
    def __call__(self, *data: Tensor, ctx: Context) -> list[Tensor]:
        """Return the operator's outputs."""

    def op(self) -> Op:
        """Return the operator."""
        rule = self.shapes
        path = f"_internal.{self.__name__}"
        return Op(
            self,
            files={("nd", path): self.__name__},
            outputs=self.outputs,
            shapes=rule,
            reverse=rule,
        )

    @property
    def updated(self) -> set[int]:
        """Positions of the inputs that operators in the subgraphs update themselves."""
        return {
            source[position]
            for subgraph, source in zip(self.subgraphs, self.sources, strict=True)
            for position in subgraph.updated
        }

    def run(self, which: int, data: Sequence[Tensor], ctx: Context) -> list[Tensor]:
        """Return what a subgraph makes of the operator's inputs."""
        return self.subgraphs[which].run([data[i] for i in self.sources[which]], ctx)

    def shapes(
        self, known: Mapping[str, Shape | None], outputs: Sequence[Shape | None] = (), **_: object
    ) -> dict[str, Shape]:
        """Rule for unknown shapes: what the subgraphs' operators say."""
        inputs: list[Shape | None] = [known.get(f"data:{i}") for i in range(len(known))]
        found = self._completed(inputs, outputs)
        return {f"data:{i}": shape for i, shape in enumerate(found) if shape is not None}

    def _completed(
        self, inputs: list[Shape | None], outputs: Sequence[Shape | None]
    ) -> list[Shape | None]:
        for head, i in self.states():
            inputs[i] = inputs[i] or (outputs[head] if outputs else None)
        for _ in range(_ROUNDS):
            before = list(inputs)
            for which, (subgraph, source) in enumerate(
                zip(self.subgraphs, self.sources, strict=True)
            ):
                given = {
                    name: shape
                    for name, i in zip(subgraph.names, source, strict=True)
                    if (shape := self.entering(i, inputs)) is not None
                }
                found = shape_inference.infer(subgraph.entries, given)
                by_name = {e.node.name: v for e, v in found.items() if e.node.is_variable}
                for name, i in zip(subgraph.names, source, strict=True):
                    inputs[i] = self.leaving(i, by_name[name], inputs)
                if which == len(self.subgraphs) - 1:
                    for head, i in self.states():
                        inputs[i] = inputs[i] or found[subgraph.entries[head]]
            if inputs == before:
                break
        return inputs

    def dtypes(
        self, inputs: Sequence[torch.dtype | None], outputs: Sequence[torch.dtype | None]
    ) -> tuple[list[torch.dtype | None], list[torch.dtype | None]]:
        """Return the dtypes of inputs and outputs, as far as the subgraphs tell them."""
        found_inputs, found_outputs = list(inputs), list(outputs)
        for _ in range(_ROUNDS):
            for head, i in self.states():
                found_inputs[i] = found_inputs[i] or found_outputs[head]
            before = list(found_inputs)
            for subgraph, source in zip(self.subgraphs, self.sources, strict=True):
                given = {
                    name: dtype
                    for name, i in zip(subgraph.names, source, strict=True)
                    if (dtype := found_inputs[i]) is not None
                }
                found = dtype_inference.infer(subgraph.entries, given)
                by_name = {e.node.name: v for e, v in found.items() if e.node.is_variable}
                for name, i in zip(subgraph.names, source, strict=True):
                    found_inputs[i] = found_inputs[i] or by_name[name]
            for head, entry in enumerate(self.subgraphs[-1].entries):
                found_outputs[head] = found_outputs[head] or found[entry]
            if found_inputs == before:
                break
        return found_inputs, found_outputs

    def states(self) -> list[tuple[int, int]]:
        """Return pairs of an output and the input that it replaces in the next step."""
        return []

    def entering(self, i: int, inputs: Sequence[Shape | None]) -> Shape | None:
        """Return the shape in which a subgraph sees an input."""
        return inputs[i]

    def leaving(self, i: int, shape: Shape | None, inputs: Sequence[Shape | None]) -> Shape | None:
        """Return an input's shape, from that which a subgraph sees."""
        return shape if shape is not None else inputs[i]


class Foreach(ControlFlow):
    """Runs a graph with each slice of arrays, and with states.

    Parameters
    ----------
    body : Subgraph
        The graph: outputs, then the new states.
    source : sequence of int
        Which of the operator's inputs the graph's variables are.
    num_data, num_states : int
        How many of the inputs are cut into slices, and how many of the rest are states.
    """

    def __init__(
        self, body: Subgraph, source: Sequence[int], num_data: int, num_states: int
    ) -> None:
        super().__init__("_foreach", [body], [source], len(body.entries))
        self.num_data = num_data
        self.num_states = num_states
        self.num_out_data = len(body.entries) - num_states

    @override
    def __call__(self, *data: Tensor, ctx: Context) -> list[Tensor]:
        lengths = {tensor.shape[0] if tensor.ndim else 0 for tensor in data[: self.num_data]}
        if len(lengths) > 1 or 0 in lengths:
            msg = (
                f"foreach: data of shapes {[tuple(t.shape) for t in data[: self.num_data]]} were "
                f"given. Expected the same length of at least 1 along the first axis. Cut or pad "
                f"the arrays."
            )
            raise ShapeError(msg)
        length = lengths.pop()
        is_trial = data[0].device.type == "meta"
        rest = list(data[self.num_data :])
        rows: list[list[Tensor]] = []
        for position in range(1 if is_trial else length):
            slices = [_part(tensor, position) for tensor in data[: self.num_data]]
            found = self.run(0, [*slices, *rest], ctx)
            rows.append(found[: self.num_out_data])
            rest[: self.num_states] = found[self.num_out_data :]
        return [*_stacked(rows, length, is_trial=is_trial), *rest[: self.num_states]]

    @override
    def states(self) -> list[tuple[int, int]]:
        return [(self.num_out_data + k, self.num_data + k) for k in range(self.num_states)]

    @override
    def entering(self, i: int, inputs: Sequence[Shape | None]) -> Shape | None:
        shape = inputs[i]
        return shape if shape is None or i >= self.num_data else shape[1:] or (1,)

    @override
    def leaving(self, i: int, shape: Shape | None, inputs: Sequence[Shape | None]) -> Shape | None:
        if i >= self.num_data or shape is None:
            return super().leaving(i, shape, inputs)
        own = inputs[i]
        if own is not None and len(own) == 1:
            return own
        lengths = [known[0] for known in inputs[: self.num_data] if known]
        return (next((n for n in lengths if n is not None), None), *shape)


class WhileLoop(ControlFlow):
    """Runs a graph with variables that it replaces, as long as another one says so.

    Parameters
    ----------
    cond, func : Subgraph
        The condition; the graph: outputs, then the new variables.
    sources : pair of sequence of int
        Which of the operator's inputs are the variables of both.
    variables : sequence of int
        Which of the operator's inputs are replaced.
    max_iterations : int
        How often the graph is run at most.
    """

    def __init__(
        self,
        cond: Subgraph,
        func: Subgraph,
        sources: Sources,
        variables: Sequence[int],
        max_iterations: int,
    ) -> None:
        super().__init__("_while_loop", [cond, func], sources, len(func.entries))
        self.variables = tuple(variables)
        self.max_iterations = max_iterations
        self.num_out_data = len(func.entries) - len(variables)

    @override
    def __call__(self, *data: Tensor, ctx: Context) -> list[Tensor]:
        values = list(data)
        if torch.compiler.is_exporting():
            return self._unrolled(values, ctx)
        is_trial = data[0].device.type == "meta"
        rows: list[list[Tensor]] = []
        while not is_trial and len(rows) < self.max_iterations:
            if not _is_true(self.run(0, values, ctx)[0], "while_loop: the result of cond"):
                break
            rows.append(self._step(values, ctx))
        if rows:
            outputs = _stacked(rows, self.max_iterations, is_trial=False)
        else:
            trial = [tensor.to("meta") for tensor in values]
            made = self._step(trial, _META)
            values = trial if is_trial else values
            outputs = [
                torch.zeros((self.max_iterations, *t.shape), dtype=t.dtype, device=data[0].device)
                for t in made
            ]
        return [*outputs, *[values[i] for i in self.variables]]

    def _unrolled(self, values: list[Tensor], ctx: Context) -> list[Tensor]:
        """Return the same without a look at values, which exported graphs don't have."""
        rows: list[list[Tensor]] = []
        goes_on = torch.ones(1, dtype=torch.bool, device=values[0].device)
        for _ in range(self.max_iterations):
            goes_on = goes_on & (self.run(0, values, ctx)[0] != 0)
            before = list(values)
            row = self._step(values, ctx)
            rows.append([torch.where(goes_on, part, torch.zeros_like(part)) for part in row])
            for i in self.variables:
                values[i] = torch.where(goes_on, values[i], before[i])
        outputs = _stacked(rows, self.max_iterations, is_trial=False)
        return [*outputs, *[values[i] for i in self.variables]]

    def _step(self, values: list[Tensor], ctx: Context) -> list[Tensor]:
        found = self.run(1, values, ctx)
        for i, value in zip(self.variables, found[self.num_out_data :], strict=True):
            values[i] = value
        return found[: self.num_out_data]

    @override
    def states(self) -> list[tuple[int, int]]:
        return [(self.num_out_data + k, i) for k, i in enumerate(self.variables)]


class Cond(ControlFlow):
    """Runs one of two graphs, as a third one says.

    Parameters
    ----------
    pred, then, otherwise : Subgraph
        The condition, and the two graphs, with as many outputs.
    sources : three sequences of int
        Which of the operator's inputs are the variables of the three.
    """

    def __init__(
        self, pred: Subgraph, then: Subgraph, otherwise: Subgraph, sources: Sources
    ) -> None:
        super().__init__("_cond", [pred, then, otherwise], sources, len(then.entries))

    @override
    def __call__(self, *data: Tensor, ctx: Context) -> list[Tensor]:
        if data[0].device.type == "meta":
            return self.run(1, data, ctx)
        if torch.compiler.is_exporting():  # both, since exported graphs don't see values
            says = self.run(0, data, ctx)[0] != 0
            branches = zip(self.run(1, data, ctx), self.run(2, data, ctx), strict=True)
            return [torch.where(says, one, other) for one, other in branches]
        is_true = _is_true(self.run(0, data, ctx)[0], "cond: pred")
        return self.run(1 if is_true else 2, data, ctx)


def _part(tensor: Tensor, position: int) -> Tensor:
    """Return a slice along the first axis; nd has no arrays without axes."""
    return tensor[position] if tensor.ndim > 1 else tensor[position : position + 1]


def _stacked(rows: Sequence[Sequence[Tensor]], length: int, *, is_trial: bool) -> list[Tensor]:
    """Return outputs stacked along a new first axis, with zeros up to its length."""
    found = []
    for parts in zip(*rows, strict=True):
        if is_trial:
            found.append(parts[0].new_empty((length, *parts[0].shape)))
            continue
        whole = torch.stack(parts)
        missing = length - len(parts)
        if missing:
            whole = torch.cat([whole, whole.new_zeros((missing, *whole.shape[1:]))])
        found.append(whole)
    return found


def _is_true(value: Tensor, what: str) -> bool:
    if value.numel() != 1:
        msg = (
            f"{what} has shape {tuple(value.shape)}. Expected one element: The current array is "
            f"not a scalar. Reduce it, for example with .max()."
        )
        raise InvalidArgumentError(msg)
    return bool(value.item())
