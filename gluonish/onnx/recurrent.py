"""ONNX's recurrent layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import symbol
from gluonish.onnx.values import handles

sym: Any = symbol  # whose functions are those of the op table

if TYPE_CHECKING:
    from gluonish.onnx.values import Node

# How many gates there are, and where MXNet's are among ONNX's.
_GATES = {"RNN": (0,), "LSTM": (0, 2, 3, 1), "GRU": (1, 0, 2)}


@handles("RNN", "LSTM", "GRU")
def _recurrent(node: Node) -> Any:
    steps = node.shape(0)[0]
    if node.has(4) and set(onp.ravel(node.known(4)).tolist()) != {steps}:
        node.refuse("sequences of several lengths", "whole batches")
    node.only("layout", 0)
    node.only("clip", 0.0)
    node.only("input_forget", 0)
    if node.has(7):
        node.refuse("peepholes", "none")
    direction = node.attrs.get("direction", "forward")
    directions, units = (2 if direction == "bidirectional" else 1), node.attrs["hidden_size"]
    mode = _mode(node, directions)
    data = sym.reverse(node[0], axis=0) if direction == "reverse" else node[0]
    states = [_state(node, place, directions, units) for place in _places(node)]
    outputs = sym.RNN(
        data,
        node.constant("parameters", _packed(node, directions)),
        *states,
        state_size=units,
        num_layers=1,
        bidirectional=directions == 2,
        mode=mode,
        state_outputs=True,
        name=node.name,
    )
    sides = sym.reshape(outputs[0], shape=(0, 0, -4, directions, -1))
    whole = sym.transpose(sides, axes=(0, 2, 1, 3))
    whole = sym.reverse(whole, axis=0) if direction == "reverse" else whole
    return [whole, *(outputs[place] for place in range(1, len(states) + 1))]


def _places(node: Node) -> tuple[int, ...]:
    return (5, 6) if node.op == "LSTM" else (5,)


def _mode(node: Node, directions: int) -> str:
    """Return MXNet's name of the layer, if its activations are the usual ones."""
    if node.op == "GRU" and not node.attrs.get("linear_before_reset", 0):
        node.refuse("linear_before_reset=0", "1, as PyTorch and cuDNN have it")
    usual = {"RNN": ["Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"]}
    given = node.attrs.get("activations", usual[node.op] * directions)
    given = [each.decode() if isinstance(each, bytes) else each for each in given]
    if node.op == "RNN" and set(given) == {"Relu"}:
        return "rnn_relu"
    if given != usual[node.op] * directions:
        node.refuse(f"activations={given}", "the usual ones")
    return "rnn_tanh" if node.op == "RNN" else node.op.lower()


def _packed(node: Node, directions: int) -> onp.ndarray:
    """Return all weights and then all biases, as MXNet's layer has them."""
    order = _GATES[node.op]
    units = node.attrs["hidden_size"]

    def sorted_gates(array: onp.ndarray) -> onp.ndarray:
        gates = array.reshape(len(order), units, -1)
        return onp.concatenate([gates[place].ravel() for place in order])

    weights, recurrent = node.array(1), node.array(2)
    biases = (
        node.array(3)
        if node.has(3)
        else onp.zeros((directions, 2 * len(order) * units), weights.dtype)
    )
    parts = []
    for side in range(directions):
        parts += [sorted_gates(weights[side]), sorted_gates(recurrent[side])]
    for side in range(directions):
        parts += [sorted_gates(half) for half in onp.split(biases[side], 2)]
    return onp.concatenate(parts)


def _state(node: Node, place: int, directions: int, units: int) -> Any:
    if node.has(place):
        return node[place]
    first = sym.slice_axis(node[0], axis=0, begin=0, end=1)
    zeros = sym.zeros_like(sym.sum(first, axis=2, keepdims=True))
    return sym.tile(zeros, reps=(directions, 1, units))
