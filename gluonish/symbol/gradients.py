"""`Symbol.gradient`: the gradients of a graph as another graph."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish import name as naming
from gluonish.array.gradients import gradients_of
from gluonish.context import current_context
from gluonish.errors import SymbolNameError, SymbolTypeError
from gluonish.ops.table import Op
from gluonish.process.replay_marks import compilable, opaque
from gluonish.symbol.graph import Entry, Node, auxiliary, copied, order
from gluonish.symbol.plan import GraphPlan
from gluonish.symbol.shape_inference import infer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gluonish.ops.table import Shape, ShapeRule
    from gluonish.symbol.symbol import Symbol

_PATH = "_gradient"


def gradient(symbol: Symbol, wrt: Sequence[str] | str) -> list[Entry]:
    """Return the outputs of a node that differentiates a graph; see `Symbol.gradient`."""
    names = [wrt] if isinstance(wrt, str) else wrt
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        msg = (
            f"gradient: wrt={wrt!r} was given. Expected names of arguments. Write "
            f"gradient(['fc_weight'])."
        )
        raise SymbolTypeError(msg)
    known = symbol.list_arguments()
    unknown = sorted(set(names) - set(known))
    if unknown or not names:
        msg = (
            f"gradient: wrt={list(names)} was given. Expected some of the arguments {known}. "
            f"Check the names."
        )
        raise SymbolNameError(msg)
    nodes = order(symbol.entries)
    states = auxiliary(nodes)
    variables = [node for node in nodes if node.is_variable]
    inputs = [f"input{position}" for position in range(len(variables))]
    op = Op(
        _differentiating(symbol, [node.name for node in variables], names, inputs),
        outputs=len(names),
        shapes=_shape_rule(symbol, [node.name for node in variables], inputs),
        aux=tuple(n for n, node in zip(inputs, variables, strict=True) if id(node) in states),
        output_names=tuple(f"{name}_grad" for name in names),
        files={("nd", _PATH): _PATH},
    )
    full = naming.current().get(None, "gradient")
    node = Node(op, full, "nd", _PATH, inputs=[Entry(v, 0) for v in variables], names=inputs)
    return [Entry(node, position) for position in range(len(names))]


def _shape_rule(symbol: Symbol, variables: Sequence[str], inputs: Sequence[str]) -> ShapeRule:
    """Return the rule for unknown shapes of the inputs: what the graph itself tells."""

    def rule(shapes: Mapping[str, Shape | None], **_: object) -> dict[str, Shape]:
        pairs = ((name, shapes.get(key)) for name, key in zip(variables, inputs, strict=True))
        known = {name: shape for name, shape in pairs if shape is not None}
        found = {
            entry.node.name: shape
            for entry, shape in infer(symbol.entries, known).items()
            if entry.node.is_variable
        }
        pairs = ((key, found[name]) for name, key in zip(variables, inputs, strict=True))
        return {key: shape for key, shape in pairs if shape is not None}

    return rule


def _differentiating(
    symbol: Symbol, variables: Sequence[str], wrt: Sequence[str], inputs: Sequence[str]
) -> Callable[..., list[Tensor]]:
    """Return a function of the variables' values that computes gradients."""
    plan = GraphPlan(copied(symbol.entries)[0])
    positions = [variables.index(name) for name in wrt]

    @compilable
    @opaque
    def differentiate(*values: Tensor) -> list[Tensor]:
        is_inner = torch.is_grad_enabled() and any(value.requires_grad for value in values)
        with torch.enable_grad():
            leaves = [
                value
                if value.requires_grad and is_inner
                else value.detach().requires_grad_()
                if position in positions
                else value
                for position, value in enumerate(values)
            ]
            results = plan.run(leaves, current_context())
        heads = [result for result in results if result.requires_grad]
        sources = [leaves[position] for position in positions]
        found: Sequence[Tensor | None] = [None] * len(sources)
        if heads:
            ones = [torch.ones_like(head) for head in heads]
            found = gradients_of(heads, sources, ones, create_graph=is_inner)
        return [
            torch.zeros_like(source) if grad is None else grad
            for source, grad in zip(sources, found, strict=True)
        ]

    def call(**values: Any) -> list[Tensor]:
        return differentiate(*(values[name] for name in inputs))

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, kind, annotation="Tensor") for name in inputs]
    )
    call.__name__ = "gradient"
    return call
