"""Sizes and layouts that layers are given, one number for each spatial axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.array.guises import plain_number
from gluonish.errors import InvalidArgumentError, RefusedArgumentError
from gluonish.errors.habits import POSITIONS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from gluonish.block import Parameter

Sizes: TypeAlias = "int | Sequence[int]"


_MOST_AXES = 32  # as NumPy had them when MXNet was written


def tuple_of(where: str, name: str, sizes: Sizes, axes: int) -> tuple[int, ...]:
    """Return one number per spatial axis; a single number counts for all, in every guise.

    Raises
    ------
    RefusedArgumentError
        There are more or fewer numbers than axes.
    """
    given = plain_number(sizes)
    is_single = isinstance(given, (int, float))
    result = (given,) * axes if is_single else tuple(map(plain_number, given))
    result = tuple(int(size) if type(size) is float else size for size in result)
    if len(result) != axes:
        is_word = name == "padding" and str(sizes) in ("same", "valid", "full")
        same = " padding=kernel_size // 2 keeps the size, with strides of 1." if is_word else ""
        msg = (
            f"{where}: {name}={sizes!r} was given. {name} must be a number or a list of {axes} "
            f"ints. Pass one number for each spatial axis.{same}"
        )
        raise RefusedArgumentError(msg)
    return result


def check_axis(where: str, axis: int) -> None:
    """Check that a number is one that an axis can have.

    Raises
    ------
    InvalidArgumentError
        No array has so many axes.
    """
    if not -_MOST_AXES <= axis < _MOST_AXES:
        msg = (
            f"{where}: axis={axis} was given. Expected the number of an axis: 1 are the channels "
            f"of images, -1 is the last one. {POSITIONS.get(where, 'Leave it out')}."
        )
        raise InvalidArgumentError(msg)


def check_layout(where: str, layout: str, known: Sequence[str]) -> None:
    """Check that a layout is one of those that the layer knows.

    Raises
    ------
    RefusedArgumentError
        It is not.
    """
    if layout not in known:
        names = " and ".join(repr(name) for name in known)
        msg = (
            f"{where}: layout={layout!r} was given. Only supports {names} layout for now. Pass one "
            f"of them, or transpose the data."
        )
        raise RefusedArgumentError(msg)


def sizes(param: Parameter) -> tuple[int, ...]:
    """Return the shape of a parameter, as it is printed."""
    return param.shape or ()
