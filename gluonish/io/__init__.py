"""`mx.io`: iterators over batches, for Module and FeedForward."""

from __future__ import annotations

from gluonish.io.batches import DataBatch, DataDesc, DataIter
from gluonish.io.ndarray_iter import NDArrayIter
from gluonish.io.wrappers import PrefetchingIter, ResizeIter

__all__ = [
    "DataBatch",
    "DataDesc",
    "DataIter",
    "NDArrayIter",
    "PrefetchingIter",
    "ResizeIter",
]
