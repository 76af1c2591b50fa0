"""File formats of arrays: MXNet's container, safetensors and NumPy's, local and remote."""

from __future__ import annotations

from gluonish.serialization.arrays import Entry, describe, load, load_bytes, save, save_bytes

__all__ = ["Entry", "describe", "load", "load_bytes", "save", "save_bytes"]
