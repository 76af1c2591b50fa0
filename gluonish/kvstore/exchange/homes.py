"""The memory of messages, which is kept for the next time that they are sent."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from gluonish.array.tensors import plain
from gluonish.kvstore.exchange.manifest import is_large
from gluonish.kvstore.exchange.shares import Shares
from gluonish.kvstore.exchange.transfer import SUMMED, Parts, Whole
from gluonish.kvstore.owners.layout import Layout

if TYPE_CHECKING:
    import torch

    from gluonish.kvstore.exchange.order import Message
    from gluonish.kvstore.exchange.transfer import Transfer
    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.owners.updates import Shards
    from gluonish.kvstore.totals import Totals
    from gluonish.kvstore.workers.agreement import Steps

_KEPT: Final = 64  # messages whose memory is kept


class Homes:
    """A transfer for each message, which is the home of its keys' elements.

    Parameters
    ----------
    shards : Shards
        Say whether and by whom what is stored is updated.
    totals : Totals
        Says how it is compressed.
    steps : Steps
        The store's.
    number : int
        The store's among all.
    """

    def __init__(self, shards: Shards, totals: Totals, steps: Steps, number: int) -> None:
        self._shards = shards
        self._stored = shards.ownership.stored
        self._totals = totals
        self._steps = steps
        self._number = number
        self._transfers: OrderedDict[Message, Transfer] = OrderedDict()
        self._by_key: dict[tuple[bool, Key], Transfer] = {}

    def free(self, key: Key, dtype: torch.dtype, *, is_sum: bool) -> Transfer | None:
        """Return the transfer by which a key was sent the last time, if it has landed."""
        home = self._by_key.get((is_sum, key))
        is_free = home is not None and not home.is_flying and home.layout.dtype is dtype
        return home if is_free else None

    def filled(self, message: Message) -> Transfer | None:
        """Return the transfer of a message all of whose keys' elements are in it."""
        found = self._transfers.get(message)
        if found is None or found.is_flying or len(found.filled) < len(message.keys):
            return None
        self._transfers.move_to_end(message)
        return found

    def of(self, message: Message) -> Transfer:
        """Return the transfer of a message, which is the home of its keys from now on."""
        found = self._transfers.get(message)
        if found is None:
            found = self._transfers[message] = self._made(message)
            self._drop_old()
        self._transfers.move_to_end(message)
        self._by_key.update(((message.is_sum, key), found) for key in message.keys)
        return found

    def forget(self) -> None:
        """Make new transfers from now on."""
        self._transfers.clear()
        self._by_key.clear()

    def _made(self, message: Message) -> Transfer:
        steps, compression = self._steps, self._totals.compression
        layout = Layout(
            message.keys, message.dtype, self._shards.ownership.owners, steps.group.size
        )
        shapes = {key: plain(self._stored[key]).shape for key in message.keys}
        device, updates = message.device, self._shards.updater is not None
        is_whole = message.is_sum or not (updates or (is_large(layout) and device is None))
        is_fit = compression is None and layout.total and message.dtype in SUMMED
        if is_fit and is_whole:
            return Whole(layout, steps, shapes, device, keeps_source=not message.is_sum)
        if is_fit and device is not None:
            return Parts(layout, steps, shapes, device)
        return Shares(layout, steps, shapes, self._number, compression)

    def _drop_old(self) -> None:
        """Forget the messages that were not sent for long, with their memory."""
        excess = len(self._transfers) - max(_KEPT, 2 * len(self._stored))
        for message in list(itertools.islice(self._transfers, max(0, excess))):
            transfer = self._transfers[message]
            if transfer.is_flying or transfer.filled:
                continue
            del self._transfers[message]
            self._by_key = {
                place: home for place, home in self._by_key.items() if home is not transfer
            }
