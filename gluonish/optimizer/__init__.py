"""Optimizers: how weights follow their gradients."""

from __future__ import annotations

from gluonish.optimizer.base import Optimizer, create, register
from gluonish.optimizer.standard import NAG, SGD, Adam
from gluonish.optimizer.updater import Updater, get_updater

__all__ = ["NAG", "SGD", "Adam", "Optimizer", "Updater", "create", "get_updater", "register"]
