"""Puts operators on integers into a graph in the place of those on floating-point numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gluonish.ops.table.graph_names import find
from gluonish.symbol.fused_nodes import FusedLayer, build_layer
from gluonish.symbol.graph import Entry, Node, copied, order

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from gluonish.symbol import Symbol


_ENDS = ("min", "max")


class Wishes(NamedTuple):
    """What is to be quantized, and how.

    Parameters
    ----------
    names, operators : collection of str
        Names of nodes, or of a node that was fused into them, and operators as files call them,
        that stay as they are.
    parameters : collection of str
        Names of the variables that are quantized once, beforehand.
    dtype : str
        `int8`, `uint8` or `auto`.
    is_full : bool
        Whether all operators are quantized that can be; otherwise those that pay, and what is
        between them.
    by_channel : bool
        Whether each output of a dense layer has weights of its own range.
    """

    names: Collection[str]
    operators: Collection[str]
    parameters: Collection[str]
    dtype: str
    is_full: bool
    by_channel: bool


def quantized(symbol: Symbol, wishes: Wishes) -> tuple[Symbol, list[str]]:
    """Return a graph on integers, and the names of the outputs whose ranges it wants."""
    nodes = order(symbol.entries)
    chosen = _chosen(nodes, wishes)
    work = _Quantizing(wishes, chosen)
    for node in nodes:
        work.visit(node)
    heads = [work.floats(entry) for entry in symbol.entries]
    return type(symbol)(heads), list(dict.fromkeys(work.wanted))


def calibrated(symbol: Symbol, thresholds: Mapping[str, tuple[float, float]]) -> Symbol:
    """Return a graph on integers with the ranges that were found for outputs, by their names."""
    heads, _ = copied(symbol.entries)
    for node in order(heads):
        name = _calibrated_output(node)
        if name is not None and name in thresholds:
            for end, value in zip(_ENDS, thresholds[name], strict=True):
                node.set_argument(f"{end}_calib_range", f"{float(value):f}")
    return type(symbol)(heads)


def _calibrated_output(node: Node) -> str | None:
    """Return the output of the graph on floating-point numbers whose range a node takes."""
    rule = None if node.op is None else node.op.quantized.range_of
    return None if rule is None else rule(node.name, _output(node.inputs[0]))


def _output(entry: Entry) -> str:
    return entry.node.output_names[entry.position]


def _chosen(nodes: Sequence[Node], wishes: Wishes) -> set[int]:
    """Return the `id` of the nodes that are quantized."""
    able = {
        id(node)
        for node in nodes
        if not node.is_variable
        and not any(name in wishes.names for name in _names(node))
        and node.file_name not in wishes.operators
        and _can_be(node)
    }
    if wishes.is_full:
        return able
    # What lies on a way from an operator that pays to another one, over such that can be.
    before: set[int] = set()
    for node in nodes:
        sources = {id(entry.node) for entry in node.inputs}
        if id(node) in able and (_is_must(node) or sources & before):
            before.add(id(node))
    chosen: set[int] = set()
    behind: set[int] = set()
    for node in reversed(nodes):
        if id(node) in able and (_is_must(node) or id(node) in behind):
            behind.update(id(entry.node) for entry in node.inputs)
            if id(node) in before:
                chosen.add(id(node))
    return chosen


def _names(node: Node) -> list[str]:
    """Return the name of a node, and those of the nodes that it was made of."""
    function = None if node.op is None else node.op.function
    graphs = function.subgraphs if isinstance(function, FusedLayer) else ()
    parts = [part for graph in graphs for part in order(graph.entries) if not part.is_variable]
    return [each.name for each in (node, *parts)]


def _can_be(node: Node) -> bool:
    if node.op is None:
        return False
    if isinstance(node.op.function, FusedLayer):
        return not node.op.function.is_quantized
    return node.op.quantized.has(node.arguments())


def _is_must(node: Node) -> bool:
    if node.op is None:
        return False
    return isinstance(node.op.function, FusedLayer) or node.op.quantized.is_must


class _Quantizing:
    """A graph that is being made from another one.

    Parameters
    ----------
    wishes : Wishes
        What is to be quantized.
    chosen : set of int
        The `id` of the nodes that are.

    Attributes
    ----------
    wanted : list of str
        Names of outputs whose ranges are needed.
    """

    def __init__(self, wishes: Wishes, chosen: set[int]) -> None:
        self.wanted: list[str] = []
        self._wishes = wishes
        self._chosen = chosen
        self._floats: dict[Entry, Entry] = {}
        self._integers: dict[Entry, Sequence[Entry]] = {}
        self._variables: dict[str, Entry] = {}

    def visit(self, node: Node) -> None:
        """Make what stands for a node."""
        if id(node) in self._chosen:
            self._quantize(node)
            return
        made = node.copy()
        made.inputs = [self.floats(entry) for entry in node.inputs]
        for position in range(node.outputs):
            self._floats[Entry(node, position)] = Entry(made, position)

    def floats(self, entry: Entry) -> Entry:
        """Return what has the numbers of an output."""
        found = self._floats.get(entry)
        if found is None:
            name = f"{entry.node.name}_dequantize"
            made = _node("_contrib_dequantize", name, self._integers[entry])
            found = self._floats[entry] = Entry(made, 0)
        return found

    def _stored(self, entry: Entry, *, is_parameter: bool) -> Sequence[Entry]:
        """Return what has the integers of an output, and both ends of their range."""
        found = self._integers.get(entry)
        if found is not None:
            return found
        name = entry.node.name if entry.node.is_variable else _output(entry)
        if is_parameter and entry.node.is_variable and name in self._wishes.parameters:
            suffixes = ("", "_min", "_max")
            found = [Entry(Node(None, f"{name}_quantize{end}"), 0) for end in suffixes]
        else:
            dtype = "int8" if is_parameter else self._wishes.dtype
            made = _node(
                "_contrib_quantize_v2", f"{name}_quantize", [self.floats(entry)], out_type=dtype
            )
            if not is_parameter:
                self.wanted.append(_output(entry))
            found = [Entry(made, i) for i in range(3)]
        self._integers[entry] = found
        return found

    def _quantize(self, node: Node) -> None:
        assert node.op is not None  # noqa: S101 - it was chosen
        function, card = node.op.function, node.op.quantized
        if isinstance(function, FusedLayer):
            by_channel = self._wishes.by_channel
            places = function.stored(by_channel=by_channel)
            roles = function.roles
        else:
            pairs = enumerate(node.names)
            places = [i for i, name in pairs if name not in card.floats]
            roles = list(node.names)
        inputs: list[Entry] = []
        ends: list[Entry] = []
        for position, entry in enumerate(node.inputs):
            if position in places:
                is_parameter = roles[position] in ("weight", "bias")
                integers, *both = self._stored(entry, is_parameter=is_parameter)
                inputs.append(integers)
                ends += both
            else:
                inputs.append(self.floats(entry))
        made = self._made(node, [*inputs, *ends])
        if isinstance(function, FusedLayer) or card.is_wide:
            name = f"requantize_{node.name}"
            results = [Entry(made, i) for i in range(3)]
            made = _node("_contrib_requantize", name, results, out_type=self._wishes.dtype)
            self.wanted.append(f"{node.name}_output")
        elif card.is_calibrated:
            self.wanted.append(f"{node.name}_output")
        self._integers[Entry(node, 0)] = [Entry(made, i) for i in range(3)]

    def _made(self, node: Node, inputs: Sequence[Entry]) -> Node:
        """Return the node on integers that stands for another one."""
        assert node.op is not None  # noqa: S101 - it was chosen
        name = f"quantized_{node.name}"
        function = node.op.function
        if isinstance(function, FusedLayer):
            texts = node.texts() | {"quantized": "True" if function.is_dense else "true"}
            if function.is_dense and self._wishes.by_channel:
                texts["channel_wise_quantize"] = "True"
            graph = function.subgraphs[0].entries
            return build_layer(node.file_name, name, texts, graph, inputs)
        made = _node(node.op.quantized.name, name, inputs)
        texts = {key: text for key, text in node.texts().items() if not key.startswith("__")}
        made.spelled = texts
        parameters = made.op.signature.parameters if made.op is not None else {}
        made.params = {key: value for key, value in node.params.items() if key in parameters}
        if made.op is not None and made.op.arguments is not None:
            made.names = tuple(made.op.arguments(made.arguments()))
        return made


def _node(file_name: str, name: str, inputs: Sequence[Entry], **texts: str) -> Node:
    """Return a node of an operator, by its name in files."""
    found = find(file_name)
    assert found is not None  # noqa: S101 - the cards name what there is
    op, space, path = found
    names = ("data",) * len(inputs) if op.is_variadic else op.inputs[: len(inputs)]
    return Node(op, name, space, path, dict(texts), inputs=inputs, names=names)
