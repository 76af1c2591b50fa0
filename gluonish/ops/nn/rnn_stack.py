"""Runs stacked recurrent layers on separate weights, by torch's fused kernels."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import linear
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from gluonish.ops.nn.dropout import dropout
from gluonish.ops.nn.rnn_checks import MODES, check_length_values
from gluonish.process.recording import state
from gluonish.process.replay_marks import opaque, runs_once

if TYPE_CHECKING:
    from collections.abc import Sequence

# cuDNN has all weights in one memory, and MXNet's Parameters are apart: torch copies them there in
# each call, as MXNet does. A graph that is traced must not keep such a memory, with old values.
warnings.filterwarnings("ignore", "RNN module weights are not part of single contiguous chunk")

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}
_KERNELS = {"rnn_relu": torch.rnn_relu, "rnn_tanh": torch.rnn_tanh, "gru": torch.gru}


class Stack(NamedTuple):
    """What kind of layers there are, and how many."""

    mode: str
    hidden_size: int
    num_layers: int = 1
    bidirectional: bool = False
    p: float = 0.0
    projection_size: int | None = None
    clip: tuple[float, float, bool] | None = None

    @property
    def where(self) -> str:
        """How errors name the layers."""
        return MODES[self.mode]

    @property
    def directions(self) -> int:
        """How many ways each sequence is read."""
        return 2 if self.bidirectional else 1

    @property
    def weights(self) -> int:
        """How many weights one layer has for one direction."""
        return 4 if self.projection_size is None else 5

    @property
    def in_steps(self) -> bool:
        """Whether torch's kernels can't run it: they tell a projection by its length alone."""
        return self.clip is not None or self.projection_size == self.hidden_size

    def state_shapes(self, batch: int) -> list[tuple[int, int, int]]:
        """Return the shapes of the hidden state and, in an LSTM, of the cell state."""
        rows = self.num_layers * self.directions
        hidden = (rows, batch, self.projection_size or self.hidden_size)
        return [hidden, (rows, batch, self.hidden_size)] if self.mode == "lstm" else [hidden]

    def weight_shapes(self, features: int) -> list[list[tuple[int, ...]]]:
        """Return the shapes of each cell's weights: i2h, h2h, both biases, and h2r if any."""
        rows = GATES[self.mode] * self.hidden_size
        out = self.projection_size or self.hidden_size
        cells: list[list[tuple[int, ...]]] = []
        for layer in range(self.num_layers):
            columns = out * self.directions if layer else features
            shapes: list[tuple[int, ...]] = [(rows, columns), (rows, out), (rows,), (rows,)]
            if self.projection_size is not None:
                shapes.append((out, self.hidden_size))
            cells += [shapes] * self.directions
        return cells


def run(
    stack: Stack,
    data: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    lengths: Tensor | None = None,
    *,
    batch_first: bool = False,
) -> tuple[Tensor, ...]:
    """Return the outputs of the last layer, and the last states of all layers.

    Parameters
    ----------
    stack : Stack
        The layers.
    data : Tensor, shape (steps, batch, features), or with `batch_first` (batch, steps, features)
        The sequences.
    states : sequence of Tensor, shape (layers * directions, batch, hidden_size) each
        The hidden state and, in an LSTM, the cell state.
    weights : sequence of Tensor
        i2h weight, h2h weight, i2h bias, h2h bias and, with a projection, h2r weight, for each
        layer and each direction in it.
    lengths : Tensor, shape (batch,), optional
        Number of valid steps of each sequence.
    batch_first : bool, default False
        Layout of data and outputs.
    """
    if data.device.type == "meta":
        return _without_data(stack, data, states, weights)
    drops = stack.p > 0 and stack.num_layers > 1 and state.training
    is_plain = lengths is None and stack.projection_size is None and stack.clip is None
    if is_plain and not drops:
        return _fused(stack, data, states, weights, batch_first=batch_first)
    if batch_first:
        data = data.transpose(0, 1)
    if drops or stack.in_steps:
        outputs, *finals = _by_layer(stack, data, states, weights, lengths, drops=drops)
    else:
        outputs, *finals = _packed(stack, data, states, weights, lengths)
    return (outputs.transpose(0, 1) if batch_first else outputs, *finals)


def _fused(
    stack: Stack,
    data: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    *,
    batch_first: bool = False,
) -> tuple[Tensor, ...]:
    # No dropout by torch: its masks are not ours. "Training" is what keeps values for backward().
    options = (True, stack.num_layers, 0.0, bool(state.recording), stack.bidirectional, batch_first)
    if stack.mode == "lstm":
        lstm = torch.lstm if state.recording or not runs_once(data) else lstm_for_inference
        return lstm(data, _together(states), list(weights), *options)
    return _KERNELS[stack.mode](data, _together(states)[0], list(weights), *options)


def _together(states: Sequence[Tensor]) -> list[Tensor]:
    """Return states in memory without gaps where they are on a GPU, as cuDNN asks for."""
    return [state.contiguous() if state.is_cuda else state for state in states]


def lstm_for_inference(*args: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Return what `torch.lstm` does; nothing is kept for gradients.

    Whether oneDNN keeps the gates of all steps hangs on torch's gradient mode alone: it does so
    for tensors that want no gradient, and whatever `train` is.
    """
    with torch.no_grad():
        return torch.lstm(*args)


def _packed(
    stack: Stack,
    data: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    lengths: Tensor | None,
) -> tuple[Tensor, ...]:
    """Run torch's kernels for sequences of different lengths, which also take projections."""
    if lengths is not None:
        return _of_lengths(stack, data, states, weights, lengths)
    if torch.compiler.is_exporting():  # lengths are values, which exported graphs don't see
        return _fused(stack, data, states, weights)
    steps, batch, features = data.shape
    counts = torch.full((steps,), batch)
    rows = data.reshape(steps * batch, features)
    outputs, *finals = _on_rows(stack, rows, counts, states, weights)
    return (outputs.view(steps, batch, outputs.shape[-1]), *finals)


@opaque  # since it reads the lengths
def _of_lengths(
    stack: Stack,
    data: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    lengths: Tensor,
) -> tuple[Tensor, ...]:
    counts = lengths.detach().to("cpu", torch.int64)
    check_length_values(stack.where, counts, len(data))
    packed = pack_padded_sequence(data, counts.clamp(min=1), enforce_sorted=False)
    order, back = packed.sorted_indices, packed.unsorted_indices
    states_in_order = [_in_order(each, order) for each in states]
    outputs, *finals = _on_rows(stack, packed.data, packed.batch_sizes, states_in_order, weights)
    results = PackedSequence(outputs, packed.batch_sizes, order, back)
    padded = pad_packed_sequence(results, total_length=len(data))[0]
    finals = [_in_order(each, back) for each in finals]
    if int(counts.min()) == 0:
        has_steps = (counts > 0).to(data.device).unsqueeze(1)
        padded = torch.where(has_steps, padded, 0)
        finals = [torch.where(has_steps, *pair) for pair in zip(finals, states, strict=True)]
    return (padded, *finals)


def _in_order(states: Tensor, order: Tensor | None) -> Tensor:
    return states if order is None else states.index_select(1, order)


def _on_rows(
    stack: Stack,
    rows: Tensor,
    sizes: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
) -> tuple[Tensor, ...]:
    options = (True, stack.num_layers, 0.0, bool(state.recording), stack.bidirectional)
    if stack.mode == "lstm":
        return torch.lstm(rows, sizes, _together(states), list(weights), *options)
    return _KERNELS[stack.mode](rows, sizes, _together(states)[0], list(weights), *options)


def _by_layer(
    stack: Stack,
    data: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    lengths: Tensor | None,
    *,
    drops: bool,
) -> tuple[Tensor, ...]:
    directions, size = stack.directions, stack.directions * stack.weights
    single = stack._replace(num_layers=1)
    finals = []
    for layer in range(stack.num_layers):
        if drops and layer:
            data = dropout(data, stack.p)
        own_states = [each[layer * directions : (layer + 1) * directions] for each in states]
        own_weights = weights[layer * size : (layer + 1) * size]
        if stack.in_steps:
            data, *last = _clipped(single, data, own_states, own_weights, lengths)
        elif lengths is not None or stack.projection_size is not None:
            data, *last = _packed(single, data, own_states, own_weights, lengths)
        else:
            data, *last = _fused(single, data, own_states, own_weights)
        finals.append(last)
    return (data, *(torch.cat(parts) for parts in zip(*finals, strict=True)))


def _clipped(
    stack: Stack,
    data: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    lengths: Tensor | None,
) -> tuple[Tensor, ...]:
    """Run one layer of an LSTM step by step; its cell state may be kept between limits."""
    valid = None
    if lengths is not None:
        steps = torch.arange(len(data), device=data.device).unsqueeze(1)
        valid = (steps < lengths.detach()).unsqueeze(2)
    results = [
        _clipped_cell(
            stack,
            data,
            (states[0][side], states[1][side]),
            weights[side * stack.weights : (side + 1) * stack.weights],
            valid,
            is_reversed=side == 1,
        )
        for side in range(stack.directions)
    ]
    outputs, hidden, cell = zip(*results, strict=True)
    return torch.cat(outputs, dim=-1), torch.stack(hidden), torch.stack(cell)


def _clipped_cell(
    stack: Stack,
    data: Tensor,
    states: tuple[Tensor, Tensor],
    weights: Sequence[Tensor],
    valid: Tensor | None,
    *,
    is_reversed: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    i2h_weight, h2h_weight, i2h_bias, h2h_bias, *projection = weights
    inputs = linear(data, i2h_weight, i2h_bias + h2h_bias).unbind()
    hidden, cell = states
    outputs: list[Tensor] = [hidden] * len(inputs)
    order = range(len(inputs))
    for step in reversed(order) if is_reversed else order:
        gates = inputs[step] + linear(hidden, h2h_weight)
        enter, keep, value, leave = gates.chunk(4, dim=-1)
        new_cell = _clip(keep.sigmoid() * cell + enter.sigmoid() * value.tanh(), stack.clip)
        new_hidden = leave.sigmoid() * new_cell.tanh()
        if projection:
            new_hidden = linear(new_hidden, projection[0])
        outputs[step] = new_hidden
        if valid is not None:
            outputs[step] = torch.where(valid[step], new_hidden, 0)
            new_hidden = torch.where(valid[step], new_hidden, hidden)
            new_cell = torch.where(valid[step], new_cell, cell)
        hidden, cell = new_hidden, new_cell
    return torch.stack(outputs), hidden, cell


def _clip(cell: Tensor, limits: tuple[float, float, bool] | None) -> Tensor:
    if limits is None:
        return cell
    low, high, stops_nan = limits
    clipped = cell.clamp(low, high)
    return torch.where(clipped.isnan(), low, clipped) if stops_nan else clipped


@opaque  # one node for all weights, so that they are initialized in the order of a graph
def _without_data(
    stack: Stack,
    data: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],  # noqa: ARG001 - inputs of the node
) -> tuple[Tensor, ...]:
    features = (stack.projection_size or stack.hidden_size) * stack.directions
    outputs = data.new_empty((*data.shape[:2], features))
    return (outputs, *(torch.empty_like(each) for each in states))
