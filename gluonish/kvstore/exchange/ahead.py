"""Gradients that leave while the backward pass goes on, in the order in which it makes them."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, TypeAlias

import torch
import torch.distributed as dist

from gluonish.array.tensors import plain
from gluonish.kvstore.dense import copy_tensors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor
    from torch.distributed import ProcessGroup, Work

    from gluonish.array.gradients import Gradient
    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.workers.agreement import Call, Steps

    Seen: TypeAlias = tuple[Gradient, Tensor, int]  # as it was when it left, with its version


class Flight:
    """One message of gradients of one dtype.

    Parameters
    ----------
    gradients : list of (key, list of Gradient)
        What goes into it, for each key of all contexts.
    channel : ProcessGroup
        What it goes through.
    wait_for : callable
        `Steps.wait`, or `Steps.follow` if that connects devices.
    """

    def __init__(
        self,
        gradients: Sequence[tuple[Key, list[Gradient]]],
        channel: ProcessGroup,
        wait_for: Callable[[Work, int, Callable[[], Call]], None],
    ) -> None:
        self.gradients = gradients
        self.wait_for = wait_for
        self._channel = channel
        self.work: Work | None = None
        self.missing: set[int] = set()
        self._seen: list[Seen] = []
        self._several = [found for _, found in gradients if len(found) > 1]
        first = [plain(found[0].buffer) for _, found in gradients]
        total = sum(one.numel() for one in first)
        self.flat = torch.zeros(total, dtype=first[0].dtype, device=first[0].device)
        pieces = torch.split(self.flat, [one.numel() for one in first])
        self._places = [piece.view(one.shape) for piece, one in zip(pieces, first, strict=True)]
        self.arm()

    def arm(self) -> None:
        """Begin to wait for all gradients anew."""
        self.missing = {id(one) for _, found in self.gradients for one in found}

    def launch(self) -> None:
        """Begin to sum the gradients as they are over contexts and workers."""
        self._seen = []
        for _, found in self.gradients:
            for gradient in found:
                tensor = plain(gradient.buffer)
                self._seen.append((gradient, tensor, tensor._version))  # noqa: SLF001 - torch's
        copy_tensors(self._places, [plain(found[0].buffer) for _, found in self.gradients])
        if self._several:
            for place, (_, found) in zip(self._places, self.gradients, strict=True):
                for gradient in found[1:]:
                    place.add_(plain(gradient.buffer))
        self.work = dist.all_reduce(self.flat, group=self._channel, async_op=True)

    def has_changed(self) -> bool:
        """Return whether a gradient is not what has left."""
        return any(
            plain(gradient.buffer) is not tensor or tensor._version != version  # noqa: SLF001
            for gradient, tensor, version in self._seen
        )

    def land(self) -> None:
        """Replace the gradients by their sums, which are there."""
        for position in range(max(len(found) for _, found in self.gradients)):
            pairs = [
                (plain(found[position].buffer), place)
                for (_, found), place in zip(self.gradients, self._places, strict=True)
                if position < len(found)
            ]
            copy_tensors([target for target, _ in pairs], [place for _, place in pairs])


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
        Connections of their own, for the question whether all that left is right.
    flights : list of Flight
        The messages in the order in which they leave.
    call : callable
        Returns what this worker does, if it has to be told.
    """

    def __init__(
        self,
        steps: Steps,
        channel: ProcessGroup,
        flights: Sequence[Flight],
        call: Callable[[], Call],
    ) -> None:
        self.flights = flights
        self._call = call
        self._known = {key: found for flight in flights for key, found in flight.gradients}
        self._steps = steps
        self._channel = channel
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
        with self._steps.explained(None):
            flight.launch()

    def depart(self, gradients: Sequence[tuple[Key, list[Gradient]]]) -> bool:
        """Send what has not left; return whether all that has left is right, on all workers.

        Parameters
        ----------
        gradients : list of (key, list of Gradient)
            Where the program has gradients now.
        """
        is_other = self._known != dict(gradients)
        early = self.flights[: self._next]
        while self._next < len(self.flights):
            self._launch()
        is_wrong = self._is_spoiled or is_other or any(flight.has_changed() for flight in early)
        answer = torch.tensor([is_wrong], dtype=torch.uint8)
        with self._steps.explained(None):
            work = dist.all_reduce(answer, dist.ReduceOp.MAX, self._channel, async_op=True)
        self._steps.wait(work, self._steps.upcoming, self._call)
        return not answer.item()

    def _wait_for(self, flight: Flight) -> None:
        """Wait, and see whether the others do something else in the store's next step."""
        if flight.work is not None:
            flight.wait_for(flight.work, self._steps.upcoming, self._call)

    def land(self) -> None:
        """Replace all gradients by their sums, and begin anew for the next backward pass."""
        for flight in self.flights:
            self._wait_for(flight)
            flight.land()
            flight.arm()
        self._next = 0
        self._is_spoiled = False

    @property
    def is_flying(self) -> bool:
        """Whether anything has left whose sum nobody has asked for."""
        return self._next > 0

    def drop(self) -> None:
        """Wait for what has left, use nothing of it, and listen no more."""
        for flight in self.flights:
            self._wait_for(flight)
            for _, gradients in flight.gradients:
                for gradient in gradients:
                    gradient.listener = None


def _listener(known: weakref.ref[Ahead], position: int, which: int) -> Callable[[], None]:
    def arrive() -> None:
        ahead = known()
        if ahead is not None:
            ahead.arrive(position, which)

    return arrive
