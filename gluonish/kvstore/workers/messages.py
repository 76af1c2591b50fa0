"""What workers tell one another beside gradients: values and files of worker 0, and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

from gluonish.errors import DistributedError, MXNetError
from gluonish.kvstore.workers.agreement import Call
from gluonish.kvstore.workers.devices import meet
from gluonish.kvstore.workers.payloads import as_bytes
from gluonish.serialization.files import open_source, replacing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.kvstore.workers.agreement import Steps
    from gluonish.serialization.files import PathLike

_PROBLEM = b"!"
_FINE = b"."


def gather_bytes(steps: Steps | None, content: bytes, where: str) -> list[bytes]:
    """Return what all workers have, on worker 0; nothing on the others.

    Parameters
    ----------
    steps : Steps or None
        The workers' steps; None if there is one worker.
    content : bytes
        What this worker has.
    where : str
        What is being done, for messages.
    """
    if steps is None:
        return [content]
    steps.agree(Call(where))
    group, step = steps.group, steps.take()
    sizes = [torch.zeros(1, dtype=torch.int64) for _ in range(group.size)]
    own = torch.tensor([len(content)])
    work = dist.all_gather(sizes, own, group=group.peers, async_op=True)
    steps.wait(work, step, lambda: Call(where))
    if group.rank:
        sent = dist.isend(_tensor(content), group=group.peers, group_dst=0)
        steps.wait(sent, step, lambda: Call(where), 0)  # type: ignore[arg-type]
        return []
    found = [content]
    for rank in range(1, group.size):
        memory = torch.empty(int(sizes[rank]) + 1, dtype=torch.uint8)
        received = dist.irecv(memory, group=group.peers, group_src=rank)
        steps.wait(received, step, lambda: Call(where), rank)  # type: ignore[arg-type]
        found.append(memory[1:].numpy().tobytes())
    return found


def share_bytes(steps: Steps | None, content: bytes, where: str) -> bytes:
    """Return what worker 0 has.

    Parameters
    ----------
    steps : Steps or None
        The workers' steps; None if there is one worker.
    content : bytes
        What it is, on worker 0.
    where : str
        What is being done, for messages.
    """
    if steps is None:
        return content
    steps.agree(Call(where))
    group, step = steps.group, steps.take()
    size = torch.tensor([len(content)])
    work = dist.broadcast(size, group=group.peers, group_src=0, async_op=True)
    steps.wait(work, step, lambda: Call(where))
    memory = _tensor(content) if group.rank == 0 else torch.empty(int(size) + 1, dtype=torch.uint8)
    work = dist.broadcast(memory, group=group.peers, group_src=0, async_op=True)
    steps.wait(work, step, lambda: Call(where))
    return memory[1:].numpy().tobytes()


def share_tensors(steps: Steps, call: Call, tensors: Sequence[Tensor]) -> None:
    """Overwrite tensors by those of worker 0, after all workers have named the same ones.

    Parameters
    ----------
    steps : Steps
        The workers' steps.
    call : Call
        What is being done, and the tensors' names.
    tensors : list of Tensor
        The tensors, on any device.
    """
    steps.agree(call)
    plain_call = Call(call.name)
    meet(steps, tensors, lambda: plain_call)
    group, step = steps.group, steps.take()
    messages = [as_bytes(tensor.cpu()) for tensor in tensors]
    works = [
        dist.broadcast(message, group=group.peers, group_src=0, async_op=True)
        for message in messages
        if message.numel()
    ]
    for work in works:
        steps.wait(work, step, lambda: plain_call)
    if group.rank:
        for tensor, message in zip(tensors, messages, strict=True):
            tensor.copy_(message.view(tensor.dtype).view(tensor.shape))


def any_of(steps: Steps, flags: Sequence[bool], where: str) -> list[bool]:
    """Return, for each of several questions, whether any worker has said yes."""
    steps.agree(Call(where, [], f"{len(flags)} questions"))
    step = steps.take()
    answers = torch.tensor(flags, dtype=torch.uint8)
    work = dist.all_reduce(answers, dist.ReduceOp.MAX, steps.group.peers, async_op=True)
    steps.wait(work, step, lambda: Call(where))
    return [bool(answer) for answer in answers.tolist()]


def read_shared(steps: Steps | None, path: PathLike, where: str) -> bytes:
    """Return a file's content, which worker 0 reads.

    Raises
    ------
    FileAccessError
        The file can't be read; on the other workers a DistributedError.
    """
    content = b""
    if steps is None or steps.group.rank == 0:
        try:
            with open_source(path, entire=True) as opened:
                content = _FINE + opened.stream.read()
        except MXNetError as error:
            share_bytes(steps, _PROBLEM + str(error).encode(), where)
            raise
    return _checked(share_bytes(steps, content, where))


def write_once(steps: Steps | None, path: PathLike, content: bytes, where: str) -> None:
    """Write a file on worker 0; return on all when it is there.

    Raises
    ------
    FileAccessError
        The file can't be written; on the other workers a DistributedError.
    """
    if steps is None or steps.group.rank == 0:
        try:
            with replacing(path) as stream:
                stream.write(content)
        except MXNetError as error:
            share_bytes(steps, _PROBLEM + str(error).encode(), where)
            raise
    _checked(share_bytes(steps, _FINE, where))


def _checked(content: bytes) -> bytes:
    if content.startswith(_PROBLEM):
        msg = f"on worker 0: {content[1:].decode()}"
        raise DistributedError(msg)
    return content[1:]


def _tensor(content: bytes) -> Tensor:
    """Return bytes after one of another meaning, so that no message is empty."""
    return torch.frombuffer(bytearray(b"\0" + content), dtype=torch.uint8)
