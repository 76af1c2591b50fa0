"""An optimizer's settings as plain values, for files, and their return."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import lr_scheduler as schedulers
from gluonish.errors import ParameterFileError

if TYPE_CHECKING:
    from gluonish.optimizer.base import Optimizer

_SIMPLE = (bool, int, float, str, type(None))
_LEFT_OUT = ("rescale_grad",)  # a Trainer sets it at each step


def settings_of(optimizer: Optimizer) -> dict[str, Any]:
    """Return the kind of an optimizer, its numbers, schedule, multipliers and counts of updates."""
    scheduler = optimizer.lr_scheduler
    return {
        "name": type(optimizer).__name__,
        "constants": _simple(optimizer.__dict__),
        "scheduler": None
        if scheduler is None
        else {"name": _name(scheduler), "constants": _simple(getattr(scheduler, "__dict__", {}))},
        "lr_mult": list(optimizer.lr_mult.items()),
        "wd_mult": list(optimizer.wd_mult.items()),
        "counts": [
            [device, list(counts.items())]
            for device, counts in optimizer._all_index_update_counts.items()
        ],
    }


def with_settings(optimizer: Optimizer, settings: dict[str, Any], source: str) -> Optimizer:
    """Return a copy of an optimizer that has the settings.

    Raises
    ------
    ParameterFileError
        They are those of another kind of optimizer, or of a schedule that is not known.
    """
    name = type(optimizer).__name__
    if settings["name"] != name:
        msg = (
            f"Loading states from {source}: they are those of optimizer {settings['name']!r}. "
            f"Expected those of {name!r}, which is used here. Create the optimizer "
            f"{settings['name'].lower()!r}, or load another file."
        )
        raise ParameterFileError(msg)
    made = object.__new__(type(optimizer))
    made.__dict__.update(optimizer.__dict__)
    for attribute, value in settings["constants"].items():
        if attribute in made.__dict__:
            made.__dict__[attribute] = value
    made.lr_scheduler = _scheduler(optimizer.lr_scheduler, settings["scheduler"], source)
    made.lr_mult = dict(map(tuple, settings["lr_mult"]))
    made.wd_mult = dict(map(tuple, settings["wd_mult"]))
    made._all_index_update_counts = {
        device: dict(map(tuple, counts)) for device, counts in settings["counts"]
    }
    made._index_update_count = made._all_index_update_counts.setdefault(0, {})
    return made


def _scheduler(own: Any, saved: dict[str, Any] | None, source: str) -> Any:
    if saved is None:
        return None
    name = saved["name"]
    if own is not None and _name(own) == name:
        made = copy.copy(own)
    elif name in schedulers.__all__:
        made = object.__new__(getattr(schedulers, name))
    else:
        msg = (
            f"Loading states from {source}: they have the learning rate schedule {name!r}, which "
            f"is the program's own. Expected an optimizer with that schedule. Create it with "
            f"lr_scheduler={name}(...)."
        )
        raise ParameterFileError(msg)
    if saved["constants"]:
        made.__dict__.update(saved["constants"])
    return made


def _name(scheduler: Any) -> str:
    found: str = getattr(scheduler, "__name__", type(scheduler).__name__)
    return found


def _simple(attributes: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes that JSON can hold."""
    found = {}
    for name, value in attributes.items():
        plain = value.item() if isinstance(value, onp.generic) else value
        if name not in _LEFT_OUT and _is_simple(plain):
            found[name] = plain
    return found


def _is_simple(value: Any) -> bool:
    if type(value) is list:
        return all(isinstance(part, _SIMPLE) for part in value)
    return isinstance(value, _SIMPLE)
