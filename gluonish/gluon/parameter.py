"""MXNet's import path of the parameters."""

from __future__ import annotations

from gluonish.block import Constant, Parameter, ParameterDict
from gluonish.errors import DeferredInitializationError

__all__ = ["Constant", "DeferredInitializationError", "Parameter", "ParameterDict"]
