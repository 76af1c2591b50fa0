"""Checks of what recurrent layers and cells are built with."""

from __future__ import annotations

import numbers
from typing import Any

from gluonish.errors import OperandError, RefusedArgumentError
from gluonish.errors.arguments import no_array


def check_probability(where: str, name: str, value: object) -> None:
    """Refuse what is no number in [0, 1].

    Raises
    ------
    RefusedArgumentError
        It is not.
    """
    if isinstance(value, numbers.Real) and 0 <= float(value) <= 1:
        return
    must = "" if isinstance(value, numbers.Real) else f"; {name} must be a number"
    msg = (
        f"{where}: {name}={value!r} was given{must}. Expected a probability in [0, 1]. Pass "
        f"{name}=0.5, for example."
    )
    raise RefusedArgumentError(msg)


def shape_of(where: str, inputs: Any) -> tuple[int, ...]:
    """Return the shape of what a layer is called with.

    Raises
    ------
    OperandError
        It is no array.
    """
    if not hasattr(inputs, "shape"):
        raise OperandError(no_array(where, "inputs", inputs, "Write mx.nd.array(...)."))
    shape: tuple[int, ...] = inputs.shape
    return shape
