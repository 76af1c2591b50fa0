"""One message of several keys: every worker's share goes to its owner, the results come back."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

from gluonish.kvstore.packing import packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torch import Tensor
    from torch.distributed import Work

    from gluonish.kvstore.agreement import Call, Steps
    from gluonish.kvstore.compression import Compression
    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.layout import Layout, Part

_TAGS = 2**22  # steps after which tags are used again
_PIECE = 16 * 2**20  # bytes of a large chunk that are sent at a time
SUMMED = (  # what all_reduce of gloo takes
    *(torch.float16, torch.bfloat16, torch.float32, torch.float64),
    *(torch.int8, torch.uint8, torch.int32, torch.int64),
)
_COPIED_A_SECOND = 8e9  # bytes, about
_PATIENCE = 0.05  # seconds for which others are waited for, before copies are made meanwhile
_LOOK = 0.0001  # seconds between two looks whether they are there


class Transfer:
    """The memory and the course of one message, which is sent again and again.

    Parameters
    ----------
    layout : Layout
        What it holds.
    steps : Steps
        The store's.
    number : int
        The store's among all, for the messages' tags.
    compression : Compression or None
        What has rounded the elements, so that they take less room.
    shapes : dict
        The keys' shapes.
    sums_whole : bool, default False
        Whether nothing happens to sums where they are made, so that `all_reduce` can make them.
    keeps_source : bool, default True
        Whether memory that is borrowed must not be overwritten by sums.
    """

    def __init__(
        self,
        layout: Layout,
        steps: Steps,
        number: int,
        compression: Compression | None,
        shapes: Mapping[Key, torch.Size],
        *,
        sums_whole: bool = False,
        keeps_source: bool = True,
    ) -> None:
        group = steps.group
        self.layout = layout
        self.flat = torch.zeros(layout.total, dtype=layout.dtype)
        self.filled: set[Key] = set()
        self.is_flying = False
        self.call: Callable[[], Call]
        self._steps = steps
        self._rank = group.rank
        self._others = [rank for rank in range(group.size) if rank != group.rank]
        self._peers = group.peers
        self._number = number
        self._compression = compression
        self._sums_whole = (
            sums_whole and compression is None and layout.total > 0 and layout.dtype in SUMMED
        )
        self._keeps_source = keeps_source
        self._whole: Work | None = None
        self._arriving: dict[int, Tensor] = {}
        self._source = self.flat
        self._copied: Tensor | None = None
        self._straight = 0
        self._here = torch.zeros(1)
        self._begin = self._gap = float("inf")
        self._is_collected = False
        piece = layout.total if compression is not None else _PIECE // self.flat.element_size()
        self._cuts = [_cut(stop - start, piece) for start, stop in layout.chunks]
        self._step = 0
        self._sending: list[tuple[int, Work, Tensor]] = []
        self._receiving: list[tuple[int, Work, Tensor]] = []
        self._places = _places(layout, self.flat, shapes)
        parts = [
            (part, _shaped(self.flat[start : start + part.stop - part.start], shapes[part.key]))
            for part, start in layout.parts
        ]
        self.own = [pair for pair in parts if pair[0].owner == self._rank]
        self.others = [pair for pair in parts if pair[0].owner != self._rank]

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

    def copy_on_launch(self, value: Tensor) -> bool:
        """Have `launch` copy the elements of a large key that goes alone, while it sends them."""
        is_fit = self._is_like(value) and max(map(len, self._cuts)) > 1 and not self._sums_whole
        if is_fit:
            self._copied = value.view(-1)
        return is_fit

    def copy_now(self) -> None:
        """Copy what `launch` would have copied."""
        if self._copied is not None:
            self.flat.copy_(self._copied)
            self._copied = None

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
            Whether some is sent from where `copy_on_launch` found it, so that `collect` has to be
            called before that memory changes. It only waits for bytes on their way then, not for
            others to come.
        """
        self._step = step
        self.is_flying = True
        self.filled.clear()
        if self._sums_whole:
            if self._source is not self.flat and self._keeps_source:
                self.flat.copy_(self._source)
                self._source = self.flat
            with self._steps.explained(None):
                self._whole = dist.all_reduce(self._source, group=self._peers, async_op=True)
            return False
        source = self._source if self._copied is None else self._copied
        if memory is not None and _is_same_memory(source, memory):
            memory = None
        for rank in self._others:
            arriving = self._room_for(rank, memory)
            for start, stop in self._cuts[self._rank]:
                self._receive(rank, arriving[start:stop], 0)
        last = max(map(len, self._cuts))
        copied, self._copied = self._copied, None
        self._straight = last
        is_straight = False
        if last > 1 and len(self.layout.keys) == 1:
            here = self._ask_for_others()
            if copied is not None and self._gap * _COPIED_A_SECOND < self.layout.size:
                self._straight = self._copy_until(here, copied, last)
                is_straight = self._straight > 0
                self._source, copied = copied if is_straight else self.flat, None
        for position in range(last):
            for rank in self._others:
                for start, stop in self._cuts[rank][position : position + 1]:
                    self._send_share(rank, start, stop, copied, position)
        if copied is not None:
            self._chunk(self.flat, self._rank).copy_(self._chunk(copied, self._rank))
        return is_straight

    def _room_for(self, rank: int, memory: Tensor | None) -> Tensor:
        """Return where another worker's share of what this one owns goes."""
        own = self._chunk(self.flat if memory is None else memory, self._rank)
        if memory is not None and rank == self._others[0]:
            return own  # the sum is made in place, which touches the least memory
        if rank not in self._arriving:
            self._arriving[rank] = own.new_empty(
                packed_size(own.numel(), self._compression), dtype=_sent(own, self._compression)
            )
        return self._arriving[rank]

    def rest(self) -> None:
        """Note that the program goes on, until `land`."""
        self._begin = time.perf_counter()

    def land(self) -> None:
        """Note how long the program went on; if it was longer than a copy takes, copy next time."""
        self._gap = time.perf_counter() - self._begin

    def _ask_for_others(self) -> Work:
        """Return what is completed when all workers are ready to receive this message."""
        with self._steps.explained(None):
            work: Work = dist.all_reduce(self._here, group=self._peers, async_op=True)
        return work

    def _copy_until(self, here: Work, source: Tensor, last: int) -> int:
        """Copy pieces, last ones first, until all workers are there; return how many are left."""
        end = time.perf_counter() + _PATIENCE
        while not here.is_completed() and time.perf_counter() < end:
            time.sleep(_LOOK)
        while last and not here.is_completed():
            last -= 1
            for rank, cuts in enumerate(self._cuts):
                for start, stop in cuts[last : last + 1]:
                    self._chunk(self.flat, rank)[start:stop].copy_(
                        self._chunk(source, rank)[start:stop]
                    )
        return last

    def _send_share(
        self, rank: int, start: int, stop: int, copied: Tensor | None, position: int
    ) -> None:
        source = self._source if position < self._straight else self.flat
        chunk = self._chunk(source, rank)[start:stop]
        if copied is not None:
            chunk.copy_(self._chunk(copied, rank)[start:stop])
        self._send(
            rank, chunk if self._compression is None else packed(chunk, self._compression), 0
        )

    def collect(self, memory: Tensor | None, *, distributes: bool) -> None:
        """Wait for everyone's shares, and sum them in the parts that this worker owns.

        Parameters
        ----------
        memory : Tensor, shape (elements,), optional
            Where sums go instead of `flat`, if one key goes alone.
        distributes : bool
            Whether sums are sent to all as soon as they are there.
        """
        if self._is_collected:
            return
        self._is_collected = True
        place = self.flat if memory is None else memory
        if self._whole is not None:
            self._steps.wait(self._whole, None, self._step, self.call)
            if place.data_ptr() != self._source.data_ptr():
                place.copy_(self._source)
            self._source, self._whole = self.flat, None
            return
        own = self._chunk(place, self._rank)
        arriving, self._receiving = self._receiving, []
        leaving, self._sending = deque(self._sending), []
        for position, (start, stop) in enumerate(self._cuts[self._rank]):
            source = self._source if position < self._straight else self.flat
            total = self._chunk(source, self._rank)[start:stop]
            for rank, work, arrived in arriving[position :: len(self._cuts[self._rank])]:
                self._wait(rank, work)
                total = torch.add(total, self._unpacked(arrived, total), out=own[start:stop])
            if distributes:
                self._exchange(place, position, leaving)
        while leaving:
            self._wait(*leaving.popleft()[:2])
        if distributes:
            for position in range(len(self._cuts[self._rank]), max(map(len, self._cuts))):
                self._exchange(place, position, leaving)
        self._source = self.flat

    def distribute(self, memory: Tensor | None) -> None:
        """Begin to send the results that this worker has to all, and to receive those of others.

        Parameters
        ----------
        memory : Tensor, shape (elements,), optional
            Where they are and go, instead of `flat`.
        """
        for position in range(max(map(len, self._cuts))):
            self._exchange(self.flat if memory is None else memory, position, deque())

    def _exchange(
        self, place: Tensor, position: int, leaving: deque[tuple[int, Work, Tensor]]
    ) -> None:
        """Begin to exchange one piece of each worker's results.

        What is to be overwritten has left before; each departure can be waited for only once.
        """
        for _ in range(min(len(leaving), len(self._others))):
            self._wait(*leaving.popleft()[:2])
        for rank in self._others:
            for start, stop in self._cuts[rank][position : position + 1]:
                self._receive(rank, self._chunk(place, rank)[start:stop], 1)
        for start, stop in self._cuts[self._rank][position : position + 1]:
            for rank in self._others:
                self._send(rank, self._chunk(place, self._rank)[start:stop], 1)

    def finish(self, memory: Tensor | None, copies: Sequence[Tensor]) -> None:
        """Wait for the results.

        Parameters
        ----------
        memory : Tensor, shape (elements,), optional
            Where they are, if not in `flat`.
        copies : list of Tensor, shape (elements,)
            Where they are copied to, if a key goes alone.
        """
        place = self.flat if memory is None else memory
        if self._sums_whole:
            for copy in copies:
                copy.copy_(place)
        else:
            self._copy_pieces(place, copies)
        self.is_flying = self._is_collected = False

    def _copy_pieces(self, place: Tensor, copies: Sequence[Tensor]) -> None:
        for copy in copies:
            self._chunk(copy, self._rank).copy_(self._chunk(place, self._rank))
        base = place.data_ptr()
        for rank, work, arrived in self._receiving:
            self._wait(rank, work)
            for copy in copies:
                begin = (arrived.data_ptr() - base) // place.element_size()
                copy[begin : begin + arrived.numel()].copy_(arrived)
        self._receiving = []
        for rank, work, _ in self._sending:
            self._wait(rank, work)
        self._sending = []

    def _is_like(self, value: Tensor) -> bool:
        return (
            len(self.layout.keys) == 1
            and value.dtype is self.layout.dtype
            and value.is_contiguous()
            and not value.is_cuda
        )

    def _unpacked(self, arrived: Tensor, like: Tensor) -> Tensor:
        return arrived if self._compression is None else unpacked(arrived, like, self._compression)

    def _chunk(self, place: Tensor, rank: int) -> Tensor:
        start, stop = self.layout.chunks[rank]
        return place[start:stop]

    def _wait(self, rank: int, work: Work) -> None:
        self._steps.wait(work, rank, self._step, self.call)

    def _receive(self, rank: int, memory: Tensor, kind: int) -> None:
        with self._steps.explained(rank):
            work = dist.irecv(memory, group=self._peers, group_src=rank, tag=self._tag(kind))
        self._receiving.append((rank, work, memory))  # type: ignore[arg-type]

    def _send(self, rank: int, memory: Tensor, kind: int) -> None:
        with self._steps.explained(rank):
            work = dist.isend(memory, group=self._peers, group_dst=rank, tag=self._tag(kind))
        self._sending.append((rank, work, memory))  # type: ignore[arg-type]

    def _tag(self, kind: int) -> int:
        return ((self._number % 64) * _TAGS + self._step % _TAGS) * 2 + kind


def _cut(size: int, piece: int) -> list[tuple[int, int]]:
    """Return where the pieces of a chunk begin and end."""
    return [(start, min(start + piece, size)) for start in range(0, size, piece)]


def _is_same_memory(one: Tensor, other: Tensor) -> bool:
    return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


def packed_size(elements: int, compression: Compression | None) -> int:
    """Return how many items a number of elements takes in a message."""
    each = 1 if compression is None else compression.per_byte
    return -(-elements // each)


def _sent(own: Tensor, compression: Compression | None) -> torch.dtype:
    if compression is None:
        return own.dtype
    return torch.float16 if compression.type == "fp16" else torch.uint8


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


def share(tensor: Tensor, part: Part) -> Tensor:
    """Return the elements of a part, sharing memory with the key's tensor."""
    return tensor.view(-1)[part.start : part.stop]


def share_like(tensor: Tensor, part: Part, place: Tensor) -> Tensor:
    """Return the elements of a part in the shape of their place in a message."""
    return tensor if place.shape == tensor.shape else share(tensor, part)
