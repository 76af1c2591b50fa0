"""Connections between devices: what is on a GPU is summed over workers from GPU to GPU."""

from __future__ import annotations

import hashlib
import logging
import os
import socket
from typing import TYPE_CHECKING, Final

import torch
import torch.distributed as dist

from gluonish.errors import DistributedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from torch import Tensor
    from torch.distributed import ProcessGroup

    from gluonish.kvstore.workers.agreement import Call, Steps

BACKENDS: Final = {"cuda": "nccl"}  # of torch.distributed, for kinds of devices
HOST: Final = torch.device("cpu")
_log: Final = logging.getLogger("gluonish.kvstore")


def kinds_here() -> list[str]:
    """Return the kinds of devices that this process can connect to those of others.

    GLUONISH_NCCL=0 in the environment has it connect none.

    Examples
    --------
    >>> import torch
    >>> from gluonish.kvstore.workers.devices import kinds_here
    >>> ('cuda' in kinds_here()) <= torch.cuda.is_available()
    True
    """
    return [kind for kind in BACKENDS if kind != "cuda" or _has_nccl()]


def _has_nccl() -> bool:
    is_wanted = os.environ.get("GLUONISH_NCCL", "1") != "0"
    return is_wanted and torch.cuda.is_available() and dist.is_nccl_available()


def meet(steps: Steps, tensors: Sequence[Tensor], call: Callable[[], Call]) -> None:
    """Connect the devices of some tensors to those of the other workers, which do so too.

    That is done once for each kind of devices, and only if each worker has one of its own, as NCCL
    needs it; otherwise what is there goes through host memory.

    Parameters
    ----------
    steps : Steps
        A store's.
    tensors : list of Tensor
        Keys that are new in it.
    call : callable
        Returns what this worker does, if it has to be told.
    """
    group = steps.group
    for kind in group.kinds:
        if kind in group.connected:
            continue
        device = next((tensor.device for tensor in tensors if tensor.device.type == kind), None)
        own = torch.zeros(2, dtype=torch.int64) if device is None else _mark(device)
        marks = [torch.zeros_like(own) for _ in range(group.size)]
        work = dist.all_gather(marks, own, group=group.peers, async_op=True)
        steps.wait(work, steps.take(), call)
        if not any(mark.any() for mark in marks):
            continue  # nobody has any yet
        alike = _alike(mark.tolist() for mark in marks)
        group.connected[kind] = None if alike or device is None else _connected(steps, device)
        if alike and group.rank == 0:
            _log.warning(
                "kv: %s. What the workers exchange goes through the memory of their hosts; with a "
                "device of its own for each it would not.",
                _told(steps, alike),
            )


def _connected(steps: Steps, device: torch.device) -> ProcessGroup:
    """Return connections between devices, over which one sum has been made."""
    channel = steps.group.open_channel(device.type)
    try:
        with steps.waiting():
            first = torch.ones(1, device=device)
            dist.all_reduce(first, group=channel)
            first.item()
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1]
        msg = (
            f"kv: {device} of worker {steps.group.rank} could not be connected to the devices of "
            f"the others ({reason}). Expected all to reach one another. NCCL_DEBUG=WARN has NCCL "
            f"tell more; GLUONISH_NCCL=0 in the environment of all workers has them exchange "
            f"everything through the memory of their hosts."
        )
        raise steps.found or DistributedError(msg) from error
    return channel


def _mark(device: torch.device) -> Tensor:
    """Return 16 bytes that tell a device from all others, of other hosts too."""
    if device.type == "cuda":
        name = str(torch.cuda.get_device_properties(device).uuid)
    else:
        name = f"{socket.gethostname()} {os.getpid()}"
    digest = hashlib.sha256(name.encode()).digest()[:16]
    return torch.frombuffer(bytearray(digest), dtype=torch.int64)


def _alike(marks: Iterable[Sequence[int]]) -> Mapping[tuple[int, ...], list[int]]:
    """Return the workers that have none, and those that have the same one."""
    found: dict[tuple[int, ...], list[int]] = {}
    for rank, mark in enumerate(marks):
        found.setdefault(tuple(mark), []).append(rank)
    return {mark: ranks for mark, ranks in found.items() if len(ranks) > 1 or not any(mark)}


def _told(steps: Steps, alike: Mapping[tuple[int, ...], list[int]]) -> str:
    mark, ranks = next(iter(alike.items()))
    what = "the same device" if any(mark) else "no array on a device, while others have one"
    return f"these have {what}: {steps.names(ranks)}"
