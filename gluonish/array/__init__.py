"""The two array classes and what wraps and unwraps them."""

from __future__ import annotations

from gluonish.array.core import NDArray, wrap
from gluonish.array.np_array import ndarray
from gluonish.array.sparse import BaseSparseNDArray, CSRNDArray, RowSparseNDArray
from gluonish.array.tensors import unwrap

__all__ = [
    "BaseSparseNDArray",
    "CSRNDArray",
    "NDArray",
    "RowSparseNDArray",
    "ndarray",
    "unwrap",
    "wrap",
]
