"""Requests that workers send to one another, and threads that answer them."""

from __future__ import annotations

import sys
import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Protocol

import torch
import torch.distributed as dist

from gluonish.errors import DistributedError
from gluonish.kvstore.workers.agreement import Call, break_connections

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor
    from torch.distributed import Work

    from gluonish.kvstore.workers.agreement import Steps

PUSH: Final = 0
PULL: Final = 1
PUSH_ROWS: Final = 2
PULL_ROWS: Final = 3
_TAGS: Final = 2**29  # above those of transfers
_HEADER, _IDS, _PAYLOAD, _ANSWER, _CONTENT = range(5)
_UNANSWERED: Final = 4  # requests to a worker that may be on their way
_FAILURES: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, OSError, RuntimeError, TypeError,
    ValueError,
)  # fmt: skip


class Keeper(Protocol):
    """What requests are about."""

    def take(self, ids: Sequence[int], payload: Tensor, *, is_rows: bool) -> None:
        """Update what this worker owns of some keys by what another one has pushed."""

    def give(self, ids: Sequence[int], wanted: Tensor | None) -> Tensor:
        """Return what this worker owns of some keys, or the rows that are wanted, as bytes."""


class Service:
    """The requests of one store.

    Parameters
    ----------
    keeper : Keeper
        Answers the requests of others.
    steps : Steps
        The store's.
    number : int
        The store's among all.

    Notes
    -----
    A thread for each other worker takes its requests one after the other, so that each worker
    finds its own pushes in what it pulls, and no worker waits for the program of another.
    """

    def __init__(self, keeper: Keeper, steps: Steps, number: int) -> None:
        self._keeper = keeper
        self._steps = steps
        self._group = steps.group
        self._base = _TAGS + (number % 2**20) * 8
        self._sent: dict[int, list[tuple[Work, Tensor]]] = {}
        self._is_over = False
        self.failure = ""
        self._threads = [
            threading.Thread(target=self._serve, args=(rank,), name=f"gluonish-{rank}", daemon=True)
            for rank in range(self._group.size)
            if rank != self._group.rank
        ]
        for thread in self._threads:
            thread.start()

    # --- asking -----------------------------------------------------------------------------

    def push(
        self, rank: int, ids: Sequence[int], payload: Tensor, *, is_rows: bool = False
    ) -> None:
        """Begin to send a worker what it is to take."""
        self._request(rank, PUSH_ROWS if is_rows else PUSH, ids, payload)

    def ask(self, rank: int, ids: Sequence[int], wanted: Tensor | None = None) -> None:
        """Ask a worker for what it has of some keys, or rows, after all that was pushed to it."""
        self._request(rank, PULL if wanted is None else PULL_ROWS, ids, wanted)

    def answer(self, rank: int) -> Tensor:
        """Wait for what `ask` asked for.

        Raises
        ------
        DistributedError
            The worker has failed, or does not answer.
        """
        header = torch.empty(2, dtype=torch.int64)
        self._receive(header, rank, _ANSWER, waits=True)
        has_failed, size = header.tolist()
        content = torch.empty(size, dtype=torch.uint8)
        if size:
            self._receive(content, rank, _CONTENT, waits=True)
        if has_failed:
            msg = f"kv: on worker {rank}: {content.numpy().tobytes().decode()}"
            raise DistributedError(msg)
        for work, _ in self._sent.pop(rank, []):
            self._wait(work, rank)
        return content

    def settle(self) -> None:
        """Wait until all workers have taken what was pushed to them."""
        ranks = list(self._sent)
        for rank in ranks:
            self.ask(rank, [])
        for rank in ranks:
            self.answer(rank)

    def _request(self, rank: int, what: int, ids: Sequence[int], payload: Tensor | None) -> None:
        on_way = self._sent.setdefault(rank, [])
        while len(on_way) > 3 * _UNANSWERED:
            self._wait(on_way.pop(0)[0], rank)
        size = 0 if payload is None else payload.numel()
        on_way.append(self._send(torch.tensor([what, len(ids), size]), rank, _HEADER))
        if ids:
            on_way.append(self._send(torch.tensor(ids), rank, _IDS))
        if payload is not None and size:
            on_way.append(self._send(payload, rank, _PAYLOAD))

    # --- answering --------------------------------------------------------------------------

    def _serve(self, rank: int) -> None:
        header = torch.empty(3, dtype=torch.int64)
        try:
            while not self._is_over:
                self._receive(header, rank, _HEADER, waits=False)
                what, count, size = header.tolist()
                ids = torch.empty(count, dtype=torch.int64)
                if count:
                    self._receive(ids, rank, _IDS, waits=False)
                payload = torch.empty(size, dtype=torch.uint8)
                if size:
                    self._receive(payload, rank, _PAYLOAD, waits=False)
                self._handle(rank, what, ids.tolist(), payload)
        except RuntimeError:
            return  # the connection has ended; whoever needs it is told

    def _handle(self, rank: int, what: int, ids: list[int], payload: Tensor) -> None:
        content = torch.empty(0, dtype=torch.uint8)
        is_push = what in (PUSH, PUSH_ROWS)
        try:
            if is_push:
                self._keeper.take(ids, payload, is_rows=what == PUSH_ROWS)
            elif ids and not self.failure:
                content = self._keeper.give(ids, payload if what == PULL_ROWS else None)
        except _FAILURES as error:
            if not self.failure:
                sys.excepthook(type(error), error, error.__traceback__)
            self.failure = f"{type(error).__name__}: {error}"
        if is_push:
            return
        if self.failure:
            content = torch.frombuffer(bytearray(self.failure.encode()), dtype=torch.uint8)
        header = torch.tensor([int(bool(self.failure)), content.numel()])
        works = [self._send(header, rank, _ANSWER)]
        if content.numel():
            works.append(self._send(content, rank, _CONTENT))
        for work, _ in works:
            work.wait()

    # --- transfers --------------------------------------------------------------------------

    def _send(self, tensor: Tensor, rank: int, kind: int) -> tuple[Work, Tensor]:
        peers, tag = self._group.peers, self._base + kind
        with self._steps.explained(rank):
            work = dist.isend(tensor, group=peers, group_dst=rank, tag=tag)
        return work, tensor  # type: ignore[return-value]

    def _receive(self, tensor: Tensor, rank: int, kind: int, *, waits: bool) -> None:
        """Receive a tensor; with `waits` within the time that the group allows."""
        peers, tag = self._group.peers, self._base + kind
        if not waits:
            dist.irecv(tensor, group=peers, group_src=rank, tag=tag).wait()  # type: ignore[union-attr]
            return
        with self._steps.explained(rank):
            work = dist.irecv(tensor, group=peers, group_src=rank, tag=tag)
        self._wait(work, rank)  # type: ignore[arg-type]

    def _wait(self, work: Work, rank: int) -> None:
        """Wait as a program does; what nothing ends is ended with the process."""
        with self._steps.explained(rank), self._steps.waiting():
            work.wait(timedelta(seconds=self._group.timeout))

    # --- ending -----------------------------------------------------------------------------

    def close(self, *, waits: bool) -> None:
        """Stop answering; with `waits` after all others have come to their ends too."""
        if waits:
            self._steps.agree(Call("the end of the program"))
        self._is_over = True
        break_connections(self._group)
        for thread in self._threads:
            thread.join(1.0)
