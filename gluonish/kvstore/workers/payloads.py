"""Tensors of all dtypes as the bytes of one message, and messages of any sizes between all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torch import Tensor

    from gluonish.kvstore.workers.agreement import Call, Steps

_ALIGNED = 16  # bytes at multiples of which each tensor begins
_TAG = 2**29 + 2**24  # above those of requests


def as_bytes(tensor: Tensor) -> Tensor:
    """Return the bytes of a tensor, sharing its memory if it lies there in order."""
    return tensor.contiguous().view(-1).view(torch.uint8)


def _aligned(size: int) -> int:
    """Return how many bytes of a message so many take."""
    return -(-size // _ALIGNED) * _ALIGNED


def joined(tensors: Sequence[Tensor]) -> Tensor:
    """Return the bytes of tensors, one after the other.

    Examples
    --------
    >>> import torch
    >>> from gluonish.kvstore.workers.payloads import Reader, joined
    >>> reader = Reader(joined([torch.tensor([3]), torch.tensor([0.5, 2.0])]))
    >>> reader.take(torch.int64, 1), reader.take(torch.float32, 2)
    (tensor([3]), tensor([0.5000, 2.0000]))
    """
    contents = [as_bytes(tensor) for tensor in tensors]
    sizes = [_aligned(content.numel()) for content in contents]
    total = torch.zeros(sum(sizes), dtype=torch.uint8)
    begin = 0
    for content, size in zip(contents, sizes, strict=True):
        total[begin : begin + content.numel()] = content
        begin += size
    return total


class Reader:
    """Gives the tensors of a message one after the other, sharing its memory.

    Parameters
    ----------
    content : Tensor of uint8
        What `joined` returned.
    """

    def __init__(self, content: Tensor) -> None:
        self._content = content
        self._place = 0

    def take(self, dtype: torch.dtype, count: int) -> Tensor:
        """Return the next tensor, of so many elements."""
        size = count * dtype.itemsize
        begin, self._place = self._place, self._place + _aligned(size)
        return self._content[begin : begin + size].view(dtype)


def exchanged(
    steps: Steps, outgoing: Mapping[int, Sequence[Tensor]], step: int, call: Callable[[], Call]
) -> dict[int, Reader]:
    """Send every worker a message, and return what every worker has sent to this one.

    Parameters
    ----------
    steps : Steps
        The store's.
    outgoing : dict of int to list of Tensor
        The contents for each worker, also this one.
    step : int
        The step that it is part of.
    call : callable
        Returns what this worker does, if it has to be told.
    """
    group = steps.group
    others = [rank for rank in range(group.size) if rank != group.rank]
    contents = {rank: joined(tensors) for rank, tensors in outgoing.items()}
    sizes = torch.tensor([contents[rank].numel() for rank in range(group.size)])
    table = [torch.zeros_like(sizes) for _ in range(group.size)]
    work = dist.all_gather(table, sizes, group=group.peers, async_op=True)
    steps.wait(work, step, call)
    coming = {rank: int(table[rank][group.rank]) for rank in others}
    arriving = {rank: torch.empty(size, dtype=torch.uint8) for rank, size in coming.items() if size}
    works = []
    for rank, memory in arriving.items():
        with steps.explained(rank):
            received = dist.irecv(memory, group=group.peers, group_src=rank, tag=_TAG)
        works.append((rank, received))
    for rank in others:
        if contents[rank].numel():
            with steps.explained(rank):
                sent = dist.isend(contents[rank], group=group.peers, group_dst=rank, tag=_TAG)
            works.append((rank, sent))
    for rank, waited in works:
        steps.wait(waited, step, call, rank)  # type: ignore[arg-type]
    nothing = torch.empty(0, dtype=torch.uint8)
    found = {rank: Reader(arriving.get(rank, nothing)) for rank in others}
    return {**found, group.rank: Reader(contents[group.rank])}
