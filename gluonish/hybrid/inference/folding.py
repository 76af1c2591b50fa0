"""Splits a rewritten graph: what depends on parameters alone is computed once."""

from __future__ import annotations

import functools
import math
import operator
import weakref
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, fx

from gluonish.array.writes import is_given_out
from gluonish.errors import CompileError
from gluonish.hybrid.graph_modules import graph_module
from gluonish.hybrid.inference import kernels
from gluonish.hybrid.inference.reading import like, name_of
from gluonish.hybrid.inference.rewriting import IMAGES, Rewriting
from gluonish.hybrid.replaying import compiled, quickened

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    Product = Callable[[], Tensor]

# Functions that may be computed once: they draw nothing, write nothing, and see nothing else.
_FOLDABLE = frozenset(
    {
        "t", "transpose", "permute", "movedim", "reshape", "view", "flatten", "unsqueeze",
        "squeeze", "expand", "broadcast_to", "contiguous", "clone", "to", "float", "double",
        "bfloat16", "half", "long", "int", "getitem", "__getitem__", "narrow", "cat", "stack",
        "repeat", "add", "sub", "mul", "div", "neg", "abs", "pow", "square", "sqrt", "rsqrt",
        "reciprocal", "exp", "log", "sin", "cos", "floor", "clamp", "maximum", "minimum", "sum",
        "mean",
    }
)  # fmt: skip
_OURS = frozenset({kernels.scaled, kernels.shifted, kernels.packed_filters, kernels.packed_matrix})
_version = operator.attrgetter("_version")


class Value:
    """What was computed of parameters; graphs of other signatures take the same one."""

    __slots__ = ("__weakref__", "_module", "tensor")

    def __init__(self, tensor: Tensor, module: fx.GraphModule) -> None:
        self.tensor = tensor
        self._module = module  # whose constants it may come from


_values: weakref.WeakValueDictionary[Hashable, Value] = weakref.WeakValueDictionary()


class Folding:
    """A graph that was rewritten for some of its inputs to stay as they are.

    Parameters
    ----------
    module : fx.GraphModule
        The captured graph; it stays as it is.
    positions : sequence of int
        Which inputs are not expected to change.

    Attributes
    ----------
    products : int
        How many products oneDNN computes; without any there is nothing to gain.
    """

    def __init__(self, module: fx.GraphModule, positions: Sequence[int]) -> None:
        graph = fx.Graph()
        copies: dict[fx.Node, fx.Node] = {}
        output = graph.graph_copy(module.graph, copies)
        graph.output(output)
        self._module = module
        self._graph = graph
        inputs = [node for node in graph.nodes if node.op == "placeholder"]
        positions = [place for place in positions if inputs[place].users]
        self._given = [inputs[place] for place in positions]
        self._leaves = set(self._given)
        self._known: dict[fx.Node, bool] = {}
        rewriting = Rewriting(graph, self._is_constant)
        self.products, swallows = rewriting.products, rewriting.swallows
        self._of = operator.itemgetter(*positions) if len(positions) > 1 else None
        self._only = next(iter(positions), 0)
        chosen = set(positions)
        self._checked = [
            place
            for place, node in enumerate(inputs)
            if swallows and place not in chosen and node.users
            if (known := like(node)) and known[1].is_floating_point
        ]
        self._names: dict[fx.Node, str] = {}
        self._function = self._split(inputs)

    def of(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """Return those of a call's tensors that are not expected to change."""
        return (tensors[self._only],) if self._of is None else self._of(tensors)

    def fold(self, tensors: Sequence[Tensor]) -> Fold | None:
        """Compute what depends on constants alone; return None if that is not finite.

        Raises
        ------
        CompileError
            Others may write to a constant.
        """
        given = self.of(tensors)
        if any(tensor.is_inference() or is_given_out(tensor) for tensor in given):
            msg = "others share the memory of a parameter"
            raise CompileError(msg)
        states = list(map(_version, given))
        leaves = dict(zip(self._given, given, strict=True))
        found: dict[str, Any] = {}
        kept: list[Value] = []
        if not all(map(_is_finite, given)):
            return None
        for node, name in self._names.items():
            if node.op == "get_attr":
                found[name] = operator.attrgetter(str(node.target))(self._module)
            else:
                value = self._value(node, leaves)
                if value is None:
                    return None
                kept.append(value)
                found[name] = value.tensor
        return Fold(self, given, states, SimpleNamespace(**found, kept=kept))

    def alone(self, tensors: Sequence[Tensor]) -> Iterator[tuple[str, Callable[[], Product]]]:
        """Return what makes each product that oneDNN computes, to be run by itself.

        Of it goes the text, by which those that are alike are known. The data are ones; weights
        are put in order when it is made, and nobody keeps them.
        """
        leaves = dict(zip(self._given, self.of(tensors), strict=True))
        for node in self._graph.nodes:
            images = IMAGES.get(node.target)
            if images is not None:
                known = [like(each) if isinstance(each, fx.Node) else each for each in node.args]
                yield repr((images, known)), functools.partial(self._alone, node, images, leaves)

    def _alone(self, node: fx.Node, images: int, leaves: dict[fx.Node, Tensor]) -> Product:
        memo: dict[fx.Node, Any] = {}
        args: list[Any] = list(node.args)
        for place, each in enumerate(args):
            if place < max(images, 1):
                shape, dtype = like(each) or ((), None)
                data = torch.ones(shape, dtype=dtype)
                args[place] = data.contiguous(memory_format=torch.channels_last) if images else data
            elif isinstance(each, fx.Node):
                args[place] = self._computed(each, leaves, memo)
        product: Any = node.target
        return functools.partial(product, *args)

    def run(self, constants: SimpleNamespace, tensors: Sequence[Tensor]) -> Sequence[Tensor] | None:
        """Run what each call computes; None where that would hide a NaN."""
        for place in self._checked:
            if not math.isfinite(tensors[place].sum().item()):
                return None
        outputs: Sequence[Tensor] = self._function(constants, *tensors)
        return outputs

    def _is_constant(self, node: fx.Node) -> bool:
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = self._depends_on_constants(node)
        return known

    def _depends_on_constants(self, node: fx.Node) -> bool:
        if node.op == "placeholder":
            return node in self._leaves
        if node.op == "get_attr":
            return True
        if node.op == "output" or not node.all_input_nodes:
            return False
        is_foldable = node.target in _OURS or name_of(node) in _FOLDABLE
        return is_foldable and all(map(self._is_constant, node.all_input_nodes))

    def _split(self, inputs: Sequence[fx.Node]) -> Callable[..., Sequence[Tensor]]:
        """Make the function of what moves; note which nodes it needs the values of."""
        graph, root = fx.Graph(), torch.nn.Module()
        copies = {node: graph.placeholder(f"input{i}") for i, node in enumerate(inputs)}
        for node, copy in copies.items():
            copy.meta = dict(node.meta)

        def copy_of(node: fx.Node) -> fx.Node:
            if node not in copies:
                name = self._names[node] = f"constant{len(self._names)}"
                object.__setattr__(root, name, None)  # each fold brings its own
                copies[node] = graph.get_attr(name)
                copies[node].meta = dict(node.meta)
            return copies[node]

        for node in self._graph.nodes:
            if node.op == "output":
                given = [
                    graph.call_method("clone", (copy_of(each),))
                    if each not in copies and self._is_constant(each)
                    else copy_of(each)
                    for each in node.args[0]
                ]
                graph.output(tuple(given))
            elif node.op != "placeholder" and not self._is_constant(node):
                copies[node] = graph.node_copy(node, copy_of)
        function, _ = compiled(quickened(graph_module(root, graph)))
        return function

    def _value(self, node: fx.Node, leaves: dict[fx.Node, Tensor]) -> Value | None:
        key = self._key(node, leaves)
        value = _values.get(key)
        if value is None:
            memo: dict[fx.Node, Any] = {}
            tensor = self._computed(node, leaves, memo)
            source = node.args[0] if tensor.is_mkldnn else node
            if not _is_finite(self._computed(source, leaves, memo)):
                return None
            value = _values.setdefault(key, Value(tensor, self._module))
        return value

    def _key(self, node: fx.Node, leaves: dict[fx.Node, Tensor]) -> Hashable:
        """Return what tells how something is computed from which values."""
        if node in leaves:
            tensor = leaves[node]
            return ("tensor", id(tensor), _version(tensor), tensor.data_ptr())
        if node.op == "get_attr":
            return ("attribute", id(operator.attrgetter(str(node.target))(self._module)))

        def part(value: Any) -> Any:
            if isinstance(value, fx.Node):
                return self._key(value, leaves)
            if isinstance(value, dict):
                return tuple((name, part(each)) for name, each in value.items())
            if isinstance(value, (list, tuple)):
                return tuple(map(part, value))
            return repr(value) if isinstance(value, (slice, float)) else (type(value), value)

        return node.target, part(node.args), part(node.kwargs)

    def _computed(self, node: Any, leaves: dict[fx.Node, Tensor], memo: dict[fx.Node, Any]) -> Any:
        """Return what a node computes from constants."""
        if node in leaves:
            return leaves[node]
        if node.op == "get_attr":
            return operator.attrgetter(str(node.target))(self._module)
        if node not in memo:
            args, kwargs = fx.node.map_arg(
                (node.args, node.kwargs), lambda each: self._computed(each, leaves, memo)
            )
            if node.op == "call_method":
                memo[node] = getattr(args[0], node.target)(*args[1:], **kwargs)
            else:
                memo[node] = node.target(*args, **kwargs)
        return memo[node]


class Fold:
    """A folding's constants, for the values that parameters had at one time.

    It keeps none of the parameters alive: when one is gone, the constants go, too.
    """

    def __init__(
        self,
        folding: Folding,
        given: Sequence[Tensor],
        states: list[int],
        constants: SimpleNamespace,
    ) -> None:
        self._folding = folding
        self._ids = list(map(id, given))
        self._states = states
        self._box = box = [constants]
        self._refs = [weakref.ref(tensor, lambda _: box.clear()) for tensor in given]

    def holds(self, tensors: Sequence[Tensor]) -> bool:
        """Return whether a call has the same parameters, to which nobody has written."""
        given = self._folding.of(tensors)
        return list(map(_version, given)) == self._states and list(map(id, given)) == self._ids

    def run(self, tensors: Sequence[Tensor]) -> Sequence[Tensor] | None:
        """Run the graph; None where a parameter is gone, or an input has a NaN."""
        try:
            (constants,) = self._box
        except ValueError:
            return None
        return self._folding.run(constants, tensors)

    @property
    def is_lost(self) -> bool:
        """Whether a parameter is gone."""
        return not self._box


def _is_finite(tensor: Tensor) -> bool:
    """Return whether all numbers of a tensor are."""
    return not tensor.is_floating_point() or math.isfinite(tensor.sum().item())
