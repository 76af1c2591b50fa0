"""Sizes and layouts that layers are given, one number for each spatial axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.array.guises import plain_number
from gluonish.errors import RefusedArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from gluonish.block import Parameter

Sizes: TypeAlias = "int | Sequence[int]"


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
        msg = (
            f"{where}: {name}={sizes!r} was given. {name} must be a number or a list of {axes} "
            f"ints. Pass one number for each spatial axis."
        )
        raise RefusedArgumentError(msg)
    return result


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
