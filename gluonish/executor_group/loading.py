"""Moving batches between a program and executors: whole arrays on one side, slices on the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import ndarray as nd
from gluonish.errors import ShapeError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from gluonish.array import NDArray

    Targets: TypeAlias = Sequence[tuple[slice, NDArray]]  # for each context, its part and its array


def load_general(
    data: Sequence[Any], targets: Sequence[Targets], axes: Sequence[int], names: Sequence[str]
) -> None:
    """Copy arrays of a batch into arrays of executors.

    Parameters
    ----------
    data : sequence of NDArray, or of list of NDArray
        The batch: whole arrays, or the parts for each context.
    targets : sequence of list of (slice, NDArray)
        For each array of the batch, which part of it goes into which array.
    axes : sequence of int
        The axis of the samples in each array; -1 where each context takes all.
    names : sequence of str
        What the arrays are called, for errors.
    """
    for source, parts, axis, name in zip(data, targets, axes, names, strict=False):
        if isinstance(source, (list, tuple)):
            for part, (_, target) in zip(source, parts, strict=True):
                _copy(part, target, name)
        elif len(parts) == 1:
            _copy(source, parts[0][1], name)
        else:
            for which, target in parts:
                _copy(cut(source, which, axis), target, name)


def _copy(source: Any, target: NDArray, name: str) -> None:
    if tuple(source.shape) != target.shape:
        msg = (
            f"Module: an array of shape {tuple(source.shape)} was given for {name!r}. Expected "
            f"{target.shape}, for which it is bound. Bind or reshape it for the new shape."
        )
        raise ShapeError(msg)
    target[:] = source


def cut(array: Any, which: slice, axis: int) -> Any:
    """Return a part of an array along an axis; all of it if the axis is negative."""
    if axis < 0:
        return array
    return array[(slice(None),) * axis + (which,)] if axis else array[which]


def merge_multi_context(outputs: Sequence[Sequence[NDArray]], axes: Sequence[int]) -> list[NDArray]:
    """Return arrays whose parts are on several contexts as whole arrays, on the first one.

    Parameters
    ----------
    outputs : sequence of list of NDArray
        For each array its parts.
    axes : sequence of int
        Along which axis they are joined; where it is negative, the first part is taken.
    """
    return [_merged(parts, axis) for parts, axis in zip(outputs, axes, strict=True)]


def _merged(parts: Sequence[NDArray], axis: int) -> NDArray:
    first = parts[0]
    if axis < 0 or len(parts) == 1:
        return first
    here = [part.as_in_context(first.context) for part in parts]
    joined: NDArray = nd.concat(*here, dim=axis)
    return joined
