"""Sequences of different lengths in one array: mask, last step, reverse."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from gluonish.array.dtypes import number_in
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.table import EITHER, op
from gluonish.ops.table.explain import explained
from gluonish.ops.table.inference import like_first, when
from gluonish.process.device_positions import within

_SHAPES = "shape (steps, batch, *), with axis=1 (batch, steps, *), and lengths of shape (batch,)"
_FIX = f"{_SHAPES}. Check axis"

_of_lengths = partial(
    op, arguments=when("data", use_sequence_length="sequence_length"), precision=EITHER
)


def _lengths(
    name: str,
    data: Tensor,
    sequence_length: Tensor | None,
    use_sequence_length: bool,
    axis: int,
) -> Tensor | None:
    if axis not in (0, 1):
        msg = (
            f"{name}: axis={axis} was given. Expected 0 (steps first) or 1 (batch first). "
            f"Exchange axes with x.swapaxes(0, 1)."
        )
        raise InvalidArgumentError(msg)
    if not use_sequence_length:
        return None
    if sequence_length is None:
        msg = (
            f"{name}: use_sequence_length=True was given without sequence_length. Expected one "
            f"length for each sequence. Pass sequence_length=lengths."
        )
        raise InvalidArgumentError(msg)
    if data.ndim > 1 and sequence_length.shape != (data.shape[1 - axis],):
        fits = sequence_length.shape == (data.shape[axis],)
        how = f"Write axis={1 - axis}" if fits else "Pass as many, or the other axis"
        msg = (
            f"{name}: data of shape {tuple(data.shape)} with axis={axis}, and sequence_length of "
            f"shape {tuple(sequence_length.shape)} were given. Expected a length for each of its "
            f"{data.shape[1 - axis]} sequences. {how}."
        )
        raise ShapeError(msg)
    return sequence_length.to(torch.int64)


@_of_lengths(nd="SequenceMask", npx="sequence_mask", reverse=like_first)
@explained(_FIX)
def sequence_mask(
    data: Tensor,
    sequence_length: Tensor | None = None,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
) -> Tensor:
    """Set all steps past the end of each sequence to a value.

    Parameters
    ----------
    data : Tensor, shape (steps, batch, *), or with axis=1 (batch, steps, *)
        The sequences.
    sequence_length : Tensor, shape (batch,), optional
        Number of valid steps of each.
    use_sequence_length : bool, default False
        Whether the lengths count; else nothing is changed.
    value : float, default 0.0
        The value.
    axis : {0, 1}, default 0
        Axis of the steps.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, lengths = mx.nd.ones((2, 3)), mx.nd.array([1, 2])
    >>> mx.nd.SequenceMask(x, lengths, use_sequence_length=True, axis=1).asnumpy()
    array([[1., 0., 0.],
           [1., 1., 0.]], dtype=float32)
    """
    lengths = _lengths("SequenceMask", data, sequence_length, use_sequence_length, axis)
    if lengths is None:
        return data.clone()
    steps = torch.arange(data.shape[axis], device=data.device)
    is_valid = steps < lengths.unsqueeze(1)
    if axis == 0:
        is_valid = is_valid.transpose(0, 1)
    is_valid = is_valid.reshape(*data.shape[:2], *(1,) * (data.ndim - 2))
    return torch.where(is_valid, data, number_in(value, data.dtype))


@_of_lengths(nd="SequenceLast", npx="sequence_last")
@explained(_FIX)
def sequence_last(
    data: Tensor,
    sequence_length: Tensor | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
) -> Tensor:
    """Return the last valid step of each sequence.

    Parameters
    ----------
    data : Tensor, shape (steps, batch, *), or with axis=1 (batch, steps, *)
        The sequences.
    sequence_length : Tensor, shape (batch,), optional
        Number of valid steps of each.
    use_sequence_length : bool, default False
        Whether the lengths count; else all steps are valid.
    axis : {0, 1}, default 0
        Axis of the steps.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, lengths = mx.nd.array([[1, 2], [3, 4]]), mx.nd.array([1, 2])
    >>> mx.nd.SequenceLast(x, lengths, use_sequence_length=True).asnumpy()
    array([1., 4.], dtype=float32)
    """
    lengths = _lengths("SequenceLast", data, sequence_length, use_sequence_length, axis)
    if lengths is None:
        return data.select(axis, -1).clone()
    batch = torch.arange(data.shape[1 - axis], device=data.device)
    last = within(lengths - 1, data.shape[axis], axis, counts_back=True)
    return data[last, batch] if axis == 0 else data[batch, last]


@_of_lengths(nd="SequenceReverse", npx="sequence_reverse", reverse=like_first)
@explained(_FIX)
def sequence_reverse(
    data: Tensor,
    sequence_length: Tensor | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
) -> Tensor:
    """Reverse the valid steps of each sequence; the others stay.

    Parameters
    ----------
    data : Tensor, shape (steps, batch, *)
        The sequences.
    sequence_length : Tensor, shape (batch,), optional
        Number of valid steps of each.
    use_sequence_length : bool, default False
        Whether the lengths count; else all steps are valid.
    axis : {0, 1}, default 0
        Axis of the steps; MXNet 1.9.1 knows 0 only.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, lengths = mx.nd.array([[1, 2], [3, 4], [5, 6]]), mx.nd.array([2, 3])
    >>> mx.nd.SequenceReverse(x, lengths, use_sequence_length=True).asnumpy()
    array([[3., 6.],
           [1., 4.],
           [5., 2.]], dtype=float32)
    """
    lengths = _lengths("SequenceReverse", data, sequence_length, use_sequence_length, axis)
    if lengths is None:
        return torch.flip(data, (axis,))
    steps = torch.arange(data.shape[axis], device=data.device).unsqueeze(1)
    source = torch.where(steps < lengths, lengths - 1 - steps, steps)
    source = within(source, data.shape[axis], axis)
    if axis == 1:
        source = source.transpose(0, 1)
    where = source.reshape(*source.shape, *(1,) * (data.ndim - 2)).expand(data.shape)
    return data.gather(axis, where)
