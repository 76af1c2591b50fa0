"""What was pushed and is not settled: it waits for others of its message, or is on its way."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gluonish.array.tensors import plain
from gluonish.kvstore.dense import copy_tensors
from gluonish.kvstore.exchange.landing import Landing, Sent
from gluonish.kvstore.exchange.transfer import Transfer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.kvstore.exchange.homes import Homes
    from gluonish.kvstore.exchange.manifest import Manifest
    from gluonish.kvstore.exchange.order import Message, Order
    from gluonish.kvstore.keys import Group, Key
    from gluonish.kvstore.owners.updates import Shards
    from gluonish.kvstore.totals import Totals


class _Waiting(NamedTuple):
    """What was pushed and is not on its way yet: in a message's memory, or by itself."""

    priority: int
    value: Tensor | Transfer
    outs: list[Tensor]  # where the sum goes if it changes nothing stored
    is_sum: bool


class Outbox:
    """Keys that workers sum, from the call that offers them until their messages have landed.

    Parameters
    ----------
    manifest : Manifest
        Which keys go together.
    order : Order
        In which order messages leave.
    homes : Homes
        Their memory.
    shards : Shards
        What comes of them on this worker.
    totals : Totals
        What is sent of arrays.
    """

    def __init__(
        self, manifest: Manifest, order: Order, homes: Homes, shards: Shards, totals: Totals
    ) -> None:
        self._manifest = manifest
        self._order = order
        self._homes = homes
        self._shards = shards
        self._stored = shards.ownership.stored
        self._totals = totals
        self._landing = Landing(shards)
        self._waiting: dict[Key, _Waiting] = {}
        self._flying: list[Sent] = []

    def holds(self, groups: Sequence[Group]) -> bool:
        """Return whether any of some keys is not settled."""
        taken = self._waiting.keys() | {key for sent in self._flying for key in sent.message.keys}
        return any(key in taken for key, _ in groups)

    def offer(self, groups: Sequence[Group], priority: int, *, is_sum: bool, is_lent: bool) -> None:
        """Take arrays to be summed.

        Parameters
        ----------
        groups : list of (key, list of NDArray)
            The arrays of each key, none of which it holds.
        priority : int
            Keys of a higher one are sent first.
        is_sum : bool
            Whether the sums replace the arrays, and change nothing stored.
        is_lent : bool
            Whether the arrays stay as they are until all is settled.
        """
        targets: list[Tensor] = []
        sources: list[Tensor] = []
        for key, arrays in groups:
            value = total = self._totals.total(key, arrays)
            outs = [plain(array) for array in arrays] if is_sum else []
            is_own = is_lent or total.data_ptr() != plain(arrays[0]).data_ptr()
            home = self._homes.free(key, total.dtype, is_sum=is_sum)
            if home is not None:
                home.filled.add(key)
                if not (is_own and home.borrow(total)):
                    home.put(key, total, targets, sources)
            elif not is_own:
                value = total.clone()
            self._waiting[key] = _Waiting(priority, home or value, outs, is_sum)
        copy_tensors(targets, sources)
        self._launch_ready(is_sum)
        for key, _ in groups:
            waiting = self._waiting.get(key)
            if waiting is not None and isinstance(waiting.value, Transfer):
                waiting.value.copy_now()

    def settle(self, pulling: dict[Key, list[NDArray]]) -> None:
        """Send everything, and wait for what comes of it; see `Landing.land`."""
        if self._waiting:
            self._launch_all()
        if self._flying:
            self._land(pulling)

    def _launch_ready(self, is_sum: bool) -> None:
        """Send the messages that come next, as far as their keys are there."""
        while True:
            message = self._order.upcoming
            if message is None or message.is_sum is not is_sum:
                return
            transfer = self._homes.filled(message)
            if transfer is None:
                return
            self._launch(message, transfer)

    def _launch(self, message: Message, transfer: Transfer) -> None:
        outs = {key: self._waiting.pop(key).outs for key in message.keys}
        sent = Sent(message, transfer, outs)
        transfer.call = lambda: self._manifest.call([message])
        self._flying.append(sent)
        is_changed = self._shards.updater is not None or self._totals.compression is not None
        memory = None if message.is_sum or is_changed else self._landing.memory(sent)
        if transfer.launch(self._order.take(message), memory):
            self._landing.collect(sent)

    def _launch_all(self) -> None:
        """Send everything, after all workers have named the same, where it is not known before."""
        messages = self._messages()
        for position, message in enumerate(messages):
            if self._order.upcoming != message:
                left = messages[position:]
                self._land({})
                self._order.agree(self._manifest.call(left))
                for one in left:
                    self._fill_and_launch(one)
                return
            self._fill_and_launch(message)

    def _messages(self) -> list[Message]:
        """Return how what waits is to be sent, the same on all workers."""
        waiting, places = self._waiting, self._stored.places
        keys = sorted(waiting, key=lambda key: (-waiting[key].priority, places[key]))
        return [
            message
            for is_sum in (False, True)
            for message in self._manifest.messages(
                [key for key in keys if waiting[key].is_sum is is_sum], is_sum=is_sum
            )
        ]

    def _fill_and_launch(self, message: Message) -> None:
        transfer = self._homes.of(message)
        targets: list[Tensor] = []
        sources: list[Tensor] = []
        for key in message.keys:
            value = self._waiting[key].value
            if value is transfer:
                continue
            if isinstance(value, Transfer):
                value = value.take(key, plain(self._stored[key]).shape)
            if not transfer.borrow(value):
                transfer.pair_up(key, value, targets, sources)
        copy_tensors(targets, sources)
        self._launch(message, transfer)

    def _land(self, pulling: dict[Key, list[NDArray]]) -> None:
        flying, self._flying = self._flying, []
        self._landing.land(flying, pulling)
