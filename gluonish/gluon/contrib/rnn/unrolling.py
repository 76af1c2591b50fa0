"""Sequences by a loop that graphs have as one node, whatever the number of steps."""

# ruff: noqa: N806 - F is what hybrid_forward calls the operators, too
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.block.frontends import frontend_of
from gluonish.gluon.rnn.sequences import check_layout, is_whole, merged
from gluonish.gluon.rnn.states import as_states

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.array import NDArray
    from gluonish.gluon.rnn.base_cell import RecurrentCell

__all__ = ["dynamic_unroll"]


def dynamic_unroll(
    cell: RecurrentCell,
    inputs: Any,
    begin_state: Any,
    drop_inputs: float = 0,
    drop_outputs: float = 0,
    layout: str = "TNC",
    valid_length: NDArray | None = None,
) -> tuple[Any, Any]:
    """Run a cell over the steps of sequences by `foreach`, which graphs have as one node.

    Parameters
    ----------
    cell : RecurrentCell
        The cell.
    inputs : NDArray or Symbol, or list
        The sequences in one array, or the data of each step.
    begin_state : list of NDArray, or NDArray
        The states before the first step.
    drop_inputs, drop_outputs : float in [0, 1), default 0
        Probabilities of 0, while training, for data and outputs.
    layout : {'TNC', 'NTC'}, default 'TNC'
        Axes of inputs and outputs.
    valid_length : NDArray, shape (batch,), optional
        Number of valid steps of each sequence: outputs past them are 0, and the states are
        those behind the last valid step.

    Returns
    -------
    outputs : NDArray
        Those of all steps, in the layout of the inputs.
    states : list of NDArray, or NDArray
        In the form of `begin_state`; a list with `valid_length`.

    Notes
    -----
    One mask drops data for all entries of the axis that `layout` has for steps, counted in arrays
    of layout TNC, as in MXNet.

    Examples
    --------
    >>> import gluonish as mx
    >>> cell = mx.gluon.rnn.GRUCell(4)
    >>> cell.initialize()
    >>> x, states = mx.nd.ones((3, 2, 5)), cell.begin_state(batch_size=2)
    >>> outputs, states = mx.gluon.contrib.rnn.dynamic_unroll(cell, x, states)
    >>> outputs.shape
    (3, 2, 4)
    """
    check_layout("dynamic_unroll", layout)
    axis = layout.index("T")
    sequence = inputs if is_whole(inputs) else merged(inputs, axis)
    F: Any = frontend_of(sequence)
    if axis:
        sequence = F.swapaxes(sequence, 0, axis)
    if drop_inputs:
        sequence = F.Dropout(sequence, p=drop_inputs, axes=(axis,))
    if valid_length is None:
        outputs, states = F.contrib.foreach(cell, sequence, begin_state)
    else:
        first = [*as_states(begin_state), F.zeros(1)]
        step = _counted(cell, F, valid_length)
        outputs, [*states, _] = F.contrib.foreach(step, sequence, first)
    if drop_outputs:
        outputs = F.Dropout(outputs, p=drop_outputs, axes=(axis,))
    if axis:
        outputs = F.swapaxes(outputs, 0, axis)
    if valid_length is not None:
        outputs = F.SequenceMask(
            outputs, sequence_length=valid_length, use_sequence_length=True, axis=axis
        )
    return outputs, states


def _counted(
    cell: RecurrentCell, F: Any, valid_length: NDArray
) -> Callable[[Any, list[Any]], tuple[Any, list[Any]]]:
    """Return a step that keeps the states of sequences that ended, and counts behind them."""

    def step(inputs: Any, states: list[Any]) -> tuple[Any, list[Any]]:
        *before, count = states
        output, after = cell(inputs, before)
        runs = F.broadcast_greater(valid_length, count)
        kept = [F.where(runs, new, old) for new, old in zip(after, before, strict=True)]
        return output, [*kept, count + 1]

    return step
