"""An optimizer's settings as plain values, for files, and their return."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as onp

from gluonish import lr_scheduler as schedulers
from gluonish.errors import FileFormatError, ParameterFileError
from gluonish.optimizer.overriding import Watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.optimizer.base import Optimizer

_SIMPLE: Final = (bool, int, float, str, type(None))

_LARGEST_COUNT: Final = 2**53
_MOST_CHANGES: Final = 10**6
_BLANK: Final[dict[str, Callable[[], schedulers.LRScheduler]]] = {
    "LRScheduler": schedulers.LRScheduler,
    "FactorScheduler": lambda: schedulers.FactorScheduler(1),
    "MultiFactorScheduler": lambda: schedulers.MultiFactorScheduler([1]),
    "PolyScheduler": lambda: schedulers.PolyScheduler(1),
    "CosineScheduler": lambda: schedulers.CosineScheduler(1),
}


def settings_of(optimizer: Optimizer) -> dict[str, Any]:
    """Return the kind of an optimizer, its numbers, schedule, multipliers and counts of updates."""
    scheduler = getattr(optimizer, "lr_scheduler", None)
    counts = getattr(optimizer, "_all_index_update_counts", {})
    multipliers = {
        name: list(getattr(optimizer, name, {}).items())
        for name in ("lr_mult", "wd_mult", "idx2name")
    }
    return {
        "name": type(optimizer).__name__,
        "constants": simple_attributes(optimizer.__dict__),
        "scheduler": None
        if scheduler is None
        else {
            "name": name_of(scheduler),
            "constants": simple_attributes(getattr(scheduler, "__dict__", {})),
        },
        **multipliers,
        "counts": [[device, list(found.items())] for device, found in counts.items()],
    }


def with_settings(optimizer: Optimizer, settings: dict[str, Any], source: str) -> Optimizer:
    """Return a copy of an optimizer that has the settings.

    Raises
    ------
    FileFormatError
        A setting is of a kind that the optimizer does not have.
    ParameterFileError
        They are those of another kind of optimizer, or of a schedule that is not known.
    """
    check(settings, source)
    name = type(optimizer).__name__
    if settings["name"] != name:
        msg = (
            f"Loading states from {source!r}: they are those of optimizer {settings['name']!r}. "
            f"Expected those of {name!r}, which is used here. Create the optimizer "
            f"{settings['name'].lower()!r}, or load another file."
        )
        raise ParameterFileError(msg)
    made = object.__new__(type(optimizer))
    made.__dict__.update(optimizer.__dict__)
    _set(made, settings["constants"], source)
    given: object = optimizer
    if not isinstance(given, Watched):
        return made
    made.lr_scheduler = _scheduler(optimizer.lr_scheduler, settings["scheduler"], source)
    if isinstance(made.lr_scheduler, schedulers.LRScheduler):
        _check_schedule(made.lr_scheduler, made.num_update, source)
    made.lr_mult = dict(map(tuple, settings["lr_mult"]))
    made.wd_mult = dict(map(tuple, settings["wd_mult"]))
    made.idx2name = made.idx2name or dict(map(tuple, settings.get("idx2name", ())))
    made._all_index_update_counts = {
        device: dict(map(tuple, counts)) for device, counts in settings["counts"]
    }
    made._index_update_count = made._all_index_update_counts.setdefault(0, {})
    made.forget()
    return made


def name_of(scheduler: Any) -> str:
    """Return the name by which files know a schedule, an object or a function."""
    found: str = getattr(scheduler, "__name__", type(scheduler).__name__)
    return found


def simple_attributes(attributes: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes that JSON can hold."""
    found = {}
    for name, value in attributes.items():
        plain = value.item() if isinstance(value, onp.generic) else value
        if _is_simple(plain):
            found[name] = plain
    return found


def _scheduler(own: Any, saved: dict[str, Any] | None, source: str) -> Any:
    if saved is None:
        return None
    name = saved["name"]
    if own is not None and name_of(own) == name:
        made = copy.copy(own)
    elif name in _BLANK:
        made = _BLANK[name]()
    else:
        msg = (
            f"Loading states from {source!r}: they have the learning rate schedule {name!r}, which "
            f"is the program's own. Expected an optimizer with that schedule. Create it with "
            f"lr_scheduler={name}(...)."
        )
        raise ParameterFileError(msg)
    if saved["constants"]:
        _set(made, saved["constants"], source)
    return made


def _set(made: Any, constants: dict[str, Any], source: str) -> None:
    """Give an optimizer or a schedule the attributes that it has, if they are of the same kind."""
    own = made.__dict__
    is_schedule = isinstance(made, schedulers.LRScheduler)
    for attribute, value in constants.items():
        if attribute not in own:
            if not is_schedule or type(made).__name__ in _BLANK:
                continue
        elif not _are_alike(own[attribute], value):
            _damaged(
                source,
                f"{attribute!r} of {type(made).__name__} is of type {type(value).__name__}, here "
                f"{type(own[attribute]).__name__}",
            )
        own[attribute] = value


def _are_alike(own: Any, value: Any) -> bool:
    numbers = (bool, int, float, onp.generic, type(None))
    if own is None or not isinstance(own, (*_SIMPLE, onp.generic, list)):
        return True
    if isinstance(own, numbers):
        return isinstance(value, numbers)
    return type(own) is type(value)


def _check_schedule(schedule: schedulers.LRScheduler, updates: int, source: str) -> None:
    """Refuse numbers with which a schedule fails, or counts for hours."""
    found = schedule.__dict__
    if type(schedule) is schedulers.FactorScheduler:
        step, behind = found["step"], updates - found["count"]
        if not step >= 1 or behind > _MOST_CHANGES * step:
            _damaged(source, f"the learning rate changes every {step} updates, {behind} are due")
    for name in ("max_steps", "warmup_steps"):
        if name in found and not found[name] >= (name == "max_steps"):
            _damaged(source, f"{name!r} of {type(schedule).__name__} is {found[name]!r}")
    for name in ("step", "max_steps", "base_lr"):
        numbers = found.get(name, 1)
        for number in numbers if isinstance(numbers, list) else [numbers]:
            if isinstance(number, (str, type(None))) or not math.isfinite(number):
                _damaged(source, f"{name!r} of {type(schedule).__name__} is {number!r}")


# --- what files hold ------------------------------------------------------------------------


def check(settings: Any, source: str) -> None:
    """Refuse what is not of the form that `settings_of` gives.

    Raises
    ------
    FileFormatError
        Something is missing, or of another kind.
    """
    scheduler = _part(settings, "scheduler", dict, source, optional=True)
    for owner in (settings, *((scheduler,) if scheduler is not None else ())):
        _part(owner, "name", str, source)
        for name, value in _part(owner, "constants", dict, source).items():
            if not isinstance(name, str) or not _is_simple(value):
                _damaged(source, f"setting {str(name)[:60]!r} is no number or text")
    for which in ("lr_mult", "wd_mult"):
        _pairs(_part(settings, which, list, source), (int, float), source)
    if "idx2name" in settings:
        _pairs(settings["idx2name"], (str,), source)
    for pair in _part(settings, "counts", list, source):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or type(pair[0]) is not int:
            _damaged(source, "the counts of updates are not told by device")
        _pairs(pair[1], (int,), source)
    for name in ("num_update", "begin_num_update"):
        count = settings["constants"].get(name, 0)
        if type(count) is not int or not 0 <= count < _LARGEST_COUNT:
            _damaged(source, f"{name!r} is no count of updates")


def _part(owner: Any, name: str, kind: type, source: str, *, optional: bool = False) -> Any:
    found = owner.get(name, ...) if isinstance(owner, dict) else ...
    if not (isinstance(found, kind) or (optional and found is None)):
        _damaged(source, f"the settings of the optimizer lack {name!r}")
    return found


def _pairs(found: Any, kinds: tuple[type, ...], source: str) -> None:
    if not isinstance(found, list):
        _damaged(source, "numbers are not told by parameter")
    for pair in found:
        if (
            not isinstance(pair, (list, tuple))
            or len(pair) != 2
            or type(pair[0]) not in (int, str)
            or type(pair[1]) not in kinds
            or (type(pair[1]) is not str and not abs(pair[1]) < _LARGEST_COUNT)
        ):
            _damaged(source, "a number of a parameter is damaged")


def _damaged(source: str, problem: str) -> NoReturn:
    msg = (
        f"Loading states from {source!r}: {problem}. Expected settings as save_states writes them. "
        f"Save the states anew, or go on without them."
    )
    raise FileFormatError(msg)


def _is_simple(value: Any) -> bool:
    if type(value) is list:
        return all(isinstance(part, _SIMPLE) for part in value)
    return isinstance(value, _SIMPLE)
