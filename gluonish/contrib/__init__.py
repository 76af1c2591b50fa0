"""What MXNet keeps apart as contributed: `mx.contrib`."""

from __future__ import annotations

from gluonish import ndarray as _ndarray, symbol as _symbol
from gluonish.contrib import (
    amp,
    autograd,
    io,
    quantization,
    svrg_optimization,
    tensorboard,
    text,
)

nd = ndarray = _ndarray.contrib
sym = symbol = _symbol.contrib

__all__ = [
    "amp",
    "autograd",
    "io",
    "nd",
    "ndarray",
    "quantization",
    "svrg_optimization",
    "sym",
    "symbol",
    "tensorboard",
    "text",
]
