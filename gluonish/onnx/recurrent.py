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
    if node.op == "GRU" and not node.attrs.get("linear_before_reset", 0):
        return _reset_before(node, direction, units)
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


def _reset_before(node: Node, direction: str, units: int) -> Any:
    """Return a GRU whose reset gate comes before the product, which MXNet's layer has not."""
    sides = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}[direction]
    weights, recurrent = node.array(1), node.array(2)
    biases = node.array(3) if node.has(3) else onp.zeros((len(sides), 6 * units), weights.dtype)
    states = _state(node, 5, len(sides), units)
    outputs, last = [], []
    for side, is_reversed in enumerate(sides):
        own, reset = biases[side, : 3 * units], biases[side, 3 * units :]
        values = {
            "i2h": weights[side], "gates": recurrent[side, : 2 * units],
            "new": recurrent[side, 2 * units :], "bias": own + reset,
        }  # fmt: skip
        given = {key: node.constant(f"{key}{side}", value) for key, value in values.items()}
        data = sym.reverse(node[0], axis=0) if is_reversed else node[0]
        data = sym.FullyConnected(
            data, given["i2h"], given["bias"], num_hidden=3 * units, flatten=False
        )
        first = sym.reshape(sym.slice_axis(states, axis=0, begin=side, end=side + 1), (-3, 0))
        steps, final = sym.contrib.foreach(_reset_step(given, units), data, [first])
        outputs.append(sym.reverse(steps, axis=0) if is_reversed else steps)
        last.append(final[0])
    return [sym.stack(*outputs, axis=1), sym.stack(*last, axis=0)]


def _reset_step(given: dict[str, Any], units: int) -> Any:
    """Return one step of such a GRU."""

    def step(data: Any, states: Any) -> Any:
        hidden = states[0]
        outer = sym.split(data, num_outputs=3, axis=1)
        inner = sym.FullyConnected(hidden, given["gates"], no_bias=True, num_hidden=2 * units)
        inner = sym.split(inner, num_outputs=2, axis=1)
        update, reset = (sym.sigmoid(outer[place] + inner[place]) for place in range(2))
        part = sym.FullyConnected(reset * hidden, given["new"], no_bias=True, num_hidden=units)
        new = (1 - update) * sym.tanh(outer[2] + part) + update * hidden
        return new, [new]

    return step
