"""Capture of a Block's call into a graph, and its replay."""

from __future__ import annotations

from gluonish.hybrid.graphs import GraphCache, Structure

__all__ = ["GraphCache", "Structure"]
