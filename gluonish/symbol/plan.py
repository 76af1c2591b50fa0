"""The plan of a graph: its operators in order, and where their arguments come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import Tensor

from gluonish.errors import MXNetError
from gluonish.ops.table.explain import TORCH_ERRORS, describe, refusal
from gluonish.ops.table.on_host import on_host
from gluonish.symbol.graph import Entry, order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol

    from gluonish.context import Context
    from gluonish.symbol.graph import Node

    class Watcher(Protocol):
        """Sees what operators get and return."""

        def before(self, node: Node, inputs: list[Tensor]) -> list[Tensor]:
            """Take note of a node's inputs; return what it gets instead of them."""

        def after(self, node: Node, outputs: Sequence[Tensor]) -> None:
            """Take note of a node's results."""


class PlanStep:
    """One operator of a plan: where its arguments come from and where its results go.

    Attributes
    ----------
    node : Node
        Its node.
    first, count : int
        Where its outputs are among the plan's values, and how many there are.
    ctx : Context or None
        Where it runs, if not where the others do; its inputs are copied there.
    """

    __slots__ = (
        "_named", "_star", "constants", "count", "ctx", "first", "function", "node", "sources",
    )  # fmt: skip

    def __init__(self, node: Node, slots: Mapping[Entry, int], first: int) -> None:
        assert node.op is not None  # noqa: S101 - variables are no steps
        self.node = node
        self.first = first
        self.count = node.outputs
        self.function = node.op.function
        self.ctx: Context | None = None
        self.sources = [slots[entry] for entry in node.inputs]
        sources: dict[str, Any] = {}
        for name, entry in zip(node.names, node.inputs, strict=True):
            sources.setdefault(name, []).append(slots[entry])
        parameters = node.op.signature.parameters
        star = [p.name for p in parameters.values() if p.kind is p.VAR_POSITIONAL]
        self._star: tuple[list[str], list[int]] | None = None
        if star:
            before = list(parameters)[: list(parameters).index(star[0])]
            self._star = before, sources.pop(star[0], [])
        self._named = [
            (name, found if "Sequence[Tensor]" in str(parameters[name].annotation) else found[0])
            for name, found in sources.items()
        ]
        self.constants = {key: value for key, value in node.params.items() if key in parameters}

    def run(self, values: Sequence[Tensor] | dict[int, Tensor], ctx: Context) -> Sequence[Tensor]:
        """Return the operator's results."""
        if self.ctx is not None:
            ctx, device = self.ctx, self.ctx.device
            values = {slot: values[slot].to(device) for slot in self.sources}
        given = dict(self.constants)
        for name, source in self._named:
            given[name] = (
                [values[slot] for slot in source] if isinstance(source, list) else values[source]
            )
        op = self.node.op
        if op is not None and op.takes_ctx:
            given["ctx"] = ctx
        args: list[Any] = []
        if self._star is not None:
            before, many = self._star
            args = [given.pop(name) for name in before if name in given]
            args += [values[slot] for slot in many]
        try:
            result = self.function(*args, **given)
        except TORCH_ERRORS as error:
            result = on_host(self.function, args, given, error)
            if result is None:
                found = self._explained(error, args, given)
                raise found from found.__cause__
        return (result,) if isinstance(result, Tensor) else tuple(result)

    def _explained(
        self, error: Exception, args: Sequence[Any], given: Mapping[str, Any]
    ) -> Exception:
        """Return the error with the node that it comes from."""
        found = refusal(self.function, args, given, error)
        if isinstance(found, MXNetError):
            inputs = ", ".join(
                f"{entry.node.name}: {describe(value)}"
                for entry, value in zip(self.node.inputs, _tensors(args, given), strict=False)
            )
            found.add_note(f"in operator {self.node.name} ({self.node.file_name}) of {inputs}")
        return found


def _tensors(args: Sequence[Any], given: Mapping[str, Any]) -> list[Tensor]:
    found: list[Tensor] = []
    for value in [*args, *given.values()]:
        parts = value if isinstance(value, (list, tuple)) else (value,)
        found += [part for part in parts if isinstance(part, Tensor)]
    return found


class GraphPlan:
    """A graph in the order of its evaluation.

    Parameters
    ----------
    entries : iterable of Entry
        Its outputs.
    shapes : dict of Entry to tuple of int, optional
        The shapes of results, for operators such as `zeros` that leave theirs to others.
    contexts : dict of int to Context, optional
        Where operators run, by the `id` of their nodes, for those that do not run with the rest.

    Attributes
    ----------
    variables : list of str
        The names of its variables; `run` takes a tensor for each.
    steps : list of PlanStep
        Its operators.
    is_open : bool
        Whether the rest of the graph may have to tell the shapes of some operators' results.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        shapes: Mapping[Entry, tuple[int | None, ...] | None] | None = None,
        contexts: Mapping[int, Context] | None = None,
    ) -> None:
        entries = list(entries)
        nodes = order(entries)
        slots: dict[Entry, int] = {}
        self.variables: list[str] = []
        for node in nodes:
            if node.is_variable:
                slots[Entry(node, 0)] = len(slots)
                self.variables.append(node.name)
        self.steps: list[PlanStep] = []
        for node in nodes:
            if node.is_variable:
                continue
            step = PlanStep(node, slots, len(slots))
            step.ctx = (contexts or {}).get(id(node))
            if shapes is not None and node.open_shape:
                step.constants[node.open_shape] = shapes[Entry(node, 0)]
            self.steps.append(step)
            slots.update((Entry(node, i), step.first + i) for i in range(step.count))
        self.is_open = any(_leaves_lengths(step.node) for step in self.steps)
        self._size = len(slots)
        self._heads = [slots[entry] for entry in entries]

    def run(
        self, tensors: Sequence[Tensor], ctx: Context, watch: Watcher | None = None
    ) -> list[Tensor]:
        """Return the outputs.

        Parameters
        ----------
        tensors : sequence of Tensor
            The value of each variable.
        ctx : Context
            Where operators without array inputs make their results.
        watch : Watcher, optional
            Told of each operator.
        """
        values: list[Any] = [*tensors, *[None] * (self._size - len(tensors))]
        for step in self.steps:
            if watch is None:
                found = step.run(values, ctx)[: step.count]
            else:
                given = watch.before(step.node, [values[slot] for slot in step.sources])
                found = step.run(dict(zip(step.sources, given, strict=True)), ctx)[: step.count]
                watch.after(step.node, found)
            values[step.first : step.first + len(found)] = found
        return [values[slot] for slot in self._heads]


def _leaves_lengths(node: Node) -> bool:
    """Return whether an operator's result may have lengths that others tell."""
    if node.op is None or not node.open_shape:
        return False
    given = node.arguments().get(node.open_shape, node.op.defaults.get(node.open_shape))
    lengths = given if isinstance(given, (tuple, list)) else (given,)
    is_known = all(type(length) is int and length > 0 for length in lengths)
    return not lengths or not is_known
