"""Gluon: Blocks, parameters, layers, losses, data and training."""

from __future__ import annotations

from gluonish import nn
from gluonish.block import (
    Block,
    Constant,
    HybridBlock,
    Parameter,
    ParameterDict,
    SymbolBlock,
    TorchBlock,
)
from gluonish.errors import DeferredInitializationError
from gluonish.gluon import block, contrib, data, loss, model_zoo, parameter, rnn, utils
from gluonish.gluon.checkpoints import Checkpoint, Resumption
from gluonish.gluon.fused_step import FusedStep
from gluonish.gluon.trainer import Trainer

__all__ = [
    "Block",
    "Checkpoint",
    "Constant",
    "DeferredInitializationError",
    "FusedStep",
    "HybridBlock",
    "Parameter",
    "ParameterDict",
    "Resumption",
    "SymbolBlock",
    "TorchBlock",
    "Trainer",
    "block",
    "contrib",
    "data",
    "loss",
    "model_zoo",
    "nn",
    "parameter",
    "rnn",
    "utils",
]
_UNSTARRED = ("trainer",)
