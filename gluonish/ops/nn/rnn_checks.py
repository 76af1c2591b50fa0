"""What the recurrent operators refuse, and how they say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.array.dtypes import numpy_dtype
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    ShapeError,
    StateCountError,
    UnknownModeError,
)
from gluonish.errors.program_arguments import arguments, callee
from gluonish.errors.program_layers import called_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.ops.nn.rnn_stack import Stack

MODES = {"rnn_relu": "RNN", "rnn_tanh": "RNN", "lstm": "LSTM", "gru": "GRU"}


_AXES = {"TNC": "steps, batch, features", "NTC": "batch, steps, features"}


def check_mode(mode: str) -> None:
    """Refuse a mode that is none of the four.

    Raises
    ------
    UnknownModeError
        It is not.
    """
    if mode not in MODES:
        msg = (
            f"RNN: mode={mode!r} was given. Expected one of 'gru', 'lstm', 'rnn_relu' and "
            f"'rnn_tanh'. Pass one of them; the layer RNN has activation='relu' and 'tanh'."
        )
        raise UnknownModeError(msg)


def check_steps(where: str, shape: Sequence[int], layout: str) -> None:
    """Refuse data that is no batch of sequences of one step at least.

    Raises
    ------
    ShapeError
        It is not.
    """
    if len(shape) == 3 and shape[layout.index("T")]:
        return
    given = f"has {len(shape)} axes" if len(shape) != 3 else "has no steps"
    fix = "Reshape it"
    if len(shape) < 3:
        added = "x.expand_dims(axis)"
        if len(shape) == 2:
            axis = layout.index("N")
            added = f"x.expand_dims({axis}) for one sequence, x.expand_dims(2) for numbers alone"
        fix = (
            f"Add an axis with {added}; where a layer before gave its last step alone, "
            "leave that [:, -1] out; numbers of tokens become vectors by "
            "nd.one_hot(x, n) or an nn.Embedding"
        )
    msg = (
        f"{where}: data of shape {tuple(shape)} {given}. Expected rank 3, layout {layout}: "
        f"({_AXES[layout]}), with one step at least. {fix}."
    )
    raise ShapeError(msg)


def check_step(where: str, shape: Sequence[int]) -> None:
    """Refuse data that is no batch of features.

    Raises
    ------
    ShapeError
        It is not.
    """
    if len(shape) != 2:
        msg = (
            f"{where}: data of shape {tuple(shape)} has {len(shape)} axes. Expected 2, one "
            f"step of each sequence: (batch, features). Call unroll(...) for whole sequences."
        )
        raise ShapeError(msg)


def check_states(
    where: str,
    states: Sequence[Tensor | None],
    expected: Sequence[tuple[int, ...]],
    steps: int = -1,
    layout: str = "TNC",
) -> None:
    """Refuse another number of states, or states of other shapes, than a stack has.

    Raises
    ------
    StateCountError
        There are more or fewer states.
    ShapeError
        One has another shape.
    """
    owner = f"{callee()}." if where.lower() in ("rnn", "lstm", "gru") and callee() else ""
    given = [state for state in states if state is not None]
    if len(given) != len(expected):
        how = ""
        if given and tuple(given[0].shape) != tuple(expected[0]):
            zeros = ", ".join(f"mx.nd.zeros({tuple(shape)})" for shape in expected)
            makes = f"{owner}begin_state(batch_size={expected[0][-2]})"
            how = f"Write {makes}, which makes [{zeros}]"
        check_state_count(where, len(given), expected, how)
    for position, (state, shape) in enumerate(zip(given, expected, strict=True)):
        if state.shape != shape:
            got = tuple(state.shape)
            axes = ": (layers x directions, batch, units)" if len(shape) == 3 else ""
            how = f"Make states with {owner}begin_state(batch_size={shape[-2]})"
            is_of_batch = len(got) > 1 and (*got[:-2], shape[-2], got[-1]) == tuple(shape)
            if is_of_batch and got[-2] == steps:
                other = "NTC" if layout == "TNC" else "TNC"
                how = (
                    f"Data of layout {layout!r} are ({_AXES[layout]}), here {steps} steps of "
                    f"{shape[-2]} sequences. If {steps} is the batch, make the layer with "
                    f"layout={other!r}; otherwise make states with "
                    f"{owner}begin_state(batch_size={shape[-2]}){called_in('begin_state')}"
                )
            elif is_of_batch:
                axis = _AXES[layout].split(", ").index("batch")
                how = (
                    f"Make states anew for each batch, with {owner}begin_state(x.shape[{axis}]); "
                    f"DataLoader(last_batch='discard') leaves a smaller last one out"
                )
            elif len(got) == len(shape) == 3 and got[-1] == shape[0] > got[0]:
                how = (
                    f"{where}({shape[-1]}, {shape[0]}) has {shape[0]} layers of {shape[-1]} units; "
                    f"PyTorch's {where}(n, m) is {where}(m) here: it finds n itself"
                )
            if len(got) != len(shape):
                how = (
                    f"Write output, states = layer(x, layer.begin_state(batch_size={shape[-2]})): "
                    f"with states given, their last ones come out, and without only the output"
                )
            msg = (
                f"{where}: Invalid recurrent state shape. Expecting {shape}, got {got} as state "
                f"{position}{axes}. {how}."
            )
            told = ShapeError(msg)
            told.is_of_inference = False
            raise told


def check_state_count(where: str, given: int, expected: Sequence[object], how: str = "") -> None:
    """Refuse another number of states than there are; `how` says what to write, if it is known.

    Raises
    ------
    StateCountError
        It is another.
    """
    if given == len(expected):
        return
    kinds = "the hidden state and the cell state" if len(expected) == 2 else "the hidden state"
    if len(expected) > 2 or not expected:
        kinds = "those of all its cells"
    states = arguments(2)[1:]
    if not how and given == 1 and len(expected) == 2 and states and states[0].isidentifier():
        how = f"Write [{states[0]}, c], where c is the cell state, of the shape of {states[0]}"
    kind = where.rpartition(".")[2]
    how = how or f"Pass the list that begin_state(batch_size) of this {kind} returns"
    msg = (
        f"{where}: {given} {'state was' if given == 1 else 'states were'} given. Expected "
        f"{len(expected)}: {kinds}. {how}."
    )
    raise StateCountError(msg)


def check_weights(stack: Stack, data: Tensor, states: Sequence[Tensor], weight: Tensor) -> None:
    """Refuse data with another number of features, or another dtype, than the weights have.

    Raises
    ------
    ShapeError
        The features differ.
    DTypeError
        The dtypes differ, or are no floating-point numbers.
    """
    features, expected = data.shape[-1], weight.shape[-1]
    where = stack.where
    if features != expected:
        msg = (
            f"{where}: data of shape {tuple(data.shape)} has {features} features per step. Its "
            f"weights expect {expected}. Build the layer with input_size={features}, or leave "
            f"input_size out to have it inferred."
        )
        raise ShapeError(msg)
    check_dtypes(where, data, states, weight)


def check_dtypes(where: str, data: Tensor, states: Sequence[Tensor], weight: Tensor) -> None:
    """Refuse arrays of different dtypes, or of integers.

    Raises
    ------
    DTypeError
        They differ, or are no floating-point numbers.
    """
    dtype = weight.dtype
    is_same = data.dtype is dtype and states[0].dtype is dtype and states[-1].dtype is dtype
    if is_same and dtype.is_floating_point:
        return
    others = ", ".join(str(numpy_dtype(state.dtype)) for state in states)
    msg = (
        f"{where}: data of dtype {numpy_dtype(data.dtype)} and states of dtype {others} were given "
        f"beside weights of dtype {numpy_dtype(dtype)}. Expected one floating-point dtype for all. "
        f"Convert the data with x.astype(...), or the layer with net.cast(...)."
    )
    raise DTypeError(msg)


def check_clip(
    low: float | None, high: float | None, stops_nan: bool
) -> tuple[float, float, bool] | None:
    """Return the limits of the cell state, if any.

    Raises
    ------
    InvalidArgumentError
        Only one limit is given, or they are in the wrong order.
    """
    if low is None and high is None:
        return None
    if low is None or high is None or low > high:
        msg = (
            f"LSTM: state_clip_min={low} and state_clip_max={high} were given. Expected both, the "
            f"smaller one first, or neither. Pass both, for example -10 and 10."
        )
        raise InvalidArgumentError(msg)
    return float(low), float(high), bool(stops_nan)


def check_lengths(where: str, lengths: Tensor | None, batch: int) -> Tensor:
    """Return one length for each sequence.

    Raises
    ------
    ShapeError
        There are more or fewer.
    InvalidArgumentError
        There are none.
    """
    if lengths is None:
        msg = (
            f"{where}: use_sequence_length=True was given without sequence_length. Expected one "
            f"length for each sequence. Pass sequence_length=lengths, an array of shape {(batch,)}."
        )
        raise InvalidArgumentError(msg)
    if tuple(lengths.shape) != (batch,):
        msg = (
            f"{where}: sequence_length has shape {tuple(lengths.shape)}. Expected {(batch,)}: one "
            f"length for each sequence of the batch. Pass such an array."
        )
        raise ShapeError(msg)
    return lengths


def check_length_values(where: str, lengths: Tensor, steps: int) -> None:
    """Refuse lengths outside of the data.

    Raises
    ------
    InvalidArgumentError
        A sequence is longer than the data, or its length is negative.
    """
    if bool(((lengths < 0) | (lengths > steps)).any()):
        msg = (
            f"{where}: sequence_length has values from {int(lengths.min())} to "
            f"{int(lengths.max())}. Expected 0 to {steps}, the steps of the data. Clip the lengths."
        )
        raise InvalidArgumentError(msg)
