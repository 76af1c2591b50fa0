"""MXNet's import path of the parameters."""

from __future__ import annotations

from gluonish.array import NDArray
from gluonish.block import Constant, Parameter, ParameterDict
from gluonish.errors import DeferredInitializationError
from gluonish.symbol import Symbol

__all__ = ["Constant", "DeferredInitializationError", "Parameter", "ParameterDict"]

tensor_types = (Symbol, NDArray)
"""What `hybrid_forward` may be given; Blocks of others ask with `isinstance`."""
