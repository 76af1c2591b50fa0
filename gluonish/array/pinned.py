"""Copies out of page-locked memory, which go on while the program does."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor

_in_flight: Final[list[torch.cuda.Event]] = []


def page_locked(tensor: Tensor) -> Tensor:
    """Return a copy in page-locked memory of the CPU; in any, where there is no GPU."""
    locks = torch.cuda.is_available()
    copy = torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=locks)
    return copy.copy_(tensor)


def send(tensor: Tensor, device: torch.device) -> Tensor:
    """Return a copy of a page-locked tensor on a device, which may still be on its way."""
    if device.type != "cuda":
        return tensor.to(device, copy=True)
    copy = tensor.to(device, copy=True, non_blocking=True)
    _in_flight[:] = [event for event in _in_flight if not event.query()]  # type: ignore[no-untyped-call]
    _in_flight.append(torch.cuda.current_stream(device).record_event())
    return copy


def arrive() -> None:
    """Wait for all copies, so that what they are made from may be written to."""
    while _in_flight:
        _in_flight.pop().synchronize()
