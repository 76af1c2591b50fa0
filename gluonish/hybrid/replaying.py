"""Replays a captured graph: the same numbers by fewer and cheaper torch calls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, fx

from gluonish.hybrid.graph_modules import graph_module
from gluonish.ops.nn.rnn_stack import lstm_for_inference
from gluonish.process.torch_names import OperatorOverload, linear

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Run = Callable[[list[Tensor]], Sequence[Tensor]]

REPLAY_ERRORS = (RuntimeError, IndexError, ValueError, TypeError)
"""What torch raises where a graph fails at what it is given."""
_LINEAR = linear
_LIKE = "like"
# Functions that return new memory, which nobody else knows before their one user has it.
_MAKES_NEW = frozenset(
    {
        _LINEAR, torch.addmm, torch.mm, torch.bmm, torch.matmul, torch.baddbmm, torch.batch_norm,
        torch.conv1d, torch.conv2d, torch.conv3d, torch.conv_transpose1d, torch.conv_transpose2d,
        torch.conv_transpose3d, torch.layer_norm, torch.group_norm, torch.add, torch.sub,
        torch.mul, torch.relu, torch.sigmoid, torch.tanh,
    }
)  # fmt: skip
_IN_PLACE: dict[Any, Any] = {
    torch.relu: torch.relu_,
    torch.sigmoid: torch.sigmoid_,
    torch.tanh: torch.tanh_,
}


def replay(module: fx.GraphModule, *, is_recorded: bool = False) -> Run:
    """Return what replays a captured graph on a list of tensors.

    Where torch records nothing, a function that is applied to what has no other use works in
    place, a weight that is needed transposed is so once, not at every call, and an LSTM keeps
    nothing for gradients. The results are bit for bit those of the graph, which stays as it is;
    those of an LSTM are what its operator gives without a recording.

    Parameters
    ----------
    module : fx.GraphModule
        The graph. What a recorder noted of its tensors is in the `meta` of its nodes.
    is_recorded : bool, default False
        Whether torch records the replay for gradients.

    Returns
    -------
    callable
        Takes a list of tensors, returns the graph's results.
    """
    if is_recorded:
        forward = module.forward
        return lambda tensors: forward(*tensors)
    function, constants = compiled(quickened(module))
    return lambda tensors: function(constants, *tensors)


_FILE = f"{__file__}: a captured graph"  # of ours, so that errors and a Ctrl-C pass over it


def compiled(module: fx.GraphModule) -> tuple[Callable[..., Sequence[Tensor]], Any]:
    """Return a graph's function, and what it takes before its inputs: the graph's constants.

    It is the graph's own text, with torch's kernels in the place of what only calls them and with
    constants that are looked up as any attribute, not as a module's.
    """
    code = module.graph.python_code("self")
    names = [str(node.target) for node in module.graph.nodes if node.op == "get_attr"]
    if any("." in name for name in names):
        return type(module).forward, module
    space = {
        name: value._op if isinstance(value, OperatorOverload) else value  # noqa: SLF001
        for name, value in code.globals.items()
    }
    exec(compile(code.src, _FILE, "exec"), space)
    return space["forward"], SimpleNamespace(**{name: getattr(module, name) for name in names})


def note(node: fx.Node, tensor: Tensor) -> None:
    """Keep with a node what a replay has to know of the tensor that it stands for."""
    node.meta[_LIKE] = (tensor.shape, tensor.dtype)


def quickened(module: fx.GraphModule) -> fx.GraphModule:
    """Return an equal graph with cheaper calls, or the same one if there are none."""
    if not any(_is_quicker(node) for node in module.graph.nodes):
        return module
    graph = fx.Graph()
    made: dict[fx.Node, fx.Node] = {}
    transposed: dict[fx.Node, fx.Node] = {}

    def transpose(weight: fx.Node) -> fx.Node:
        if weight not in transposed:
            transposed[weight] = graph.call_function(_Transposed(), (made[weight],))
        return transposed[weight]

    for node in module.graph.nodes:
        if _is_layer(node):
            data, weight, *bias = node.args
            if bias and bias[0] is not None:
                args = (made[bias[0]], made[data], transpose(weight))
                made[node] = graph.call_function(torch.addmm, args)
            else:
                made[node] = graph.call_function(torch.mm, (made[data], transpose(weight)))
        elif _is_transpose(node):
            made[node] = transpose(node.all_input_nodes[0])
        else:
            made[node] = graph.node_copy(node, made.__getitem__)
            if _is_disposable(node):
                made[node].target = _IN_PLACE[node.target]
            elif node.target is torch.lstm:
                made[node].target = lstm_for_inference
    return graph_module(module, graph)


def _is_quicker(node: fx.Node) -> bool:
    is_lstm = node.target is torch.lstm
    return is_lstm or _is_layer(node) or _is_transpose(node) or _is_disposable(node)


def _is_transpose(node: fx.Node) -> bool:
    """Return whether a node is an input of the graph, a matrix, with its axes swapped."""
    if node.target is not torch.t or node.kwargs:
        return False
    (source,) = node.args
    return isinstance(source, fx.Node) and source.op == "placeholder"


def _is_layer(node: fx.Node) -> bool:
    """Return whether a node is a linear layer on a matrix, with an input of the graph as weight."""
    if node.target is not _LINEAR or node.kwargs:
        return False
    data, weight = node.args[:2]
    return (
        isinstance(data, fx.Node)
        and isinstance(weight, fx.Node)
        and weight.op == "placeholder"
        and _rank(data) == 2
        and _rank(weight) == 2
    )


def _is_disposable(node: fx.Node) -> bool:
    """Return whether a node's argument is of no use to anybody after it."""
    if node.target not in _IN_PLACE or node.kwargs or len(node.args) != 1:
        return False
    (source,) = node.args
    return (
        isinstance(source, fx.Node)
        and source.op == "call_function"
        and source.target in _MAKES_NEW
        and "out" not in source.kwargs
        and len(source.users) == 1
        and _LIKE in source.meta
        and source.meta[_LIKE] == node.meta.get(_LIKE)
    )


def shape_of(node: fx.Node) -> torch.Size | None:
    """Return the shape of what a node stands for, if it is known."""
    like = node.meta.get(_LIKE)
    return None if like is None else like[0]


def _rank(node: fx.Node) -> int | None:
    shape = shape_of(node)
    return None if shape is None else len(shape)


class _Transposed:
    """A view of a matrix with its axes swapped, kept for the next call with the same tensor."""

    __module__ = __name__
    __name__ = "transposed"

    def __init__(self) -> None:
        self._latest: tuple[Tensor | None, Tensor | None] = (None, None)

    def __call__(self, matrix: Tensor) -> Tensor | None:
        """Return the view."""
        tensor, view = self._latest  # as one object, for another thread may replace it
        if tensor is not matrix:
            view = matrix.t()
            self._latest = (matrix, view)
        return view
