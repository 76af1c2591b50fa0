"""Iterators over the batches of other iterators: of another length, or made ahead."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.context import is_np_array, is_np_shape, set_np_flags
from gluonish.errors import RefusedArgumentError
from gluonish.io.batches import DataBatch, DataDesc, DataIter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Names = Mapping[str, str]


class _OfBatches(DataIter):
    """An iterator that keeps its present batch, which others have made."""

    current_batch: DataBatch | None = None

    @override
    def next(self) -> DataBatch:
        if not self.iter_next():
            raise StopIteration
        return _present(self.current_batch)

    @override
    def getdata(self) -> Any:
        return _present(self.current_batch).data

    @override
    def getlabel(self) -> Any:
        return _present(self.current_batch).label

    @override
    def getindex(self) -> Any:
        return _present(self.current_batch).index

    @override
    def getpad(self) -> int:
        return _present(self.current_batch).pad or 0


class ResizeIter(_OfBatches):
    """Makes epochs of a fixed number of batches; an iterator that ends before begins again.

    Parameters
    ----------
    data_iter : DataIter
        Where batches come from.
    size : int
        Batches in an epoch.
    reset_internal : bool, default True
        Whether `reset` makes `data_iter` begin again, too.

    Examples
    --------
    >>> import gluonish as mx
    >>> batches = mx.io.NDArrayIter(mx.nd.arange(4), batch_size=2)
    >>> len(list(mx.io.ResizeIter(batches, 5)))
    5
    """

    def __init__(self, data_iter: Any, size: int, reset_internal: bool = True) -> None:
        super().__init__(data_iter.batch_size)
        self.data_iter = data_iter
        self.size = size
        self.reset_internal = reset_internal
        self.cur = 0
        self.current_batch = None
        self.provide_data = data_iter.provide_data
        self.provide_label = data_iter.provide_label
        if hasattr(data_iter, "default_bucket_key"):
            self.default_bucket_key = data_iter.default_bucket_key

    @override
    def reset(self) -> None:
        self.cur = 0
        if self.reset_internal:
            self.data_iter.reset()

    @override
    def iter_next(self) -> bool:
        if self.cur == self.size:
            return False
        try:
            self.current_batch = self.data_iter.next()
        except StopIteration:
            self.data_iter.reset()
            self.current_batch = self.data_iter.next()
        self.cur += 1
        return True


class PrefetchingIter(_OfBatches):
    """Has threads make the next batch while the present one is worked on.

    Parameters
    ----------
    iters : DataIter or list of DataIter
        Where batches come from; those of several are joined to one with all their arrays.
    rename_data : list of dict, optional
        New names of the data, by their names in each iterator.
    rename_label : list of dict, optional
        New names of the labels.

    Raises
    ------
    RefusedArgumentError
        There is no iterator, or one has more batches than another.

    Examples
    --------
    >>> import gluonish as mx
    >>> batches = mx.io.NDArrayIter(mx.nd.arange(4), batch_size=2)
    >>> for batch in mx.io.PrefetchingIter(batches):
    ...     print(batch.data[0].asnumpy())
    [0. 1.]
    [2. 3.]
    """

    def __init__(
        self,
        iters: Any,
        rename_data: Sequence[Names] | None = None,
        rename_label: Sequence[Names] | None = None,
    ) -> None:
        self.iters = list(iters) if isinstance(iters, (list, tuple)) else [iters]
        self.n_iter = len(self.iters)
        if not self.iters:
            msg = "PrefetchingIter: no iterator was given. Expected one or more. Pass iters=[it]."
            raise RefusedArgumentError(msg)
        self.rename_data = rename_data
        self.rename_label = rename_label
        super().__init__(self.provide_data[0][1][0])
        self.current_batch = None
        flags = {"shape": is_np_shape(), "array": is_np_array(), "for_new_threads": False}
        self._pool = ThreadPoolExecutor(
            self.n_iter, "PrefetchingIter", initializer=lambda: set_np_flags(**flags)
        )
        self._coming = self._begin()

    @property
    def provide_data(self) -> list[DataDesc]:
        """Names, shapes and dtypes of the data in a batch."""
        return _renamed([one.provide_data for one in self.iters], self.rename_data)

    @property
    def provide_label(self) -> list[DataDesc]:
        """Names, shapes and dtypes of the labels in a batch."""
        return _renamed([one.provide_label for one in self.iters], self.rename_label)

    @override
    def reset(self) -> None:
        for future in self._coming:
            future.result()
        for one in self.iters:
            one.reset()
        self._coming = self._begin()

    @override
    def iter_next(self) -> bool:
        found = [future.result() for future in self._coming]
        ended = [batch is None for batch in found]
        if any(ended):
            if not all(ended):
                error = self._unequal(f"{sum(ended)} of {self.n_iter} iterators have ended")
                raise error
            return False
        if len({batch.pad for batch in found}) > 1:
            error = self._unequal(f"batches are padded by {[batch.pad for batch in found]} samples")
            raise error
        self._coming = self._begin()
        first = found[0]
        self.current_batch = DataBatch(
            [array for batch in found for array in batch.data],
            [array for batch in found for array in batch.label or ()],
            first.pad,
            first.index,
            provide_data=self.provide_data,
            provide_label=self.provide_label,
        )
        return True

    def _begin(self) -> list[Future[Any]]:
        return [self._pool.submit(_next_or_none, one) for one in self.iters]

    def _unequal(self, what: str) -> RefusedArgumentError:
        msg = (
            f"PrefetchingIter: {what}. Number of entry mismatches between iterators: expected as "
            f"many batches from each. Give them data of one length and one batch_size."
        )
        return RefusedArgumentError(msg)


def _next_or_none(source: Any) -> Any:
    try:
        return source.next()
    except StopIteration:
        return None


def _present(batch: DataBatch | None) -> DataBatch:
    if batch is None:
        msg = "the iterator has no present batch. Expected one. Call next() or iter_next() first."
        raise RefusedArgumentError(msg)
    return batch


def _renamed(groups: list[Any], names: Sequence[Names] | None) -> list[DataDesc]:
    if names is None:
        return [desc for group in groups for desc in group]
    return [
        DataDesc(new.get(desc.name, desc.name), desc.shape, desc.dtype, desc.layout)
        for group, new in zip(groups, names, strict=True)
        for desc in map(_described, group)
    ]


def _described(desc: Any) -> DataDesc:
    return desc if isinstance(desc, DataDesc) else DataDesc(*desc)
