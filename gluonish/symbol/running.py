"""Evaluating a Symbol's graph: planned once, then run on tensors or arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import Tensor

from gluonish.array.core import NDArray, np_class, unwrap, wrap
from gluonish.context import current_context, is_np_array
from gluonish.errors import MXNetError, SymbolNameError
from gluonish.ops.explain import TORCH_ERRORS, describe, refuse
from gluonish.symbol.graph import Entry, order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gluonish.context import Context
    from gluonish.symbol.graph import Node

    Watcher = Callable[[Node, Sequence[Tensor]], None]


class Step:
    """One operator of a plan: where its arguments come from and where its results go.

    Attributes
    ----------
    node : Node
        Its node.
    first, count : int
        Where its outputs are among the plan's values, and how many there are.
    """

    __slots__ = ("_constants", "_named", "_star", "count", "first", "function", "node")

    def __init__(self, node: Node, slots: Mapping[Entry, int], first: int) -> None:
        assert node.op is not None  # noqa: S101 - variables are no steps
        self.node = node
        self.first = first
        self.count = node.outputs
        self.function = node.op.function
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
        self._constants = {key: value for key, value in node.params.items() if key in parameters}

    def run(self, values: Sequence[Tensor], ctx: Context) -> Sequence[Tensor]:
        """Return the operator's results."""
        given = dict(self._constants)
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
            raise self._explained(error, args, given) from error
        return (result,) if isinstance(result, Tensor) else tuple(result)

    def _explained(
        self, error: Exception, args: Sequence[Any], given: Mapping[str, Any]
    ) -> Exception:
        """Return the error with the node that it comes from."""
        try:
            refuse(self.function, args, given, error)
        except MXNetError as found:
            inputs = ", ".join(
                f"{entry.node.name}: {describe(value)}"
                for entry, value in zip(self.node.inputs, _tensors(args, given), strict=False)
            )
            found.add_note(f"in operator {self.node.name} ({self.node.file_name}) of {inputs}")
            return found
        except TORCH_ERRORS as found:
            return found


def _tensors(args: Sequence[Any], given: Mapping[str, Any]) -> list[Tensor]:
    found: list[Tensor] = []
    for value in [*args, *given.values()]:
        parts = value if isinstance(value, (list, tuple)) else (value,)
        found += [part for part in parts if isinstance(part, Tensor)]
    return found


class Plan:
    """A graph in the order of its evaluation.

    Parameters
    ----------
    entries : iterable of Entry
        Its outputs.

    Attributes
    ----------
    variables : list of str
        The names of its variables; `run` takes a tensor for each.
    steps : list of Step
        Its operators.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        entries = list(entries)
        nodes = order(entries)
        slots: dict[Entry, int] = {}
        self.variables: list[str] = []
        for node in nodes:
            if node.is_variable:
                slots[Entry(node, 0)] = len(slots)
                self.variables.append(node.name)
        self.steps: list[Step] = []
        for node in nodes:
            if node.is_variable:
                continue
            step = Step(node, slots, len(slots))
            self.steps.append(step)
            slots.update((Entry(node, i), step.first + i) for i in range(step.count))
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
        watch : callable, optional
            Called with each node and its results.
        """
        values: list[Any] = [*tensors, *[None] * (self._size - len(tensors))]
        for step in self.steps:
            found = step.run(values, ctx)[: step.count]
            values[step.first : step.first + len(found)] = found
            if watch is not None:
                watch(step.node, found)
        return [values[slot] for slot in self._heads]


def evaluate(entries: Sequence[Entry], values: Mapping[str, NDArray]) -> list[NDArray]:
    """Return the outputs of a graph on arrays; recorded inside of `autograd.record()`.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs.
    values : dict of str to NDArray
        The value of each variable, auxiliary states included; other names are ignored.

    Returns
    -------
    list of NDArray
        One for each output: `np.ndarray`s if one of the values is.

    Raises
    ------
    SymbolNameError
        Variables have no value.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.symbol.running import evaluate
    >>> x = mx.sym.var('x')
    >>> evaluate((x * 2).entries, {'x': mx.nd.ones((2,))})[0].asnumpy()
    array([2., 2.], dtype=float32)
    """
    plan = Plan(entries)
    missing = [name for name in plan.variables if name not in values]
    if missing:
        msg = (
            f"evaluate: there is no value for {', '.join(map(repr, missing))}. Expected one for "
            f"each of the variables {plan.variables}. Add what is missing."
        )
        raise SymbolNameError(msg)
    arrays = [values[name] for name in plan.variables]
    ctx = arrays[0].context if arrays else current_context()
    cls = np_class() if _is_np(arrays) else NDArray
    outputs = plan.run([unwrap(array) for array in arrays], ctx)
    return [wrap(output, ctx, cls) for output in outputs]


def _is_np(arrays: Sequence[NDArray]) -> bool:
    if not arrays:
        return is_np_array()
    return any(isinstance(array, np_class()) for array in arrays)
