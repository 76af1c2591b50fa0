"""Messages, and the order in which all workers send them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gluonish.kvstore.exchange.transfer import lies_in_order
from gluonish.kvstore.workers.devices import HOST

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.workers.agreement import Call, Steps


class Message(NamedTuple):
    """What a message is about, the same on all workers.

    Attributes
    ----------
    is_sum : bool
        Whether arrays are replaced by their sum; otherwise the sum changes what is stored.
    dtype : torch.dtype
        Of all elements.
    keys : tuple of int or str
        The keys.
    device : torch.device, optional
        Where it is summed, if not in host memory.
    is_rows : bool, default False
        Whether it holds rows.
    """

    is_sum: bool
    dtype: torch.dtype
    keys: tuple[Key, ...]
    device: torch.device | None = None
    is_rows: bool = False

    def fits(self, tensor: Tensor) -> bool:
        """Return whether it can be received in the memory of a tensor."""
        return lies_in_order(tensor, self.dtype, self.device or HOST)


class Order:
    """The order of messages, in which each has the one after it that it had the last time.

    Parameters
    ----------
    steps : Steps
        The store's.
    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._following: dict[Message | None, Message] = {}
        self._last: Message | None = None

    @property
    def upcoming(self) -> Message | None:
        """The message that all workers send next, if they have sent all that is new to them."""
        return self._following.get(self._last)

    def agree(self, call: Call) -> None:
        """Wait until all workers have named the same messages, which come in another order."""
        self._steps.agree(call)

    def take(self, message: Message) -> int:
        """Go on to a message; return the number of its step."""
        self._following[self._last] = message
        self._last = message
        return self._steps.take()

    def forget(self) -> None:
        """Have workers name all messages again."""
        self._following.clear()
        self._last = None
