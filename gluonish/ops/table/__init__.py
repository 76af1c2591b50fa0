"""The op table: what an operator says of itself, and where all of them are found."""

from __future__ import annotations

from gluonish.ops.table.cards import Graph
from gluonish.ops.table.registry import (
    STARTS,
    ArgumentRule,
    Call,
    Op,
    Shape,
    ShapeRule,
    Symbols,
    file_name,
    op,
    ops,
)

__all__ = [
    "STARTS", "ArgumentRule", "Call", "Graph", "Op", "Shape", "ShapeRule", "Symbols", "file_name",
    "op", "ops",
]  # fmt: skip
