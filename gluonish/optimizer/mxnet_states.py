"""Optimizer states between MXNet's pickles and gluonish's own form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NoReturn

import torch

from gluonish import lr_scheduler
from gluonish.errors import FileFormatError, InvalidArgumentError
from gluonish.optimizer.settings import simple_attributes
from gluonish.serialization.pickled_names import PickledArray, Record
from gluonish.serialization.pickles import Global

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.serialization.pickled_names import Names
    from gluonish.serialization.states import MXNetStates

_MODULE: Final = "mxnet.optimizer.optimizer"
_MODULES: Final = {
    "GroupAdaGrad": "mxnet.optimizer.contrib",
    **dict.fromkeys(
        (
            *("AdaDelta", "AdaGrad", "Adam", "Adamax", "DCASGD", "FTML", "Ftrl", "LAMB", "LARS"),
            *("LBSGD", "NAG", "Nadam", "RMSProp", "SGD", "SGLD", "Signum", "Test", "ccSGD"),
        ),
        _MODULE,
    ),
}
_FOUR: Final = ("SGD", "ccSGD", "LARS")
_ONLY_IN_MXNET: Final[dict[str, dict[str, Any]]] = {
    "DCASGD": {"weight_previous": {}},
    "LAMB": {"aggregate_num": 45},
    "LARS": {"skip": 0, "last_lr": 0.0, "cur_lr": 0.0},
    "LBSGD": {"lbmult": 1, "cumgrads": {}, "adaptive": False, "admult": 1},
}


def settings_from(record: Record, source: str) -> dict[str, Any]:
    """Return an optimizer that MXNet pickled in the form of `settings_of`."""
    found = record.attributes
    counts = found.get("_all_index_update_counts")
    if counts is None:  # before MXNet 1.3
        counts = {0: found.get("_index_update_count", {})}
    return {
        "name": record.name,
        "constants": simple_attributes(found),
        "scheduler": _schedule_from(found.get("lr_scheduler"), source),
        "lr_mult": _pairs(found.get("lr_mult", {}), source),
        "wd_mult": _pairs(found.get("wd_mult", {}), source),
        "idx2name": _pairs(found.get("idx2name", {}), source),
        "counts": [[device, _pairs(numbers, source)] for device, numbers in _pairs(counts, source)],
    }


def states_from(found: MXNetStates) -> dict[Any, Any]:
    """Return the states that MXNet pickled in the form that optimizers have here."""
    record = found.optimizer
    if record is None or record.name != "LBSGD":
        return found.states
    scale = record.attributes.get("batch_scale")
    if type(scale) is not int or scale <= 1:
        return found.states
    sums = record.attributes.get("cumgrads")
    made = {}
    for index, state in found.states.items():
        kept = sums.get(index) if type(sums) is dict else None
        total = kept.get("cum_grad") if type(kept) is dict else None
        with_sum = _with_sum(state, total.tensor if isinstance(total, PickledArray) else None)
        if with_sum is not None:
            made[index] = with_sum
    return made


def record_of(
    settings: Mapping[str, Any], states: Mapping[Any, Any], own: Names = ()
) -> tuple[Record, Any]:
    """Return an optimizer, and states, as MXNet 1.9.1 keeps them.

    Parameters
    ----------
    settings : dict
        What `settings_of` returned.
    states : dict
        States of the weights.
    own : collection of (str, str), optional
        Modules and names of the program's own optimizers and schedules.

    Raises
    ------
    InvalidArgumentError
        MXNet 1.9.1 has no such optimizer or schedule.
    """
    name = settings["name"]
    places = {**{known: place for place, known in own}, **_MODULES}
    if name not in places:
        _foreign("optimizer", name)
    counts = {device: dict(map(tuple, numbers)) for device, numbers in settings["counts"]}
    attributes: dict[str, Any] = {
        "rescale_grad": 1.0,
        "lr_scheduler": _schedule_record(settings["scheduler"], places),
        "lr_mult": dict(map(tuple, settings["lr_mult"])),
        "wd_mult": dict(map(tuple, settings["wd_mult"])),
        "_all_index_update_counts": counts,
        "_index_update_count": counts.setdefault(0, {}),
        "aggregate_num": 4 if name in _FOUR else 0,
        "idx2name": dict(map(tuple, settings.get("idx2name", ()))),
        "sym_info": (),
        "allow_np_array": True,
        **_ONLY_IN_MXNET.get(name, {}),
        **{key: value for key, value in settings["constants"].items() if key[:1] != "_"},
    }
    if name == "LARS":
        for key in ("last_lr", "cur_lr"):
            attributes[key] = attributes[key] or attributes["lr"]
    if name == "LBSGD" and attributes["batch_scale"] > 1:
        attributes["cumgrads"], states = _apart(states, attributes, counts[0])
    return Record(places[name], name, attributes), states


def _schedule_from(schedule: Any, source: str) -> dict[str, Any] | None:
    if schedule is None:
        return None
    if isinstance(schedule, Record):
        return {"name": schedule.name, "constants": simple_attributes(schedule.attributes)}
    if isinstance(schedule, Global):
        return {"name": schedule.name, "constants": {}}
    return _refuse(source, "its learning rate schedule is of no known kind")


def _schedule_record(
    schedule: Mapping[str, Any] | None, places: Mapping[str, str]
) -> Record | None:
    if schedule is None:
        return None
    name = schedule["name"]
    place = "mxnet.lr_scheduler" if name in lr_scheduler.__all__ else places.get(name)
    if place is None:
        _foreign("learning rate schedule", name)
    return Record(place, name, dict(schedule["constants"]))


def _foreign(what: str, name: str) -> NoReturn:
    msg = (
        f"Writing states for MXNet: they are those of the {what} {name!r}. Expected one that MXNet "
        f"1.9.1 has. Save them without the optimizer, by get_states(dump_optimizer=False)."
    )
    raise InvalidArgumentError(msg)


def _pairs(found: Any, source: str) -> list[Any]:
    if type(found) is not dict:
        _refuse(source, "numbers of its optimizer are not told by parameter")
    return [[key, value] for key, value in found.items()]


def _with_sum(state: Any, total: torch.Tensor | None) -> Any:
    """Return LBSGD's state with the sum of gradients; None where all of it is zero."""
    like = state[0] if isinstance(state, tuple) else state
    if total is None and isinstance(like, torch.Tensor):
        total = torch.zeros_like(like)
    if total is None:
        return None
    if isinstance(state, tuple):  # a float32 copy of the weight, and the momentum
        return state[0], (state[1], total.to(state[0].dtype))
    return state, total


def _apart(
    states: Mapping[Any, Any], attributes: Mapping[str, Any], counts: Mapping[Any, int]
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return LBSGD's sums of gradients, and states without them."""
    sums, rest = {}, {}
    for index, state in states.items():
        is_master = isinstance(state[1], tuple)
        momentum, total = state[1] if is_master else state
        done = attributes["init_updates"] + counts.get(index, 0)
        is_empty = done % attributes["batch_scale"] == 0
        sums[index] = {"cum_grad": 0 if is_empty else total, "num_cums": done}
        rest[index] = (state[0], momentum) if is_master else momentum
    return sums, rest


def _refuse(source: str, problem: str) -> NoReturn:
    msg = (
        f"Loading states from {source!r}: {problem}. Expected an optimizer as MXNet writes it. "
        f"Save the states anew, or go on without them."
    )
    raise FileFormatError(msg)
