"""ONNX's operators by name, each with a function that computes it by Symbols."""

from __future__ import annotations

from gluonish.onnx import (  # noqa: F401 - they register
    control,
    elementwise,
    layers,
    recurrent,
    resizing,
    shaping,
)
from gluonish.onnx.values import OPERATORS

__all__ = ["OPERATORS"]
