"""The one profile of the process: what it records, when it does, and where it is written."""

from __future__ import annotations

import json
import threading
import warnings
from typing import TYPE_CHECKING, Any

import torch

from gluonish.errors import (
    InvalidArgumentError,
    RefusedArgumentError,
    UnknownArgumentError,
    UnknownStateError,
)
from gluonish.errors.suggestions import did_you_mean
from gluonish.errors.tracebacks import users_level
from gluonish.profiler.records import Amount, Record, Span, ordered, statistics, table, trace
from gluonish.profiler.stages import Timing, leave, listen
from gluonish.serialization.files import replacing

if TYPE_CHECKING:
    from torch.autograd.profiler_util import FunctionEvent

__all__ = [
    "dump",
    "dump_profile",
    "dumps",
    "pause",
    "profiler_set_config",
    "profiler_set_state",
    "resume",
    "set_config",
    "set_state",
]

_DEFAULTS: dict[str, Any] = {
    "filename": "profile.json",
    "profile_all": False,
    "profile_symbolic": False,
    "profile_imperative": False,
    "profile_memory": False,
    "profile_api": False,
    "aggregate_stats": False,
    "continuous_dump": False,
    "dump_period": 1.0,
    "profile_process": "worker",
    "gpu_memory_profile_filename_prefix": None,
}


class Recording:
    """Records while it runs; each stretch between `run` and `pause` is one torch profile."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.config = dict(_DEFAULTS)
        self.records: list[Record] = []
        self.state = "stop"
        self._profile: torch.profiler.profile | None = None
        self._thread = 0

    @property
    def is_running(self) -> bool:
        """Whether what happens now is recorded."""
        return self.state == "run"

    def add(self, record: Record) -> None:
        """Add a record, if the profile runs."""
        if self.state == "run":
            with self.lock:
                self.records.append(record)

    def change(self, state: str) -> None:
        """Go on, pause or stop."""
        with self.lock:
            if state == self.state:
                return
            if self.state == "run":
                self._collect()
            self.state = state
            if state == "run":
                self._begin()
            elif self.config["continuous_dump"]:
                self.write()

    def write(self) -> None:
        """Write all records into the file."""
        with replacing(self.config["filename"]) as file:
            file.write(trace(self.records).encode())

    def clear(self) -> None:
        """Forget all records."""
        with self.lock:
            if self.state == "run":
                self._collect()
                self._begin()
            self.records.clear()

    def collected(self) -> list[Record]:
        """Return all records up to now."""
        with self.lock:
            if self.state == "run":
                self._collect()
                self._begin()
            return list(self.records)

    def _wants(self, *names: str) -> bool:
        return any(self.config[name] for name in ("profile_all", *names))

    def _begin(self) -> None:
        if not self._wants(
            "profile_symbolic", "profile_imperative", "profile_memory", "profile_api"
        ):
            return
        activities = [torch.profiler.ProfilerActivity.CPU]
        if torch.cuda.is_available():
            activities.append(torch.profiler.ProfilerActivity.CUDA)
        memory = self._wants("profile_memory")
        self._profile = torch.profiler.profile(
            activities=activities, profile_memory=memory, acc_events=True
        )
        self._profile.start()
        self._thread = threading.get_native_id()
        with torch.profiler.record_function(_MARK):
            pass
        if self._wants(*_SETTINGS["layer"]):
            listen(self._hear)

    def _collect(self) -> None:
        if self._profile is None:
            return
        profile, self._profile = self._profile, None
        leave(self._hear)
        profile.stop()
        results = profile.profiler
        kineto = None if results is None else results.kineto_results
        began = 0.0 if kineto is None else kineto.trace_start_ns() / 1e3
        in_use: dict[str, float] = {}
        events = list(profile.events() or ())  # type: ignore[no-untyped-call]
        mine = next((event.thread for event in events if event.name == _MARK), None)
        for event in events:
            if event.name != _MARK:
                thread = self._thread if event.thread == mine else event.thread
                self._take(event, began, in_use, thread)

    def _hear(self, timing: Timing) -> None:
        """Record a layer's call, and the line of the program in which it stands."""
        times = timing.start, timing.duration, timing.thread
        if timing.begins_line:
            self.records.append(Span(f"{timing.line} {timing.stage}", "line", *times))
        self.records.append(Span(timing.label, "layer", *times))

    def _take(
        self, event: FunctionEvent, began: float, in_use: dict[str, float], thread: int
    ) -> None:
        start = began + event.time_range.start
        changes = {"cpu/0": event.self_cpu_memory_usage, "gpu/0": event.self_device_memory_usage}
        for device, change in changes.items():
            if change:
                in_use[device] = in_use.get(device, 0.0) + change
                name = f"Memory: {device}"
                amount = Amount(name, "Device Storage", start, in_use[device], is_memory=True)
                self.records.append(amount)
        category = _category(event)
        if category is None or not self._wants(*_SETTINGS[category]):
            return
        duration = event.time_range.elapsed_us()  # type: ignore[no-untyped-call]
        self.records.append(Span(event.name, category, start, duration, thread))


_MARK = "gluonish.profiler begins"  # an event by which torch's number of a thread is known
_OPERATORS = "profile_symbolic", "profile_imperative"
_SETTINGS = {
    "layer": _OPERATORS,
    "line": _OPERATORS,
    "operator": _OPERATORS,
    "API": ("profile_api",),
}


def _category(event: FunctionEvent) -> str | None:
    if event.name == "[memory]":
        return None
    return "API" if event.name.startswith(("cuda", "cu")) and "::" not in event.name else "operator"


recording = Recording()


def set_config(**kwargs: Any) -> None:
    """Say what is recorded, and where it is written; the profile begins by `set_state('run')`.

    Parameters
    ----------
    filename : str, default 'profile.json'
        Where `dump` writes to.
    profile_all : bool, default False
        Record everything.
    profile_symbolic, profile_imperative : bool, default False
        Record operators, the layers that call them (also losses, Trainers and what else belongs to
        a training), and the lines of the program that call those; one switch under two names.
    profile_memory : bool, default False
        Record bytes in use.
    profile_api : bool, default False
        Record calls of the GPU's driver.
    aggregate_stats : bool, default False
        Let `dumps` work.
    continuous_dump : bool, default False
        Write the file whenever the profile is paused or stopped.
    dump_period : float, default 1.0
        MXNet's seconds between two writings, which here are not written by the clock.
    profile_process : {'worker'}
        Whom to profile.
    gpu_memory_profile_filename_prefix : None
        MXNet's file of GPU memory; what `profile_memory` records is in the one trace here.

    Raises
    ------
    UnknownArgumentError
        For another name.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.profiler.set_config(profile_all=True, aggregate_stats=True)
    """
    unknown = sorted(set(kwargs) - set(_DEFAULTS))
    if unknown:
        msg = f"profiler.set_config: {', '.join(map(repr, unknown))} given. "
        msg += f"Expected some of {', '.join(_DEFAULTS)}."
        is_file = any(part in unknown[0].lower() for part in ("file", "path", "output"))
        msg += " Did you mean 'filename'?" if is_file else did_you_mean(unknown[0], _DEFAULTS)
        if "profile_all" not in kwargs:
            msg += " profile_all=True records everything."
        raise UnknownArgumentError(msg)
    _check_process(kwargs.get("profile_process", "worker"))
    period = kwargs.get("dump_period", 1.0)
    if not period > 0:
        msg = f"profiler.set_config: dump_period={period!r}. Expected seconds, more than 0."
        raise InvalidArgumentError(msg)
    if kwargs.get("gpu_memory_profile_filename_prefix") is not None:
        msg = (
            "profiler.set_config: gpu_memory_profile_filename_prefix was given. There is no such "
            "file. Leave it out and give profile_memory=True: memory is in the trace."
        )
        raise InvalidArgumentError(msg)
    recording.config = {**_DEFAULTS, **kwargs}


def set_state(state: str = "stop", profile_process: str = "worker") -> None:
    """Begin or end the profile.

    Parameters
    ----------
    state : {'stop', 'run'}
        What it is to do.
    profile_process : {'worker'}
        Whom to profile.

    Raises
    ------
    UnknownStateError
        For another state.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.profiler.set_state('run')
    >>> mx.profiler.set_state('stop')
    """
    if state not in ("run", "stop"):
        how = "'stop'" if state in (0, False, None, "off", "end") else "'run'"
        msg = f"profiler.set_state: state={state!r}. Expected 'run' or 'stop'. Write {how}."
        raise UnknownStateError(msg)
    _check_process(profile_process)
    recording.change(state)


def pause(profile_process: str = "worker") -> None:
    """Leave out what follows, until `resume`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.profiler.pause()
    """
    _check_process(profile_process)
    if recording.is_running:
        recording.change("pause")


def resume(profile_process: str = "worker") -> None:
    """Go on after `pause`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.profiler.resume()
    """
    _check_process(profile_process)
    if recording.state == "pause":
        recording.change("run")


def dump(finished: bool = True, profile_process: str = "worker") -> None:
    """Write the profile into its file, which chrome://tracing and Perfetto show.

    Parameters
    ----------
    finished : bool, default True
        Whether the profile ends by this.
    profile_process : {'worker'}
        Whom to profile.

    Examples
    --------
    >>> import os, tempfile
    >>> import gluonish as mx
    >>> path = os.path.join(tempfile.mkdtemp(), 'profile.json')
    >>> mx.profiler.set_config(profile_all=True, filename=path)
    >>> mx.profiler.set_state('run')
    >>> mx.nd.ones(3).wait_to_read()
    >>> mx.profiler.dump()
    >>> os.path.exists(path)
    True
    """
    _check_process(profile_process)
    recording.collected()
    if finished:
        recording.change("stop")
    recording.write()


def dumps(
    reset: bool = False,
    format: str = "table",  # noqa: A002 - MXNet's name
    sort_by: str = "total",
    ascending: bool = False,
) -> str:
    """Return counts and times of everything, by name; `aggregate_stats=True` must be set.

    Parameters
    ----------
    reset : bool, default False
        Whether what was recorded up to now is forgotten.
    format : {'table', 'json'}
        A table to read, or JSON.
    sort_by : {'total', 'avg', 'min', 'max', 'count'}
        By which number rows are sorted.
    ascending : bool, default False
        Whether the smallest number stands first.

    Raises
    ------
    RefusedArgumentError
        For another format or number.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.profiler.set_config(profile_all=True, aggregate_stats=True)
    >>> mx.profiler.set_state('run')
    >>> mx.nd.ones(3).wait_to_read()
    >>> mx.profiler.set_state('stop')
    >>> 'Total Count' in mx.profiler.dumps(reset=True)
    True
    """
    _check_choice("format", format, ("table", "json"))
    _check_choice("sort_by", sort_by, ("total", "avg", "min", "max", "count"))
    if not recording.config["aggregate_stats"]:
        msg = (
            "profiler.dumps: statistics were not asked for. Call "
            "profiler.set_config(aggregate_stats=True, ...) before the profile runs."
        )
        raise InvalidArgumentError(msg)
    found = statistics(recording.collected())
    if reset:
        recording.clear()
    if format == "table":
        return table(found, sort_by, bool(ascending))
    sorted_rows = {
        kind: {name: dict(ordered(rows, sort_by, bool(ascending))) for name, rows in each.items()}
        for kind, each in found.items()
    }
    return json.dumps({**sorted_rows, "Unit": {"Time": "ms", "Memory": "kB"}}, indent=4)


def profiler_set_config(mode: str = "symbolic", filename: str = "profile.json") -> None:
    """Call `set_config` as programs before MXNet 1.0 do.

    Examples
    --------
    >>> import gluonish as mx
    >>> import warnings
    >>> with warnings.catch_warnings(action='ignore'):
    ...     mx.profiler.profiler_set_config(mode='all', filename='profile.json')
    """
    _warn("profiler_set_config", "set_config")
    set_config(
        profile_symbolic=mode in ("symbolic", "all"),
        profile_imperative=mode in ("imperative", "all"),
        filename=filename,
    )


def profiler_set_state(state: str = "stop") -> None:
    """Call `set_state` as programs before MXNet 1.0 do."""
    _warn("profiler_set_state", "set_state")
    set_state(state)


def dump_profile() -> None:
    """Call `dump` as programs before MXNet 1.0 do."""
    _warn("dump_profile", "dump")
    dump(finished=True)


def _warn(old: str, new: str) -> None:
    warnings.warn(
        f"profiler.{old} is deprecated. Use profiler.{new}.",
        FutureWarning,
        stacklevel=users_level(),
    )


def _check_process(process: str) -> None:
    if process != "worker":
        msg = (
            f"profiler: profile_process={process!r}. Expected 'worker': there are no server "
            "processes, the workers keep the parameters themselves."
        )
        raise InvalidArgumentError(msg)


def _check_choice(name: str, given: str, choices: tuple[str, ...]) -> None:
    if given not in choices:
        msg = f"profiler.dumps: {name}={given!r}. Expected one of {', '.join(map(repr, choices))}."
        raise RefusedArgumentError(msg)
