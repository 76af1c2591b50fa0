"""MXNet's import path of the parameters."""

from __future__ import annotations

from gluonish.block import Constant, Parameter, ParameterDict
from gluonish.errors import DeferredInitializationError

__all__ = ["Constant", "DeferredInitializationError", "Parameter", "ParameterDict"]

_LATE_NAMES = {"gluonish.gluon.kinds": ("tensor_types",)}
