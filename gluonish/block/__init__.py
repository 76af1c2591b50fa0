"""Blocks, their parameters, their names and what is done with them."""

from __future__ import annotations

from gluonish import ndarray as _ndarray
from gluonish.block import operator_blocks  # noqa: F401 - which arrays that wait need
from gluonish.block.block import Block, HybridBlock
from gluonish.block.cached_op import CachedOp as _CachedOp
from gluonish.block.constant import Constant
from gluonish.block.parameter import Parameter
from gluonish.block.parameter_dict import ParameterDict
from gluonish.block.symbol_block import SymbolBlock
from gluonish.block.torch_block import TorchBlock

__all__ = [
    "Block",
    "Constant",
    "HybridBlock",
    "Parameter",
    "ParameterDict",
    "SymbolBlock",
    "TorchBlock",
]

vars(_ndarray)["CachedOp"] = _CachedOp  # as in MXNet; the front end itself knows no graphs
