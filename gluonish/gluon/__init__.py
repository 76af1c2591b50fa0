"""Gluon: Blocks, parameters, layers, losses, data and training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish import block as blocks, nn
from gluonish.block import *
from gluonish.errors import DeferredInitializationError
from gluonish.gluon import block, parameter

if TYPE_CHECKING:
    from gluonish.block import SymbolBlock
    from gluonish.gluon import contrib, data, loss, model_zoo, rnn, utils
    from gluonish.gluon.checkpoints import Checkpoint, Resumption
    from gluonish.gluon.fused_step import FusedStep
    from gluonish.gluon.moving_average import MovingAverage
    from gluonish.gluon.trainer import Trainer

# Imported when they are asked for.
_LATE = ("contrib", "data", "loss", "model_zoo", "rnn", "trainer", "utils")
_LATE_NAMES = {
    "gluonish.block.symbol_block": ("SymbolBlock",),
    "gluonish.gluon.checkpoints": ("Checkpoint", "Resumption"),
    "gluonish.gluon.fused_step": ("FusedStep",),
    "gluonish.gluon.moving_average": ("MovingAverage",),
    "gluonish.gluon.kinds": ("tensor_types",),  # Blocks of others ask
    "gluonish.gluon.trainer": ("Trainer",),
}

__all__ = [
    "Checkpoint",
    "DeferredInitializationError",
    "FusedStep",
    "MovingAverage",
    "Resumption",
    "SymbolBlock",
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
    *blocks.__all__,
]
_UNSTARRED = ("trainer",)
