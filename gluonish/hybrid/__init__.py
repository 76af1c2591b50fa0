"""Capture of a Block's call into a graph, and the backends that run it.

Most of it is imported when a program first hybridizes a Block or binds a graph.
"""

from __future__ import annotations

from gluonish.hybrid.changes import ChangeCounts, Watchers
from gluonish.hybrid.recorder import is_capturing

__all__ = ["ChangeCounts", "Watchers", "is_capturing"]
