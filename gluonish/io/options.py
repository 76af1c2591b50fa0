"""Arguments of iterators over files, which MXNet also takes as text."""

from __future__ import annotations

import ast
import dataclasses
import logging
from typing import TYPE_CHECKING, Any

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import FileFormatError, RefusedArgumentError
from gluonish.errors.arguments import unknown_keywords, value_text
from gluonish.errors.wording import listed

if TYPE_CHECKING:
    import torch

LOG = logging.getLogger("gluonish.io")

# What iterators over pictures take beside their options.
_OF_ALL = ("batch_size", "data_shape", "label_width", "path_imgrec", "shuffle", "seed", "dtype")
_FLAGS = {"1": True, "true": True, "0": False, "false": False}


def require(where: str, example: str, **needed: Any) -> None:
    """Refuse a call that leaves out what an iterator can't do without, whatever its default is.

    Raises
    ------
    RefusedArgumentError
        Something is missing; all of it is named.
    """
    missing = [
        name
        for name, value in needed.items()
        if value is None or (isinstance(value, (str, int)) and not value)
    ]
    if missing:
        given = needed.items()
        rest = [f"{name}={value_text(value)}" for name, value in given if name not in missing]
        msg = (
            f"{where}: got {listed(rest) or 'nothing'}, but no {' and no '.join(missing)}. "
            f"Expected {listed(needed)} of every {where}. For example: mx.io.{where}({example})."
        )
        raise RefusedArgumentError(msg)


def number(value: Any, name: str, where: str, low: int = 0) -> int:
    """Return a whole number that was given as one, or as text.

    Raises
    ------
    RefusedArgumentError
        It is something else, or below `low`.
    """
    try:
        found = int(value)
    except (TypeError, ValueError):
        found = low - 1
    if found < low:
        msg = (
            f"{where}: {name}={value!r} was given. Expected a whole number, {low} or more. Write "
            f"{name}={low}."
        )
        raise RefusedArgumentError(msg)
    return found


def flag(value: Any, name: str, where: str) -> bool:
    """Return a truth value that was given as one, as a number or as text.

    Raises
    ------
    RefusedArgumentError
        It is something else.
    """
    found = _FLAGS.get(str(value).lower())
    if found is None:
        msg = f"{where}: {name}={value!r} was given. Expected True or False. Write {name}=True."
        raise RefusedArgumentError(msg)
    return found


def lengths(value: Any, name: str, where: str) -> tuple[int, ...]:
    """Return a shape that was given as a tuple, a number or as text.

    Raises
    ------
    RefusedArgumentError
        It is something else.
    """
    try:
        given = ast.literal_eval(value) if isinstance(value, str) else value
        shape = (int(given),) if isinstance(given, int) else tuple(map(int, given))
    except (TypeError, ValueError, SyntaxError):
        shape = ()
    if not shape or min(shape) < 1:
        msg = (
            f"{where}: {name}={value!r} was given. Expected a tuple of numbers above 0. Write "
            f"{name}=(3,) for three numbers."
        )
        raise RefusedArgumentError(msg)
    return shape


def read_options(where: str, given: dict[str, Any], *groups: type[Any]) -> list[dict[str, Any]]:
    """Return the arguments of each group, values being of the kind of their defaults.

    Parameters
    ----------
    where : str
        What takes the arguments, for messages.
    given : dict
        The arguments by name.
    *groups : dataclass
        Whose fields are names and defaults of the arguments.

    Raises
    ------
    UnknownArgumentError
        There is no argument of that name.
    RefusedArgumentError
        A value is of another kind.
    """
    found: list[dict[str, Any]] = []
    rest, known = dict(given), list[str]()
    for group in groups:
        defaults = {field.name: field.default for field in dataclasses.fields(group)}
        names = [name for name in defaults if name in rest]
        found.append({name: _read(where, name, rest.pop(name), defaults[name]) for name in names})
        known += defaults
    if rest:
        raise unknown_keywords([where], rest, [*known, *_OF_ALL])
    return found


def _read(where: str, name: str, value: Any, default: Any) -> Any:
    if value is None or isinstance(default, str):
        return default if value is None else str(value)
    if isinstance(default, bool):
        return flag(value, name, where)
    try:
        if isinstance(default, tuple):
            listed = ast.literal_eval(value) if isinstance(value, str) else value
            listed = (listed,) if isinstance(listed, int | float) else listed
            return tuple(type(default[0])(number) for number in listed)
        return int(value) if isinstance(default, int) else float(value)
    except (TypeError, ValueError, SyntaxError):
        kind = "a whole number" if isinstance(default, int) else "a number"
        kind = "numbers" if isinstance(default, tuple) else kind
        msg = f"{where}: {name}={value!r} was given. Expected {kind}. Write {name}={default}."
        raise RefusedArgumentError(msg) from None


def check_pairs(where: str, data: Any, count: int, label: Any, labels: int) -> None:
    """Refuse files of data and labels that have not as many lines.

    Raises
    ------
    FileFormatError
        They have not.
    """
    if count != labels:
        msg = (
            f"{where}: {data} has {count} lines, {label} has {labels}. Expected a label for each "
            f"sample. Check that both belong together."
        )
        raise FileFormatError(msg)


def element_type(dtype: Any) -> torch.dtype:
    """Return what an optional dtype means: float32 unless it says otherwise."""
    return torch_dtype("float32" if dtype in (None, "None") else dtype)


def part_of(count: int, num_parts: Any, part_index: Any, where: str) -> tuple[int, int]:
    """Return where a part of `count` items starts and ends.

    Raises
    ------
    RefusedArgumentError
        There is no such part.
    """
    parts, index = checked_part(num_parts, part_index, where)
    return count * index // parts, count * (index + 1) // parts


def checked_part(num_parts: Any, part_index: Any, where: str) -> tuple[int, int]:
    """Return a number of parts, and that of one of them.

    Raises
    ------
    RefusedArgumentError
        There is no such part.
    """
    parts = number(num_parts, "num_parts", where, 1)
    index = number(part_index, "part_index", where)
    if index >= parts:
        msg = (
            f"{where}: part_index={index} was given with num_parts={parts}. Expected a part from 0 "
            f"to {parts - 1}. Count parts from 0."
        )
        raise RefusedArgumentError(msg)
    return parts, index
