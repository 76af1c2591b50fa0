"""Flags of operators, which are True or False, in calls that give them as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array.texts import parse

if TYPE_CHECKING:
    from gluonish.ops.table import Op


def flag_from_text(op: Op, place: str | int, value: Any) -> Any:
    """Return the flag that a text stands for; what is no text, or is meant as one, as it is.

    MXNet writes an operator's parameters out and reads them again, so that 'False' is False, which
    Python would take for true.

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
        The text is none of those that stand for a flag.
    """
    if type(value) is not str or place not in op.flags:
        return value
    return parse(value, op.signature.parameters[op.flags[place]], op.name)


def with_flags(
    op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments with flags in place of the texts that stand for them."""
    if str in map(type, args):
        args = tuple(flag_from_text(op, index, value) for index, value in enumerate(args))
    if str in map(type, kwargs.values()):
        kwargs = {key: flag_from_text(op, key, value) for key, value in kwargs.items()}
    return args, kwargs
