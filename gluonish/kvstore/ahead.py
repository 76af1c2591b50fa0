"""Gradients that leave while the backward pass goes on, in the order in which it makes them."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, NamedTuple

import torch
import torch.distributed as dist

from gluonish.array.core import plain
from gluonish.kvstore.kvstore import copy_tensors, sum_into

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor
    from torch.distributed import ProcessGroup

    from gluonish.array.core import Gradient
    from gluonish.kvstore.agreement import Steps
    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.transfer import Transfer


class Seen(NamedTuple):
    """A gradient as it was when it left."""

    gradient: Gradient
    tensor: Tensor
    version: int


class Flight:
    """One message of gradients.

    Parameters
    ----------
    transfer : Transfer
        Its memory and its course.
    gradients : list of (key, list of Gradient)
        What goes into it, for each key of all contexts.
    """

    def __init__(self, transfer: Transfer, gradients: Sequence[tuple[Key, list[Gradient]]]) -> None:
        self.transfer = transfer
        self.gradients = gradients
        self.missing: set[int] = set()
        self.seen: list[Seen] = []
        self.wait()

    def wait(self) -> None:
        """Begin to wait for all gradients anew."""
        self.missing = {id(one) for _, found in self.gradients for one in found}
        self.seen = []

    def fill(self) -> None:
        """Copy the gradients as they are, summed over contexts."""
        targets: list[Tensor] = []
        sources: list[Tensor] = []
        self.seen = []
        for key, gradients in self.gradients:
            tensors = [plain(gradient.buffer) for gradient in gradients]
            for gradient, tensor in zip(gradients, tensors, strict=True):
                self.seen.append(Seen(gradient, tensor, tensor._version))  # noqa: SLF001 - torch's
            total = tensors[0]
            if len(tensors) > 1:
                total = torch.empty_like(total)
                sum_into(tensors, total)
            flattened = total.reshape(-1)
            for place, start, stop in self.transfer.places(key):
                targets.append(place)
                sources.append(flattened[start:stop])
        copy_tensors(targets, sources)

    def has_changed(self) -> bool:
        """Return whether a gradient is not what has left."""
        return any(
            plain(gradient.buffer) is not tensor or tensor._version != version  # noqa: SLF001
            for gradient, tensor, version in self.seen
        )


class Ahead:
    """Messages of gradients, each of which leaves when its last gradient is there.

    They leave in the same order on all workers, so one waits for those before it; what has not
    left when the program asks for the sums leaves then. The gradients themselves stay as they
    are, and if one has changed on any worker since it left, nothing of what has left counts.

    Parameters
    ----------
    steps : Steps
        The store's.
    channel : ProcessGroup
        Connections of their own.
    flights : list of Flight
        The messages in the order in which they leave.
    """

    def __init__(self, steps: Steps, channel: ProcessGroup, flights: Sequence[Flight]) -> None:
        self.flights = flights
        self._steps = steps
        self._channel = channel
        self._count = 0
        self._next = 0
        self._is_spoiled = False
        known = weakref.ref(self)
        for position, flight in enumerate(flights):
            for _, gradients in flight.gradients:
                for gradient in gradients:
                    gradient.listener = _listener(known, position, id(gradient))

    def arrive(self, position: int, which: int) -> None:
        """Take note of a new gradient; send what is complete."""
        missing = self.flights[position].missing
        if which not in missing:
            self._is_spoiled = True  # a second backward pass: the first one's is not all
            return
        missing.remove(which)
        while self._next < len(self.flights) and not self.flights[self._next].missing:
            self._launch()

    def _launch(self) -> None:
        flight = self.flights[self._next]
        self._next += 1
        flight.fill()
        flight.transfer.launch(self._count)
        self._count += 1

    def depart(self, gradients: Sequence[tuple[Key, list[Gradient]]]) -> bool:
        """Send what has not left; return whether all that has left is right, on all workers.

        Parameters
        ----------
        gradients : list of (key, list of Gradient)
            Where the program has gradients now.
        """
        known = {key: found for flight in self.flights for key, found in flight.gradients}
        is_other = known != dict(gradients)
        early = self.flights[: self._next]
        while self._next < len(self.flights):
            self._launch()
        is_wrong = self._is_spoiled or is_other or any(flight.has_changed() for flight in early)
        answer = torch.tensor([is_wrong], dtype=torch.uint8)
        work = dist.all_reduce(answer, dist.ReduceOp.MAX, self._channel, async_op=True)
        step = self._steps.upcoming
        for flight in self.flights:
            flight.transfer.watched = step
        self._steps.wait(work, None, step, self.flights[0].transfer.call)
        return not answer.item()

    def arm(self) -> None:
        """Begin anew, for the next backward pass."""
        self._next = 0
        self._is_spoiled = False
        for flight in self.flights:
            flight.wait()

    @property
    def is_flying(self) -> bool:
        """Whether anything has left whose sum nobody has asked for."""
        return self._next > 0

    def drop(self) -> None:
        """Wait for what has left, and use nothing of it."""
        for flight in self.flights:
            flight.transfer.collect(None, distributes=False)
            flight.transfer.finish(None, [])
        self.silence()

    def silence(self) -> None:
        """Listen no more."""
        for flight in self.flights:
            for _, gradients in flight.gradients:
                for gradient in gradients:
                    gradient.listener = None


def _listener(known: weakref.ref[Ahead], position: int, which: int) -> Callable[[], None]:
    def arrive() -> None:
        ahead = known()
        if ahead is not None:
            ahead.arrive(position, which)

    return arrive
