"""Batches on their way to a device while the program works on the one before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import NDArray, wrap
from gluonish.array.tensors import plain
from gluonish.hybrid.structure import map_arrays

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from gluonish.context import Context


class CopyLane:
    """A GPU's stream for copies, beside the one that computes.

    Parameters
    ----------
    device : torch.device
        The GPU.
    """

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]

    def send(self, tensor: Tensor) -> Tensor:
        """Return a copy on the GPU, which is on its way."""
        source = tensor if tensor.is_cuda or tensor.is_pinned() else tensor.pin_memory()
        with torch.cuda.stream(self._stream):
            return source.to(self._device, non_blocking=True)

    def sent(self) -> torch.cuda.Event:
        """Return what stands for the arrival of all that was sent."""
        event: torch.cuda.Event = self._stream.record_event()
        return event

    def receive(self, event: torch.cuda.Event, tensors: list[Tensor]) -> None:
        """Have the present stream wait for copies before it uses them."""
        stream = torch.cuda.current_stream(self._device)
        stream.wait_event(event)
        for tensor in tensors:
            if tensor.is_cuda:
                tensor.record_stream(stream)


def sent_ahead(batches: Iterator[Any], ctx: Context) -> Iterator[Any]:
    """Give batches on a context; those for a GPU are sent there one batch ahead."""
    if ctx.device.type == "cuda":
        return one_ahead(batches, ctx, CopyLane(ctx.device))

    def move(array: NDArray) -> NDArray:
        return wrap(plain(array), ctx, type(array))

    return (map_arrays(move, batch) for batch in batches)


def one_ahead(batches: Iterator[Any], ctx: Context, lane: CopyLane) -> Iterator[Any]:
    """Give batches that a lane has copied, each after the next one was sent."""
    waiting: tuple[Any, Any, list[Tensor]] | None = None
    for batch in batches:
        tensors: list[Tensor] = []
        moved = map_arrays(partial(_sent, ctx, lane, tensors), batch)
        following = (moved, lane.sent(), tensors)
        if waiting is not None:
            lane.receive(*waiting[1:])
            yield waiting[0]
        waiting = following
    if waiting is not None:
        lane.receive(*waiting[1:])
        yield waiting[0]


def _sent(ctx: Context, lane: CopyLane, into: list[Tensor], array: NDArray) -> NDArray:
    into.append(lane.send(plain(array)))
    return wrap(into[-1], ctx, type(array))
