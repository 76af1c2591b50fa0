"""`mx.profiler`: what takes time and memory, over `torch.profiler`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gluonish.profiler.explaining import Explanation, explain
    from gluonish.profiler.recording import (
        dump,
        dump_profile,
        dumps,
        pause,
        profiler_set_config,
        profiler_set_state,
        resume,
        set_config,
        set_state,
    )
    from gluonish.profiler.scopes import Counter, Domain, Event, Frame, Marker, Task

__all__ = [
    "Counter",
    "Domain",
    "Event",
    "Explanation",
    "Frame",
    "Marker",
    "Task",
    "dump",
    "dump_profile",
    "dumps",
    "explain",
    "pause",
    "profiler_set_config",
    "profiler_set_state",
    "resume",
    "set_config",
    "set_state",
]
# Imported when they are asked for: every operator's front end needs this package's `stages`.
_LATE = ("recording", "scopes")
_LATE_NAMES = {
    "gluonish.profiler.explaining": ("Explanation", "explain"),
    "gluonish.profiler.recording": (
        "dump", "dump_profile", "dumps", "pause", "profiler_set_config", "profiler_set_state",
        "resume", "set_config", "set_state",
    ),
    "gluonish.profiler.scopes": ("Counter", "Domain", "Event", "Frame", "Marker", "Task"),
}  # fmt: skip
