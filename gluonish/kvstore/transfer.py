"""One message of several keys: every worker's share goes to its owner, the results come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

from gluonish.kvstore.packing import packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor
    from torch.distributed import Work

    from gluonish.kvstore.agreement import Call, Steps
    from gluonish.kvstore.compression import Compression
    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.layout import Layout, Part

_TAGS = 2**22  # steps after which tags are used again


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
    """

    def __init__(
        self, layout: Layout, steps: Steps, number: int, compression: Compression | None
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
        own = self._chunk(self.flat, self._rank)
        self._arriving = {
            rank: own.new_empty(
                packed_size(own.numel(), compression), dtype=_sent(own, compression)
            )
            for rank in (self._others if own.numel() else ())
        }
        self._source = self.flat
        self._step = 0
        self._sending: list[tuple[int, Work, Tensor]] = []
        self._receiving: list[tuple[int, Work, Tensor]] = []
        self._places = _places(layout, self.flat)
        self.own = [
            (part, self.flat[start : start + part.stop - part.start])
            for part, start in layout.owned_by(self._rank)
        ]
        self.others = [
            (part, self.flat[start : start + part.stop - part.start])
            for part, start in layout.parts
            if part.owner != self._rank
        ]

    def places(self, key: Key) -> list[tuple[Tensor, int, int]]:
        """Return where the elements of a key go, with their numbers in the key."""
        return self._places[key]

    def borrow(self, value: Tensor) -> bool:
        """Send the elements of a key that goes alone from where they are, if that can be done."""
        is_fit = (
            len(self.layout.keys) == 1
            and value.dtype is self.layout.dtype
            and value.is_contiguous()
            and not value.is_cuda
        )
        if is_fit:
            self._source = value.view(-1)
        return is_fit

    def value(self, key: Key, shape: torch.Size) -> Tensor:
        """Return a copy of the elements of a key as they are."""
        if self._source is not self.flat:
            return self._source.clone().view(shape)
        parts = [place for place, _, _ in self._places[key]]
        return torch.cat([*parts, self.flat.new_empty(0)]).reshape(shape)

    def launch(self, step: int) -> None:
        """Begin to send everyone its share."""
        self._step = step
        self.is_flying = True
        self.filled.clear()
        for rank, memory in self._arriving.items():
            self._receive(rank, memory, 0)
        for rank in self._others:
            chunk = self._chunk(self._source, rank)
            if chunk.numel():
                shares = self._compression
                self._send(rank, chunk if shares is None else packed(chunk, shares), 0)

    def collect(self, memory: Tensor | None) -> None:
        """Wait for everyone's shares, and sum them in the parts that this worker owns.

        Parameters
        ----------
        memory : Tensor, shape (elements,), optional
            Where sums go instead of `flat`, if one key goes alone.
        """
        total = self._chunk(self._source, self._rank)
        own = self._chunk(self.flat if memory is None else memory, self._rank)
        for rank, work, arrived in self._receiving:
            self._steps.wait(work, rank, self._step, self.call)
            shares = self._compression
            total = torch.add(
                total, arrived if shares is None else unpacked(arrived, own, shares), out=own
            )
        self._receiving = []
        self._finish_sending()
        self._source = self.flat

    def distribute(self, memory: Tensor | None) -> None:
        """Begin to send the results that this worker has to all, and to receive those of others.

        Parameters
        ----------
        memory : Tensor, shape (elements,), optional
            Where they are and go, instead of `flat`.
        """
        place = self.flat if memory is None else memory
        for rank in self._others:
            chunk = self._chunk(place, rank)
            if chunk.numel():
                self._receive(rank, chunk, 1)
        own = self._chunk(place, self._rank)
        for rank in self._others:
            if own.numel():
                self._send(rank, own, 1)

    def finish(self) -> None:
        """Wait for the results."""
        for rank, work, _ in self._receiving:
            self._steps.wait(work, rank, self._step, self.call)
        self._receiving = []
        self._finish_sending()
        self.is_flying = False

    def _chunk(self, place: Tensor, rank: int) -> Tensor:
        start, stop = self.layout.chunks[rank]
        return place[start:stop]

    def _finish_sending(self) -> None:
        for rank, work, _ in self._sending:
            self._steps.wait(work, rank, self._step, self.call)
        self._sending = []

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


def packed_size(elements: int, compression: Compression | None) -> int:
    """Return how many items a number of elements takes in a message."""
    each = 1 if compression is None else compression.per_byte
    return -(-elements // each)


def _sent(own: Tensor, compression: Compression | None) -> torch.dtype:
    if compression is None:
        return own.dtype
    return torch.float16 if compression.type == "fp16" else torch.uint8


def _places(layout: Layout, flat: Tensor) -> dict[Key, list[tuple[Tensor, int, int]]]:
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
        key: [(flat[begin:end], start, stop) for begin, end, start, stop in found]
        for key, found in spans.items()
    }


def share(tensor: Tensor, part: Part) -> Tensor:
    """Return the elements of a part, sharing memory with the key's tensor."""
    return tensor.view(-1)[part.start : part.stop]
