"""A captured graph as plain data: what another process needs to compile it."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, fx

from gluonish import random_streams
from gluonish.errors import CompileError
from gluonish.hybrid.graph_modules import graph_module
from gluonish.hybrid.graph_writer import keep
from gluonish.ops.random.draws import draw
from gluonish.process.replay_marks import is_opaque
from gluonish.process.torch_names import OperatorOverload

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Ref:
    """Stands for the result of an earlier node."""

    position: int


@dataclass(frozen=True, slots=True)
class Like:
    """Shape, strides, dtype and device of a tensor."""

    shape: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: torch.dtype
    device: torch.device

    @classmethod
    def of(cls, tensor: Tensor) -> Like:
        """Return what a tensor is like."""
        return cls(tuple(tensor.shape), tensor.stride(), tensor.dtype, tensor.device)

    def empty(self) -> Tensor:
        """Return such a tensor, without values."""
        return torch.empty_strided(self.shape, self.stride, dtype=self.dtype, device=self.device)


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of random numbers: what `draw` is called with, before the program runs."""

    args: tuple[Any, ...]

    def __call__(self) -> Tensor:
        """Draw."""
        return draw(*self.args)


@dataclass(frozen=True, slots=True)
class Kernel:
    """The name of an overload in `torch.ops`, such as 'aten.mm.default': itself can't be sent."""

    name: str

    def find(self) -> Any:
        """Return the overload."""
        return operator.attrgetter(self.name)(torch.ops)


@dataclass(slots=True)
class Program:
    """A captured graph without its draws of random numbers, which become its last inputs.

    A stream is then drawn from in the order of the captured program, whatever order a compiler
    chooses for the rest.

    Attributes
    ----------
    nodes : list of (str, object, tuple, dict)
        Kind, target and arguments of each node, with `Ref` in the place of nodes.
    constants : dict of str to object
        What nodes of the kind 'get_attr' name.
    inputs : int
        The number of inputs, those for draws not among them.
    draws : list of Draw
        Draws, in the order of the program.
    outputs : list of Ref
        The results.
    """

    nodes: list[tuple[str, Any, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    inputs: int = 0
    draws: list[Draw] = field(default_factory=list)
    outputs: list[Ref] = field(default_factory=list)

    @classmethod
    def of(cls, module: fx.GraphModule) -> Program:
        """Return the program of a captured graph.

        Raises
        ------
        CompileError
            The graph holds what a compiler can't look inside.
        """
        program = cls()
        refs: dict[fx.Node, Ref] = {}
        later: list[fx.Node] = []
        for node in module.graph.nodes:
            if node.op == "placeholder":
                refs[node] = program._add("placeholder", f"input{program.inputs}", (), {})
                program.inputs += 1
            elif node.target is draw:
                later.append(node)
        for node in later:
            program.draws.append(Draw(_constants(module, node)))
            refs[node] = program._add("placeholder", f"draw{len(program.draws)}", (), {})
        for node in module.graph.nodes:
            if node.op == "output":
                program.outputs = [refs[one] for one in node.args[0]]
            elif node not in refs:
                program._check(node)
                if node.op == "get_attr":
                    program.constants[node.target] = operator.attrgetter(node.target)(module)
                args, kwargs = _mapped((node.args, node.kwargs), refs.__getitem__)
                refs[node] = program._add(node.op, node.target, args, kwargs)
        return program

    def rehearse_draws(self) -> list[Tensor]:
        """Return what the draws give, and take nothing from the streams."""
        if not self.draws:
            return []
        before = random_streams.get_state()
        drawn = [draw() for draw in self.draws]
        random_streams.set_state(before)
        return drawn

    def _add(self, op: str, target: Any, args: Any, kwargs: Any) -> Ref:
        if isinstance(target, OperatorOverload):
            target = Kernel(str(target))
        self.nodes.append((op, target, args, kwargs))
        return Ref(len(self.nodes) - 1)

    def _check(self, node: fx.Node) -> None:
        target: Any = node.target
        if node.op != "call_function" or not is_opaque(target):
            return
        if not getattr(target, "is_compilable", False):
            msg = f"{target.__name__} is no torch function"
            raise CompileError(msg)

    def module(self) -> fx.GraphModule:
        """Return the program as a graph again, with the draws as its last inputs."""
        graph = fx.Graph()
        root = torch.nn.Module()
        for name, value in self.constants.items():
            keep(root, name, value)
        made: list[fx.Node] = []
        for op, target, args, kwargs in self.nodes:
            given = _restore((args, kwargs), made)
            if isinstance(target, Kernel):
                target = target.find()
            made.append(graph.create_node(op, target, *given))
        graph.output(tuple(made[ref.position] for ref in self.outputs))
        return graph_module(root, graph)


def _restore(value: Any, made: Sequence[fx.Node]) -> Any:
    return fx.node.map_aggregate(
        value, lambda one: made[one.position] if isinstance(one, Ref) else one
    )


def _constants(module: fx.GraphModule, node: fx.Node) -> tuple[Any, ...]:
    """Return the arguments of a draw, which must not depend on the data."""

    def constant(one: fx.Node) -> Any:
        if one.op != "get_attr":
            msg = "a distribution's parameters depend on the data"
            raise CompileError(msg)
        return operator.attrgetter(str(one.target))(module)

    args: tuple[Any, ...] = _mapped(node.args, constant)
    return args


def _mapped(value: Any, function: Callable[[fx.Node], Any]) -> Any:
    """Return nested arguments with every node replaced."""
    return fx.node.map_arg(value, function)


def extent(tensor: Tensor) -> Tensor:
    """Return the memory that a tensor reaches, gaps included, as a vector."""
    length = 0
    if tensor.numel():
        steps = zip(tensor.shape, tensor.stride(), strict=True)
        length = 1 + sum((count - 1) * step for count, step in steps)
    return tensor.as_strided((length,), (1,))


def remade(
    memory: bytes,
    dtype: torch.dtype,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    device: str,
) -> Tensor:
    """Return a tensor like the one whose memory was written down."""
    if not memory:
        return torch.empty_strided(shape, strides, dtype=dtype, device=device)
    vector = torch.frombuffer(bytearray(memory), dtype=torch.uint8).view(dtype)
    return vector.to(device).as_strided(shape, strides)
