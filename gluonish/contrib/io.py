"""DataLoaderIter: gluon's DataLoader as an iterator over batches for Module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.array.core import like
from gluonish.array.tensors import plain
from gluonish.errors import RefusedArgumentError
from gluonish.io import DataDesc, DataIter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.array import NDArray
    from gluonish.array.dtypes import DTypeLike

__all__ = ["DataLoaderIter"]


class DataLoaderIter(DataIter):
    """Iterates over the batches of a DataLoader.

    Parameters
    ----------
    loader : DataLoader
        Gives pairs of data and labels. A shorter last batch is filled with zeros.
    data_name : str, default 'data'
        Name of the data.
    label_name : str, default 'softmax_label'
        Name of the labels.
    dtype : str, type or dtype, default 'float32'
        The dtype of both.

    Raises
    ------
    RefusedArgumentError
        The loader has no batch, or gives something else than pairs.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib.io import DataLoaderIter
    >>> data = mx.gluon.data.ArrayDataset(mx.nd.ones((3, 2)), mx.nd.arange(3))
    >>> for batch in DataLoaderIter(mx.gluon.data.DataLoader(data, batch_size=2)):
    ...     print(batch.data[0].shape, batch.label[0].asnumpy(), batch.pad)
    (2, 2) [0. 1.] 0
    (2, 2) [2. 0.] 1
    """

    def __init__(
        self,
        loader: Any,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: DTypeLike = "float32",
    ) -> None:
        self._loader = loader
        self._iter: Iterator[Any] = iter(loader)
        data, label = _pair(next(self._iter, ()))
        super().__init__(data.shape[0])
        self.dtype = dtype
        self.provide_data = [DataDesc(data_name, data.shape, dtype)]
        self.provide_label = [DataDesc(label_name, label.shape, dtype)]
        self._current_batch: Any = None
        self.reset()

    @override
    def reset(self) -> None:
        self._iter = iter(self._loader)

    @override
    def iter_next(self) -> bool:
        self._current_batch = next(self._iter, None)
        return self._current_batch is not None

    @override
    def getdata(self) -> list[NDArray]:
        return [self._filled(_pair(self._current_batch)[0])]

    @override
    def getlabel(self) -> list[NDArray]:
        return [self._filled(_pair(self._current_batch)[1])]

    @override
    def getpad(self) -> int:
        return self.batch_size - _pair(self._current_batch)[0].shape[0]

    def _filled(self, array: NDArray) -> NDArray:
        array = array.astype(self.dtype, copy=False)
        missing = self.batch_size - array.shape[0]
        if not missing:
            return array
        tensor = plain(array)
        return like(array, torch.cat([tensor, tensor.new_zeros((missing, *tensor.shape[1:]))]))


def _pair(batch: Any) -> tuple[NDArray, NDArray]:
    if isinstance(batch, (list, tuple)) and len(batch) == 2:
        return batch[0], batch[1]
    found = type(batch).__name__
    if isinstance(batch, (list, tuple)):
        found = f"{len(batch)} arrays"
    msg = (
        f"DataLoaderIter: a batch of {found} was found. Expected pairs of data and "
        f"labels. Give the DataLoader a dataset of pairs that is not empty, and call next() first."
    )
    raise RefusedArgumentError(msg)
