"""A message whose parts go to their owners through host memory, and come back as results."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
from typing_extensions import override

from gluonish.kvstore.exchange.packing import packed, packed_dtype, packed_size, unpacked
from gluonish.kvstore.exchange.transfer import Transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from torch import Tensor
    from torch.distributed import Work

    from gluonish.kvstore.compression import Compression
    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.owners.layout import Layout
    from gluonish.kvstore.workers.agreement import Steps

_TAGS = 2**22  # steps after which tags are used again
_PIECE = 16 * 2**20  # bytes of a large chunk that are sent at a time
_COPIED_A_SECOND = 8e9  # bytes, about


class Shares(Transfer):
    """A message of which each worker gets what it owns, and sends the results to all others.

    Parameters
    ----------
    layout, steps, shapes
        See `Transfer`.
    number : int
        The store's among all, for the messages' tags.
    compression : Compression or None
        What has rounded the elements, so that they take less room.
    """

    def __init__(
        self,
        layout: Layout,
        steps: Steps,
        shapes: Mapping[Key, torch.Size],
        number: int,
        compression: Compression | None,
    ) -> None:
        super().__init__(layout, steps, shapes)
        group = steps.group
        self._rank = group.rank
        self._others = [rank for rank in range(group.size) if rank != group.rank]
        self._peers = group.peers
        self._number = number
        self._compression = compression
        self._arriving: dict[int, Tensor] = {}
        self._is_collected = False
        self._copied: Tensor | None = None
        self._begin = self._gap = float("inf")  # when the program went on, and for how long
        piece = layout.total if compression is not None else _PIECE // self.flat.element_size()
        self._cuts = [_cut(stop - start, piece) for start, stop in layout.chunks]
        self._last = max(map(len, self._cuts))
        self._sending: list[tuple[int, Work, Tensor]] = []
        self._receiving: list[tuple[int, Work, Tensor]] = []

    @override
    def put(self, key: Key, value: Tensor, places: list[Tensor], pieces: list[Tensor]) -> None:
        if self._last > 1 and self._is_like(value):
            self._copied = value.view(-1)
        else:
            super().put(key, value, places, pieces)

    @override
    def copy_now(self) -> None:
        if self._copied is not None:
            self.flat.copy_(self._copied)
            self._copied = None

    # --- shares leave -----------------------------------------------------------------------

    @override
    def _leave(self, memory: Tensor | None) -> bool:
        copied, self._copied = self._copied, None
        is_straight = copied is not None and self._gap * _COPIED_A_SECOND < self.layout.size
        if copied is not None and is_straight:
            self._source, copied = copied, None
        source = self._source if copied is None else copied
        self._receive_shares(None if memory is None or _is_same_memory(source, memory) else memory)
        for position in range(self._last):
            if copied is not None:
                self._copy(copied, position, self._others)
            for rank in self._others:
                for piece in self._pieces(self._source, rank, position):
                    self._send(rank, packed(piece, self._compression), 0)
        if copied is not None:
            for position in range(self._last):
                self._copy(copied, position, [self._rank])
        self._begin = time.perf_counter()
        return is_straight

    def _receive_shares(self, memory: Tensor | None) -> None:
        for rank in self._others:
            arriving = self._room_for(rank, memory)
            for start, stop in self._cuts[self._rank]:
                self._receive(rank, arriving[start:stop], 0)

    def _room_for(self, rank: int, memory: Tensor | None) -> Tensor:
        """Return where another worker's share of what this one owns goes."""
        own = self._chunk(self.flat if memory is None else memory, self._rank)
        if memory is not None and rank == self._others[0]:
            return own  # the sum is made in place, which touches the least memory
        if rank not in self._arriving:
            self._arriving[rank] = own.new_empty(
                packed_size(own.numel(), self._compression),
                dtype=packed_dtype(own.dtype, self._compression),
            )
        return self._arriving[rank]

    def _copy(self, source: Tensor, position: int, ranks: Iterable[int]) -> None:
        """Copy pieces of what some workers own."""
        for rank in ranks:
            for place, piece in zip(
                self._pieces(self.flat, rank, position),
                self._pieces(source, rank, position),
                strict=True,
            ):
                place.copy_(piece)

    # --- sums and results -------------------------------------------------------------------

    @override
    def collect(self, memory: Tensor | None, *, distributes: bool) -> None:
        self._gap = time.perf_counter() - self._begin
        if self._is_collected:
            return
        self._is_collected = True
        place = self.flat if memory is None else memory
        own = self._chunk(place, self._rank)
        arriving, self._receiving = self._receiving, []
        leaving, self._sending = deque(self._sending), []
        for position, (start, stop) in enumerate(self._cuts[self._rank]):
            (total,) = self._pieces(self._source, self._rank, position)
            for rank, work, arrived in arriving[position :: len(self._cuts[self._rank])]:
                self._wait(rank, work)
                values = unpacked(arrived, total, self._compression)
                total = torch.add(total, values, out=own[start:stop])
            if distributes:
                self._exchange(place, position, leaving)
        while leaving:
            self._wait(*leaving.popleft()[:2])
        if distributes:
            for position in range(len(self._cuts[self._rank]), self._last):
                self._exchange(place, position, leaving)
        self._source = self.flat
        self._begin = time.perf_counter()

    @override
    def distribute(self, memory: Tensor | None) -> None:
        for position in range(self._last):
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
            for piece in self._pieces(place, rank, position):
                self._receive(rank, piece, 1)
        for piece in self._pieces(place, self._rank, position):
            for rank in self._others:
                self._send(rank, piece, 1)

    @override
    def finish(self, memory: Tensor | None, copies: Sequence[Tensor]) -> None:
        place = self.flat if memory is None else memory
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
        self.is_flying = self._is_collected = False

    # --- pieces -----------------------------------------------------------------------------

    def _chunk(self, place: Tensor, rank: int) -> Tensor:
        start, stop = self.layout.chunks[rank]
        return place[start:stop]

    def _pieces(self, place: Tensor, rank: int, position: int) -> list[Tensor]:
        """Return the piece at a position of what a worker owns, if it has so many."""
        chunk = self._chunk(place, rank)
        return [chunk[start:stop] for start, stop in self._cuts[rank][position : position + 1]]

    def _wait(self, rank: int, work: Work) -> None:
        self._steps.wait(work, self._step, self.call, rank)

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
