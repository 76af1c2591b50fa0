"""A function of tensors and its gradients as two graphs: one to go forward, one to go back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, fx

from gluonish.array.gradients import gradients_of
from gluonish.hybrid.graph_modules import graph_module
from gluonish.hybrid.graph_writer import address, keep
from gluonish.hybrid.inference.adopting import FOUND_OUT
from gluonish.hybrid.replaying import replay
from gluonish.hybrid.report import GraphRecord
from gluonish.hybrid.tape import Tape

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from gluonish.hybrid.backends import Backend
    from gluonish.hybrid.compilations import Run


class Half:
    """A graph of kernels that a backend may run.

    Parameters
    ----------
    module : fx.GraphModule
        What is run.
    writes_inputs : bool
        Whether it writes to what it is called with.

    Attributes
    ----------
    run : callable
        Runs it on a list of tensors; a backend's choice.
    record : GraphRecord
        How that goes.
    """

    __slots__ = ("module", "record", "run", "writes_inputs")

    def __init__(self, module: fx.GraphModule, *, writes_inputs: bool) -> None:
        self.module = module
        self.writes_inputs = writes_inputs
        self.run = replay(module)
        self.record = GraphRecord()

    def settle(self, run: Run) -> None:
        """Run the graph another way from now on."""
        self.run = run


class Halves:
    """A function of tensors and its gradients, captured from one run.

    What the function writes to moving averages is written on the way back.

    Parameters
    ----------
    function : callable
        Computes a list of tensors from a list of tensors.
    tensors : sequence of Tensor
        What to capture it with; they are not written to.
    wanted : collection of int
        Positions of those whose gradients are wanted.
    moved : collection of int
        Positions of those that the function updates.
    keeps_values : bool, default True
        Whether to keep `first`; without, the run needs no more memory than it does alone.

    Attributes
    ----------
    obstacle : str or None
        Why nothing was captured.
    heads : list of bool
        Which results have gradients.
    ones : list of Tensor
        Ones of the shape of each result that has a gradient.
    reached : list of int
        Which of `wanted` there are gradients for.
    forward : Half
        Computes results, and what is to be kept for the way back, from the function's tensors.
    backward : Half
        Computes gradients from what was kept, the function's tensors, and the results' gradients.
    first : (list of Tensor, list of Tensor)
        Results of the run, and what it has kept for the way back.
    """

    forward: Half
    backward: Half
    first: tuple[list[Tensor], list[Tensor]]

    def __init__(
        self,
        function: Callable[[list[Tensor]], list[Tensor]],
        tensors: Sequence[Tensor],
        wanted: Collection[int],
        moved: Collection[int],
        *,
        keeps_values: bool = True,
    ) -> None:
        given = [t.clone() if i in moved else t for i, t in enumerate(tensors)]
        leaves = [
            t.detach().requires_grad_() if i in wanted else t.detach() for i, t in enumerate(given)
        ]
        tape = Tape(keeps_values=keeps_values)
        inputs = [tape.input(f"input{i}", leaf) for i, leaf in enumerate(leaves)]
        for leaf, tensor in zip(leaves, given, strict=True):
            tape.alias(tensor, leaf)
        with tape:
            with torch.set_grad_enabled(bool(wanted)):
                outputs = function(leaves)
            border = len(tape.graph.nodes)
            heads = [output for output in outputs if output.requires_grad]
            with torch.no_grad():
                ones = [torch.ones_like(head) for head in heads]
            grads = [tape.input(f"head{i}", one) for i, one in enumerate(ones)]
            found: list[Tensor | None] = [None] * len(wanted)
            order = sorted(wanted)
            if heads:
                sources = [leaves[i] for i in order]
                try:
                    with tape.going_back():
                        found = list(gradients_of(heads, sources, ones))
                except RuntimeError as error:  # which matters only to those who go back
                    tape.stop(f"there is no gradient ({error})")
        self.obstacle = tape.obstacle
        if tape.obstacle is None:
            back = [None if grad is None else tape.node_of(grad) for grad in found]
            places = {address(given[i]) for i in moved}
            _Split(self, tape, dict(zip(inputs, leaves, strict=True)), grads, border, places).make(
                outputs, back
            )
        self.heads = [output.requires_grad for output in outputs]
        self.ones = ones
        self.reached = [i for i, grad in zip(order, found, strict=True) if grad is not None]

    def attach(self, backend: Backend, tensors: Sequence[Tensor], *, writes: bool) -> None:
        """Have a backend run both graphs from now on.

        Parameters
        ----------
        backend : Backend
            The backend.
        tensors : sequence of Tensor
            What the function was captured with.
        writes : bool
            Whether compilers must be told that tensors may share memory.
        """
        self.backward.writes_inputs = self.backward.writes_inputs and writes
        self.forward.writes_inputs = self.forward.writes_inputs and writes
        parameters = None if self.reached else FOUND_OUT
        backend.attach(self.forward, list(tensors), is_recording=False, parameters=parameters)
        if self.reached:
            given = [*self.first[1], *tensors, *self.ones]
            backend.attach(self.backward, given, is_recording=False)

    def joined(self) -> fx.GraphModule:
        """Return the graph that goes forward and back: from tensors to results and gradients."""
        graph = fx.Graph()
        root = torch.nn.Module()
        ahead, behind = self.forward.module, self.backward.module
        count = len(self.heads)
        given = [node for node in ahead.graph.nodes if node.op == "placeholder"]
        inputs = [graph.placeholder(f"input{i}") for i in range(len(given))]
        found = _copied(ahead, graph, root, dict(zip(given, inputs, strict=True)))
        outputs, kept = found[:count], found[count:]
        ones = []
        for i, one in enumerate(self.ones):
            root.register_buffer(f"ones{i}", one, persistent=False)
            ones.append(graph.get_attr(f"ones{i}"))
        wanted = [node for node in behind.graph.nodes if node.op == "placeholder"]
        copies = dict(zip(wanted, [*kept, *inputs, *ones], strict=True))
        grads = _copied(behind, graph, root, copies)
        graph.output((*outputs, *grads))
        return graph_module(root, graph)


class _Split:
    """Cuts what a tape has recorded in two."""

    def __init__(
        self,
        halves: Halves,
        tape: Tape,
        inputs: dict[fx.Node, Tensor],
        grads: list[fx.Node],
        border: int,
        moved: set[int],
    ) -> None:
        self._halves = halves
        self._tape = tape
        self._inputs = list(inputs)
        self._given = set(map(address, inputs.values()))
        self._grads = grads
        self._moved = moved
        self._late = self._found_late(border)

    def _found_late(self, border: int) -> set[fx.Node]:
        """Return what is not to go ahead: updates, all that sees them, and the way back."""
        tape = self._tape
        found: set[fx.Node] = set()
        updated: set[int] = set()
        for position, node in enumerate(tape.graph.nodes):
            if node in self._grads:
                continue
            written = tape.writers.get(node, set()) & self._moved
            sees = not updated.isdisjoint(tape.reads.get(node, ()))
            if position >= border or written or sees or not found.isdisjoint(node.all_input_nodes):
                found.add(node)
            updated |= written
        return found

    def make(self, tensors: list[Tensor], results: list[fx.Node | None]) -> None:
        tape = self._tape
        outputs = [tape.node_of(tensor) for tensor in tensors]
        copies = [self._apart(*each) for each in zip(outputs, tensors, strict=True)]
        back = [node for node in results if node is not None]
        fixed = self._given - self._moved  # whose writers can't wait
        writers = [n for n, at in tape.writers.items() if n not in self._late or at & fixed]
        ahead = _reachable([*copies, *outputs, *writers])
        late = [n for n in tape.writers if n in self._late]
        behind = _reachable([*back, *late])
        if any(node in self._late for node in ahead):
            self._halves.obstacle = "a result depends on what is updated"
            return
        ahead |= {node for node in behind if node not in self._late and node not in self._grads}
        placeholders = {*self._inputs, *self._grads}
        needed = {
            source
            for node in behind
            if node in self._late
            for source in node.all_input_nodes
            if source not in self._late and source not in placeholders
        } | {node for node in back if node not in self._late and node not in placeholders}
        kept = [node for node in tape.graph.nodes if node in needed and node.op != "get_attr"]
        forward = self._module(self._inputs, ahead, [*copies, *kept])
        inside = {n for n in behind if n in self._late or n.op == "get_attr"}
        backward = self._module([*kept, *self._inputs, *self._grads], inside, back)
        halves = self._halves
        halves.forward = Half(forward, writes_inputs=bool(writers))
        halves.backward = Half(backward, writes_inputs=bool(late))
        if tape.keeps_values:
            halves.first = (
                [tape.values[node].detach() for node in copies],
                [tape.values[node].detach() for node in kept],
            )

    def _apart(self, node: fx.Node, tensor: Tensor) -> fx.Node:
        """Return a copy of a result that is in memory which is not the run's own."""
        tape = self._tape
        if address(tensor) not in tape.constants | self._given:
            return node
        copy = tape.graph.call_function(torch.clone, (node,))
        if tape.keeps_values:
            tape.values[copy] = tensor.detach().clone()
        return copy

    def _module(
        self, inputs: list[fx.Node], inside: set[fx.Node], outputs: list[fx.Node]
    ) -> fx.GraphModule:
        graph = fx.Graph()
        copies = {node: graph.placeholder(f"input{i}") for i, node in enumerate(inputs)}
        for node, copy in copies.items():
            copy.meta = dict(node.meta)
        for node in self._tape.graph.nodes:
            if node in inside and node not in copies:
                copies[node] = graph.node_copy(node, copies.__getitem__)
        graph.output(tuple(copies[node] for node in outputs))
        root = torch.nn.Module()
        for node in graph.nodes:
            if node.op == "get_attr":
                keep(root, node.target, getattr(self._tape.root, node.target))
        return graph_module(root, graph)


def _reachable(nodes: Sequence[fx.Node]) -> set[fx.Node]:
    """Return nodes and all that they are computed from."""
    found: set[fx.Node] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            stack.extend(node.all_input_nodes)
    return found


def _copied(
    module: fx.GraphModule, graph: fx.Graph, root: torch.nn.Module, copies: dict[Any, fx.Node]
) -> list[fx.Node]:
    """Copy a module's nodes into a graph; return the copies of its outputs."""
    for node in module.graph.nodes:
        if node.op == "output":
            return [copies[each] for each in node.args[0]]
        if node.op == "get_attr":
            name = str(node.target)
            value = getattr(module, name)
            if isinstance(value, Tensor):
                root.register_buffer(name, value, persistent=False)
            else:
                object.__setattr__(root, name, value)
        if node not in copies:
            copies[node] = graph.node_copy(node, copies.__getitem__)
    return []
