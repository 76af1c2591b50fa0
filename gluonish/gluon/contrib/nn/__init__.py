"""Further layers: branches side by side, pixel shuffling, SyncBatchNorm."""

from __future__ import annotations

from gluonish.gluon.contrib.nn import basic_layers
from gluonish.gluon.contrib.nn.basic_layers import (
    Concurrent,
    HybridConcurrent,
    Identity,
    PixelShuffle1D,
    PixelShuffle2D,
    PixelShuffle3D,
    SparseEmbedding,
    SyncBatchNorm,
)
from gluonish.nn import BatchNormReLU

__all__ = [
    "BatchNormReLU",
    "Concurrent",
    "HybridConcurrent",
    "Identity",
    "PixelShuffle1D",
    "PixelShuffle2D",
    "PixelShuffle3D",
    "SparseEmbedding",
    "SyncBatchNorm",
    "basic_layers",
]
