"""Layers (also `gluonish.gluon.nn`)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gluonish.block import Block, HybridBlock
from gluonish.nn import activations, basic, containers, convolution, normalization, pooling
from gluonish.nn.activations import *
from gluonish.nn.basic import *
from gluonish.nn.containers import *
from gluonish.nn.convolution import *
from gluonish.nn.convolution import _Conv, _infer_weight_shape  # noqa: F401 - layers of others
from gluonish.nn.normalization import *
from gluonish.nn.normalization import _BatchNorm  # noqa: F401 - derive from these
from gluonish.nn.pooling import *
from gluonish.nn.pooling import _Pooling  # noqa: F401

if TYPE_CHECKING:
    from gluonish.block import SymbolBlock

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
_LATE_NAMES = {"gluonish.block.symbol_block": ("SymbolBlock",)}
basic_layers = conv_layers = sys.modules[__name__]  # where MXNet defines them
