"""Recurrent steps and layers in MXNet's own operators, as graphs have them."""

# ruff: noqa: N803 - F is what hybrid_forward calls the operators, too
from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.ops.nn.rnn_stack import GATES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from gluonish.ops.table import Call, Symbols

_FUNCTIONS = ("tanh", "relu", "sigmoid", "softsign")  # which are operators of that name


def recorded_step(call: Call) -> Symbols:
    """Rule of `_rnn_step`: the operators of MXNet's cells, which are named by step."""
    mode = call["mode"]
    arrays = call["data"], call["states"], call["weights"]
    given = call.F, call.name, *arrays, call["hidden_size"]
    if mode == "lstm":
        return lstm_step(*given)
    return gru_step(*given) if mode == "gru" else rnn_step(*given, mode.removeprefix("rnn_"))


def rnn_step(
    F: ModuleType,
    start: str,
    data: Symbols,
    states: Sequence[Symbols],
    weights: Sequence[Symbols],
    hidden_size: int,
    activation: str | Callable[[Symbols], Symbols],
) -> list[Symbols]:
    """Return the new state of Elman's cell, from arrays or Symbols.

    Parameters
    ----------
    F : module
        The operators.
    start : str
        What the names of nodes start with.
    data, states, weights
        As for `_rnn_step`.
    hidden_size : int
        Number of units.
    activation : str or callable
        The activation function.
    """
    products = _products(F, start, data, states[0], weights, hidden_size)
    total = F.elemwise_add(*products, name=f"{start}plus0")
    return [activated(F, total, activation, f"{start}out")]


def lstm_step(
    F: ModuleType,
    start: str,
    data: Symbols,
    states: Sequence[Symbols],
    weights: Sequence[Symbols],
    hidden_size: int,
    activation: str | Callable[[Symbols], Symbols] = "tanh",
    recurrent_activation: str | Callable[[Symbols], Symbols] = "sigmoid",
) -> list[Symbols]:
    """Return hidden and cell state of an LSTM; parameters are those of `rnn_step`."""
    gates = GATES["lstm"]
    products = _products(F, start, data, states[0], weights, gates * hidden_size)
    sums = F.elemwise_add(*products, name=f"{start}plus0")
    parts = F.SliceChannel(sums, num_outputs=gates, name=f"{start}slice")
    enter = activated(F, parts[0], recurrent_activation, f"{start}i")
    keep = activated(F, parts[1], recurrent_activation, f"{start}f")
    value = activated(F, parts[2], activation, f"{start}c")
    leave = activated(F, parts[3], recurrent_activation, f"{start}o")
    cell = F.elemwise_add(
        F.elemwise_mul(keep, states[1], name=f"{start}mul0"),
        F.elemwise_mul(enter, value, name=f"{start}mul1"),
        name=f"{start}state",
    )
    shown = (
        F.Activation(cell, act_type=activation, name=f"{start}activation0")
        if isinstance(activation, str)
        else activation(cell)
    )
    return [F.elemwise_mul(leave, shown, name=f"{start}out"), cell]


def gru_step(
    F: ModuleType,
    start: str,
    data: Symbols,
    states: Sequence[Symbols],
    weights: Sequence[Symbols],
    hidden_size: int,
) -> list[Symbols]:
    """Return the new state of a GRU; parameters are those of `rnn_step`."""
    gates = GATES["gru"]
    products = _products(F, start, data, states[0], weights, gates * hidden_size)
    i2h, h2h = (
        F.SliceChannel(product, num_outputs=gates, name=f"{start}{part}_slice")
        for part, product in zip(("i2h", "h2h"), products, strict=True)
    )

    def gate(total: Symbols, kind: str, name: str) -> Symbols:
        return F.Activation(total, act_type=kind, name=f"{start}{name}_act")

    def add(left: Symbols, right: Symbols, name: str) -> Symbols:
        return F.elemwise_add(left, right, name=start + name)

    def multiply(left: Symbols, right: Symbols, name: str) -> Symbols:
        return F.elemwise_mul(left, right, name=start + name)

    reset = gate(add(i2h[0], h2h[0], "plus0"), "sigmoid", "r")
    update = gate(add(i2h[1], h2h[1], "plus1"), "sigmoid", "z")
    new = gate(add(i2h[2], multiply(reset, h2h[2], "mul0"), "plus2"), "tanh", "h")
    ones = F.ones_like(update, name=f"{start}ones_like0")
    rest = F.elemwise_sub(ones, update, name=f"{start}minus0")
    return [add(multiply(rest, new, "mul1"), multiply(update, states[0], "mul20"), "out")]


def _products(
    F: ModuleType,
    start: str,
    data: Symbols,
    hidden: Symbols,
    weights: Sequence[Symbols],
    rows: int,
) -> list[Symbols]:
    """Return the products of data and of hidden state."""
    i2h_weight, h2h_weight, i2h_bias, h2h_bias = weights
    return [
        F.FullyConnected(data, i2h_weight, i2h_bias, num_hidden=rows, name=f"{start}i2h"),
        F.FullyConnected(hidden, h2h_weight, h2h_bias, num_hidden=rows, name=f"{start}h2h"),
    ]


def activated(
    F: ModuleType, data: Symbols, activation: str | Callable[[Symbols], Symbols], name: str | None
) -> Symbols:
    """Apply an activation function given by its name, or as something to call."""
    if not isinstance(activation, str):
        return activation(data)
    if activation in _FUNCTIONS:
        return getattr(F, activation)(data, name=name)
    return F.Activation(data, act_type=activation, name=name)


def recorded_layers(call: Call) -> Symbols:
    """Rule of `_rnn_layers`: the operator `RNN`, whose weights are one vector."""
    F, data, states = call.F, call["data"], call["states"]  # noqa: N806
    if states is None:
        return None
    is_batch_first = call["layout"] == "NTC"
    if is_batch_first:
        data = F.swapaxes(data, dim1=0, dim2=1)
    smallest, largest, is_nan = call["clip"] or (None, None, False)
    lengths = call["sequence_length"]
    result = F.RNN(
        data,
        _vector(call),
        *states,
        **({} if lengths is None else {"sequence_length": lengths}),
        state_size=call["hidden_size"],
        projection_size=call["projection_size"],
        use_sequence_length=lengths is not None,
        num_layers=call["num_layers"],
        bidirectional=call["bidirectional"],
        p=call["p"],
        state_outputs=True,
        mode=call["mode"],
        lstm_state_clip_min=smallest,
        lstm_state_clip_max=largest,
        lstm_state_clip_nan=is_nan,
    )
    outputs = result[0]
    if is_batch_first:
        outputs = F.swapaxes(outputs, dim1=0, dim2=1)
    if not call["state_outputs"]:
        return outputs
    return [outputs, *(result[i] for i in range(1, len(result)))]


def _vector(call: Call) -> Symbols:
    """Return all weights as one vector: the biases of all cells stand behind the others."""
    F, weights = call.F, call["weights"]  # noqa: N806
    each = 4 if call["projection_size"] is None else 5  # i2h, h2h, their biases, h2r
    ordered = sorted(range(len(weights)), key=lambda place: place % each in (2, 3))
    if call.is_np:
        parts = [F.np.reshape(weights[i], newshape=(-1,), order="C") for i in ordered]
        return F._internal._rnn_param_concat(*parts, dim=0, name="rnn_param_concat0")  # noqa: SLF001
    parts = [F.reshape(weights[i], shape=-1) for i in ordered]
    return F._internal._rnn_param_concat(*parts, dim=0)  # noqa: SLF001
