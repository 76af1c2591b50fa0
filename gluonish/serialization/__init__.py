"""File formats of arrays: MXNet's container, safetensors and NumPy's, local and remote."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gluonish.serialization.arrays import Entry, describe, load, load_bytes, save, save_bytes

__all__ = ["Entry", "describe", "load", "load_bytes", "save", "save_bytes"]
_LATE_NAMES = {"gluonish.serialization.arrays": tuple(__all__)}  # imported when asked for
