"""Blocks, their parameters, their names and what is done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.block import operator_blocks  # noqa: F401 - which arrays that wait need
from gluonish.block.block import Block, HybridBlock
from gluonish.block.constant import Constant
from gluonish.block.parameter import Parameter
from gluonish.block.parameter_dict import ParameterDict
from gluonish.block.torch_block import TorchBlock

if TYPE_CHECKING:
    from gluonish.block.symbol_block import SymbolBlock as SymbolBlock

__all__ = [
    "Block",
    "Constant",
    "HybridBlock",
    "Parameter",
    "ParameterDict",
    "TorchBlock",
]
# Imported when it is asked for.
_LATE_NAMES = {"gluonish.block.symbol_block": ("SymbolBlock",)}
