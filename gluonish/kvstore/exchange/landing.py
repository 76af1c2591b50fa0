"""What comes of messages: sums, updates of what this worker owns, and the results of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gluonish.array.tensors import plain
from gluonish.kvstore.dense import copy_tensors
from gluonish.kvstore.owners.layout import share_like

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.kvstore.exchange.order import Message
    from gluonish.kvstore.exchange.transfer import Transfer
    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.owners.layout import Part
    from gluonish.kvstore.owners.updates import Shards


class Sent(NamedTuple):
    """A message on its way, and where the sums of its keys go if they change nothing stored."""

    message: Message
    transfer: Transfer
    outs: Mapping[Key, Sequence[Tensor]]


class Landing:
    """The end of each message's course.

    Parameters
    ----------
    shards : Shards
        What this worker owns, and how it is updated.
    """

    def __init__(self, shards: Shards) -> None:
        self._shards = shards
        self._ownership = shards.ownership
        self._stored = shards.ownership.stored

    def memory(self, sent: Sent) -> Tensor | None:
        """Return the elements of a key that goes alone, if results can be received there."""
        message = sent.message
        if len(message.keys) > 1:
            return None
        key = message.keys[0]
        tensor = sent.outs[key][0] if message.is_sum else plain(self._stored[key])
        return tensor.view(-1) if message.fits(tensor) else None

    def collect(self, sent: Sent) -> None:
        """Sum what this worker owns; sums that nothing updates go to all others at once."""
        if sent.message.is_sum or self._shards.updater is None:
            sent.transfer.collect(self.memory(sent), distributes=True)
        else:
            sent.transfer.collect(None, distributes=False)

    def land(self, flying: Sequence[Sent], pulling: dict[Key, list[NDArray]]) -> None:
        """Wait for messages, update what this worker owns, and wait for the others' results.

        Parameters
        ----------
        flying : list of Sent
            The messages in the order in which they have left.
        pulling : dict
            Arrays that are to get the keys' values. Keys whose arrays have got them are removed.
        """
        later = []
        for sent in flying:
            self.collect(sent)
            if sent.message.is_sum or self._shards.updater is None:
                continue
            if self._ownership.owners.is_splitting:
                self._update_and_distribute([sent])
            else:
                later.append(sent)
        if later:
            self._update_and_distribute(later)
        for sent in flying:
            memory = self.memory(sent)
            is_direct = memory is not None and not sent.message.is_sum
            sent.transfer.finish(memory, _taken(pulling, sent.message) if is_direct else [])
            if sent.message.is_sum:
                _copy_sums(sent, memory)
            elif memory is None:
                self._store_results(sent.transfer)

    def _update_and_distribute(self, flying: Sequence[Sent]) -> None:
        """Update the parts of keys that this worker owns, and begin to send them to all."""
        parts = [pair for sent in flying for pair in sent.transfer.own]
        keys = self._stored.in_order(key for sent in flying for key in sent.message.keys)
        self._shards.update(keys, parts)
        for sent in flying:
            memory = self.memory(sent)
            if memory is None:
                own = sent.transfer.own
                copy_tensors([place for _, place in own], self._shares(own))
            sent.transfer.distribute(memory)

    def _store_results(self, transfer: Transfer) -> None:
        updates = self._shards.updater is not None
        parts = transfer.others if updates else transfer.own + transfer.others
        copy_tensors(self._shares(parts), [place for _, place in parts])

    def _shares(self, parts: Sequence[tuple[Part, Tensor]]) -> list[Tensor]:
        """Return what is stored of parts, each in the shape of its place in a message."""
        stored = self._stored
        return [share_like(plain(stored[part.key]), part, place) for part, place in parts]


def _taken(pulling: dict[Key, list[NDArray]], message: Message) -> list[Tensor]:
    """Remove a key that goes alone, and return its arrays, if it can be copied as it arrives."""
    key = message.keys[0]
    arrays = pulling.get(key, [])
    found = [plain(array) for array in arrays if array.stype == "default"]
    if len(found) < len(arrays) or not all(map(message.fits, found)):
        return []
    pulling.pop(key, None)
    return [one.view(-1) for one in found]


def _copy_sums(sent: Sent, memory: Tensor | None) -> None:
    targets: list[Tensor] = []
    sources: list[Tensor] = []
    for key, arrays in sent.outs.items():
        for array in arrays:
            if memory is not None:
                if array is not arrays[0]:
                    array.copy_(memory.view(array.shape))
            elif not array.is_contiguous():
                array.copy_(sent.transfer.value(key, array.shape))
            else:
                sent.transfer.pair_up(key, array, sources, targets)
    copy_tensors(targets, sources)
