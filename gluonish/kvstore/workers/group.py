"""The processes that share a store: how they find one another, and how long they wait."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import sys
import time
from dataclasses import dataclass, field
from datetime import timedelta
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Final, NoReturn

import torch
import torch.distributed as dist
from torch.distributed import PrefixStore, TCPStore  # type: ignore[attr-defined]

from gluonish.errors import DistributedError, InvalidArgumentError
from gluonish.kvstore.workers.devices import BACKENDS
from gluonish.kvstore.workers.liveness import Pulse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch.distributed import ProcessGroup, Store  # type: ignore[attr-defined]

_DEFAULT_TIMEOUT: Final = 300.0  # seconds
_DEFAULT_HEARTBEAT: Final = 30.0  # seconds
_FOREVER: Final = timedelta(days=3650)
_GOODBYE: Final = 10.0  # seconds for which the host of the meeting place waits for the others
_PATIENCE: Final = 0.5  # seconds between two looks for a newer start
_HURRIED: Final = 3.0  # the same after an error
_MARGIN: Final = 60.0  # seconds after the end of a wait for GPUs after which torch ends the process
_ROLES: Final = ("worker", "server", "scheduler")


@dataclass(frozen=True)
class Place:
    """Where processes meet, and who this one is among them.

    Attributes
    ----------
    rank : int or None
        The number of this process; None if it is given out at the meeting place.
    size : int
        How many workers there are.
    host, port : str, int
        The meeting place.
    is_host : bool
        Whether this process opens the meeting place.
    """

    rank: int | None
    size: int
    host: str
    port: int
    is_host: bool


@dataclass(frozen=True)
class Group:
    """The processes that share stores.

    Attributes
    ----------
    rank, size : int
        The number of this process, and how many there are.
    store : torch.distributed.Store or None
        Small values that all of them see; None for one process.
    peers : torch.distributed.ProcessGroup or None
        What tensors go through.
    timeout : float
        Seconds after which a wait for others ends in an error.
    pulse : Pulse or None
        Signs of life; None for one process.
    kinds : list of str
        The kinds of devices that all workers have, and that can be connected.
    channels : list of torch.distributed.ProcessGroup
        Further connections, for what has an order of its own.
    connected : dict
        For kinds of devices that are in use the connections between them, or None if there are
        none; see `gluonish.kvstore.workers.devices.meet`.
    """

    rank: int
    size: int
    store: Store | None
    peers: ProcessGroup | None
    timeout: float
    pulse: Pulse | None = None
    kinds: Sequence[str] = ()
    channels: list[ProcessGroup] = field(default_factory=list)
    connected: dict[str, ProcessGroup | None] = field(default_factory=dict)

    def open_channel(self, kind: str | None = None) -> ProcessGroup:
        """Make further connections, which all workers do together.

        Parameters
        ----------
        kind : str, optional
            The kind of devices between which they are, as in `'cuda'`; host memory by default.
        """
        channel: ProcessGroup = dist.new_group(
            backend="gloo" if kind is None else BACKENDS[kind],
            timeout=_FOREVER if kind is None else timedelta(seconds=self.timeout + _MARGIN),
        )
        self.channels.append(channel)
        return channel


_joined: list[Group] = []  # the one that there is
_last_acts: list[tuple[Callable[[], None], bool]] = []


def join() -> Group:
    """Return the group of this process, which all processes make at their first call.

    A group that `torch.distributed` has already is used as it is. Otherwise the variables of
    torchrun (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT) or of MXNet's launcher (DMLC_ROLE,
    DMLC_NUM_WORKER, DMLC_PS_ROOT_URI, DMLC_PS_ROOT_PORT) tell of it; without any of them this
    process is the only one.

    Raises
    ------
    DistributedError
        Others did not come within GLUONISH_TIMEOUT seconds, 300 by default.
    InvalidArgumentError
        A variable is not what it should be.
    SystemExit
        The process is a scheduler or a server of MXNet's launcher, and its work is done.

    Examples
    --------
    >>> from gluonish.kvstore.workers.group import join
    >>> join().size
    1
    """
    if not _joined:
        _joined.append(_made())
    return _joined[0]


def expects_others() -> bool:
    """Return whether the surroundings tell of other processes, without waiting for them.

    Examples
    --------
    >>> from gluonish.kvstore.workers.group import expects_others
    >>> expects_others()
    False
    """
    if _joined:
        return _joined[0].size > 1
    if dist.is_available() and dist.is_initialized():
        return dist.get_world_size() > 1
    place = _from_torchrun() or _from_dmlc()
    return place is not None and (place.size > 1 or place.rank is None)


def before_leaving(act: Callable[[], None], *, after_errors: bool = False) -> None:
    """Have something done when the program ends, while the others are still there.

    Parameters
    ----------
    act : callable
        What is done, after what was given before.
    after_errors : bool, default False
        Whether it is also done when an error ends the program.
    """
    _last_acts.append((act, after_errors))


def serve_if_asked() -> None:
    """Be the scheduler or a server of MXNet's launcher, and end, if the environment says so.

    Raises
    ------
    SystemExit
        DMLC_ROLE is 'scheduler' or 'server', and its work is done.
    """
    if os.environ.get("DMLC_ROLE") in ("scheduler", "server"):
        _from_launcher()


def timeout_seconds() -> float:
    """Return the seconds for which others are waited for: GLUONISH_TIMEOUT, 300 by default."""
    return _seconds("GLUONISH_TIMEOUT", _DEFAULT_TIMEOUT)


def heartbeat_seconds() -> float:
    """Return for how long a worker may give no sign of life: GLUONISH_HEARTBEAT, 30 by default."""
    return _seconds("GLUONISH_HEARTBEAT", _DEFAULT_HEARTBEAT)


def _seconds(name: str, default: float) -> float:
    text = os.environ.get(name, "")
    try:
        seconds = float(text) if text else default
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e8:
        _refuse(name, "a number of seconds above 0")
    return seconds


# --- what the surroundings tell -----------------------------------------------------------------


def _from_torchrun() -> Place | None:
    if "RANK" not in os.environ or "WORLD_SIZE" not in os.environ:
        return None
    rank, size = _number("RANK", 0), _number("WORLD_SIZE", 1)
    if rank >= size:
        _refuse("RANK", f"a number below WORLD_SIZE={size}")
    if size == 1:
        return Place(0, 1, "", 0, is_host=True)
    host, port = os.environ.get("MASTER_ADDR", ""), _number("MASTER_PORT", 1)
    if not host:
        _refuse("MASTER_ADDR", "the name of the host of the process of rank 0")
    is_elsewhere = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
    return Place(rank, size, host, port, is_host=rank == 0 and not is_elsewhere)


def _from_dmlc() -> Place | None:
    role = os.environ.get("DMLC_ROLE", "")
    if not role:
        return None
    if role not in _ROLES:
        _refuse("DMLC_ROLE", " or ".join(map(repr, _ROLES)))
    host, port = os.environ.get("DMLC_PS_ROOT_URI", ""), _number("DMLC_PS_ROOT_PORT", 1)
    if not host:
        _refuse("DMLC_PS_ROOT_URI", "the address of the scheduler's host")
    size = _number("DMLC_NUM_WORKER", 1)
    return Place(None, size, host, port, is_host=role == "scheduler")


def _number(name: str, least: int) -> int:
    try:
        value = int(os.environ.get(name, ""))
    except ValueError:
        value = least - 1
    if value < least:
        _refuse(name, f"a whole number from {least} on")
    return value


def _refuse(name: str, expected: str) -> NoReturn:
    found = f"the environment has {name}={os.environ[name]!r}" if name in os.environ else (
        f"the environment has no {name}"
    )  # fmt: skip
    msg = (
        f"kv.create: {found}. Expected {expected}. Start the program with torchrun, which sets it, "
        f"or set it."
    )
    raise InvalidArgumentError(msg)


# --- meeting ------------------------------------------------------------------------------------


def _made() -> Group:
    seconds = timeout_seconds()
    heartbeat_seconds()  # an error now if it is wrong
    if dist.is_available() and dist.is_initialized():
        if dist.get_world_size() == 1:
            return Group(0, 1, None, None, seconds)
        known = dist.distributed_c10d._get_default_store()  # noqa: SLF001 - no other way to it
        known = PrefixStore("gluonish", known)
        return _grouped(dist.get_rank(), dist.get_world_size(), known, seconds)
    place = _from_torchrun() or _from_launcher()
    if place is None or (place.size == 1 and place.rank == 0):
        return Group(0, 1, None, None, seconds)
    store: Store = _opened(place, seconds)
    rank = place.rank
    if rank is None:
        rank = store.add("gluonish/workers", 1) - 1
        if rank >= place.size:
            msg = (
                f"kv.create: {place.size} workers (DMLC_NUM_WORKER) have come to the scheduler at "
                f"{place.host}:{place.port} before this one. Expected no more. Start as many "
                f"workers as DMLC_NUM_WORKER says, and a new scheduler for each job."
            )
            raise DistributedError(msg)
    if "TORCHELASTIC_RESTART_COUNT" in os.environ:
        store = _arrive_again(store, rank, place, seconds)
    else:
        _arrive(store, rank, place, seconds)
    try:
        dist.init_process_group(
            "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo",
            store=PrefixStore("gluonish/default", store),
            rank=rank,
            world_size=place.size,
            timeout=timedelta(seconds=seconds),
        )
        return _grouped(
            rank, place.size, PrefixStore("gluonish", store), seconds, is_host=place.is_host
        )
    except RuntimeError as error:
        reason = str(error).splitlines()[0]
        msg = (
            f"kv.create: worker {rank} can't make connections to the others ({reason}). Expected "
            f"all {place.size} to reach one another. See what the others wrote, and name the "
            f"network to use in GLOO_SOCKET_IFNAME, as in GLOO_SOCKET_IFNAME=eth0."
        )
        raise DistributedError(msg) from error


def _from_launcher() -> Place | None:
    """Return where MXNet's launcher has workers meet; schedulers and servers end here."""
    place = _from_dmlc()
    if place is not None and os.environ["DMLC_ROLE"] == "server":
        _leave("server", "the workers keep what servers kept, each its share")
    if place is not None and place.is_host:
        _serve(place, timeout_seconds())
    return place


def _grouped(rank: int, size: int, store: Store, seconds: float, *, is_host: bool = False) -> Group:
    """Return the group, whose tensors go through connections of its own.

    Each wait has its own limit; the one of the connections is for those that may last, of threads
    that wait for requests.
    """
    peers = dist.new_group(backend="gloo", timeout=_FOREVER)
    pulse = Pulse(store, rank, size, heartbeat_seconds())
    pulse.start(seconds)
    _at_end(store, pulse, size if is_host else 0)
    return Group(rank, size, store, peers, seconds, pulse, pulse.common("devices"))


def _opened(place: Place, seconds: float) -> TCPStore:
    try:
        return TCPStore(
            place.host,
            place.port,
            is_master=place.is_host,
            wait_for_workers=False,
            timeout=timedelta(seconds=seconds),
            multi_tenant=True,
        )
    except dist.DistError as error:
        what = "could not be opened" if place.is_host else "did not answer"
        who = "the scheduler" if place.rank is None else "the process of rank 0, or torchrun"
        reason = str(error).splitlines()[0]
        msg = (
            f"kv.create: the meeting place {place.host}:{place.port} {what} within {seconds:g} s "
            f"({reason}). Expected {who} to be there. Check the address, and that all processes "
            f"were started; GLUONISH_TIMEOUT sets the seconds."
        )
        raise DistributedError(msg) from error


def _arrive(store: Store, rank: int, place: Place, seconds: float) -> None:
    """Wait until all workers have come."""
    names = [f"gluonish/here/{one}" for one in range(place.size)]
    if store.add(names[rank], 1) > 1:
        msg = (
            f"kv.create: another process has come to {place.host}:{place.port} as rank {rank}. "
            f"Expected each rank once. Check RANK, or start the program with torchrun."
        )
        raise DistributedError(msg)
    try:
        store.wait(names, timedelta(seconds=seconds))
    except dist.DistError as error:
        raise _absent(store, names, place, seconds) from error


def _arrive_again(opened: Store, rank: int, place: Place, seconds: float) -> Store:
    """Wait until all workers have come, in a store that earlier starts of them have used.

    Worker 0 opens a part of the store for each start; the others take the last part that is not
    full. So it does not matter how often which host has started its workers.
    """
    end = time.monotonic() + seconds
    names = [f"here/{one}" for one in range(place.size)]
    number = opened.add("gluonish/starts", 1 if rank == 0 else 0)
    while True:
        store = PrefixStore(f"gluonish/start/{number}", opened)
        if rank == 0 or (number and not store.check(["full"])):
            store.set(names[rank], "")
            try:
                store.wait(names if rank == 0 else ["full"], timedelta(seconds=_PATIENCE))
            except dist.DistError as error:
                if time.monotonic() > end:
                    raise _absent(store, names, place, seconds) from error
            else:
                if rank == 0:
                    store.set("full", "")
                return store
        elif time.monotonic() > end:
            raise _absent(store, names[:1], place, seconds)
        else:
            time.sleep(_PATIENCE / 5)
        if rank:
            number = opened.add("gluonish/starts", 0)


def _absent(store: Store, names: Sequence[str], place: Place, seconds: float) -> DistributedError:
    missing = [one for one, name in enumerate(names) if not store.check([name])] or [0]
    msg = (
        f"kv.create: {_workers(missing)} of {place.size} did not come to "
        f"{place.host}:{place.port} within {seconds:g} s. Expected all of them. Start them, or "
        f"wait longer with GLUONISH_TIMEOUT."
    )
    return DistributedError(msg)


def _workers(ranks: Sequence[int]) -> str:
    shown = ", ".join(map(str, ranks[:10])) + (" and more" if len(ranks) > 10 else "")
    return f"worker{'s' if len(ranks) > 1 else ''} {shown}"


def _serve(place: Place, seconds: float) -> NoReturn:
    """Be the meeting place until all workers have left; then end."""
    opened = _opened(place, seconds)
    here = [f"gluonish/here/{one}" for one in range(place.size)]
    try:
        opened.wait(here, timedelta(seconds=seconds))
    except dist.DistError:
        found = sum(opened.check([name]) for name in here)
        _leave("scheduler", f"{found} of {place.size} workers came within {seconds:g} s", code=1)
    store = PrefixStore("gluonish", opened)
    pulse = Pulse(store, -1, place.size, heartbeat_seconds())
    pulse.start(seconds)
    while store.add("left", 0) < place.size:
        if pulse.problem is not None:
            time.sleep(_GOODBYE / 2)  # for the others, who read of it here
            sys.stderr.write(f"gluonish: DMLC_ROLE=scheduler: {pulse.problem}\n")
            raise SystemExit(1)
        time.sleep(0.2)
    pulse.leave("")
    pulse.gone()
    _leave("scheduler", f"all {place.size} workers have left")


def _leave(role: str, why: str, code: int = 0) -> NoReturn:
    sys.stderr.write(f"gluonish: DMLC_ROLE={role}: nothing is left to do, {why}.\n")
    raise SystemExit(code)


def _at_end(store: Store, pulse: Pulse, waiting_for: int) -> None:
    if multiprocessing.parent_process() is None:
        atexit.register(_say_goodbye, store, pulse, waiting_for)
    else:  # where atexit does nothing
        Finalize(None, _say_goodbye, (store, pulse, waiting_for), exitpriority=1000)


def _say_goodbye(store: Store, pulse: Pulse, waiting_for: int) -> None:
    """Tell that this process ends; the host of the meeting place stays until all have told it."""
    error = getattr(sys, "last_value", None) or sys.exc_info()[1]
    if isinstance(error, SystemExit):
        error = None
    is_hurried = error is not None or pulse.problem is not None
    pulse.end_within(_GOODBYE + (0 if is_hurried else timeout_seconds() + _GOODBYE))
    for act, after_errors in _last_acts:
        if after_errors or not is_hurried:
            act()
    pulse.leave("" if error is None else f"{type(error).__name__}: {error}")
    end = time.monotonic() + (_HURRIED if is_hurried else _GOODBYE)
    try:
        count = store.add("left", 1)
        while count < waiting_for and time.monotonic() < end:
            time.sleep(0.02)
            count = store.add("left", 0)
    except (dist.DistError, RuntimeError):
        return  # whoever has the meeting place has ended first
    finally:
        pulse.gone()
