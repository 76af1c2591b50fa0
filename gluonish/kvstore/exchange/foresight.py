"""Sums of gradients that leave during the backward pass, once a step has shown which there are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from gluonish.array.tensors import plain
from gluonish.kvstore.exchange.ahead import Ahead, Flight
from gluonish.kvstore.exchange.transfer import SUMMED
from gluonish.kvstore.workers.agreement import break_channel
from gluonish.kvstore.workers.devices import HOST
from gluonish.kvstore.workers.messages import any_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch.distributed import ProcessGroup

    from gluonish.array.gradients import Gradient
    from gluonish.kvstore.exchange.manifest import Manifest
    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.stored import Stored
    from gluonish.kvstore.totals import Totals
    from gluonish.kvstore.workers.agreement import Steps

_FAILURES: Final = 3  # times that gradients were others in the end, after which none leave ahead


class Foresight:
    """What a store expects a Trainer's next gradients to be, by those that it has summed.

    Parameters
    ----------
    stored : Stored
        What the store has.
    totals : Totals
        Says whether gradients are compressed.
    manifest : Manifest
        Which of them go together.
    steps : Steps
        The store's.

    Attributes
    ----------
    failures : int
        How often they were others in the end.
    ahead : Ahead or None
        The messages that leave as the gradients are made.
    """

    def __init__(self, stored: Stored, totals: Totals, manifest: Manifest, steps: Steps) -> None:
        self.failures = 0
        self.ahead: Ahead | None = None
        self._stored = stored
        self._totals = totals
        self._manifest = manifest
        self._steps = steps
        self._channels: dict[str | None, ProcessGroup] = {}

    def fulfil(self, gradients: Sequence[tuple[Key, list[Gradient]]]) -> bool:
        """Replace gradients by their sums, if all workers have foreseen all of them.

        Parameters
        ----------
        gradients : list of (key, list of Gradient)
            The gradients of each key, on all contexts.
        """
        ahead = self.ahead
        if ahead is None:
            return False
        if ahead.depart(gradients):
            ahead.land()
            return True
        self._end(ahead)
        self.failures += 1
        return False

    def learn(self, gradients: Sequence[tuple[Key, list[Gradient]]]) -> None:
        """Have gradients like these leave as they are made, from the next backward pass on."""
        if self.failures >= _FAILURES:
            return
        is_fit = self._totals.compression is None and self._may_leave_ahead(gradients)
        if any_of(self._steps, [not is_fit], "Trainer.step")[0]:
            self.failures = _FAILURES
            return
        known = dict(gradients)
        messages = self._manifest.early_messages(key for key, _ in reversed(gradients))
        flights = [
            Flight(
                [(key, known[key]) for key in message.keys],
                self._channel(None if message.device is None else message.device.type),
                self._steps.wait if message.device is None else self._steps.follow,
            )
            for message in messages
        ]
        call = partial(self._manifest.call, messages)
        self.ahead = Ahead(self._steps, self._channel(None), flights, call)

    def forget(self) -> None:
        """Expect nothing, after what has left is there."""
        if self.ahead is not None:
            self.ahead.depart([])
            self._end(self.ahead)

    def break_off(self) -> None:
        """Wait no more for others to sum gradients that have left, when the program ends."""
        if self.ahead is not None and self.ahead.is_flying:
            for channel in self._channels.values():
                break_channel(self._steps.group, channel)

    def _end(self, ahead: Ahead) -> None:
        ahead.drop()
        self.ahead = None

    def _channel(self, kind: str | None) -> ProcessGroup:
        """Return connections of this store alone, whose order is not that of others."""
        found = self._channels.get(kind)
        if found is None:
            found = self._channels[kind] = self._steps.group.open_channel(kind)
        return found

    def _may_leave_ahead(self, gradients: Sequence[tuple[Key, list[Gradient]]]) -> bool:
        """Return whether all gradients arrive once in each backward pass, where they are summed."""
        for key, found in gradients:
            stored = plain(self._stored[key])
            device = self._manifest.device(stored) or HOST
            for one in found:
                if one.grad_req != "write" or one.buffer.stype != "default":
                    return False
                tensor = plain(one.buffer)
                if tensor.device != device or tensor.dtype is not stored.dtype:
                    return False
                if tensor.dtype not in SUMMED:
                    return False
        return bool(gradients)
