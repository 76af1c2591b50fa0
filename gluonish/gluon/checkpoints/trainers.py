"""Trainers in checkpoints: optimizers, states, scales of losses and what compression keeps."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as onp
import torch

from gluonish.array.tensors import plain
from gluonish.block.parameter_memory import copies_of
from gluonish.errors import ParameterFileError
from gluonish.gluon.checkpoints.values import decode, encode
from gluonish.gluon.states import check_states, put_states
from gluonish.kvstore import KVStore
from gluonish.kvstore.creation import is_of_processes
from gluonish.optimizer import Updater
from gluonish.optimizer.saving import (
    Saved,
    describe as describe_states,
    leaves,
    saved_from,
    unpack,
)
from gluonish.optimizer.settings import settings_of
from gluonish.optimizer.updater import own_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

    from gluonish.gluon.trainer import Trainer

_SCALER: Final = ("_loss_scale", "_next_loss_scale", "_unskipped", "has_skipped")


def describe(trainer: Trainer, tensors: dict[str, Tensor], prefix: str) -> dict[str, Any]:
    """Return a description of a Trainer, and put its arrays beside it."""
    updaters = trainer.own_updaters()
    shared = _shared_states(trainer) if not updaters else None
    if not updaters and shared is None:
        content = _store_content(trainer._kvstore)
        return {"store": encode(content, tensors, f"{prefix}store")}
    names = {index: param.name for index, param in enumerate(trainer._params)}
    settings = settings_of(trainer._optimizer)
    found = [Saved(updater.states, names, settings) for updater in updaters] or [
        shared or Saved({}, names, settings)
    ]
    is_one = all(_are_equal(found[0].states, other.states) for other in found[1:])
    scaler = trainer._amp_loss_scaler
    return {
        "states": [
            describe_states(one, tensors, f"{prefix}{place}/")
            for place, one in enumerate(found[:1] if is_one else found)
        ],
        "order": trainer.update_order(),
        "scale": trainer._scale,
        "scaler": None if scaler is None else [getattr(scaler, name) for name in _SCALER],
        "residuals": encode(residuals(trainer), tensors, f"{prefix}residuals"),
    }


class TrainerProgress:
    """What a checkpoint holds of a Trainer, which fits it.

    Parameters
    ----------
    trainer : Trainer
        Whom it is for.
    described : dict
        What `describe` returned.
    tensors : dict of str to Tensor
        The tensors beside it.
    source : str
        Name of the file, for messages.

    Raises
    ------
    FileFormatError
        The description is damaged.
    ParameterFileError
        It belongs to another kind of optimizer, or to other parameters.
    """

    def __init__(
        self,
        trainer: Trainer,
        described: Mapping[str, Any],
        tensors: Mapping[str, Tensor],
        source: str,
    ) -> None:
        self._trainer, self._source = trainer, source
        self._store: onp.ndarray[Any, Any] | None = None
        self._states: list[Saved] = []
        self.residuals: dict[Any, list[Tensor]] = {}
        if "store" in described:
            self._store = decode(described["store"], tensors)
            return
        self._states = [saved_from(one, tensors, source) for one in described["states"]]
        _, self._places = check_states(self._states[0], trainer._optimizer, trainer._params, source)
        self._order = _order(described, self._places)
        self._scale = float(described["scale"])
        self._scaler = described["scaler"]
        self.residuals = decode(described["residuals"], tensors)
        if (self._scaler is None) != (trainer._amp_loss_scaler is None):
            with_scaler = "with" if self._scaler is not None else "without"
            msg = (
                f"Loading checkpoint {source!r}: the training was {with_scaler} a scale of losses, "
                f"this one is not. Expected contrib.amp.init_trainer in both or in none. Build "
                f"the Trainer as it was when the checkpoint was saved."
            )
            raise ParameterFileError(msg)

    def apply(self) -> None:
        """Give it to the Trainer, whose parameters have their values already."""
        trainer = self._trainer
        updaters = trainer.own_updaters()
        store = trainer._kvstore
        if self._states and is_of_processes(store) and not updaters:
            whole = Updater(trainer._optimizer)
            put_states(self._states[:1], [whole], trainer._params, self._source)
            store.put_states(whole.states)
        elif self._store is not None or not updaters:
            self._to_store(None if updaters else store)
            return
        else:
            put_states(self._states, updaters, trainer._params, self._source)
        trainer.set_update_order(self._order)
        if self._scaler is not None:
            trainer._scale = self._scale
            for name, value in zip(_SCALER, self._scaler, strict=True):
                setattr(trainer._amp_loss_scaler, name, value)
        kept = _own_residuals(trainer)
        kept.clear()
        for key, parts in self.residuals.items():
            place = self._places.get(key, key)
            arrays = copies_of(trainer._params[place])
            if is_of_processes(store):
                arrays = arrays[:1]
            if len(arrays) == len(parts):
                kept[place] = [
                    part.to(plain(array).device) for part, array in zip(parts, arrays, strict=True)
                ]

    def _to_store(self, store: Any) -> None:
        if self._store is None or store is None:
            msg = (
                f"Loading checkpoint {self._source!r}: a store of another class updated the "
                f"weights. Expected the same store. Build the Trainer with the kvstore that it had."
            )
            raise ParameterFileError(msg)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "states")
            path.write_bytes(self._store.tobytes())
            store.load_optimizer_states(path)


def _order(described: Mapping[str, Any], places: Mapping[Any, int]) -> list[int]:
    """Return the order of updates, by which random numbers went to the parameters.

    It is that of names, in which `dense10` comes before `dense9`: other numbers, another order.
    """
    order = [places[index] for index in described.get("order", sorted(places))]
    if sorted(order) != list(range(len(places))):
        msg = f"the order of updates is {order}"
        raise ValueError(msg)
    return order


def _store_content(store: Any) -> onp.ndarray[Any, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "states")
        store.save_optimizer_states(path, dump_optimizer=True)
        return onp.frombuffer(path.read_bytes(), onp.uint8)


def _own_residuals(trainer: Trainer) -> dict[Any, list[Tensor]]:
    store = trainer._kvstore
    return store.residuals if isinstance(store, KVStore) else {}


def _shared_states(trainer: Trainer) -> Saved | None:
    """Return the states that several processes share, on the first of them; None without any."""
    store = trainer._kvstore
    if not is_of_processes(store):
        return None
    names = {index: param.name for index, param in enumerate(trainer._params)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "states")
        store.save_named_states(path)
        if store.rank:
            return Saved({}, names, settings_of(trainer._optimizer))
        return unpack(path.read_bytes(), str(path), own_names(trainer._optimizer))


def residuals(trainer: Trainer) -> dict[Any, list[Tensor]]:
    """Return what compression has lost of a Trainer's gradients so far, in this process."""
    return {key: list(parts) for key, parts in _own_residuals(trainer).items()}


def _are_equal(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> bool:
    if one.keys() != other.keys():
        return False
    return all(
        torch.equal(plain(left).cpu(), plain(right).cpu())
        for key in one
        for left, right in zip(leaves(one[key]), leaves(other[key]), strict=True)
    )
