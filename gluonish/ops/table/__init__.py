"""The op table: what an operator says of itself, and where all of them are found."""

from __future__ import annotations

from gluonish.ops.table.cards import (
    EITHER,
    EXACT,
    FULL,
    LOW,
    UNLISTED,
    WIDEST,
    Graph,
    Picture,
    Precision,
    Quantized,
    Sparse,
    both,
)
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
    "EITHER", "EXACT", "FULL", "LOW", "STARTS", "UNLISTED", "WIDEST", "ArgumentRule", "Call",
    "Graph", "Op", "Picture", "Precision", "Quantized", "Shape", "ShapeRule", "Sparse",
    "Symbols", "both", "file_name", "op", "ops",
]  # fmt: skip
