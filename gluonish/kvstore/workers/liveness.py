"""Signs of life of workers: who is there, who has ended, and what ended the job."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch.distributed as dist

from gluonish.errors import DistributedError
from gluonish.errors.wording import listed
from gluonish.kvstore.workers.devices import kinds_here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torch.distributed import Store  # type: ignore[attr-defined]

_BEAT: Final = 1.0  # seconds between two signs of life
_DOUBT: Final = 3.0  # seconds for which a worker whose connection broke may tell why
_STUCK: Final = 5.0  # seconds after which a wait that a problem does not end is ended by force
_FAILED: Final = "failed"


class Pulse:
    """The signs of life that a worker gives, and its watch over those of the others.

    Parameters
    ----------
    store : torch.distributed.Store
        Small values that all workers see.
    rank, size : int
        The number of this process, and how many there are; for a scheduler the rank is -1.
    seconds : float
        How long a worker may give no sign of life.

    Notes
    -----
    Each worker counts up a value in the store, once a second, and looks at that of the worker
    before it, and whether the processes of its own host are there. Whoever finds a worker dead
    tells all others so in the store. A second thread ends the waiting where the store itself does
    not answer any more.
    """

    def __init__(self, store: Store, rank: int, size: int, seconds: float) -> None:
        self._rank, self._size, self._seconds = rank, size, seconds
        self._store: Store = store.clone()  # type: ignore[attr-defined]
        self._asking: Store = store.clone()  # type: ignore[attr-defined]
        self._lock = threading.Lock()
        self._who: list[dict[str, Any]] = []
        self._beats: dict[int, tuple[bytes, float]] = {}
        self._end = threading.Event()
        self._gone = threading.Event()
        self._last_moment: float | None = None
        self._answered = time.monotonic()
        self._waits: list[float] = []
        self._threads: list[threading.Thread] = []
        self.problem: DistributedError | None = None
        self.on_problem: Callable[[], None] | None = None

    def start(self, seconds: float) -> None:
        """Say who this is, learn who the others are, and begin to watch.

        Parameters
        ----------
        seconds : float
            How long to wait for the others.
        """
        if self._rank >= 0:
            self._store.set(f"who/{self._rank}", json.dumps(_identity()))
            self._store.set(f"beat/{self._rank}", "0")
        names = [f"who/{rank}" for rank in range(self._size)]
        self._store.wait(names, timedelta(seconds=seconds))
        self._who = [json.loads(text) for text in self._store.multi_get(names)]
        self._answered = time.monotonic()
        for target in (self._run, self._guard):
            thread = threading.Thread(target=target, name="gluonish-pulse", daemon=True)
            thread.start()
            self._threads.append(thread)

    # --- what others ask ------------------------------------------------------------------------

    def check(self) -> None:
        """Raise what has ended the job, if anything has.

        Raises
        ------
        DistributedError
            A worker is dead, or the meeting place does not answer.
        """
        if self.problem is not None:
            raise DistributedError(str(self.problem))

    def common(self, what: str) -> list[Any]:
        """Return what all workers have in a list that they told of themselves."""
        return [one for one in self._who[0][what] if all(one in who[what] for who in self._who)]

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Have this process ended if a problem does not end what the block waits for."""
        self.check()
        self._waits.append(time.monotonic())
        try:
            yield
        finally:
            self._waits.pop()

    def name(self, rank: int) -> str:
        """Return a worker's number, host and process for messages."""
        if rank >= len(self._who):
            return f"worker {rank}"
        who = self._who[rank]
        return f"worker {rank} (process {who['pid']} on {who['host']})"

    def names(self, ranks: Sequence[int]) -> str:
        """Return several workers' names for messages."""
        return listed(map(self.name, ranks)) or "nobody"

    def departed(self, ranks: Sequence[int]) -> str:
        """Return a message on those of some workers that have ended, or nothing."""
        for rank in ranks:
            with self._lock:
                if not self._asking.check([f"left/{rank}"]):
                    continue
                reason = self._asking.get(f"left/{rank}").decode()
            with_what = f" with {reason}" if reason else ", and this one waits for it"
            return (
                f"kv: {self.name(rank)} has ended{with_what}. Expected it to make the same calls "
                f"as the others. See what it wrote."
            )
        return ""

    def lost(self, rank: int) -> DistributedError:
        """Return why the connection to a worker has broken; tell all, if it is dead."""
        end, reason = time.monotonic() + _DOUBT, "its connection has broken"
        try:
            while time.monotonic() < end and not self._end.is_set():
                if self.problem is not None:
                    return DistributedError(str(self.problem))
                is_gone = _is_gone(self._who[rank])  # looked at first: who leaves says so before
                if departed := self.departed([rank]):
                    return DistributedError(departed)
                if is_gone:
                    reason = "its process is gone"
                    break
                time.sleep(_BEAT / 10)
            with self._lock:
                self._fail(self._asking, self._death(rank, reason))
        except dist.DistError as error:
            self._found(_unreachable(error))
        return DistributedError(str(self.problem))

    def end_within(self, seconds: float) -> None:
        """Have this process ended if `gone` is not called in time, whatever it is stuck in."""
        self._last_moment = time.monotonic() + seconds

    def gone(self) -> None:
        """Say that nothing is left to do with the others."""
        self._gone.set()

    def leave(self, reason: str) -> None:
        """Say that this worker ends, and stop watching.

        Parameters
        ----------
        reason : str
            The error that ends it, if any.
        """
        self._end.set()
        for thread in self._threads[:1]:
            thread.join(2 * _BEAT)
        if self._lock.acquire(timeout=_BEAT):
            try:
                self._asking.set(f"left/{self._rank}", reason)
            except dist.DistError:
                return  # nobody is there to hear it
            finally:
                self._lock.release()

    # --- watching -------------------------------------------------------------------------------

    def _run(self) -> None:
        """Give signs of life, and look for those of others."""
        count = 0
        watched = [(self._rank - 1) % self._size] if self._rank >= 0 else list(range(self._size))
        near = [one for one in range(self._size) if one != self._rank and _is_near(self._who[one])]
        try:
            while not self._end.wait(min(_BEAT, self._seconds / 5)) and self.problem is None:
                count += 1
                if self._rank >= 0:
                    self._store.set(f"beat/{self._rank}", str(count))
                if self._store.check([_FAILED]):
                    self._found(self._store.get(_FAILED).decode())
                    return
                self._answered = time.monotonic()
                self._look(near, watched)
        except dist.DistError as error:
            if not self._end.is_set():
                self._found(_unreachable(error))

    def _look(self, near: Sequence[int], watched: Sequence[int]) -> None:
        for rank in near:
            if _is_gone(self._who[rank]) and not self._store.check([f"left/{rank}"]):
                self._fail(self._store, self._death(rank, "its process is gone"))
                return
        now = time.monotonic()
        for rank, beat in zip(
            watched, self._store.multi_get([f"beat/{one}" for one in watched]), strict=True
        ):
            if beat != self._beats.get(rank, (b"", now))[0] or rank not in self._beats:
                self._beats[rank] = (beat, now)
            elif now - self._beats[rank][1] >= self._seconds:
                if self._store.check([f"left/{rank}"]):
                    continue
                reason = f"it has given no sign of life for {self._seconds:g} s"
                self._fail(self._store, self._death(rank, reason))

    def _guard(self) -> None:
        """End the waiting where the store does not answer, or where nothing else ends it."""
        since: float | None = None
        beat = min(_BEAT, self._seconds / 5)
        before = time.monotonic()
        while not self._gone.wait(beat):
            now = time.monotonic()
            if self._last_moment is not None:
                if now > self._last_moment:
                    os._exit(1)
                continue
            if now - before > 3 * beat + _BEAT:
                self._answered = now  # this process itself stood still
            before = now
            if self.problem is None:
                if now - self._answered < self._seconds + _DOUBT:
                    continue
                self._found(_silent(now - self._answered))
            since = now if since is None else since
            if self._waits and now - max(since, self._waits[-1]) > _STUCK:
                sys.stderr.write(f"gluonish.errors.DistributedError: {self.problem}\n")
                sys.stderr.flush()
                os._exit(1)

    def _death(self, rank: int, reason: str) -> str:
        return (
            f"kv: {self.name(rank)} is dead: {reason}. Expected it to run as long as the others. "
            f"See what it wrote, and whether its host had memory left for it."
        )

    def _fail(self, store: Store, text: str) -> None:
        """Tell all workers what ends the job, unless one has told something else before."""
        first = store.compare_set(_FAILED, "", text)
        self._found(first.decode())

    def _found(self, text: str) -> None:
        if self.problem is not None:
            return
        self.problem = DistributedError(text)
        if self.on_problem is not None:
            self.on_problem()


def _identity() -> dict[str, Any]:
    """Return what tells this process from others, on this host and elsewhere."""
    pid = os.getpid()
    return {
        "host": socket.gethostname(),
        "pid": pid,
        "start": _started(pid),
        "space": _space(),
        "devices": kinds_here(),
    }


def _space() -> str:
    """Return what all processes have in common that see each other's numbers."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""  # another system: heartbeats have to do


def _is_near(who: dict[str, Any]) -> bool:
    return bool(who["space"]) and who["space"] == _space()


def _is_gone(who: dict[str, Any]) -> bool:
    """Return whether a process of this host has ended; False for other hosts'."""
    return _is_near(who) and _started(who["pid"]) != who["start"]


def _started(pid: int) -> str:
    """Return when a process was started; nothing if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]


def _unreachable(error: Exception) -> str:
    reason = str(error).splitlines()[0]
    return (
        f"kv: the meeting place of the workers is not there any more ({reason}). Expected the "
        f"process that has it, torchrun, the scheduler or worker 0, to run as long as this one. "
        f"See what it wrote before it ended."
    )


def _silent(seconds: float) -> str:
    return (
        f"kv: the meeting place of the workers has not answered for {seconds:.0f} s. Expected an "
        f"answer at once. See whether the network is up, and the host of worker 0; "
        f"GLUONISH_HEARTBEAT sets the seconds for which it may be away."
    )
