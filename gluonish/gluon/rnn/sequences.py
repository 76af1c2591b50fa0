"""Splits sequences into steps, joins steps into sequences, masks what is past their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from gluonish.array import NDArray
from gluonish.block.frontends import frontend_of
from gluonish.errors import DTypeError, RefusedArgumentError
from gluonish.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Sequence


def is_whole(inputs: object) -> TypeGuard[NDArray]:
    """Return whether sequences are one array (or Symbol), and no list of steps."""
    return isinstance(inputs, (NDArray, Symbol))


def steps_of(where: str, length: int, inputs: Any, layout: str) -> tuple[list[NDArray], int]:
    """Return the data of each step, and the axis of steps in arrays of whole sequences.

    Raises
    ------
    RefusedArgumentError
        The layout is not known, or there are more or fewer steps than `length`.
    DTypeError
        There are no arrays.
    """
    check_layout(where, layout)
    axis = layout.index("T")
    if isinstance(inputs, Symbol):
        return unmerged(inputs, axis, length), axis
    if isinstance(inputs, NDArray):
        if len(inputs.shape) <= axis:
            raise _length_error(where, length, f"inputs of shape {inputs.shape}")
        if inputs.shape[axis] != length:
            raise _length_error(where, length, f"{inputs.shape[axis]} steps in layout {layout}")
        return unmerged(inputs, axis, length), axis
    if not (isinstance(inputs, (list, tuple)) and all(map(is_whole, inputs))):
        msg = (
            f"{where}.unroll: inputs of type {type(inputs).__name__} were given. Expected an array "
            f"of sequences, or a list with one array for each step. Pass one of them."
        )
        raise DTypeError(msg)
    if len(inputs) != length or not inputs:
        raise _length_error(where, length, f"a list of {len(inputs)} steps")
    return list(inputs), axis


def check_layout(where: str, layout: str) -> None:
    """Refuse a layout without one axis each for sequences and steps.

    Raises
    ------
    RefusedArgumentError
        It is such a layout.
    """
    if layout not in ("NTC", "TNC"):
        msg = (
            f"{where}.unroll: layout={layout!r} was given. Expected 'NTC' or 'TNC': sequences N, "
            f"steps T, features C. Pass one of them, or transpose the inputs."
        )
        raise RefusedArgumentError(msg)


def _length_error(where: str, length: object, given: str) -> RefusedArgumentError:
    msg = (
        f"{where}.unroll: length={length} and {given} were given. Expected as many steps as "
        f"length says, 1 or more. Pass the number of steps as length, and check layout."
    )
    return RefusedArgumentError(msg)


def unmerged(sequence: NDArray | Symbol, axis: int, length: int) -> list[NDArray]:
    """Return the steps of an array of sequences."""
    steps = frontend_of(sequence).split(sequence, axis=axis, num_outputs=length, squeeze_axis=1)
    return steps if isinstance(steps, list) else [steps] if isinstance(steps, NDArray) else [*steps]


def merged(steps: Sequence[NDArray], axis: int) -> NDArray:
    """Return steps as one array of sequences."""
    return frontend_of(steps[0]).stack(*steps, axis=axis)  # type: ignore[no-any-return]


def mask_past_end(sequence: NDArray, valid_length: NDArray, axis: int) -> NDArray:
    """Return sequences whose steps past their length are 0."""
    return frontend_of(sequence).SequenceMask(  # type: ignore[no-any-return]
        sequence, sequence_length=valid_length, use_sequence_length=True, axis=axis
    )


def last_valid(steps: Sequence[NDArray], valid_length: NDArray) -> NDArray:
    """Return the last valid step of each sequence."""
    F = frontend_of(steps[0])  # noqa: N806 - its name everywhere
    return F.SequenceLast(  # type: ignore[no-any-return]
        F.stack(*steps, axis=0), sequence_length=valid_length, use_sequence_length=True, axis=0
    )


def reversed_sequence(sequence: NDArray, valid_length: NDArray | None, axis: int) -> NDArray:
    """Return sequences backwards: their valid steps, the rest stays in place."""
    F = frontend_of(sequence)  # noqa: N806
    if valid_length is None:
        return F.reverse(sequence, axis=axis)  # type: ignore[no-any-return]
    if axis != 0:
        sequence = F.swapaxes(sequence, 0, axis)
    turned = F.SequenceReverse(
        sequence, sequence_length=valid_length, use_sequence_length=True, axis=0
    )
    return F.swapaxes(turned, 0, axis) if axis != 0 else turned  # type: ignore[no-any-return]
