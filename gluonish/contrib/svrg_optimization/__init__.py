"""Training with gradients of less variance: `mx.contrib.svrg_optimization`."""

from __future__ import annotations

from gluonish.contrib.svrg_optimization import svrg_module
from gluonish.contrib.svrg_optimization.svrg_module import SVRGModule

__all__ = ["SVRGModule", "svrg_module"]
