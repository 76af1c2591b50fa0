"""Automatic mixed precision: `init`, `init_trainer`, `scale_loss` and `unscale`."""

from __future__ import annotations

from gluonish.contrib.amp import amp
from gluonish.contrib.amp.amp import *
from gluonish.contrib.amp.loss_scaler import LossScaler

__all__ = ["LossScaler", *amp.__all__]
_UNSTARRED = ("amp",)
