"""Initializers: how parameters are filled (also `gluonish.initializer`)."""

from __future__ import annotations

from gluonish.init.base import InitDesc, Initializer
from gluonish.init.combined import Load, Mixed
from gluonish.init.constant import Bilinear, Constant, LSTMBias, One, Zero
from gluonish.init.drawn import MSRAPrelu, Normal, Orthogonal, Uniform, Xavier
from gluonish.init.recurrent import FusedRNN
from gluonish.init.registry import alias, create, register

__all__ = [
    "Bilinear",
    "Constant",
    "FusedRNN",
    "InitDesc",
    "Initializer",
    "LSTMBias",
    "Load",
    "MSRAPrelu",
    "Mixed",
    "Normal",
    "One",
    "Orthogonal",
    "Uniform",
    "Xavier",
    "Zero",
    "alias",
    "create",
    "register",
]
