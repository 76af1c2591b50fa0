"""Helpers of MXNet's `rnn_cell` that cells of other libraries import."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array.symbols import is_symbol
from gluonish.block.frontends import frontend_of
from gluonish.gluon.rnn.sequences import (
    Unrolling,
    check_layout,
    is_whole,
    mask_past_end,
    merged,
    reversed_sequence,
    unmerged,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType

    from gluonish.array import NDArray


def _format_sequence(
    length: int | None, inputs: Any, layout: str, merge: bool | None, in_layout: str | None = None
) -> tuple[Any, int, ModuleType, int]:
    """Return sequences as one array or as a list of steps, with what they are.

    Behind them come the axis of steps, the operators `F` for them and the size of the batch, 0 for
    Symbols. `merge` chooses the form; without it they stay as they are. Steps in another layout,
    `in_layout`, are turned.
    """
    axis, source = layout.index("T"), (in_layout or layout).index("T")
    is_one = is_whole(inputs)
    first: Any = inputs if is_one else inputs[0]
    F: Any = frontend_of(first)  # noqa: N806 - its name everywhere
    is_graph = is_symbol(first)
    if is_one:
        check_layout("_format_sequence", layout)
        batch_size = 0 if is_graph else first.shape[1 - source]
        found: Any = first if source == axis else F.swapaxes(first, 0, 1)
        if merge is False:
            count = first.shape[source] if length is None and not is_graph else length
            found = Unrolling(count or 0, found, None, layout, merge, None).steps(
                "_format_sequence"
            )
    else:
        batch_size = 0 if is_graph else first.shape[0]
        count = length or len(inputs)
        found = Unrolling(count, inputs, None, layout, merge, None).steps("_format_sequence")
        if merge:
            found = merged(found, axis)
    return found, axis, F, batch_size


def _get_begin_state(cell: Any, F: Any, begin_state: Any, inputs: Any, batch_size: int) -> Any:
    """Return the states that are given, or zeros where the inputs are."""
    if begin_state is not None:
        return begin_state
    first = inputs if is_whole(inputs) else inputs[0]
    if is_symbol(first):
        return cell.begin_state(func=F.zeros, batch_size=0)
    return cell.begin_state(
        func=F.zeros, batch_size=batch_size, ctx=first.context, dtype=first.dtype
    )


def _cells_state_info(cells: Iterable[Any], batch_size: int) -> list[dict[str, Any]]:
    """Return what is known of the states of several cells, in one list."""
    return [info for cell in cells for info in cell.state_info(batch_size)]


def _cells_begin_state(cells: Iterable[Any], **kwargs: Any) -> list[Any]:
    """Return the states of several cells before the first step, in one list."""
    return [state for cell in cells for state in cell.begin_state(**kwargs)]


def _mask_sequence_variable_length(
    F: Any,  # noqa: ARG001 - what follows from the data
    data: Any,
    length: int,
    valid_length: NDArray,
    time_axis: int,
    merge: bool,
) -> Any:
    """Return sequences, or their steps, with zeros past each one's length."""
    whole = data if is_whole(data) else merged(data, time_axis)
    masked = mask_past_end(whole, valid_length, time_axis)
    return masked if merge else unmerged(masked, time_axis, length)


def _reverse_sequences(
    sequences: Any, unroll_step: int, valid_length: NDArray | None = None
) -> Sequence[Any]:
    """Return steps in the opposite order; those past a sequence's length stay where they are."""
    steps = unmerged(sequences, 0, unroll_step) if is_whole(sequences) else list(sequences)
    if valid_length is None:
        return steps[::-1]
    turned = reversed_sequence(merged(steps, 0), valid_length, 0)
    return unmerged(turned, 0, unroll_step)
