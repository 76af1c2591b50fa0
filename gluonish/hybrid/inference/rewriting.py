"""Rewrites a captured graph for oneDNN: normalizations, functions and sums go into products."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from torch import fx

from gluonish.hybrid.inference import kernels, reading
from gluonish.hybrid.inference.reading import like, name_of, shape_of
from gluonish.process.torch_names import (
    convolution_onto,
    convolution_pointwise,
    linear_pointwise,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_DTYPES = (torch.float32, torch.bfloat16)
_WORTH_IT = 1 << 20  # multiplications; below, torch's own call takes less time
_MOST_PACKED = 4 << 20  # elements of a matrix: a copy of a larger one is not worth its memory
# How many of the first arguments of oneDNN's products are images.
IMAGES: dict[object, int] = {convolution_pointwise: 1, convolution_onto: 2, linear_pointwise: 0}
_SWALLOWING = ("relu", "hardtanh")  # oneDNN's have NaN become 0
_FUNCTION, _NUMBERS, _ALGORITHM = -3, -2, -1  # where the calls of oneDNN take the function
# What is computed anew in memory of its own, so that its arguments may go afterwards.
_FRESH = frozenset(
    {
        "conv2d", "convolution", "linear", "addmm", "mm", "bmm", "batch_norm", "relu", "add", "mul",
        "sub", "sigmoid", "tanh", "gelu", "max_pool2d", "avg_pool2d", "mean", "sum", "softmax",
        "layer_norm", "cat", "clamp", "leaky_relu", "silu", "_convolution_pointwise",
        "_convolution_pointwise_", "_linear_pointwise",
    }
)  # fmt: skip


class Rewriting:
    """Rewrites a graph in place.

    Parameters
    ----------
    graph : fx.Graph
        A captured graph without writes; shapes and dtypes are in the `meta` of its nodes.
    is_constant : callable
        Whether a node depends on nothing but what stays as it is.

    Attributes
    ----------
    products : int
        How many calls of oneDNN there are.
    swallows : bool
        Whether a NaN may become a number, which it does not in the captured graph.
    """

    def __init__(self, graph: fx.Graph, is_constant: Callable[[fx.Node], bool]) -> None:
        self._graph = graph
        self._is_constant = is_constant
        self._replaced: set[fx.Node] = set()
        self.products = 0
        self.swallows = False
        for step in (
            self._drop_copies, self._fold_norms, self._name_products, self._fuse_sums,
            self._fuse_activations, self._put_innermost,
        ):  # fmt: skip
            step()
            self._sweep()

    def _sweep(self) -> None:
        """Erase what was replaced."""
        for node in reversed(list(self._graph.nodes)):
            if node in self._replaced and not node.users:
                self._graph.erase_node(node)

    def _drop_copies(self) -> None:
        """Use results themselves in place of copies, where nobody could tell them apart."""
        for node in list(self._graph.nodes):
            source = reading.copied(node)
            if source is not None and _is_fresh(source) and len(source.users) == 1:
                node.replace_all_uses_with(source)
                self._graph.erase_node(node)

    def _fold_norms(self) -> None:
        for node in list(self._graph.nodes):
            norm = reading.norm(node)
            if norm is None or len(norm.data.users) != 1:
                continue
            product = reading.convolution(norm.data) or reading.product(norm.data)
            statistics = (norm.gamma, norm.beta, norm.mean, norm.variance)
            if product is None or not self._are_constant(product.weight, product.bias, *statistics):
                continue
            axes = 2 if isinstance(product, reading.Product) else 4
            if like(norm.data) != like(node) or len(shape_of(node) or ()) != axes:
                continue
            weight, bias = product.weight, product.bias
            with self._graph.inserting_before(norm.data):
                folded = self._graph.call_function(
                    kernels.scaled, (weight, norm.gamma, norm.variance, norm.eps)
                )
                folded.meta = dict(weight.meta)
                shift = self._graph.call_function(
                    kernels.shifted,
                    (bias, norm.gamma, norm.beta, norm.mean, norm.variance, norm.eps, weight),
                )
                shape, dtype = like(weight) or ((0,), None)
                shift.meta["like"] = (torch.Size(shape[:1]), dtype)
                made = self._product(product, folded, shift)
            self._replace(node, made)
            self._replaced |= {norm.data, *node.all_input_nodes}

    def _product(self, product: Any, weight: fx.Node, bias: fx.Node) -> fx.Node:
        """Return a call like the one that was read, with another weight and bias."""
        if isinstance(product, reading.Product):
            given = (product.data, weight, bias)
            return self._graph.call_function(torch.nn.functional.linear, given)
        return self._graph.call_function(
            torch.conv2d,
            (product.data, weight, bias, product.stride, product.padding, product.dilation,
             product.groups),
        )  # fmt: skip

    def _name_products(self) -> None:
        """Have oneDNN compute what it computes better, with weights that it has put in order."""
        for node in list(self._graph.nodes):
            known = like(node)
            if known is None or known[1] not in _DTYPES or 0 in known[0]:
                continue
            convolution = reading.convolution(node)
            if convolution is not None:
                self._name_convolution(node, convolution)
                continue
            product = reading.product(node)
            if product is not None:
                self._name_product(node, product)

    def _name_convolution(self, node: fx.Node, read: reading.Convolution) -> None:
        if not self._are_ready(node, read) or len(shape_of(read.data) or ()) != 4:
            return
        graph, options = self._graph, (read.padding, read.stride, read.dilation, read.groups)
        with graph.inserting_before(node):
            weight = graph.call_function(kernels.packed_filters, (read.weight, *options))
            weight.meta = dict(read.weight.meta)
            call: Any = (read.data, weight, read.bias, *map(_as_list, options), "none", [], "")
            self._replace(node, graph.call_function(convolution_pointwise, call))
        self.products += 1

    def _name_product(self, node: fx.Node, read: reading.Product) -> None:
        rows, columns = shape_of(read.weight) or (0, 0)
        if not self._are_ready(node, read) or len(shape_of(read.data) or ()) < 2:
            return
        graph = self._graph
        is_small = multiplications(node) < _WORTH_IT
        if not is_small and rows * columns > _MOST_PACKED:
            return
        with graph.inserting_before(node):
            if not is_small:
                weight = graph.call_function(kernels.packed_matrix, (read.weight,))
                weight.meta = dict(read.weight.meta)
                call: Any = (read.data, weight, read.bias, "none", [], "")
                self._replace(node, graph.call_function(linear_pointwise, call))
                self.products += 1
            elif name_of(node) == "linear" and len(shape_of(node) or ()) == 2:
                matrix = graph.call_function(torch.t, (read.weight,))
                given = (read.data, matrix)
                made = (
                    graph.call_function(torch.mm, given)
                    if read.bias is None
                    else graph.call_function(torch.addmm, (read.bias, *given))
                )
                self._replace(node, made)

    def _replace(self, node: fx.Node, made: fx.Node) -> None:
        made.meta = dict(node.meta)
        node.replace_all_uses_with(made)
        self._replaced.add(node)

    def _put_innermost(self) -> None:
        """Have the data of convolutions lie with channels innermost in memory."""
        order: Any = {"memory_format": torch.channels_last}
        for node in list(self._graph.nodes):
            given: Any = node.args[: IMAGES.get(node.target, 0)]
            for place, data in enumerate(given):
                if data.target not in (convolution_pointwise, convolution_onto):
                    with self._graph.inserting_before(node):
                        made = self._graph.call_method("contiguous", (data,), order)
                    made.meta = dict(data.meta)
                    node.update_arg(place, made)

    def _fuse_sums(self) -> None:
        """Have convolutions add their results to what they are added to."""
        order = {node: place for place, node in enumerate(self._graph.nodes)}
        for node in list(self._graph.nodes):
            pair = reading.addition(node)
            if pair is None:
                continue
            options = [(pair.left, pair.right), (pair.right, pair.left)]
            options.sort(key=lambda each: -order.get(each[0], 0))
            for product, other in options:
                if self._adds_to(product, other, node):
                    call = (other, *product.args[:_FUNCTION], "add", 1.0, None, [], None)
                    with self._graph.inserting_before(node):
                        made = self._graph.call_function(convolution_onto, call)
                    self._replace(node, made)
                    self._replaced.add(product)
                    break

    def _adds_to(self, product: fx.Node, other: fx.Node, node: fx.Node) -> bool:
        """Return whether a convolution is used in one sum, whose other part nobody needs then."""
        if product.target is not convolution_pointwise or len(product.users) != 1:
            return False
        data: Any = product.args[0]
        if not _is_fresh(other) or data is other:
            return False
        if any(user.target is convolution_onto and user.args[0] is data for user in data.users):
            return False  # it would be read too late
        return all(user is node or (user < node and _is_fresh(user)) for user in other.users)

    def _fuse_activations(self) -> None:
        for node in list(self._graph.nodes):
            found = reading.activation(node)
            if found is None or len(found.data.users) != 1:
                continue
            product = found.data
            if product.target in (convolution_pointwise, linear_pointwise):
                if product.args[_FUNCTION] != "none":
                    continue
                function = (found.name, list(found.numbers), found.algorithm)
            elif product.target is convolution_onto and found.name == "relu":
                if product.args[_FUNCTION] is not None:
                    continue
                function = ("relu", [], None)
            else:
                continue
            product.args = (*product.args[:-3], *function)
            self.swallows = self.swallows or found.name in _SWALLOWING
            node.replace_all_uses_with(product)
            self._graph.erase_node(node)

    def _are_ready(self, node: fx.Node, read: reading.Convolution | reading.Product) -> bool:
        """Return whether a product's weights stay as they are, and all of it has one dtype."""
        parts = [read.data, read.weight, *([] if read.bias is None else [read.bias])]
        dtypes = {(like(part) or (None, None))[1] for part in (node, *parts)}
        return self._are_constant(read.weight, read.bias) and len(dtypes) == 1

    def _are_constant(self, *nodes: fx.Node | None) -> bool:
        return all(node is None or self._is_constant(node) for node in nodes)


def is_worth_it(graph: fx.Graph) -> bool:
    """Return whether a graph has a product for which oneDNN may be worth its while."""
    return any(multiplications(node) >= _WORTH_IT for node in graph.nodes)


def multiplications(node: fx.Node) -> int:
    """Return how many multiplications a product has; 0 for anything else."""
    read = reading.convolution(node) or reading.product(node)
    if read is None:
        return 0
    weight = shape_of(read.weight) or (0,)
    places = math.prod(shape_of(node) or (0,)) // max(weight[0], 1)
    return math.prod(weight) * places


def _is_fresh(node: fx.Node) -> bool:
    """Return whether a node's result is in new memory."""
    return name_of(node) in _FRESH


def _as_list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
