"""Errors of the operators for object detection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.table.explain import check_floats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

_BOX = 4


def wrong_shape(where: str, expected: str, fix: str, **arrays: Tensor) -> ShapeError:
    """Return the error for arrays whose shapes do not fit.

    Parameters
    ----------
    where : str
        Name of the operator.
    expected, fix : str
        What was expected and what to do, each without a full stop.
    **arrays : Tensor
        The arrays in question, by the names that the user knows.
    """
    given = ", ".join(f"{name} of shape {tuple(each.shape)}" for name, each in arrays.items())
    return ShapeError(f"{where}: {given} was given. Expected {expected}. {fix}.")


def check_boxes(where: str, **arrays: Tensor) -> None:
    """Check that the last axis of arrays holds the four numbers of a box.

    Raises
    ------
    ShapeError
        It has another length, or there is no other axis.
    DTypeError
        They are no floating-point numbers.
    """
    for name, each in arrays.items():
        if each.dim() < 2 or each.shape[-1] != _BOX:
            expected = "boxes along at least one axis and 4 numbers for each along the last"
            raise wrong_shape(where, expected, "Reshape it to (..., boxes, 4)", **{name: each})
    check_floats(where, **arrays)


def several(
    where: str, name: str, value: float | Sequence[float], count: int | None = None
) -> tuple[float, ...]:
    """Return the numbers of an argument that takes one or several.

    Parameters
    ----------
    where, name : str
        The operator and the argument, for the error.
    value : float or sequence of float
        What was given.
    count : int, optional
        How many there must be; by default at least one.

    Raises
    ------
    InvalidArgumentError
        There are none, or not as many.
    """
    numbers = (float(value),) if isinstance(value, (int, float)) else tuple(value)
    if not numbers or len(numbers) != (count or len(numbers)):
        wanted = "at least one number" if count is None else f"{count} numbers"
        example = "(0.5,)" if count is None else f"({', '.join(['0.5'] * count)})"
        msg = (
            f"{where}: {name}={value!r} was given. Expected {wanted}. "
            f"Pass {name}={example}, for example."
        )
        raise InvalidArgumentError(msg)
    return numbers
