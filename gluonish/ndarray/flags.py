"""Flags of operators, which are True or False, in the guises in which MXNet takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array.texts import parse_flag
from gluonish.base import NOT_GIVEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.ops.table import Op

_READ = (str, float, type(None), onp.generic)


def flag_of(op: Op, place: str | int, value: Any) -> Any:
    """Return the flag that an argument stands for; one that is no flag, as it is.

    MXNet writes an operator's parameters out and reads them again, so that 'False' is False, which
    Python would take for true, and 1 is True, but 2 and 1.0 are no flags.

    Parameters
    ----------
    op : Op
        The operator.
    place : str or int
        The argument's name or position.
    value : object
        What was given.

    Raises
    ------
    InvalidArgumentError
        The value is none of those that stand for a flag.
    """
    name = op.flags.get(place)
    if name is None or type(value) is bool or value is NOT_GIVEN:
        return value
    parameter = op.signature.parameters[name]
    if value is None and "None" in parameter.annotation:
        return None
    is_written = value is None or isinstance(value, (str, int, float, onp.generic, tuple, list))
    is_number = isinstance(value, onp.ndarray) and not value.ndim
    return parse_flag(str(value) if is_written or is_number else None, value, parameter, op.name)


def with_flags(op: Op, args: Sequence[Any], found: Sequence[Any] | None = None) -> tuple[Any, ...]:
    """Return positional arguments, or what was found for them, with flags in their places.

    Whole numbers and objects stay what they are: who writes `npx.reshape(a, 2, 3)` means no flag,
    and is told by the operator what it expects there.
    """
    found = args if found is None else found
    if not any(isinstance(value, _READ) for place, value in enumerate(args) if place in op.flags):
        return tuple(found)
    return tuple(
        flag_of(op, place, value) if place in op.flags and isinstance(value, _READ) else one
        for place, (value, one) in enumerate(zip(args, found, strict=True))
    )


def with_named_flags(op: Op, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return keyword arguments with flags in place of what stands for them."""
    if all(type(value) is bool for key, value in kwargs.items() if key in op.flags):
        return kwargs
    return {key: flag_of(op, key, value) for key, value in kwargs.items()}
