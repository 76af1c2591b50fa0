"""Further layers: branches side by side, pixel shuffling, SyncBatchNorm."""

from __future__ import annotations

from gluonish.gluon.contrib.nn import basic_layers
from gluonish.gluon.contrib.nn.basic_layers import *
from gluonish.nn import BatchNormReLU

__all__ = ["BatchNormReLU", "basic_layers", *basic_layers.__all__]
