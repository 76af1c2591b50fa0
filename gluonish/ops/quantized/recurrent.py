"""LSTM layers on integers of 8 bits: data and hidden states as uint8, weights as int8."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.errors import DTypeError, InvalidArgumentError
from gluonish.ops.nn.rnn import MODES, rnn_outputs, rnn_shapes, unpack
from gluonish.ops.nn.rnn_checks import check_states, check_steps
from gluonish.ops.nn.rnn_stack import Stack
from gluonish.ops.quantized.levels import WHOLE_STEPS, rounded
from gluonish.ops.quantized.packing import sums
from gluonish.ops.table import Graph, op
from gluonish.ops.table.explain import describe
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.ops.table import Shape

_INT8 = WHOLE_STEPS[torch.int8]


def _shapes(shapes: dict[str, Shape | None], **given: Any) -> dict[str, Shape]:
    """Rule for unknown shapes: those of `RNN`, and one number for the scale and for the shift."""
    return {**rnn_shapes(shapes, **given), "data_scale": (1,), "data_shift": (1,)}


def _dtypes(
    names: Sequence[str], given: Mapping[str, Any], _: Sequence[torch.dtype | None]
) -> tuple[list[torch.dtype | None], list[torch.dtype | None]]:
    """Rule for dtypes: the data is uint8, all else float32."""
    known = [torch.uint8 if name == "data" else torch.float32 for name in names]
    return list(known), [torch.float32] * rnn_outputs(given)


@op(
    nd="contrib.quantized_rnn",
    outputs=rnn_outputs,
    output_names=("output", "state_output", "statecell_output"),
    shapes=_shapes,
    graph=Graph(needed=("state_size", "num_layers", "mode"), dtypes=_dtypes),
    choices={"mode": MODES},
)
def quantized_rnn(
    data: Tensor,
    parameters: Tensor,
    state: Tensor,
    state_cell: Tensor,
    data_scale: Tensor,
    data_shift: Tensor,
    state_size: int | None = None,
    num_layers: int | None = None,
    bidirectional: bool = False,
    mode: str | None = None,
    p: float = 0.0,  # noqa: ARG001 - MXNet's Dropout, which does nothing outside of training
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: float | None = None,
    lstm_state_clip_max: float | None = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
) -> Tensor | tuple[Tensor, ...]:
    """Run LSTM layers over quantized sequences.

    Parameters
    ----------
    data : Tensor, shape (steps, batch, features)
        Integers of dtype uint8, as `quantize_asym` makes them.
    parameters : Tensor, shape (number of parameters,)
        Weights and biases, of dtype float32, in the order of `RNN`. Weights become int8 here.
    state, state_cell : Tensor, shape (num_layers * directions, batch, state_size)
        Hidden and cell states at the beginning, of dtype float32.
    data_scale, data_shift : Tensor, shape (1,)
        What the data was multiplied by, and what was added. Hidden states are quantized so, too.
    state_size, num_layers, bidirectional, state_outputs
        As those of `RNN`.
    mode : {'lstm'}
        Kind of the layers.
    p : float, default 0.0
        Probability of Dropout while training, for which this operator is not.
    projection_size, lstm_state_clip_min, lstm_state_clip_max, lstm_state_clip_nan, \
use_sequence_length
        Has to be left out; `RNN` has them.

    Returns
    -------
    Tensor, shape (steps, batch, state_size * directions), or it and the states in a list
        Numbers of dtype float32.

    Raises
    ------
    InvalidArgumentError
        Layers are no LSTM, or have projections, limits or lengths.
    DTypeError
        The data is not uint8.
    ShapeError
        Shapes do not fit.

    Notes
    -----
    Each unit of a layer has weights of one scale in each gate, that of both directions.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, scale, shift = mx.nd.contrib.quantize_asym(
    ...     mx.nd.array([[[1]], [[-1]]]), min_calib_range=-1, max_calib_range=1)
    >>> zero, weights = mx.nd.zeros((1, 1, 1)), mx.nd.array([1] * 8 + [0] * 8)
    >>> y = mx.nd.contrib.quantized_rnn(
    ...     x, weights, zero, zero, scale, shift, state_size=1, num_layers=1, mode='lstm')
    >>> print(y.asnumpy().ravel().round(2))
    [0.37 0.  ]
    """
    if state_size is None or num_layers is None or mode != "lstm":
        msg = (
            f"quantized_rnn: state_size={state_size}, num_layers={num_layers} and mode={mode!r} "
            f"were given. Quantized recurrent neural network only supports LSTM: expected all "
            f"three, mode='lstm'. Keep others in float32, by RNN."
        )
        raise InvalidArgumentError(msg)
    limits = (lstm_state_clip_min, lstm_state_clip_max)
    if projection_size is not None or limits != (None, None) or use_sequence_length:
        msg = (
            f"quantized_rnn: projection_size={projection_size}, limits {limits} of the cell state "
            f"with lstm_state_clip_nan={lstm_state_clip_nan} and use_sequence_length="
            f"{use_sequence_length} were given. Expected None of them. Keep such layers in "
            f"float32, by RNN."
        )
        raise InvalidArgumentError(msg)
    if data.dtype is not torch.uint8:
        msg = (
            f"quantized_rnn: data is an {describe(data)}. Expected uint8. Quantize it with "
            f"nd.contrib.quantize_asym."
        )
        raise DTypeError(msg)
    stack = Stack(mode, state_size, num_layers, bidirectional)
    check_steps("quantized_rnn", data.shape, "TNC")
    check_states("quantized_rnn", [state, state_cell], stack.state_shapes(data.shape[1]))
    weights = unpack(stack, data, parameters)
    results = _run(stack, data, state, state_cell, weights, data_scale, data_shift)
    return results if state_outputs else results[0]


@opaque
def _run(
    stack: Stack,
    data: Tensor,
    state: Tensor,
    state_cell: Tensor,
    weights: Sequence[Tensor],
    scale: Tensor,
    shift: Tensor,
) -> tuple[Tensor, ...]:
    """Return the outputs of the last layer, and the last states of all."""
    directions, hidden, cells = stack.directions, [], []
    for layer in range(stack.num_layers):
        first = layer * directions
        own = [weights[4 * i : 4 * i + 4] for i in range(first, first + directions)]
        largest = torch.stack([each.abs().amax(1) for cell in own for each in cell[:2]]).amax(0)
        by = _INT8 / torch.where(largest > 0, largest, 1.0)
        outputs = []
        for side, cell in enumerate(own):
            found = _one_direction(
                data,
                (state[first + side], state_cell[first + side]),
                [rounded(each * by.unsqueeze(1), torch.int8) for each in cell[:2]],
                cell[2] + cell[3],
                (scale, shift, by),
                is_reversed=side == 1,
            )
            outputs.append(found[0])
            hidden.append(found[1])
            cells.append(found[2])
        data = torch.cat(outputs, dim=-1)
    last = (torch.stack(hidden).float() - shift) / scale
    return (data.float() - shift) / scale, last, torch.stack(cells)


def _one_direction(
    data: Tensor,
    states: tuple[Tensor, Tensor],
    weights: Sequence[Tensor],
    bias: Tensor,
    steps: tuple[Tensor, Tensor, Tensor],
    *,
    is_reversed: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return hidden states of all steps and of the last one, as integers, and the cell state."""
    scale, shift, by = steps
    i2h, h2h = weights
    unit = 1 / (scale * by)
    moved = bias - shift * (i2h.sum(1) + h2h.sum(1)) * unit
    inputs = sums(data.flatten(0, 1), i2h, None).view(*data.shape[:2], -1)
    hidden, cell = rounded(states[0] * scale + shift, torch.uint8), states[1]
    outputs: list[Tensor] = [hidden] * len(data)
    order = range(len(data))
    for step in reversed(order) if is_reversed else order:
        gates = (inputs[step] + sums(hidden, h2h, None)) * unit + moved
        enter, keep, value, leave = gates.chunk(4, dim=-1)
        cell = keep.sigmoid() * cell + enter.sigmoid() * value.tanh()
        hidden = rounded(leave.sigmoid() * cell.tanh() * scale + shift, torch.uint8)
        outputs[step] = hidden
    return torch.stack(outputs), hidden, cell
