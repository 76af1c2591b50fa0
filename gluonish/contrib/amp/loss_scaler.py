"""Where MXNet keeps `LossScaler`."""

from __future__ import annotations

from gluonish.gluon.loss_scaling import LossScaler

__all__ = ["LossScaler"]
