"""Gluon: Blocks, parameters, layers, losses, data and training."""

from __future__ import annotations

from gluonish import block as blocks, nn
from gluonish.block import *
from gluonish.errors import DeferredInitializationError
from gluonish.gluon import block, contrib, data, loss, model_zoo, parameter, rnn, utils
from gluonish.gluon.checkpoints import Checkpoint, Resumption
from gluonish.gluon.fused_step import FusedStep
from gluonish.gluon.moving_average import MovingAverage
from gluonish.gluon.parameter import tensor_types  # noqa: F401 - Blocks of others ask
from gluonish.gluon.trainer import Trainer

__all__ = [
    "Checkpoint",
    "DeferredInitializationError",
    "FusedStep",
    "MovingAverage",
    "Resumption",
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
