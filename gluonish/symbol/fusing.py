"""Makes layers of convolutions and dense layers with what follows them, as quantization wants."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from gluonish.symbol.fused_nodes import FusedLayer, build_layer
from gluonish.symbol.graph import Entry, Node, copied, order

if TYPE_CHECKING:
    from collections.abc import Iterable

_RANGE = ("min_calib_range", "max_calib_range")
_ZERO = "0.000000"  # as MXNet writes ends of ranges
_FLOATS = "enable_float_output"


def fused(entries: Iterable[Entry]) -> list[Entry]:
    """Return a graph in which layers are nodes; in a quantized one, they end in 8 bits.

    What MXNet's backend MKLDNN_QUANTIZE does: before quantization, a convolution or dense layer
    and the normalization, sum and activation behind it become one node, and Dropout goes.
    Afterwards, nodes that bring results to 8 bits, or back to floating-point numbers, become a part
    of the layer, and what is joined has one range.
    """
    heads, _ = copied(entries)
    work = _Fusing(heads)
    for node in work.nodes:
        if node.op is not None and node.op.quantized.role == "nothing":
            work.replace(node, [node.inputs[0]])
    for node in work.nodes:
        if node.op is not None and node.op.quantized.layer:
            work.fuse(node)
    for node in work.nodes:
        if node.op is not None and node.op.quantized.role == "narrow":
            work.end_in_integers(node)
    for node in order(work.heads):
        if node.op is not None and node.op.quantized.role == "join":
            work.align(node)
    return work.heads


class _Fusing:
    """A graph that is being changed.

    Parameters
    ----------
    heads : list of Entry
        Its outputs.
    """

    def __init__(self, heads: list[Entry]) -> None:
        self.heads = heads
        self.nodes = order(heads)
        self._counts: Counter[str] = Counter()
        self._users: dict[int, list[Node]] = defaultdict(list)
        for node in self.nodes:
            for entry in node.inputs:
                self._users[id(entry.node)].append(node)

    def replace(self, node: Node, outputs: list[Entry]) -> None:
        """Have other outputs where those of a node are."""
        for user in self._users.pop(id(node), []):
            user.inputs = [outputs[e.position] if e.node is node else e for e in user.inputs]
            for entry in outputs:
                self._users[id(entry.node)].append(user)
        self.heads = [outputs[e.position] if e.node is node else e for e in self.heads]

    def _only_user(self, node: Node) -> Node | None:
        """Return the node that alone has the outputs of another; None if there are several."""
        users = {id(user): user for user in self._users[id(node)]}
        if len(users) != 1 or any(entry.node is node for entry in self.heads):
            return None
        return next(iter(users.values()))

    def fuse(self, product: Node) -> None:
        """Make one node of a product and what follows it."""
        assert product.op is not None  # noqa: S101 - a product
        card = product.op.quantized
        if card.when is not None and not card.when(product.arguments()):
            return
        is_convolution = "kernel" in product.params
        chain, flags, words = [product], {}, []
        last = product

        def follows(role: str) -> bool:
            nonlocal last
            user = self._only_user(last)
            if user is None or user.op is None or user.op.quantized.role != role:
                return False
            found = user.op.quantized
            given = user.arguments()
            if role == "activation" and (found.after is None or found.after(given) is None):
                return False
            if role == "normal" and not found.has(given):
                return False
            others = [entry.node for entry in user.inputs if entry.node is not last]
            if role == "sum" and len(others) != 1:
                return False
            chain.append(user)
            last = user
            return True

        if is_convolution and follows("normal"):
            flags["with_bn"] = "true"
            words.append("bn")
        if not is_convolution:
            if follows("activation"):
                flags["with_eltwise"] = "True"
                words.append("eltwise")
        elif follows("activation"):
            flags["with_act"] = "true"
            words.append("act")
        elif follows("sum"):
            flags["with_sum"] = "true"
            words.append("add")
            if follows("activation"):
                flags["with_postsum_act"] = "true"
                words.append("act")
        base = card.layer.removeprefix("_")
        number = self._counts[base]
        self._counts[base] += 1
        name = "_".join([base, *words, str(number)])
        inner, inputs = _inside(chain)
        layer = build_layer(card.layer, name, flags, [inner], inputs)
        for entry in inputs:
            users = self._users[id(entry.node)]
            users[:] = [user for user in users if all(user is not one for one in chain)] + [layer]
        self.replace(last, [Entry(layer, 0)])

    def end_in_integers(self, node: Node) -> None:
        """Have a layer return integers of 8 bits, or floating-point numbers, by itself."""
        source = node.inputs[0].node
        texts = node.texts()
        if source.op is None or self._only_user(source) is not node:
            return
        layer = source.op.function if isinstance(source.op.function, FusedLayer) else None
        can_end = source.op.options.keys()  # beside a layer, an operator that has such arguments
        if layer is None and not can_end >= {*_RANGE}:
            return
        if any(name not in texts for name in _RANGE):
            return
        after = self._only_user(node)
        can_float = _FLOATS in can_end if layer is None else layer.is_dense
        if can_float and after is not None and after.op and after.op.quantized.role == "floats":
            made = _changed(source, {_FLOATS: "True"})
            self._adopt(source, made)
            self.replace(after, [Entry(made, 0)])
            return
        made = _changed(source, {name: texts[name] for name in _RANGE})
        self._adopt(source, made)
        self.replace(node, [Entry(made, i) for i in range(3)])

    def align(self, joined: Node) -> None:
        """Give what is joined the range of all of it, and of 0.

        A join inside a join counts as its parts, pooled data as the layer before the pooling. What
        something else sees, too, keeps its own range.
        """
        users: dict[int, set[int]] = defaultdict(set)
        for node in order(self.heads):
            for entry in node.inputs:
                users[id(entry.node)].add(id(node))
        seen = {id(entry.node) for entry in self.heads}  # by whoever asks for the outputs
        within = {id(joined)}
        known: list[Node] = []
        # What is nearer to the join comes later in the graph, so that its users are settled first.
        for node in reversed(order([Entry(joined, 0)])):
            if node is joined or id(node) in seen or not users[id(node)] <= within:
                continue
            if node.op is not None and node.op.quantized.role in {"join", "passes"}:
                within.add(id(node))
            elif all(name in node.texts() for name in _RANGE):
                known.append(node)
        if len(known) < 2:
            return
        widest = [
            choose((_ZERO, *(node.texts()[name] for node in known)), key=float)
            for name, choose in zip(_RANGE, (min, max), strict=True)
        ]
        for node in known:
            made = _changed(node, dict(zip(_RANGE, widest, strict=True)))
            self._adopt(node, made)
            self.replace(node, [Entry(made, i) for i in range(3)])

    def _adopt(self, old: Node, new: Node) -> None:
        for entry in new.inputs:
            users = self._users[id(entry.node)]
            users[:] = [new if user is old else user for user in users]


def _changed(node: Node, texts: dict[str, str]) -> Node:
    """Return a node with other arguments."""
    if node.op is not None and isinstance(node.op.function, FusedLayer):
        graph = node.op.function.subgraphs[0].entries
        return build_layer(node.file_name, node.name, node.texts() | texts, graph, node.inputs)
    made = node.copy()
    for key, text in texts.items():
        made.set_argument(key, text)
    return made


def _inside(chain: list[Node]) -> tuple[Entry, list[Entry]]:
    """Return the output of a layer's own graph, and what its variables are outside."""
    inputs: list[Entry] = []
    variables: list[Node] = []
    copies: dict[int, Node] = {}
    for node in chain:
        copy = node.copy()
        own = [Entry(copies[id(e.node)], 0) if id(e.node) in copies else None for e in node.inputs]
        if node.op is not None and node.op.quantized.role == "sum" and own[0] is None:
            node.inputs, own = node.inputs[::-1], own[::-1]
        for position, entry in enumerate(node.inputs):
            if own[position] is None:
                inputs.append(entry)
                name = entry.node.output_names[entry.position]
                variables.append(Node(None, name))
                own[position] = Entry(variables[-1], 0)
        copy.inputs = [entry for entry in own if entry is not None]
        copies[id(node)] = copy
    counts = Counter[str]()
    for variable in reversed(variables):  # as MXNet counts those of one name
        name = variable.name
        variable.name = f"{name}{counts[name]}"
        counts[name] += 1
    return Entry(copies[id(chain[-1])], 0), inputs
