"""One message of several keys: its memory, and its course where all of it is summed for all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
from typing_extensions import override

from gluonish.kvstore.workers.devices import HOST

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torch import Tensor
    from torch.distributed import Work

    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.owners.layout import Layout
    from gluonish.kvstore.workers.agreement import Call, Steps

SUMMED = (  # what all_reduce of gloo takes
    *(torch.float16, torch.bfloat16, torch.float32, torch.float64),
    *(torch.int8, torch.uint8, torch.int32, torch.int64),
)


class Transfer(ABC):
    """The memory and the course of one message, which is sent again and again.

    Parameters
    ----------
    layout : Layout
        What it holds.
    steps : Steps
        The store's.
    shapes : dict
        The keys' shapes.
    device : torch.device
        Where its memory is.
    """

    def __init__(
        self,
        layout: Layout,
        steps: Steps,
        shapes: Mapping[Key, torch.Size],
        device: torch.device = HOST,
    ) -> None:
        self.layout = layout
        self.flat = torch.zeros(layout.total, dtype=layout.dtype, device=device)
        self.filled: set[Key] = set()
        self.is_flying = False
        self.call: Callable[[], Call]
        self._steps = steps
        self._step = 0
        self._source = self.flat
        self._places = _places(layout, self.flat, shapes)
        parts = [
            (part, _shaped(self.flat[start : start + part.stop - part.start], shapes[part.key]))
            for part, start in layout.parts
        ]
        rank = steps.group.rank
        self.own = [pair for pair in parts if pair[0].owner == rank]
        self.others = [pair for pair in parts if pair[0].owner != rank]

    # --- before it is sent ------------------------------------------------------------------

    def pair_up(self, key: Key, value: Tensor, places: list[Tensor], pieces: list[Tensor]) -> None:
        """Append where the elements of a key lie here, and the same elements of a tensor."""
        for place, start, stop in self._places[key]:
            places.append(place)
            pieces.append(value if place.shape == value.shape else value.reshape(-1)[start:stop])

    def borrow(self, value: Tensor) -> bool:
        """Send the elements of a key that goes alone from where they are, if that can be done."""
        is_fit = self._is_like(value)
        if is_fit:
            self._source = value.view(-1)
        return is_fit

    def put(self, key: Key, value: Tensor, places: list[Tensor], pieces: list[Tensor]) -> None:
        """Have the elements of a key sent as they are now, by `pair_up` or by a later copy."""
        self.pair_up(key, value, places, pieces)

    @abstractmethod
    def copy_now(self) -> None:
        """Copy what `put` has left for `launch` to copy."""

    def take(self, key: Key, shape: torch.Size) -> Tensor:
        """Return the elements of a key as they are, which this message then does not send."""
        self.filled.discard(key)
        source, self._source = self._source, self.flat
        if source is not self.flat:
            return source.clone().view(shape)
        return self.value(key, shape)

    def value(self, key: Key, shape: torch.Size) -> Tensor:
        """Return a copy of the elements of a key."""
        parts = [place.view(-1) for place, _, _ in self._places[key]]
        return torch.cat([*parts, self.flat.new_empty(0)]).reshape(shape)

    # --- its course -------------------------------------------------------------------------

    def launch(self, step: int, memory: Tensor | None = None) -> bool:
        """Begin to send everyone its share.

        Parameters
        ----------
        step : int
            The number of the step.
        memory : Tensor, shape (elements,), optional
            Where sums of a key that goes alone will be, if what is there now is of no more use.

        Returns
        -------
        bool
            Whether it is sent from where `put` found it, so that `collect` has to be called before
            that memory changes.
        """
        self._step = step
        self.is_flying = True
        self.filled.clear()
        return self._leave(memory)

    @abstractmethod
    def _leave(self, memory: Tensor | None) -> bool: ...

    @abstractmethod
    def collect(self, memory: Tensor | None, *, distributes: bool) -> None:
        """Wait for everyone's shares, and sum them in the parts that this worker owns.

        Parameters
        ----------
        memory : Tensor, shape (elements,), optional
            Where sums go instead of `flat`, if one key goes alone.
        distributes : bool
            Whether sums are sent to all as soon as they are there.
        """

    @abstractmethod
    def distribute(self, memory: Tensor | None) -> None:
        """Begin to send the results that this worker has to all, and to receive those of others.

        Parameters
        ----------
        memory : Tensor, shape (elements,), optional
            Where they are and go, instead of `flat`.
        """

    @abstractmethod
    def finish(self, memory: Tensor | None, copies: Sequence[Tensor]) -> None:
        """Wait for the results.

        Parameters
        ----------
        memory : Tensor, shape (elements,), optional
            Where they are, if not in `flat`.
        copies : list of Tensor, shape (elements,)
            Where they are copied to, if a key goes alone.
        """

    def _is_like(self, value: Tensor) -> bool:
        return len(self.layout.keys) == 1 and lies_in_order(
            value, self.layout.dtype, self.flat.device
        )


class Collective(Transfer):
    """A message that all workers sum by functions which they call together.

    Parameters
    ----------
    layout, steps, shapes
        See `Transfer`.
    device : torch.device, optional
        Where it is summed, and where all workers are connected; host memory by default.
    keeps_source : bool, default True
        Whether memory that is borrowed must not be overwritten by sums.
    """

    def __init__(
        self,
        layout: Layout,
        steps: Steps,
        shapes: Mapping[Key, torch.Size],
        device: torch.device | None = None,
        *,
        keeps_source: bool = True,
    ) -> None:
        super().__init__(layout, steps, shapes, HOST if device is None else device)
        group = steps.group
        self._channel = group.peers if device is None else group.connected[device.type]
        self._wait_for = steps.wait if device is None else steps.follow
        self._keeps_source = keeps_source
        self._works: list[Work] = []

    @override
    def copy_now(self) -> None:
        """Do nothing, since `put` has left nothing."""

    @override
    def _leave(self, memory: Tensor | None) -> bool:
        if self._source is not self.flat and self._keeps_source:
            self.flat.copy_(self._source)
            self._source = self.flat
        self._sum()
        return False

    @abstractmethod
    def _sum(self) -> None:
        """Begin to sum what is in `_source`."""

    @override
    def finish(self, memory: Tensor | None, copies: Sequence[Tensor]) -> None:
        self._wait()
        for copy in copies:
            copy.copy_(self.flat if memory is None else memory)
        self.is_flying = False

    def _wait(self) -> None:
        works, self._works = self._works, []
        for work in works:
            self._wait_for(work, self._step, self.call)


class Whole(Collective):
    """A message that is summed as it is, for all workers, by `all_reduce`."""

    @override
    def _sum(self) -> None:
        with self._steps.explained(None):
            work = dist.all_reduce(self._source, group=self._channel, async_op=True)
        self._works.append(work)

    @override
    def collect(self, memory: Tensor | None, *, distributes: bool) -> None:
        if not self._works:
            return
        self._wait()
        place = self.flat if memory is None else memory
        if place.data_ptr() != self._source.data_ptr():
            place.copy_(self._source)
        self._source = self.flat

    @override
    def distribute(self, memory: Tensor | None) -> None:
        """Do nothing, since all workers have all sums."""


class Parts(Collective):
    """A message whose parts are summed on their owners, which update them and send what results.

    Parameters
    ----------
    layout, steps, shapes, device
        See `Collective`.
    """

    @override
    def _sum(self) -> None:
        for rank, chunk in self._chunks(self._source):
            with self._steps.explained(None):
                work = dist.reduce(chunk, group=self._channel, group_dst=rank, async_op=True)
            self._works.append(work)

    @override
    def collect(self, memory: Tensor | None, *, distributes: bool) -> None:
        """Wait for the sums, which stay in `flat`, where updates take them."""
        self._wait()

    @override
    def distribute(self, memory: Tensor | None) -> None:
        for rank, chunk in self._chunks(self.flat if memory is None else memory):
            with self._steps.explained(None):
                work = dist.broadcast(chunk, group=self._channel, group_src=rank, async_op=True)
            self._works.append(work)

    def _chunks(self, place: Tensor) -> list[tuple[int, Tensor]]:
        """Return what each worker owns of a place, with the worker, if it is anything."""
        return [
            (rank, place[start:stop])
            for rank, (start, stop) in enumerate(self.layout.chunks)
            if stop > start
        ]


def _places(
    layout: Layout, flat: Tensor, shapes: Mapping[Key, torch.Size]
) -> dict[Key, list[tuple[Tensor, int, int]]]:
    """Return where the elements of keys go; parts that follow one another are one place."""
    spans: dict[Key, list[list[int]]] = {key: [] for key in layout.keys}
    for part, begin in layout.parts:
        own = spans[part.key]
        if own and own[-1][1] == begin and own[-1][3] == part.start:
            own[-1][1] += part.stop - part.start
            own[-1][3] = part.stop
        else:
            own.append([begin, begin + part.stop - part.start, part.start, part.stop])
    return {
        key: [
            (_shaped(flat[begin:end], shapes[key]), start, stop)
            for begin, end, start, stop in found
        ]
        for key, found in spans.items()
    }


def _shaped(place: Tensor, shape: torch.Size) -> Tensor:
    """Return memory in the shape of a key, if it is for all of it."""
    return place.view(shape) if place.numel() == shape.numel() else place


def lies_in_order(tensor: Tensor, dtype: torch.dtype, device: torch.device) -> bool:
    """Return whether the elements of a tensor can be sent from where they are, or arrive there."""
    return tensor.dtype is dtype and tensor.device == device and tensor.is_contiguous()
