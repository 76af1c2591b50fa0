"""Recurrent layers: MXNet's operator on one vector of parameters, and Gluon's on separate ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.nn.rnn_checks import (
    check_clip,
    check_dtypes,
    check_lengths,
    check_mode,
    check_state_count,
    check_states,
    check_step,
    check_steps,
    check_weights,
)
from gluonish.ops.nn.rnn_graphs import recorded_layers, recorded_step
from gluonish.ops.nn.rnn_stack import Stack, run
from gluonish.ops.table import Graph, Precision, op, shape_rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from gluonish.ops.table import Shape


MODES = ("gru", "lstm", "rnn_relu", "rnn_tanh")


def rnn_shapes(
    shapes: dict[str, Shape | None],
    mode: str = "lstm",
    state_size: int | None = None,
    num_layers: int | None = None,
    bidirectional: bool = False,
    projection_size: int | None = None,
    **_: object,
) -> dict[str, Shape]:
    """Rule for unknown shapes: how many parameters there are, and the states."""
    data = shapes["data"]
    if data is None or len(data) != 3 or state_size is None or num_layers is None:
        return {}
    batch, features = data[1], data[2]
    stack = Stack(mode, state_size, num_layers, bidirectional, 0.0, projection_size)
    states = [(layers, batch, units) for layers, _, units in stack.state_shapes(batch or 1)]
    found: dict[str, Shape] = dict(zip(("state", "state_cell"), states, strict=False))
    if features is not None:
        found["parameters"] = (_count(stack, features),)
    return found


def _count(stack: Stack, features: int) -> int:
    return sum(math.prod(shape) for cell in stack.weight_shapes(features) for shape in cell)


def _rnn_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Rule for the array inputs that there are: an LSTM's cell states, and lengths."""
    names = ["data", "parameters", "state"]
    names += ["state_cell"] * (given["mode"] == "lstm")
    return (*names, *["sequence_length"] * bool(given["use_sequence_length"]))


def rnn_outputs(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: the last states are more of them."""
    if not given["state_outputs"]:
        return 1
    return 3 if given["mode"] == "lstm" else 2


@op(
    nd="RNN",
    npx="rnn",
    outputs=rnn_outputs,
    output_names=("output", "state_output", "statecell_output"),
    shapes=rnn_shapes,
    arguments=_rnn_arguments,
    reverse=shape_rules.recurrent,
    graph=Graph(needed=("state_size", "num_layers", "mode")),
    precision=Precision("low", "full"),
    choices={"mode": MODES},
)
def rnn(
    data: Tensor,
    parameters: Tensor,
    state: Tensor | None = None,
    state_cell: Tensor | None = None,
    sequence_length: Tensor | None = None,
    state_size: int | None = None,
    num_layers: int | None = None,
    bidirectional: bool = False,
    mode: str | None = None,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: float | None = None,
    lstm_state_clip_max: float | None = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
) -> Tensor | tuple[Tensor, ...]:
    """Run recurrent layers over sequences.

    Parameters
    ----------
    data : Tensor, shape (steps, batch, features)
        The sequences.
    parameters : Tensor, shape (number of parameters,)
        All weights, then all biases; of each layer, and each direction in it, the input's, the
        hidden state's and the projection's.
    state : Tensor, shape (num_layers * directions, batch, state_size)
        Hidden states at the beginning.
    state_cell : Tensor, shape (num_layers * directions, batch, state_size), optional
        Cell states at the beginning, of an LSTM.
    sequence_length : Tensor, shape (batch,), optional
        Number of valid steps of each sequence.
    state_size, num_layers : int
        Units of a layer, and number of layers.
    bidirectional : bool, default False
        Whether each layer reads the sequences in both directions.
    mode : {'rnn_relu', 'rnn_tanh', 'lstm', 'gru'}
        Kind of the layers.
    p : float in [0, 1], default 0.0
        Probability of Dropout between layers, while training.
    state_outputs : bool, default False
        Whether the last states are returned too.
    projection_size : int, optional
        Length of an LSTM's hidden state, if that is a projection of its units.
    lstm_state_clip_min, lstm_state_clip_max : float, optional
        Limits of an LSTM's cell state.
    lstm_state_clip_nan : bool, default False
        Whether a NaN in the cell state becomes the lower limit.
    use_sequence_length : bool, default False
        Whether `sequence_length` counts.

    Returns
    -------
    Tensor, shape (steps, batch, state_size * directions), or it and the states in a list

    Notes
    -----
    Gates stand in the order input, forget, cell, output (LSTM) and reset, update, new (GRU; its
    reset gate works on the product with the hidden state, as in cuDNN).

    Examples
    --------
    >>> import gluonish as mx
    >>> x, h = mx.nd.ones((2, 1, 1)), mx.nd.zeros((1, 1, 1))
    >>> w = mx.nd.array([1, 0.5, 0, 0])
    >>> mx.nd.RNN(x, w, h, state_size=1, num_layers=1, mode='rnn_relu').reshape((-1,)).asnumpy()
    array([1. , 1.5], dtype=float32)
    """
    if state_size is None or num_layers is None or mode is None:
        msg = (
            f"RNN: state_size={state_size}, num_layers={num_layers} and mode={mode!r} were given. "
            f"Expected all three. Pass for example state_size=10, num_layers=1, mode='lstm'."
        )
        raise InvalidArgumentError(msg)
    check_mode(mode)
    clip = check_clip(lstm_state_clip_min, lstm_state_clip_max, lstm_state_clip_nan)
    if mode == "lstm":
        states = [state, state_cell]
    else:
        states = [state]
        if sequence_length is None and use_sequence_length:
            sequence_length = state_cell  # the fourth argument is MXNet's next input
    stack = Stack(mode, state_size, num_layers, bidirectional, p, projection_size, clip)
    _check_projection(stack)
    check_steps(stack.where, data.shape, "TNC")
    check_states(stack.where, states, stack.state_shapes(data.shape[1]), data.shape[0])
    given = [each for each in states if each is not None]
    weights = unpack(stack, data, parameters)
    check_dtypes(stack.where, data, given, parameters)
    lengths = None
    if use_sequence_length:
        lengths = check_lengths(stack.where, sequence_length, data.shape[1])
    results = run(stack, data, given, weights, lengths)
    return results if state_outputs else results[0]


def _check_projection(stack: Stack) -> None:
    if stack.projection_size is not None and stack.mode != "lstm":
        msg = (
            f"{stack.where}: projection_size={stack.projection_size} was given. Expected it for "
            f"mode='lstm' only. Leave it out."
        )
        raise InvalidArgumentError(msg)
    if stack.clip is not None and stack.mode != "lstm":
        msg = (
            f"{stack.where}: lstm_state_clip_min={stack.clip[0]} was given. Expected it for "
            f"mode='lstm' only. Leave it out."
        )
        raise InvalidArgumentError(msg)


def unpack(stack: Stack, data: Tensor, parameters: Tensor) -> list[Tensor]:
    """Return views of one vector as the weights of each layer and direction."""
    cells = stack.weight_shapes(data.shape[2])
    total = sum(math.prod(shape) for cell in cells for shape in cell)
    if tuple(parameters.shape) != (total,):
        msg = (
            f"RNN: parameters of shape {tuple(parameters.shape)} were given for data of shape "
            f"{tuple(data.shape)}. Expected {(total,)} for mode={stack.mode!r}, "
            f"state_size={stack.hidden_size}, num_layers={stack.num_layers}, "
            f"bidirectional={stack.bidirectional}, projection_size={stack.projection_size}. Pass "
            f"such a vector."
        )
        raise ShapeError(msg)
    places = [(cell, part) for cell, shapes in enumerate(cells) for part in range(len(shapes))]
    # Biases, parts 2 and 3, stand behind the weights of all cells.
    places.sort(key=lambda place: (place[1] in (2, 3), place))
    sizes = [math.prod(cells[cell][part]) for cell, part in places]
    views = dict(zip(places, torch.split(parameters, sizes), strict=True))
    return [views[place].view(cells[place[0]][place[1]]) for place in sorted(places)]


@op(
    nd="_internal._rnn_layers", outputs=0, recorded=recorded_layers, precision=Precision(like="RNN")
)
def rnn_layers(
    data: Tensor,
    weights: Sequence[Tensor],
    states: Sequence[Tensor] | None = None,
    sequence_length: Tensor | None = None,
    mode: str = "lstm",
    hidden_size: int = 1,
    num_layers: int = 1,
    layout: str = "TNC",
    bidirectional: bool = False,
    p: float = 0.0,
    projection_size: int | None = None,
    clip: tuple[float, float, bool] | None = None,
    state_outputs: bool = True,
) -> Tensor | tuple[Tensor, ...]:
    """Run recurrent layers on weights that are arrays of their own; what Gluon's layers call.

    Parameters
    ----------
    data : Tensor, shape (steps, batch, features), or with layout 'NTC' (batch, steps, features)
        The sequences.
    weights : list of Tensor
        i2h weight, h2h weight, i2h bias, h2h bias and, with a projection, h2r weight, of each layer
        and each direction in it.
    states : list of Tensor, optional
        The hidden state and, in an LSTM, the cell state; 0 by default.
    sequence_length : Tensor, shape (batch,), optional
        Number of valid steps of each sequence; all by default.
    mode, hidden_size, num_layers, bidirectional, p, projection_size, state_outputs
        As in `RNN`, but that `state_outputs` is True by default.
    layout : {'TNC', 'NTC'}, default 'TNC'
        Axes of data and output.
    clip : tuple of float, float and bool, optional
        Limits of the cell state, and whether a NaN in it becomes the lower one.

    Returns
    -------
    list of Tensor
        The outputs of the last layer, and the last states of all; or the outputs alone.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, one, zero = mx.nd.ones((2, 1, 1)), mx.nd.ones((1, 1)), mx.nd.zeros((1,))
    >>> y, h = mx.nd._internal._rnn_layers(x, [one, one, zero, zero], mode='rnn_relu')
    >>> y.reshape((-1,)).asnumpy(), h.reshape((-1,)).asnumpy()
    (array([1., 2.], dtype=float32), array([2.], dtype=float32))
    """
    stack = Stack(mode, hidden_size, num_layers, bidirectional, p, projection_size, clip)
    batch_first = layout == "NTC"
    if data.dim() != 3 or not data.size(1 if batch_first else 0):
        check_steps(stack.where, data.shape, layout)
    batch = data.size(0 if batch_first else 1)
    shapes = stack.state_shapes(batch)
    if states is None:
        zeros = data.new_zeros(shapes[0])
        states = [zeros if shape == shapes[0] else data.new_zeros(shape) for shape in shapes]
    else:
        steps = data.size(1 if batch_first else 0)
        check_states(stack.where, states, shapes, steps, layout)
    check_weights(stack, data, states, weights[0])
    if sequence_length is not None:
        check_lengths(stack.where, sequence_length, batch)
    results = run(stack, data, states, weights, sequence_length, batch_first=batch_first)
    return results if state_outputs else results[0]


@op(nd="_internal._rnn_step", outputs=0, recorded=recorded_step, precision=Precision(like="RNN"))
def rnn_step(
    data: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    mode: str = "lstm",
    hidden_size: int = 1,  # noqa: ARG001 - graphs have it
) -> tuple[Tensor, ...]:
    """Run one recurrent layer for one step; what Gluon's cells call.

    Parameters
    ----------
    data : Tensor, shape (batch, features)
        One step of each sequence.
    states : list of Tensor, shape (batch, hidden_size) each
        The hidden state and, in an LSTM, the cell state.
    weights : list of Tensor
        i2h weight, h2h weight, i2h bias, h2h bias.
    mode : {'rnn_relu', 'rnn_tanh', 'lstm', 'gru'}
        Kind of the layer.
    hidden_size : int, default 1
        Number of units, for graphs; arrays tell it by their shapes.

    Returns
    -------
    list of Tensor
        The new states, of which the first is the output.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, one, zero = mx.nd.ones((1, 1)), mx.nd.ones((1, 1)), mx.nd.zeros((1,))
    >>> h, = mx.nd._internal._rnn_step(x, [one], [one, one, zero, zero], mode='rnn_relu')
    >>> print(h.asnumpy())
    [[2.]]
    """
    if mode == "lstm":
        _check_step(data, states, weights, mode, 2)
        return torch.lstm_cell(data, list(states), *weights)
    _check_step(data, states, weights, mode, 1)
    return (_STEPS[mode](data, states[0], *weights),)


_STEPS = {
    "rnn_relu": torch.rnn_relu_cell,
    "rnn_tanh": torch.rnn_tanh_cell,
    "gru": torch.gru_cell,
}


def _check_step(
    data: Tensor, states: Sequence[Tensor], weights: Sequence[Tensor], mode: str, count: int
) -> None:
    where = _CELLS[mode]
    check_step(where, data.shape)
    if len(states) != count:
        check_state_count(where, len(states), [None] * count)
    expected, hidden = weights[0].shape[1], weights[1].shape[1]
    if data.shape[1] != expected:
        msg = (
            f"{where}: data of shape {tuple(data.shape)} has {data.shape[1]} features. Its weights "
            f"expect {expected}. Build the cell with input_size={data.shape[1]}, or leave "
            f"input_size out to have it inferred."
        )
        raise ShapeError(msg)
    check_states(where, states, [(data.shape[0], hidden)] * count)
    check_dtypes(where, data, states, weights[0])


_CELLS = {"rnn_relu": "RNNCell", "rnn_tanh": "RNNCell", "lstm": "LSTMCell", "gru": "GRUCell"}
