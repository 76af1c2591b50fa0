"""Arguments that are one of a few words: which these are, and what is said of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.errors import InvalidArgumentError
from gluonish.errors.habits.keywords import POSITIONS
from gluonish.errors.suggestions import did_you_mean, did_you_mean_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gluonish.ops.table.registry import Op

LAYOUTS = ("NCW", "NCHW", "NCDHW", "NWC", "NHWC", "NDHWC")
STORAGE_TYPES = ("csr", "default", "row_sparse")
TUNING = ("fastest", "limited_workspace", "off")


def check_choices(op: Op, path: str, values: Mapping[str, object]) -> None:
    """Refuse a word that is none of those of an operator's card.

    Raises
    ------
    InvalidArgumentError
        An argument is another word.
    """
    for name, words in op.choices.items():
        value = values.get(name)
        if value is not None and (not isinstance(value, str) or value not in words):
            raise unknown_choice(value, path, name, words)


def unknown_choice(
    value: object, where: str, argument: str, choices: Iterable[str]
) -> InvalidArgumentError:
    """Return the error for an argument that is none of the known names."""
    choices = sorted(choices)
    names = ", ".join(map(repr, choices))
    msg = f"{where}: {argument}={value!r} was given. Expected one of {names}."
    known = ""
    if argument in ("activation", "act_type"):
        known = did_you_mean_value("activation", value, choices)
    if where == "Activation" and value in ("elu", "gelu", "leaky", "prelu", "rrelu", "selu"):
        known = f" LeakyReLU(..., act_type={value!r}) is the operator of it."
    if known and not known.startswith(" Did you"):
        return InvalidArgumentError(f"{msg}{known}")
    if isinstance(value, (int, float)) and where in POSITIONS:
        return InvalidArgumentError(f"{msg} {POSITIONS[where]}.")
    msg += f" Pass one of them.{known}"
    if isinstance(value, str) and not known:
        msg += did_you_mean(value, choices)
    if hasattr(value, "collect_params"):
        msg += f" A layer of its own comes after it: net.add({where}(...), {value})."
    elif callable(value):
        msg += f" A function is given by its name: {argument}='relu'."
    return InvalidArgumentError(msg)
