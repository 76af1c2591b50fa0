"""Parameters of operators that are True or False, and that programs may give as text."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from gluonish.array.texts import parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.ops.table import Op

_FLAG = {"bool"}
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def flags_of(op: Op) -> Mapping[str | int, inspect.Parameter]:
    """Return an operator's parameters that are True or False, by their names and positions."""
    found: dict[str | int, inspect.Parameter] = {}
    for position, parameter in enumerate(op.signature.parameters.values()):
        kinds = {kind.strip() for kind in str(parameter.annotation).split("|")}
        if kinds - {"None"} == _FLAG and parameter.name not in op.inputs:
            found[parameter.name] = parameter
            if parameter.kind in _POSITIONAL:
                found[position] = parameter
    return found


def flag_read(
    op: Op, flags: Mapping[str | int, inspect.Parameter], key: str | int, value: Any
) -> Any:
    """Return the flag that a text stands for; what is no text, or is meant as one, as it is.

    MXNet writes an operator's parameters out and reads them again, so that 'False' is False, which
    Python would take for true.

    Raises
    ------
    InvalidArgumentError
        The text is none of those that stand for a flag.
    """
    return parse(value, flags[key], op.name) if type(value) is str and key in flags else value


def flags_in(
    op: Op,
    flags: Mapping[str | int, inspect.Parameter],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments with flags in place of the texts that stand for them."""
    if str in map(type, args):
        args = tuple(flag_read(op, flags, index, value) for index, value in enumerate(args))
    if str in map(type, kwargs.values()):
        kwargs = {key: flag_read(op, flags, key, value) for key, value in kwargs.items()}
    return args, kwargs
