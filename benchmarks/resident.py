"""Memory of a process: how much is resident, and whether freed memory stays with it."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["KEEP", "RETURN", "extra_mebibytes", "is_available"]

# Memory is measured where glibc gives all larger blocks back, so that the peak of a step shows.
RETURN = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
# What gluonish says to glibc, for others.
KEEP = {"MALLOC_MMAP_THRESHOLD_": str(2**25), "MALLOC_TRIM_THRESHOLD_": str(2**30)}
_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")


def is_available() -> bool:
    """Return whether this system can tell the peak of a stretch of time."""
    return _STATUS.exists() and _RESET.exists()


def extra_mebibytes(function: Callable[[], object]) -> float:
    """Return by how much resident memory rises, at most, while a function runs.

    The resting state is what remains of memory after all that is free went back to the system.
    """
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    _RESET.write_text("5")
    rest = _kibibytes("VmRSS")
    function()
    return (_kibibytes("VmHWM") - rest) / 1024


def _kibibytes(name: str) -> int:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    return 0
