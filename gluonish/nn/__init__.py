"""Layers (also `gluonish.gluon.nn`)."""

from __future__ import annotations

from gluonish.block import Block, HybridBlock, SymbolBlock
from gluonish.nn import activations, basic, containers, convolution, normalization, pooling
from gluonish.nn.activations import *
from gluonish.nn.basic import *
from gluonish.nn.containers import *
from gluonish.nn.convolution import *
from gluonish.nn.normalization import *
from gluonish.nn.pooling import *

__all__ = [
    "Block",
    "HybridBlock",
    "SymbolBlock",
    *activations.__all__,
    *basic.__all__,
    *containers.__all__,
    *convolution.__all__,
    *normalization.__all__,
    *pooling.__all__,
]
_UNSTARRED = ("activations",)
