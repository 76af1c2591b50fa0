"""Workers that do the same step after step, and find out where they do not."""

from __future__ import annotations

import ctypes
import json
import threading
import time
from collections import deque
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import torch
import torch.distributed as dist

from gluonish.errors import DistributedError, WorkersDifferError
from gluonish.errors.wording import listed
from gluonish.kvstore.workers.group import before_leaving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from torch.distributed import ProcessGroup, Store, Work  # type: ignore[attr-defined]

    from gluonish.kvstore.workers.group import Group
    from gluonish.kvstore.workers.liveness import Pulse

    _Wait: TypeAlias = "tuple[Steps, int, Callable[[], Call]]"

_LOOK: Final = 0.5  # seconds between two looks at what the others say
_SHORTEST: Final = 0.0002  # seconds between two looks while a call waits, at first
_LONGEST: Final = 0.05  # later
_PATIENCE: Final = 1.0  # seconds between two looks whether a wait has an end at all
_MARGIN: Final = 5.0  # seconds by which worker 0 gives up before the others do
_FAREWELL: Final = 3.0  # seconds for which the end of the program waits for the thread
_NEVER_SENT: Final = 2**30  # a tag


class Call:
    """What a worker is about to do, for comparison with the others.

    Parameters
    ----------
    name : str
        The call, as in 'kv.init'.
    keys : sequence of (key, shape, dtype)
        What it is about.
    detail : str, optional
        What else has to be the same.
    """

    def __init__(
        self, name: str, keys: Sequence[tuple[Any, Sequence[int], str]] = (), detail: str = ""
    ) -> None:
        self.name, self.detail = name, detail
        self.keys = keys

    def text(self) -> str:
        """Return it as text that can be compared."""
        keys = [[key, list(shape), dtype] for key, shape, dtype in self.keys]
        return json.dumps([self.name, keys, self.detail])


class Steps:
    """The steps of one store, which all workers take in the same order.

    Parameters
    ----------
    group : Group
        The workers, two or more.
    name : str
        A name of the store, the same for all.
    """

    def __init__(self, group: Group, name: str) -> None:
        self.group = group
        self.failure: DistributedError | None = None
        self._name = name
        self._next = 0
        self._agreed: int | None = None
        self._watch = watch_of(group)

    def take(self) -> int:
        """Return the number of the next step.

        Raises
        ------
        DistributedError
            An earlier step has failed, so that workers may be at different ones.
        """
        if self.failure is not None:
            msg = (
                f"kv: the store has failed before ({self.failure}). Expected a new start of all "
                f"workers. End the program at the first error."
            )
            raise DistributedError(msg) from self.failure
        self._watch.pulse.check()
        if self._watch.problem is not None:
            self.failure = self._watch.problem
            raise self.failure
        self._next += 1
        return self._next - 1

    @property
    def found(self) -> DistributedError | None:
        """What ends the job, if anything does."""
        return self._watch.found

    def names(self, ranks: Sequence[int]) -> str:
        """Return several workers' names for messages."""
        return self._watch.pulse.names(ranks)

    @property
    def upcoming(self) -> int:
        """The number that the next step will have."""
        return self._next

    def agree(self, call: Call) -> None:
        """Wait until all workers are about to do the same.

        Raises
        ------
        WorkersDifferError
            They are not; every worker raises it.
        DistributedError
            One did not come in time, or has ended.
        """
        step = self.take()
        store = self._watch.store
        try:
            with self._watch.pulse.waiting():
                self.answer(store, step, call)
                store.set(self._key(step, "asked"), "")
                self.judge(store, step)
                verdict = self.verdict(store, step)
        except dist.DistError as error:
            self.failure = self._watch.pulse.problem or _unreachable(self.group.rank, error)
            raise self.failure from error
        if verdict:
            self.failure = _differ(verdict)
            raise self.failure

    def wait(
        self, work: Work, step: int, call: Callable[[], Call], peer: int | None = None
    ) -> None:
        """Wait for a transfer.

        Parameters
        ----------
        work : torch.distributed.Work
            The transfer.
        step : int
            The step that it is part of.
        call : callable
            Returns what this worker does, if it has to be told.
        peer : int, optional
            The other worker; none for what all workers do together.

        Raises
        ------
        WorkersDifferError
            The others do something else in this step.
        DistributedError
            The other worker has ended, or did not come in time.
        """
        limit = self.group.timeout
        watch = self._watch
        with self.explained(peer), watch.over(self, step, call), self.waiting():
            if peer is None:
                self._wait_for_all(work, limit)
            else:
                work.wait(timedelta(seconds=limit))

    def follow(self, work: Work, step: int, call: Callable[[], Call]) -> None:
        """Have what a device does next wait for a transfer between devices.

        The program goes on at once. Whether the others take part is watched meanwhile, and told by
        the next step.

        Parameters
        ----------
        work, step, call
            See `wait`.
        """
        self._watch.follow(self, step, call, work)
        with self.explained(None), self.waiting():
            work.wait()

    def _wait_for_all(self, work: Work, seconds: float) -> None:
        """Wait for what all workers do together, or until there is a problem.

        A connection that breaks while gloo writes to it may leave gloo's own thread waiting for
        ever, so the wait is in pieces.
        """
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            try:
                work.wait(timedelta(seconds=min(left, _PATIENCE)))
            except RuntimeError:
                if work.is_completed():
                    work.wait()  # at once: what it ended with, maybe since it was waited for
                    return
                if self._watch.found is None and left > _PATIENCE:
                    continue
                keep_connections(self.group)
                raise
            return

    def waiting(self) -> AbstractContextManager[None]:
        """Return a scope in which this process is ended if a problem does not end a wait."""
        return self._watch.pulse.waiting()

    @contextmanager
    def explained(self, peer: int | None) -> Iterator[None]:
        """Have errors of connections say what is wrong with another worker, or with any."""
        begin = time.monotonic()
        try:
            yield
        except RuntimeError as error:
            self.failure = self._watch.found
            if self.failure is None:
                is_late = time.monotonic() - begin >= self.group.timeout
                peer = self._broken() if peer is None else peer
                self.failure = (
                    self._watch.pulse.lost(peer)
                    if not is_late
                    else (DistributedError(self._late([peer])))
                )
            raise self.failure from error

    def _broken(self) -> int:
        """Return the worker to which the connection has broken, or any other if none has."""
        others = [rank for rank in range(self.group.size) if rank != self.group.rank]
        nothing = torch.empty(1)
        for rank in others[: len(others) if len(others) > 1 else 0]:
            try:
                dist.isend(nothing, group=self.group.peers, group_dst=rank, tag=_NEVER_SENT)
            except RuntimeError:
                return rank
        return others[0]

    # --- parts, which a watching thread uses too ------------------------------------------------

    def is_asked(self, store: Store, step: int) -> bool:
        """Return whether a worker asks what the others do in a step."""
        return bool(store.check([self._key(step, "asked")]))

    def answer(self, store: Store, step: int, call: Call) -> None:
        """Tell what this worker does in a step."""
        store.set(self._key(step, self.group.rank), call.text())

    def judge(self, store: Store, step: int) -> None:
        """Compare what all workers do, if this is worker 0, and tell what comes of it."""
        if self.group.rank:
            return
        keys = [self._key(step, rank) for rank in range(self.group.size)]
        verdict = self._expect(store, keys, range(self.group.size), self.group.timeout)
        if not verdict:
            verdict = difference([text.decode() for text in store.multi_get(keys)])
        store.set(self._key(step, "verdict"), verdict)
        if self._agreed is not None:
            for what in (*range(self.group.size), "asked", "verdict"):
                store.delete_key(self._key(self._agreed, what))
        self._agreed = step

    def verdict(self, store: Store, step: int) -> str:
        """Return what worker 0 tells: nothing, or what is different."""
        key = self._key(step, "verdict")
        seconds = self.group.timeout + (_MARGIN if self.group.rank else 0)
        late = self._expect(store, [key], [0], seconds)
        return late or store.get(key).decode()

    def _expect(
        self, store: Store, keys: Sequence[str], ranks: Sequence[int], seconds: float
    ) -> str:
        """Wait for keys that workers will set; return who did not, or has ended."""
        end = time.monotonic() + seconds
        pause = _SHORTEST
        while not store.check(list(keys)):
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST)
            if pause < _LONGEST:
                continue
            missing = [
                rank for rank, key in zip(ranks, keys, strict=True) if not store.check([key])
            ]
            pulse = self._watch.pulse
            if pulse.problem is not None:
                return f"!{pulse.problem}"
            departed = pulse.departed(missing)
            if departed and not store.check(list(keys)):
                return "!" + departed
            if missing and time.monotonic() > end:
                return "!" + self._late(missing)
        return ""

    def late_on_devices(self) -> DistributedError:
        """Return the error for a transfer between devices that takes too long."""
        msg = (
            f"kv: what workers exchange between their devices was not there within "
            f"{self.group.timeout:g} s. Expected every worker to make the same calls. See whether "
            f"all are still there; GLUONISH_TIMEOUT sets the seconds."
        )
        return DistributedError(msg)

    def _late(self, ranks: Sequence[int]) -> str:
        return (
            f"kv: {self.names(ranks)} did not come within {self.group.timeout:g} s. "
            f"Expected every worker to make the same calls. See whether it is still there; "
            f"GLUONISH_TIMEOUT sets the seconds."
        )

    def _key(self, step: int, what: object) -> str:
        return f"{self._name}/{step}/{what}"


class _Watch:
    """A thread that looks, while a worker waits, whether others do something else."""

    def __init__(self, group: Group) -> None:
        if group.store is None or group.pulse is None:
            msg = "kv: a group of one worker has nobody to watch. Expected several."
            raise DistributedError(msg)
        self.store: Store = group.store
        self.pulse: Pulse = group.pulse
        self._group = group
        self._now: _Wait | None = None
        self._queued: deque[tuple[_Wait, Work, float]] = deque()
        self._doubted: list[_Wait] = []
        self.problem: DistributedError | None = None
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gluonish-watch", daemon=True)
        self._thread.start()
        before_leaving(self._end, after_errors=True)
        group.pulse.on_problem = lambda: break_connections(group)

    @property
    def found(self) -> DistributedError | None:
        """What ends the job, if anything does."""
        return self.problem or self.pulse.problem

    @contextmanager
    def over(self, steps: Steps, step: int, call: Callable[[], Call]) -> Iterator[None]:
        """Look while the block runs."""
        before, self._now = self._now, (steps, step, call)
        try:
            yield
        finally:
            self._now = before

    def follow(self, steps: Steps, step: int, call: Callable[[], Call], work: Work) -> None:
        """Look until a transfer between devices has ended."""
        self._queued.append(((steps, step, call), work, time.monotonic()))

    def _run(self) -> None:
        store = self.store.clone()  # type: ignore[attr-defined]
        try:
            while self.problem is None and not self._is_over.wait(_LOOK):
                self._look(store)
        except dist.DistError:
            return  # the meeting place is gone: whoever waits is told by the connections

    def _look(self, store: Store) -> None:
        """See who asks what this worker does, and what takes too long.

        Others may ask because they are a step further already, and the wait is about to end. So it
        counts when they still ask at the next look.
        """
        while self._queued and self._queued[0][1].is_completed():
            self._queued.popleft()
        queued, now = tuple(self._queued), self._now
        waits = [] if now is None else [now]
        waits += [wait for wait, _, _ in queued]
        asked = [wait for wait in waits if wait[0].is_asked(store, wait[1])]
        for wait in asked:
            if self.problem is None and any(wait is before for before in self._doubted):
                self._tell(store, *wait)
        self._doubted = asked
        for (steps, _, _), _, since in queued:
            if self.problem is None and time.monotonic() - since > self._group.timeout:
                self.problem = steps.late_on_devices()
                break_connections(self._group)

    def _tell(self, store: Store, steps: Steps, step: int, call: Callable[[], Call]) -> None:
        """Tell what this worker does, and end every wait by what comes of it."""
        steps.answer(store, step, call())
        steps.judge(store, step)
        self.problem = _differ(steps.verdict(store, step) or "!kv: the workers are out of step.")
        break_connections(self._group)

    def _end(self) -> None:
        """End the thread before the interpreter ends under it, if it gets answers."""
        self._is_over.set()
        self._thread.join(_FAREWELL)


_watches: dict[int, _Watch] = {}


def watch_of(group: Group) -> _Watch:
    """Return the one watch of a group."""
    found = _watches.get(id(group))
    if found is None:
        found = _watches[id(group)] = _Watch(group)
    return found


def break_connections(group: Group) -> None:
    """Have every wait of this worker for another end in an error."""
    keep_connections(group)
    for peers in (group.peers, *group.channels):
        break_channel(group, peers)


def keep_connections(group: Group) -> None:
    """Have the connections outlive the interpreter.

    A thread of gloo's that waits for a worker which does not come can't be ended, and torch waits
    for it when the connections go.
    """
    for peers in (group.peers, *group.channels):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(peers))


def break_channel(group: Group, peers: ProcessGroup | None) -> None:
    """Have every wait for others end in an error that goes through some connections."""
    if peers is not None and dist.get_backend(peers) == "nccl":
        with suppress(RuntimeError):
            peers.abort()
        return
    nothing = torch.empty(1)
    for peer in range(group.size):
        if peer != group.rank:
            with suppress(RuntimeError):  # which is what breaks them
                never = dist.irecv(nothing, group=peers, group_src=peer, tag=_NEVER_SENT)
                never.wait(timedelta(milliseconds=1))  # type: ignore[union-attr]


def difference(texts: Sequence[str]) -> str:
    """Return a sentence on where calls differ, or nothing.

    Examples
    --------
    >>> from gluonish.kvstore.workers.agreement import Call, difference
    >>> difference([Call('kv.init').text(), Call('kv.barrier').text()])
    'worker 0 calls kv.init, worker 1 kv.barrier'
    """
    for rank, text in enumerate(texts):
        if text != texts[0]:
            return _difference(rank, json.loads(texts[0]), json.loads(text))
    return ""


def _difference(rank: int, first: list[Any], other: list[Any]) -> str:
    if first[0] != other[0]:
        return f"worker 0 calls {first[0]}, worker {rank} {other[0]}"
    where = f"{first[0]}: "
    ours, theirs = ({key: rest for key, *rest in keys} for _, keys, _ in (first, other))
    for key in ours:
        if key in theirs and ours[key] != theirs[key]:
            shown = [
                f"{dtype} of shape {tuple(shape)}" for shape, dtype in (ours[key], theirs[key])
            ]
            return f"{where}for key {key!r} worker 0 has {shown[0]}, worker {rank} {shown[1]}"
    missing = [key for key in ours if key not in theirs]
    extra = [key for key in theirs if key not in ours]
    if missing or extra:
        parts = [
            f"worker {has} has key{'s' if len(keys) > 1 else ''} {listed(map(repr, keys))}, which "
            f"worker {lacks} has not"
            for has, lacks, keys in ((0, rank, missing), (rank, 0, extra))
            if keys
        ]
        return where + "; ".join(parts)
    if first[2] != other[2]:
        return f"{where}worker 0 has {first[2]}, worker {rank} {other[2]}"
    return f"{where}worker {rank} has the keys in another order than worker 0"


def _differ(verdict: str) -> DistributedError:
    if verdict.startswith("!"):
        return DistributedError(verdict[1:])
    msg = (
        f"kv: {verdict}. Expected the same calls on all workers, with the same keys, shapes and "
        f"dtypes. Let no call of the store depend on the worker's rank, or on its part of the data."
    )
    return WorkersDifferError(msg)


def _unreachable(rank: int, error: Exception) -> DistributedError:
    reason = str(error).splitlines()[0]
    msg = (
        f"kv: worker {rank} can't reach the meeting place of the workers any more ({reason}). "
        f"Expected the process that has it, torchrun or worker 0, to be there. See what it wrote "
        f"before it ended."
    )
    return DistributedError(msg)
