"""A graph with its parameters, made ready to be run without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from gluonish import symbol as functions
from gluonish.array import NDArray, wrap
from gluonish.block import SymbolBlock
from gluonish.context import cpu
from gluonish.conversion.naming import original_names, split_mark
from gluonish.errors import ConversionError, InvalidArgumentError, MXNetError
from gluonish.errors.wording import listed
from gluonish.serialization.any_format import open_arrays
from gluonish.serialization.files import open_source
from gluonish.symbol import Symbol, shape_inference, var
from gluonish.symbol.files import load as load_symbol
from gluonish.symbol.graph import order
from gluonish.symbol.inference import declared_shapes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import BinaryIO

    from gluonish.conversion.plans import Choices
    from gluonish.serialization.files import PathLike
    from gluonish.symbol.graph import Node
    from gluonish.symbol.shape_inference import Shape


@dataclass(frozen=True, slots=True)
class Input:
    """An input of a graph: its name, an example's shape, and below what its numbers are."""

    name: str
    shape: tuple[int, ...]
    integers_below: int | None = None

    def example(self, generator: torch.Generator) -> torch.Tensor:
        """Return random numbers: indices for what looks up, else from -1 to 1."""
        if self.integers_below is not None:
            indices = torch.randint(self.integers_below, self.shape, generator=generator)
            return indices.to(torch.float32)
        return torch.rand(self.shape, generator=generator) * 2 - 1


@dataclass(frozen=True, slots=True)
class Model:
    """A graph as a Block, and how to call it.

    Attributes
    ----------
    block : SymbolBlock
        The graph with its parameters.
    inputs : list of Input
        What it is called with.
    outputs : list of str
        The names of its results.
    notes : list of str
        What a person should know.
    """

    block: SymbolBlock
    inputs: list[Input]
    outputs: list[str]
    notes: list[str]


def copy_graph(graph: PathLike, stream: BinaryIO) -> None:
    """Write a graph as it is: MXNet 1.9.1 reads those of all older versions."""
    with open_source(graph) as source:
        stream.write(source.stream.read())


def load_model(graph: str, arrays: str, choices: Choices) -> Model:
    """Return a graph with its parameters.

    Raises
    ------
    UnknownOperatorError
        The graph has operators that are not known; all of them are named.
    ConversionError
        The parameters are not those of the graph.
    InvalidArgumentError
        The shapes of inputs are not known.
    """
    symbol = load_symbol(graph)
    values = _values(arrays)
    wanted = symbol.list_inputs()
    known = [name for name in wanted if name in values]
    if not known and values:
        theirs, ours = listed(list(values)), listed(wanted)
        msg = (
            f"{arrays!r} has parameters {theirs}; the graph {graph!r} has {ours}: none in common. "
            f"Expected those that export() or save_checkpoint() wrote beside the graph. Name that "
            f"file; one of save_parameters() has other names."
        )
        raise ConversionError(msg)
    notes: list[str] = []
    labels = _drop_labels(symbol, values, choices)
    if labels:
        notes.append(f"without {listed(labels)}, which only training needs")
    if choices.dynamic_batch:
        _free_states(symbol)
    extra = sorted(values.keys() - set(wanted))
    if extra:
        notes.append(f"left out, not in the graph: {listed(extra)}")
    free = [name for name in symbol.list_inputs() if name not in values]
    if not free:
        there = f"{listed(wanted)} have values" if wanted else "there are no variables"
        msg = (
            f"{graph!r}: no input is left, {there}. Expected at least one that is no parameter. "
            f"Leave its values out of {arrays!r}, or let the graph read mx.sym.var('data')."
        )
        raise ConversionError(msg)
    inputs = _inputs(symbol, free, values, choices, graph, notes)
    block = SymbolBlock(symbol, [var(name) for name in free])
    used = {name: wrap(values[name], cpu(), NDArray) for name in known if name not in labels}
    block.collect_params().load_dict(
        used, ctx=cpu(), cast_dtype=True, dtype_source="saved", filename=arrays
    )
    if choices.dtype is not None:
        block.cast(choices.dtype)
    return Model(block, inputs, symbol.list_outputs(), notes)


def _values(path: str) -> dict[str, torch.Tensor]:
    """Return a file's arrays by the names that a graph has for them."""
    with open_arrays(path) as arrays:
        if not arrays.named:
            msg = (
                f"{path!r} holds a list without names. Expected parameters by name, as export() "
                f"and save_checkpoint() write them."
            )
            raise ConversionError(msg)
        told = original_names(arrays.metadata)
        return {
            split_mark(told.get(item.name, item.name))[1]: arrays.dense(position)
            for position, item in enumerate(arrays.items)
        }


def _drop_labels(symbol: Symbol, values: Mapping[str, torch.Tensor], choices: Choices) -> list[str]:
    """Put data in the place of labels that no result depends on; return their names."""
    users: dict[str, list[tuple[Node, int]]] = {}
    for node in order(symbol.entries):
        for position, entry in enumerate(node.inputs):
            if entry.node.is_variable:
                users.setdefault(entry.node.name, []).append((node, position))
    found = []
    for name, uses in users.items():
        if name in values or name in choices.input_shapes:
            continue
        if all(
            node.op is not None and node.names[position] == node.op.graph.label
            for node, position in uses
        ):
            for node, position in uses:
                _forget_label(node, position)
            found.append(name)
    return found


def _forget_label(node: Node, position: int) -> None:
    data = node.inputs[node.names.index("data")]
    if node.file_name == "SVMOutput":  # which takes labels of its own shape alone
        data = functions.sum(Symbol([data]), axis=-1).entries[0]
    node.inputs[position] = data


def _free_states(symbol: Symbol) -> None:
    """Let recurrent layers' first states, zeros, have the batch of the data instead of one's."""
    for node in order(symbol.entries):
        if node.file_name != "RNN":
            continue
        data = Symbol([node.inputs[0]])
        for position, entry in enumerate(node.inputs):
            shape = entry.node.params.get("shape")
            if entry.node.file_name == "_zeros" and isinstance(shape, tuple) and len(shape) == 3:
                start = functions.slice_axis(data, axis=0, begin=0, end=1)
                start = functions.slice_axis(start, axis=2, begin=0, end=1)
                zeros = functions.zeros_like(start)
                grown = functions.broadcast_axis(zeros, axis=(0, 2), size=(shape[0], shape[2]))
                node.inputs[position] = grown.entries[0]


def _inputs(
    symbol: Symbol,
    names: Sequence[str],
    values: Mapping[str, torch.Tensor],
    choices: Choices,
    graph: str,
    notes: list[str],
) -> list[Input]:
    unknown = sorted(choices.input_shapes.keys() - set(names))
    if unknown:
        msg = (
            f"--input-shape names {listed(unknown)}. The graph {graph!r} has the inputs "
            f"{listed(names)}. Give shapes by these names."
        )
        raise InvalidArgumentError(msg)
    shapes, problem = _inferred(symbol, names, values, choices)
    missing = []
    for name in names:
        shape = shapes.get(name)
        if name in choices.input_shapes:
            continue
        if shape is None or None in shape[1:] or not shape:
            missing.append((name, shape))
        else:
            shapes[name] = (1, *shape[1:])
            shown = ", ".join(["any" if choices.dynamic_batch else "1", *map(str, shape[1:])])
            notes.append(f"input {name}: shape ({shown}), from the parameters' shapes")
    if missing:
        msg = (
            f"{graph!r}: the shape of {listed([_described(*each) for each in missing])} is not "
            f"known{problem}. Expected it for {choices.to}. Give it with "
            f"--input-shape {missing[0][0]}=1,3,224,224, or whatever it is; in Python it is one of "
            f"in_shapes of onnx.export_model, or of input_shapes of convert."
        )
        raise InvalidArgumentError(msg)
    sizes = _table_sizes(symbol)
    least = 2 if choices.dynamic_batch else 1  # an example of length 1 would count as fixed
    return [Input(name, _complete(shapes[name], least), sizes.get(name)) for name in names]


def _described(name: str, shape: Shape | None) -> str:
    if not shape:
        return f"input {name!r}"
    dims = ",".join("?" if dim is None else str(dim) for dim in shape)
    return f"input {name!r} ({dims})"


def _complete(shape: Shape | None, least: int) -> tuple[int, ...]:
    dims = tuple(dim or 1 for dim in shape or ())
    return (max(dims[0], least), *dims[1:]) if dims else ()


def _inferred(
    symbol: Symbol,
    names: Sequence[str],
    values: Mapping[str, torch.Tensor],
    choices: Choices,
) -> tuple[dict[str, Shape | None], str]:
    """Return the shapes of inputs as far as they follow from those of parameters, and why not."""
    known: dict[str, Shape] = declared_shapes(order(symbol.entries))
    known |= {name: tuple(tensor.shape) for name, tensor in values.items()}
    known |= choices.input_shapes
    try:
        found = shape_inference.infer(symbol.entries, known)
    except MXNetError as error:
        if choices.input_shapes:
            raise
        return {}, f" ({error})"
    shapes = _from_weights(symbol, values)
    shapes |= {
        node.name: shape
        for (node, _), shape in found.items()
        if node.name in names and shape is not None
    }
    shapes.update(choices.input_shapes)
    return shapes, ""


def _from_weights(symbol: Symbol, values: Mapping[str, torch.Tensor]) -> dict[str, Shape | None]:
    """Return what weights tell of the shapes of inputs that layers read."""
    found: dict[str, Shape | None] = {}
    for node in order(symbol.entries):
        if node.file_name not in ("Convolution", "FullyConnected"):
            continue
        weight = values.get(node.inputs[1].node.name)
        if not node.inputs[0].node.is_variable or weight is None or weight.dim() < 2:
            continue
        shape: Shape = (None, weight.shape[1])
        if node.file_name == "Convolution":
            channels = weight.shape[1] * int(node.arguments()["num_group"])
            shape = (None, channels, *[None] * (weight.dim() - 2))
        found.setdefault(node.inputs[0].node.name, shape)
    return found


def _table_sizes(symbol: Symbol) -> dict[str, int]:
    """Return the length of the tables that inputs are indices of."""
    found: dict[str, int] = {}
    for node in order(symbol.entries):
        if node.file_name == "Embedding" and node.inputs[0].node.is_variable:
            size = int(node.arguments()["input_dim"])
            name = node.inputs[0].node.name
            found[name] = min(size, found.get(name, size))
    return found
