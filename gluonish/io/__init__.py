"""`mx.io`: iterators over batches, for Module and FeedForward."""

from __future__ import annotations

import sys

from gluonish.io.batches import DataBatch, DataDesc, DataIter
from gluonish.io.csv_iter import CSVIter
from gluonish.io.file_iter import MXDataIter
from gluonish.io.image_det_record_iter import ImageDetRecordIter
from gluonish.io.image_record_iter import (
    ImageRecordInt8Iter,
    ImageRecordIter,
    ImageRecordUInt8Iter,
)
from gluonish.io.libsvm_iter import LibSVMIter
from gluonish.io.mnist_iter import MNISTIter
from gluonish.io.ndarray_iter import NDArrayIter, _init_data  # noqa: F401 - iterators ask
from gluonish.io.wrappers import PrefetchingIter, ResizeIter

__all__ = [
    "CSVIter",
    "DataBatch",
    "DataDesc",
    "DataIter",
    "ImageDetRecordIter",
    "ImageRecordInt8Iter",
    "ImageRecordIter",
    "ImageRecordIter_v1",
    "ImageRecordUInt8Iter",
    "ImageRecordUInt8Iter_v1",
    "LibSVMIter",
    "MNISTIter",
    "MXDataIter",
    "NDArrayIter",
    "PrefetchingIter",
    "ResizeIter",
]

ImageRecordIter_v1, ImageRecordUInt8Iter_v1 = ImageRecordIter, ImageRecordUInt8Iter
io = sys.modules[__name__]  # `mx.io.io` is where MXNet defines them
