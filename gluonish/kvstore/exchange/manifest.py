"""Which keys go together in a message, and what workers tell one another of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gluonish.array.dtypes import dtype_name
from gluonish.array.tensors import plain
from gluonish.kvstore.exchange.order import Message
from gluonish.kvstore.exchange.transfer import SUMMED
from gluonish.kvstore.owners.layout import grouped
from gluonish.kvstore.workers.agreement import Call

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import torch
    from torch import Tensor

    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.owners.layout import Layout
    from gluonish.kvstore.owners.ownership import Ownership
    from gluonish.kvstore.totals import Totals
    from gluonish.kvstore.workers.group import Group

_LARGEST: Final = 25 * 2**20  # bytes of a message of several keys
_FIRST: Final = 4 * 2**20  # bytes of a message that leaves ahead, at least
_SHARE: Final = 2**19  # bytes of it for each worker


class Manifest:
    """What is sent of a store, as messages.

    Parameters
    ----------
    ownership : Ownership
        What is stored, and who owns it.
    totals : Totals
        Says whether it is compressed.
    group : Group
        The workers, and the connections between them.
    """

    def __init__(self, ownership: Ownership, totals: Totals, group: Group) -> None:
        self._ownership = ownership
        self._stored = ownership.stored
        self._totals = totals
        self._group = group

    def messages(self, keys: Iterable[Key], *, is_sum: bool) -> list[Message]:
        """Return the messages of some keys, in the order in which these are to be sent."""
        return self._grouped(keys, _LARGEST, is_sum=is_sum)

    def early_messages(self, keys: Iterable[Key]) -> list[Message]:
        """Return messages of gradients that leave while others are still made."""
        largest = min(max(_FIRST, _SHARE * self._group.size), _LARGEST)
        return self._grouped(keys, largest, is_sum=True)

    def _grouped(self, keys: Iterable[Key], largest: int, *, is_sum: bool) -> list[Message]:
        sized = []
        for key in keys:
            tensor = plain(self._stored[key])
            kind = tensor.dtype, self.device(tensor)
            sized.append((key, kind, tensor.numel() * tensor.element_size()))
        return [
            Message(is_sum, dtype, tuple(found), device)
            for (dtype, device), found in grouped(sized, largest)
        ]

    def device(self, tensor: Tensor) -> torch.device | None:
        """Return the device on which a key is summed; None for host memory."""
        connected = self._group.connected
        if not connected or self._totals.compression is not None or tensor.dtype not in SUMMED:
            return None
        return tensor.device if connected.get(tensor.device.type) is not None else None

    def call(self, messages: Sequence[Message]) -> Call:
        """Return what a worker is about to do that sends some messages."""
        keys = []
        for message in messages:
            before = "row_sparse " if message.is_rows else ""
            after = "" if message.device is None else f" on {message.device.type}"
            for key in message.keys:
                tensor = plain(self._stored[key])
                kind = f"{before}{dtype_name(tensor.dtype)}{after}"
                keys.append((self._stored.names.get(key, key), tensor.shape, kind))
        name = "Trainer.step" if messages and messages[0].is_sum else "kv.push"
        return Call(name, keys, f"MXNET_KVSTORE_BIGARRAY_BOUND={self._ownership.owners.bound}")


def is_large(layout: Layout) -> bool:
    """Return whether a message is one of a key that goes alone because of its size."""
    return len(layout.keys) == 1 and layout.size >= _LARGEST
