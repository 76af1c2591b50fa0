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
from gluonish.io.named_arrays import (  # noqa: F401 - iterators ask
    _getdata_by_idx,
    _has_instance,
    _init_data,
    _slice_along_batch_axis,
)
from gluonish.io.ndarray_iter import NDArrayIter
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
io = utils = sys.modules[__name__]  # `mx.io.io` and `mx.io.utils` are where MXNet defines them
