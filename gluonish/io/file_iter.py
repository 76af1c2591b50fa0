"""MXDataIter: what iterators over the content of files have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish.array import NDArray, wrap
from gluonish.array.dtypes import numpy_dtype
from gluonish.context import cpu
from gluonish.errors import RefusedArgumentError
from gluonish.io.batches import DataDesc, PairIter
from gluonish.io.options import number

if TYPE_CHECKING:
    from torch import Tensor


class MXDataIter(PairIter):
    """Base of the iterators that read files; each reads all of them when it is made.

    Parameters
    ----------
    count : int
        How many samples there are.
    batch_size : int
        Samples in a batch.
    data_name, label_name : str
        Names of data and labels.
    end : {'round', 'keep', 'drop'}
        A last batch that is not full is filled with the first samples, with which the next epoch
        then does not begin; with what the batch before had in these places; or left out.
    """

    def __init__(
        self, count: int, batch_size: Any, data_name: str, label_name: str, end: str
    ) -> None:
        where = type(self).__name__
        super().__init__(number(batch_size, "batch_size", where, 1))
        if not count or (end == "drop" and self.batch_size > count):
            msg = (
                f"{where}: batch_size={self.batch_size} was given for {count} samples. Expected "
                f"enough samples for a batch. Make batch_size smaller."
            )
            raise RefusedArgumentError(msg)
        self._count = count
        self._end = end
        self._names = (data_name, label_name)
        self._next = 0
        self._ahead = 0
        self._has_ended = False
        self._pad = 0
        self._places: Any = None

    @abstractmethod
    def _rows(self, places: Any) -> tuple[Tensor, Tensor]:
        """Return data and labels of some samples."""

    @property
    def provide_data(self) -> list[DataDesc]:
        """Name, shape and dtype of the data in a batch."""
        return [self._described(0)]

    @property
    def provide_label(self) -> list[DataDesc]:
        """Name, shape and dtype of the labels in a batch."""
        return [self._described(1)]

    def _described(self, which: int) -> DataDesc:
        tensor = self._rows(onp.zeros(1, onp.int64))[which]
        shape = (self.batch_size, *tensor.shape[1:])
        return DataDesc(self._names[which], shape, numpy_dtype(tensor.dtype).type)

    @override
    def reset(self) -> None:
        self._next, self._ahead = self._ahead, 0
        self._has_ended = False
        self._pad = 0

    @override
    def iter_next(self) -> bool:
        start, stop = self._next, self._next + self.batch_size
        if self._has_ended or start >= self._count:
            return False
        if stop <= self._count:
            self._places = onp.arange(start, stop)
            self._next = stop
            return True
        if self._end == "drop":
            return False
        self._has_ended = True
        self._pad = stop - self._count
        places = onp.arange(start, stop)
        if self._end == "round":
            self._ahead = self._pad % self._count
            self._places = places % self._count
        else:
            before = onp.full(self.batch_size, -1) if self._places is None else self._places
            self._places = onp.where(places < self._count, places, before)
        return True

    @override
    def getpad(self) -> int:
        return self._pad

    @override
    def getindex(self) -> Any:
        """Return the positions of the samples in the files, where they are known."""
        return onp.maximum(self._begun(self._places), 0).astype(onp.uint64)

    @override
    def _both(self) -> tuple[NDArray, NDArray]:
        places = self._begun(self._places)
        tensors = self._rows(onp.maximum(places, 0))
        if places.min() < 0:
            for tensor in tensors:
                tensor[places < 0] = 0
        data, label = (wrap(tensor, cpu(), NDArray) for tensor in tensors)
        return data, label
