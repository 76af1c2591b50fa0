"""Nodes that hold a layer as a graph: MXNet's fused convolutions and dense layers for CPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import torch
from torch import Tensor
from typing_extensions import override

from gluonish.errors import InvalidArgumentError
from gluonish.ops import ops
from gluonish.ops.nn.layouts import per_axis
from gluonish.ops.quantized.layers import Layer, Normal, Stored
from gluonish.ops.quantized.packing import After, Windows
from gluonish.ops.table import Graph, Op
from gluonish.process.replay_marks import opaque
from gluonish.symbol.graph import Entry, Node, order
from gluonish.symbol.subgraphs import ControlFlow, Subgraph

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.context import Context
    from gluonish.ops.table import Quantized

LAYERS = {op.quantized.layer for op in ops() if op.quantized.layer}
_OUTPUTS = ("output", "min_output", "max_output")
_OF_CONVOLUTIONS = ("output", "output_min", "output_max")
_FLAGS = ("quantized", "enable_float_output", "channel_wise_quantize")


class FusedLayer(ControlFlow):
    """A convolution or dense layer with what follows it.

    Parameters
    ----------
    name : str
        The operator's name in files.
    graph : Subgraph
        The layer on floating-point numbers.
    texts : dict of str to str
        The node's arguments, as files have them.

    Attributes
    ----------
    moving : tuple of int
        Positions of the inputs that are moving averages.
    is_quantized : bool
        Whether it computes with integers.
    is_dense : bool
        Whether it is no convolution.
    """

    def __init__(self, name: str, graph: Subgraph, texts: Mapping[str, str]) -> None:
        flags = {key: texts.get(key, "").lower() in ("true", "1") for key in _FLAGS}
        self.is_quantized = flags["quantized"]
        gives_floats = not self.is_quantized or flags["enable_float_output"]
        inside = len(graph.names)
        super().__init__(name, [graph], [range(inside)], 1 if gives_floats else 3)
        self.moving = tuple(sorted(graph.updated))
        parts = _Parts(name, graph)
        self._parts = parts
        product = parts.product.arguments()
        self.is_dense = not product.get("kernel")
        ends = [texts.get(f"{end}_calib_range", "None") for end in ("min", "max")]
        calibrated = None if "None" in ends else (float(ends[0]), float(ends[1]))
        self._by_channel = (
            flags["channel_wise_quantize"] if self.is_dense else calibrated is not None
        )
        self._layer = Layer(
            None if self.is_dense else _windows(product),
            parts.before,
            parts.after,
            bool(product.get("flatten", True)),
            self._by_channel,
            (parts.after if parts.total else parts.before).kind in ("relu", "hardtanh"),
            calibrated,
            gives_floats,
        )
        self._compute = opaque(self._stored)

    @override
    def op(self) -> Op:
        path = f"_internal.{self.__name__}"
        names = (_OUTPUTS if self.is_dense else _OF_CONVOLUTIONS)[: self.outputs]
        rule = self.shapes  # the one object for both: it takes shapes that are partly known
        return Op(
            self,
            files={("nd", path): self.__name__},
            outputs=self.outputs,
            output_names=names,
            shapes=rule,
            reverse=rule,
            graph=Graph(dtypes=self._integer_dtypes) if self.is_quantized else Graph(),
        )

    def _integer_dtypes(
        self, names: Sequence[str], given: Mapping[str, Any], dtypes: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Return the dtypes of inputs and outputs."""
        del given
        is_stored = "min weight" in self.ranges()
        inputs: list[Any] = [torch.float32] * len(names)
        for position, role in enumerate(self._parts.roles):
            if role in ("data", "total"):
                inputs[position] = dtypes[position]
            elif is_stored:
                inputs[position] = torch.int8
        layer = self._layer
        if layer.gives_floats:
            return inputs, [torch.float32]
        first = torch.int32
        if layer.calibrated is not None:
            first = torch.uint8 if layer.is_unsigned else torch.int8
        return inputs, [first, torch.float32, torch.float32]

    @property
    def roles(self) -> list[str]:
        """What each input of its graph is."""
        return self._parts.roles

    def stored(self, *, by_channel: bool) -> list[int]:
        """Return the positions of the inputs that are integers once it is quantized.

        Parameters
        ----------
        by_channel : bool
            Whether each output of a dense layer has weights of its own range.
        """
        keep = {"data", "total"}
        if self.is_dense and not by_channel:
            keep |= {"weight", "bias"}
        return [i for i, role in enumerate(self._parts.roles) if role in keep]

    def ranges(self) -> list[str]:
        """Return the inputs after those of the graph, as words: the end, and whose range it is."""
        if not self.is_quantized:
            return []
        ranged = ["data"]
        if self.is_dense and not self._by_channel:
            ranged += [name for name in self._parts.product.names if name != "data"]
        if self._parts.total:
            ranged.append("total")
        return [f"{end} {name}" for name in ranged for end in ("min", "max")]

    @override
    def __call__(self, *data: Tensor, ctx: Context) -> list[Tensor]:
        return [*self._compute(*data)] if self.is_quantized else self.run(0, data, ctx)

    def _stored(self, *data: Tensor) -> tuple[Tensor, ...]:
        """Return the results for integers and their ranges."""
        given = dict(zip(self._parts.roles, data, strict=False))
        ends = dict(zip(self.ranges(), data[len(self._parts.roles) :], strict=True))

        def stored(name: str) -> Any:
            tensor = given.get(name)
            if tensor is None or f"min {name}" not in ends:
                return tensor
            return Stored(tensor, ends[f"min {name}"], ends[f"max {name}"])

        normal = None
        if self._parts.normal is not None:
            numbers = self._parts.normal.arguments()
            normal = Normal(
                given["gamma"], given["beta"], given["moving_mean"], given["moving_var"],
                numbers["eps"], numbers["fix_gamma"],
            )  # fmt: skip
        layer = self._layer
        found = layer(stored("data"), stored("weight"), stored("bias"), normal, stored("total"))
        return tuple(found)

    @override
    def shapes(
        self, known: Mapping[str, Any], outputs: Sequence[Any] = (), **_: object
    ) -> dict[str, Any]:
        count = len(self._parts.roles)
        found = super().shapes({f"data:{i}": known.get(f"data:{i}") for i in range(count)})
        found.update({f"data:{i}": (1,) for i in range(count, len(known))})
        return found


class _Parts:
    """The operators of a fused layer, by their roles.

    Parameters
    ----------
    name : str
        How errors begin.
    graph : Subgraph
        The layer.
    """

    def __init__(self, name: str, graph: Subgraph) -> None:
        self._name = name
        nodes = [node for node in order(graph.entries) if not node.is_variable]
        self.normal: Node | None = None
        self.before = self.after = After()
        self.total = ""
        roles: dict[str, str] = {}
        if not nodes or _card(nodes[0]).role != "product" or len(graph.entries) != 1:
            self._refuse(nodes)
        self.product = nodes[0]
        self._take(roles, self.product)
        previous = self.product
        for node in nodes[1:]:
            card = _card(node)
            if Entry(previous, 0) not in node.inputs:
                self._refuse(nodes)
            if card.role == "normal" and previous is self.product:
                self.normal = node
                self._take(roles, node)
            elif card.role == "sum" and not self.total:
                others = [e.node for e in node.inputs if e.node is not previous]
                if len(others) != 1 or not others[0].is_variable:
                    self._refuse(nodes)
                self.total = others[0].name
                roles[self.total] = "total"
            elif self.total:
                self.after = self._activation(node, self.after, nodes)
            else:
                self.before = self._activation(node, self.before, nodes)
            previous = node
        self.roles = [roles.get(name, "") for name in graph.names]
        if "" in self.roles or graph.entries[0].node is not previous:
            self._refuse(nodes)

    def _take(self, roles: dict[str, str], node: Node) -> None:
        for name, entry in zip(node.names, node.inputs, strict=True):
            if entry.node.is_variable:
                roles[entry.node.name] = name

    def _activation(self, node: Node, known: After, nodes: Sequence[Node]) -> After:
        rule = _card(node).after
        told = None if rule is None else rule(node.arguments())
        if told is None or known.kind != "none" or len(node.inputs) != 1:
            self._refuse(nodes)
        return After(*told)

    def _refuse(self, nodes: Sequence[Node]) -> NoReturn:
        names = ", ".join(node.file_name for node in nodes)
        msg = (
            f"{self._name}: its layer is made of {names}. Expected a convolution or dense layer, "
            f"perhaps normalized, added to another array, and with one activation that kernels "
            f"have. Quantize the network anew."
        )
        raise InvalidArgumentError(msg)


def _card(node: Node) -> Quantized:
    assert node.op is not None  # noqa: S101 - only operators are asked
    return node.op.quantized


def _windows(given: Mapping[str, Any]) -> Windows:
    axes = len(given["kernel"])
    stride, pad, dilate = (
        per_axis(given[name], axes, default)
        for name, default in (("stride", 1), ("pad", 0), ("dilate", 1))
    )
    return Windows(tuple(stride), tuple(pad), tuple(dilate), given["num_group"])


def build_layer(
    op: str,
    name: str,
    texts: Mapping[str, str],
    graph: Sequence[Entry],
    inputs: Sequence[Entry],
) -> Node:
    """Return the node of a fused layer.

    Parameters
    ----------
    op : str
        The operator: one of `LAYERS`.
    name : str
        The node's name.
    texts : dict of str to str
        Its attributes, as files have them.
    graph : sequence of Entry
        The layer.
    inputs : sequence of Entry
        The node's inputs: those of the layer, then the ranges.

    Raises
    ------
    InvalidArgumentError
        The inputs do not fit the layer, or that is none.
    """
    function = FusedLayer(op, Subgraph(graph), texts)
    expected = len(function.subgraphs[0].names) + len(function.ranges())
    if len(inputs) != expected:
        msg = (
            f"{name!r} ({op}): {len(inputs)} inputs were given. Expected {expected}: those of the "
            f"layer, and both ends of the ranges of its integers. Quantize the network anew."
        )
        raise InvalidArgumentError(msg)
    node = Node(function.op(), name, "nd", f"_internal.{op}", inputs=inputs)
    node.names = ("data",) * len(inputs)
    node.spelled = dict(texts)
    return node
