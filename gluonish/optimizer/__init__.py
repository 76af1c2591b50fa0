"""Optimizers: how weights follow their gradients."""

from __future__ import annotations

import sys

from gluonish.optimizer import contrib
from gluonish.optimizer.adam import FTML, Adam, Adamax, AdamW, Nadam
from gluonish.optimizer.adaptive import AdaDelta, AdaGrad, Ftrl, RMSProp
from gluonish.optimizer.base import Optimizer, create, register
from gluonish.optimizer.descent import DCASGD, NAG, SGD, SGLD, Signum, Test, ccSGD
from gluonish.optimizer.layerwise import LAMB, LARS, LBSGD
from gluonish.optimizer.updater import Updater, get_updater

optimizer = sys.modules[__name__]  # `mx.optimizer.optimizer` is where MXNet defines them

__all__ = [
    "DCASGD",
    "FTML",
    "LAMB",
    "LARS",
    "LBSGD",
    "NAG",
    "SGD",
    "SGLD",
    "AdaDelta",
    "AdaGrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Ftrl",
    "Nadam",
    "Optimizer",
    "RMSProp",
    "Signum",
    "Test",
    "Updater",
    "ccSGD",
    "contrib",
    "create",
    "get_updater",
    "optimizer",
    "register",
]
