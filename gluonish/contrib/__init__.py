"""What MXNet keeps apart as contributed: `mx.contrib`."""

from __future__ import annotations

from gluonish import ndarray as _ndarray, symbol as _symbol
from gluonish.contrib import amp

nd = ndarray = _ndarray.contrib
sym = symbol = _symbol.contrib

__all__ = ["amp", "nd", "ndarray", "sym", "symbol"]
