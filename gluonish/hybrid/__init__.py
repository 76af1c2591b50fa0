"""Capture of a Block's call into a graph, and the backends that run it."""

from __future__ import annotations

from gluonish.hybrid.graphs import ChangeCounts, GraphCache, Watchers
from gluonish.hybrid.recorder import is_capturing

__all__ = ["ChangeCounts", "GraphCache", "Watchers", "is_capturing"]
