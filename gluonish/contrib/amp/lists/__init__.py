"""The lists of operators that mixed precision reads, as the modules MXNet keeps them in."""

from __future__ import annotations

from gluonish.contrib.amp.lists import symbol_bf16, symbol_fp16

__all__ = ["symbol_bf16", "symbol_fp16"]
