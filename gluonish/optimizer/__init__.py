"""Optimizers: how weights follow their gradients."""

from __future__ import annotations

import sys

from gluonish.optimizer import adam, adaptive, base, contrib, descent, layerwise, updater
from gluonish.optimizer.adam import *
from gluonish.optimizer.adaptive import *
from gluonish.optimizer.base import *
from gluonish.optimizer.descent import *
from gluonish.optimizer.layerwise import *
from gluonish.optimizer.updater import *

optimizer = sys.modules[__name__]  # `mx.optimizer.optimizer` is where MXNet defines them

__all__ = [
    *adam.__all__,
    *adaptive.__all__,
    *base.__all__,
    "contrib",
    *descent.__all__,
    *layerwise.__all__,
    "optimizer",
    *updater.__all__,
]
