"""Splits sequences into steps, joins steps into sequences, masks what is past their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from gluonish.array import NDArray
from gluonish.array.symbols import Composed
from gluonish.block.frontends import frontend_of
from gluonish.errors import DTypeError, RefusedArgumentError
from gluonish.errors.program_arguments import arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.symbol import Symbol


class Unrolling(NamedTuple):
    """What `unroll` was given."""

    length: int
    inputs: Any
    begin_state: Any
    layout: str
    merge_outputs: bool | None
    valid_length: Any

    @property
    def axis(self) -> int:
        """Which axis of arrays of whole sequences counts the steps."""
        return self.layout.index("T")

    def steps(self, where: str) -> list[NDArray]:
        """Return the data of each step.

        Raises
        ------
        RefusedArgumentError
            The layout is not known, or there are more or fewer steps than `length`.
        DTypeError
            There are no arrays.
        """
        length, inputs = self.length, self.inputs
        check_layout(where, self.layout)
        if isinstance(inputs, NDArray):
            if len(inputs.shape) <= self.axis:
                raise _length_error(where, length, f"inputs of shape {inputs.shape}")
            if inputs.shape[self.axis] != length:
                steps = inputs.shape[self.axis]
                given = f"{steps} steps in layout {self.layout}, of inputs of shape {inputs.shape},"
                other = "TNC" if self.layout == "NTC" else "NTC"
                is_other = inputs.shape[other.index("T")] == length
                steps = steps if len(inputs.shape) > 2 else 0  # else an axis is missing
                raise _length_error(where, length, given, other if is_other else None, steps)
        if is_whole(inputs):
            return unmerged(inputs, self.axis, length)
        if not (isinstance(inputs, (list, tuple)) and all(map(is_whole, inputs))):
            how = "Pass one of them"
            if is_whole(length):
                how = f"Write unroll({inputs}, x): the number of steps stands before the inputs"
            msg = (
                f"{where}.unroll: inputs of type {type(inputs).__name__} were given. Expected an "
                f"array of sequences, or a list with one array for each step. {how}."
            )
            raise DTypeError(msg)
        if len(inputs) != length or not inputs:
            raise _length_error(where, length, f"a list of {len(inputs)} steps", steps=len(inputs))
        return list(inputs)

    def whole(self, steps: list[NDArray]) -> NDArray:
        """Return the sequences, whose steps are given, as one array."""
        return self.inputs if is_whole(self.inputs) else merged(steps, self.axis)

    def shown(self, outputs: NDArray) -> Any:
        """Return outputs, an array of sequences, in the form that was asked for."""
        stays = self.valid_length is not None if self.merge_outputs is None else self.merge_outputs
        return outputs if stays else unmerged(outputs, self.axis, self.length)


def is_whole(inputs: object) -> TypeGuard[NDArray]:
    """Return whether sequences are one array (or Symbol), and no list of steps."""
    return isinstance(inputs, (NDArray, Composed))


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


def _length_error(
    where: str, length: object, given: str, layout: str | None = None, steps: int = 0
) -> RefusedArgumentError:
    how = "Pass the number of steps as length, and check layout"
    if steps:
        (first,) = arguments(1) or [""]
        is_first = first == str(length)
        how = f"Write {steps} in the place of {first}" if is_first else f"Write length={steps}"
        how = f"{how}, if these are the steps"
    if layout is not None:
        how = f"Write layout={layout!r}, in which there are {length}"
    msg = (
        f"{where}.unroll: length={length} and {given} were given. Expected as many steps as "
        f"length says, 1 or more. {how}."
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
