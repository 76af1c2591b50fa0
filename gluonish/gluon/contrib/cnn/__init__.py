"""Convolutions whose filters read where the data tell them to."""

from __future__ import annotations

from gluonish.gluon.contrib.cnn import conv_layers
from gluonish.gluon.contrib.cnn.conv_layers import (
    DeformableConvolution,
    ModulatedDeformableConvolution,
)

__all__ = ["DeformableConvolution", "ModulatedDeformableConvolution", "conv_layers"]
