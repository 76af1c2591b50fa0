"""Kernels of torch in a form in which compiled libraries can call them.

The LSTM layer of oneDNN keeps nothing for its gradient where gradients are off, as in compiled
libraries, and a list without items does not reach the kernel that computes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from torch import Tensor, fx

_FORWARD = torch.ops.aten.mkldnn_rnn_layer.default
_BACKWARD = torch.ops.aten.mkldnn_rnn_layer_backward.default
# The place of `batch_sizes` among the arguments.
_SIZES: dict[Any, int] = {_FORWARD: 8, _BACKWARD: 20}

_library: Any = torch.library.Library("gluonish", "FRAGMENT")  # type: ignore[no-untyped-call]
_library.define(
    "lstm_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor weight3, "
    "Tensor hx, Tensor cx, bool reverse, int mode, int hidden_size, int num_layers, "
    "bool has_biases, bool bidirectional, bool batch_first, bool train) "
    "-> (Tensor, Tensor, Tensor, Tensor)"
)
_library.define(
    "lstm_layer_backward(Tensor input, Tensor weight1, Tensor weight2, Tensor weight3, "
    "Tensor weight4, Tensor hx, Tensor cx, Tensor output, Tensor hy, Tensor cy, "
    "Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, bool reverse, int mode, "
    "int hidden_size, int num_layers, bool has_biases, bool train, bool bidirectional, "
    "bool batch_first, Tensor workspace) "
    "-> (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)"
)


def _without_sizes(kernel: Any) -> Any:
    place = _SIZES[kernel]

    def run(*args: Any) -> tuple[Tensor, ...]:
        with torch.enable_grad():
            found: tuple[Tensor, ...] = kernel(*args[:place], [], *args[place:])
        return found

    return run


_library.impl("lstm_layer", _without_sizes(_FORWARD), "CompositeExplicitAutograd")
_library.impl("lstm_layer_backward", _without_sizes(_BACKWARD), "CompositeExplicitAutograd")
_CALLABLE: dict[Any, Any] = {
    _FORWARD: torch.ops.gluonish.lstm_layer.default,
    _BACKWARD: torch.ops.gluonish.lstm_layer_backward.default,
}


def made_callable(traced: fx.GraphModule) -> None:
    """Replace the kernels of a graph that a compiled library could not call."""
    if not any(node.target is _BACKWARD for node in traced.graph.nodes):
        return
    for node in traced.graph.nodes:
        place = _SIZES.get(node.target)
        if place is not None and not node.args[place]:
            node.args = (*node.args[:place], *node.args[place + 1 :])
            node.target = _CALLABLE[node.target]
