"""Initializers: how parameters are filled (also `gluonish.initializer`)."""

from __future__ import annotations

from gluonish.init import base, combined, constant, drawn, registry
from gluonish.init.base import *
from gluonish.init.combined import *
from gluonish.init.constant import *
from gluonish.init.drawn import *
from gluonish.init.recurrent import FusedRNN
from gluonish.init.registry import *

__all__ = [
    "FusedRNN",
    *base.__all__,
    *combined.__all__,
    *constant.__all__,
    *drawn.__all__,
    *registry.__all__,
]
_LATE_NAMES = {"gluonish.ndarray.io": ("load",)}  # which MXNet has here, too
_UNSTARRED = ("load",)
