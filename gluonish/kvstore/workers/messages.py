"""What workers tell one another beside gradients: values and files of worker 0, and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

from gluonish.errors import DistributedError, MXNetError
from gluonish.kvstore.workers.agreement import Call
from gluonish.kvstore.workers.devices import meet
from gluonish.kvstore.workers.payloads import as_bytes, exchanged
from gluonish.serialization.files import open_source, replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    own = [torch.tensor([len(content)]), _tensor(content)]
    outgoing = {rank: [] if rank else own for rank in range(steps.group.size)}
    arrived = exchanged(steps, outgoing, steps.take(), lambda: Call(where))
    found = []
    for rank in range(0 if steps.group.rank else steps.group.size):
        size = int(arrived[rank].take(torch.int64, 1))
        found.append(arrived[rank].take(torch.uint8, size + 1)[1:].numpy().tobytes())
    return found


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


def once(steps: Steps | None, act: Callable[[], bytes], where: str) -> bytes:
    """Have worker 0 do something, and return what it returned on all.

    Parameters
    ----------
    steps : Steps or None
        The workers' steps; None if there is one worker.
    act : callable
        What worker 0 does.
    where : str
        What is being done, for messages.

    Raises
    ------
    DistributedError
        It did not work on worker 0, which raises the error itself.
    """
    content = b""
    if steps is None or steps.group.rank == 0:
        try:
            content = _FINE + act()
        except MXNetError as error:
            _share_bytes(steps, _PROBLEM + str(error).encode(), where)
            raise
    content = _share_bytes(steps, content, where)
    if content.startswith(_PROBLEM):
        msg = f"on worker 0: {content[1:].decode()}"
        raise DistributedError(msg)
    return content[1:]


def read_shared(steps: Steps | None, path: PathLike, where: str) -> bytes:
    """Return the content of a file, which worker 0 reads for all; see `once`."""

    def read() -> bytes:
        with open_source(path, entire=True) as opened:
            return opened.stream.read()

    return once(steps, read, where)


def write_once(steps: Steps | None, path: PathLike, content: bytes, where: str) -> None:
    """Write a file on worker 0; see `once`."""

    def write() -> bytes:
        with replacing(path) as stream:
            stream.write(content)
        return b""

    once(steps, write, where)


def _share_bytes(steps: Steps | None, content: bytes, where: str) -> bytes:
    """Return what worker 0 has."""
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


def _tensor(content: bytes) -> Tensor:
    """Return bytes after one of another meaning, so that no message is empty."""
    return torch.frombuffer(bytearray(b"\0" + content), dtype=torch.uint8)
