"""The version of the package, written once."""

from __future__ import annotations

__version__ = "0.1.0"
