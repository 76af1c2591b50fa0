"""Checks of what losses are made with."""

from __future__ import annotations

import numbers
import sys
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.block import HybridBlock
from gluonish.errors import OperandError
from gluonish.errors.own_calls import made_first
from gluonish.errors.program_arguments import keyword

if TYPE_CHECKING:
    from types import FrameType


def number(weight: Any) -> Any:
    """Return the number in a NumPy array without axes; anything else as it is."""
    return weight.item() if isinstance(weight, onp.ndarray) and not weight.ndim else weight


def _of_classes() -> str:
    name = keyword("weight")
    made = ", with weights = mx.nd.array([...]) of one number a class" if not name else ""
    return (
        f"Weights of classes, or of single examples, are given with each call: loss_fn(pred, "
        f"label, {name or 'weights'}[label].reshape((-1, 1))){made}."
    )


def check_weight(where: str, weight: object, *, may_be_none: bool = True) -> None:
    """Refuse what is no number for all losses, and data in its place."""
    if not isinstance(weight, numbers.Number) and not (weight is None and may_be_none):
        if not keyword("weight"):
            check_no_data(where, *_values_of_the_call())
        msg = (
            f"{where}: weight={weight!r} was given; weight must be a number, one for all. "
            f"{_of_classes()}"
        )
        raise OperandError(msg)


def _values_of_the_call() -> list[object]:
    """Return what the constructors that run were called with."""
    found: list[object] = []
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - of the one that asks
    while frame is not None and frame.f_globals["__name__"].startswith("gluonish."):
        if isinstance(frame.f_locals.get("self"), HybridBlock):
            given = {**frame.f_locals, **frame.f_locals.get("kwargs", {})}
            found += [value for name, value in given.items() if name != "weight"]
        frame = frame.f_back
    return found


def check_no_data(where: str, *settings: object) -> None:
    """Refuse arrays where a loss is made: they belong to the call of what is made."""
    if any(isinstance(value, NDArray) for value in settings):
        msg = (
            f"{where}: an array was given where the loss is made. Expected settings, such as axis "
            f"and weight. Make it first, then call it: {made_first(where, 'gluon.loss.')}."
        )
        raise OperandError(msg)
