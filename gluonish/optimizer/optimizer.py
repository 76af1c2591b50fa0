"""The names of MXNet's module `mx.optimizer.optimizer`."""

from __future__ import annotations

from gluonish.optimizer.adam import FTML, Adam, Adamax, AdamW, Nadam
from gluonish.optimizer.adaptive import AdaDelta, AdaGrad, Ftrl, RMSProp
from gluonish.optimizer.base import Optimizer, create, register
from gluonish.optimizer.descent import DCASGD, NAG, SGD, SGLD, Signum, Test, ccSGD
from gluonish.optimizer.layerwise import LAMB, LARS, LBSGD
from gluonish.optimizer.updater import Updater, get_updater

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
    "create",
    "get_updater",
    "register",
]
