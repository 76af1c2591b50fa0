"""Capture of a Block's call into a graph, and the backends that run it."""

from __future__ import annotations

from gluonish.hybrid.graphs import GraphCache, Structure, Watchers
from gluonish.hybrid.recorder import is_capturing

__all__ = ["GraphCache", "Structure", "Watchers", "is_capturing"]
