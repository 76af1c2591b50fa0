"""MXNet's import path of the Blocks."""

from __future__ import annotations

from gluonish.block import Block, HybridBlock, SymbolBlock

__all__ = ["Block", "HybridBlock", "SymbolBlock"]
