"""NDArrayIter: batches of arrays in memory."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as onp
import torch
from typing_extensions import override

from gluonish.array import NDArray
from gluonish.array.core import like
from gluonish.array.tensors import plain
from gluonish.errors import (
    InvalidArgumentError,
    IteratorEndError,
    RefusedArgumentError,
    ShapeError,
)
from gluonish.errors.program_datasets import same_part
from gluonish.errors.program_text import name_of
from gluonish.errors.tracebacks import users_level
from gluonish.io.batches import DataBatch, DataDesc, DataIter
from gluonish.io.named_arrays import (
    _getdata_by_idx,
    _init_data,
    _slice_along_batch_axis,
    read_rows,
    samples_axis,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ENDS = ("pad", "discard", "roll_over")


class NDArrayIter(DataIter):
    """Iterates over arrays in batches.

    Parameters
    ----------
    data : NDArray, CSRNDArray, numpy.ndarray, h5py.Dataset, or list or dict of these
        Data. NumPy's arrays become float32, and with `shuffle` all dense ones. Those of a list are
        named `_0_data`, `_1_data` and so on; all go by the order of their names.
    label : as data, optional
        Labels.
    batch_size : int, default 1
        Samples in a batch.
    shuffle : bool, default False
        Whether samples come in random order, a new one after each `reset`, by NumPy's generator.
    last_batch_handle : {'pad', 'discard', 'roll_over'}, default 'pad'
        A last batch that is not full is filled with the first samples, left out, or goes to the
        front of the next epoch.
    data_name : str, default 'data'
        Name of the data, if it is one array.
    label_name : str, default 'softmax_label'
        Name of the labels, if they are one array.
    layout : str, default 'NCHW'
        The axis of the samples is where N stands, in arrays that have it; else the first.

    Raises
    ------
    DTypeError
        Something else than arrays was given.
    RefusedArgumentError
        There is no data, or another argument is out of its range.
    ShapeError
        An array has fewer samples than the first one, or there are none.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.arange(6).reshape((3, 2))
    >>> batches = mx.io.NDArrayIter(x, mx.nd.array([0, 1, 2]), batch_size=2)
    >>> batches.provide_data
    [DataDesc[data,(2, 2),<class 'numpy.float32'>,NCHW]]
    >>> for batch in batches:
    ...     print(batch.label[0].asnumpy(), batch.pad)
    [0. 1.] 0
    [2. 0.] 1
    >>> batches.reset()
    """

    def __init__(
        self,
        data: Any,
        label: Any = None,
        batch_size: int = 1,
        shuffle: bool = False,
        last_batch_handle: str = "pad",
        data_name: str = "data",
        label_name: str = "softmax_label",
        layout: str = "NCHW",
    ) -> None:
        super().__init__(batch_size)
        if batch_size < 1 or last_batch_handle not in _ENDS:
            msg = (
                f"NDArrayIter: batch_size={batch_size}, last_batch_handle={last_batch_handle!r} "
                f"were given. Expected 1 or more, and one of {', '.join(map(repr, _ENDS))}."
            )
            raise RefusedArgumentError(msg)
        self.layout = layout
        self.data = _init_data(data, False, data_name)
        self.label = _init_data(label, True, label_name)
        self.num_data = self._common_length()
        self.idx = onp.arange(self.num_data)
        self.shuffle = shuffle
        self.last_batch_handle = last_batch_handle
        self.cursor = -batch_size
        self._order: Any = None  # of the samples now, beside that in which they were given
        self._cache_data: list[NDArray] | None = None
        self._cache_label: list[NDArray] | None = None
        self.reset()
        self.data_list = [values for _, values in self.data + self.label]
        self.num_source = len(self.data_list)

    @property
    def provide_data(self) -> list[DataDesc]:
        """Names, shapes and dtypes of the data in a batch."""
        return [self._described(name, values) for name, values in self.data]

    @property
    def provide_label(self) -> list[DataDesc]:
        """Names, shapes and dtypes of the labels in a batch."""
        return [self._described(name, values) for name, values in self.label]

    def _described(self, name: str, values: Any) -> DataDesc:
        axis = self._axis(values)
        shape = tuple(map(int, values.shape))
        batch = (*shape[:axis], self.batch_size, *shape[axis + 1 :])
        return DataDesc(name, batch, values.dtype, self.layout)

    def _axis(self, values: Any) -> int:
        """Return the axis of the samples."""
        return samples_axis(values, self.layout)

    def _common_length(self) -> int:
        lengths = {
            name: int(values.shape[self._axis(values)]) for name, values in self.data + self.label
        }
        count = next(iter(lengths.values()))
        if min(lengths.values()) < max(count, 1):
            shown = ", ".join(f"{count} of {name!r}" for name, count in sorted(lengths.items()))
            least = min(lengths.values())
            expected = "the same number in each" if least else "samples in each"
            longest = max(lengths, key=lambda name: lengths[name])
            others = ", ".join(repr(name) for name in lengths if lengths[name] < lengths[longest])
            how = f"Give {lengths[longest]} of {others}, too: cut, or read, all in the same way"
            if len(lengths) == len(self.data) + 1 and len(self.data) == 1:
                how = same_part((count, least)) or how
            how = how if least else "Give some"
            msg = f"NDArrayIter: the numbers of samples are {shown}. Expected {expected}. {how}."
            raise ShapeError(msg)
        longer = [name for name in lengths if lengths[name] > count]
        if longer:
            first, name = next(iter(lengths)), longer[0]
            msg = (
                f"NDArrayIter: {name!r} has {lengths[name]} samples, {first!r} has {count}. The "
                f"first {count} are taken, as in MXNet. Cut it before, as in x[:{count}]."
            )
            warnings.warn(msg, stacklevel=users_level())
        return count

    def hard_reset(self) -> None:
        """Begin again, and forget what would roll over."""
        if self.shuffle:
            self._shuffle_data()
        self.cursor = -self.batch_size
        self._cache_data = self._cache_label = None

    @override
    def reset(self) -> None:
        """Begin again, with what rolls over; in a new order with `shuffle`."""
        if self.shuffle:
            self._shuffle_data()
        begun = self.num_data - self.batch_size < self.cursor < self.num_data
        if self.last_batch_handle == "roll_over" and begun:
            self.cursor -= self.num_data + self.batch_size
        else:
            self.cursor = -self.batch_size

    def get_state(self) -> dict[str, Any]:
        """Return the order and the place in it, for a `Checkpoint`.

        Examples
        --------
        >>> import gluonish as mx
        >>> batches = mx.io.NDArrayIter(mx.nd.arange(4), batch_size=2)
        >>> first = next(batches)
        >>> batches.get_state()['cursor']
        0
        """
        kept = self._cache_data, self._cache_label
        return {
            "cursor": int(self.cursor),
            "idx": self.idx.copy(),
            "order": None if self._order is None else self._order.copy(),
            "kept": None if kept[0] is None else kept,
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from what `get_state` returned.

        Raises
        ------
        InvalidArgumentError
            It belongs to another number of samples.

        Examples
        --------
        >>> import gluonish as mx
        >>> batches = mx.io.NDArrayIter(mx.nd.arange(4), batch_size=2)
        >>> before = batches.get_state()
        >>> first = next(batches)
        >>> batches.set_state(before)
        >>> print(next(batches).data[0].asnumpy())
        [0. 1.]
        """
        idx = onp.asarray(state["idx"])
        if len(idx) != self.num_data:
            msg = (
                f"NDArrayIter.set_state: a place among {len(idx)} samples was given, here are "
                f"{self.num_data}. Expected the same data. Build the iterator as it was."
            )
            raise InvalidArgumentError(msg)
        self.cursor = int(state["cursor"])
        self.idx = idx.copy()
        self._bring_into_order(state["order"])
        kept: Any = state["kept"] or ([], [])
        self._cache_data, self._cache_label = ([*map(_as_array, part)] or None for part in kept)

    def _bring_into_order(self, wanted: Any) -> None:
        """Put the samples into an order of those that were given; None is this one itself."""
        given = onp.arange(self.num_data)
        present = given if self._order is None else self._order
        wanted = given if wanted is None else onp.asarray(wanted)
        if (wanted != present).any():
            self._rearrange(onp.argsort(present)[wanted])

    def _shuffle_data(self) -> None:
        """Put the samples into a new random order."""
        onp.random.shuffle(self.idx)  # noqa: NPY002 - programs seed NumPy's own generator
        self._rearrange(self.idx)

    def _rearrange(self, places: Any) -> None:
        self._order = places.copy() if self._order is None else self._order[places]
        self.data = _getdata_by_idx(self.data, places, self.layout)
        self.label = _getdata_by_idx(self.label, places, self.layout)

    @override
    def __iter__(self) -> Self:
        if self.cursor + self.batch_size >= self.num_data > 0:
            warnings.warn(
                f"NDArrayIter: it is at its end, so that this loop has no batch. Expected a reset "
                f"before each pass. Write {name_of(self) or 'it'}.reset() in "
                f"the line before.",
                stacklevel=users_level(),
            )
        return self

    @override
    def iter_next(self) -> bool:
        self.cursor += self.batch_size
        return self.cursor < self.num_data

    @override
    def next(self) -> DataBatch:
        if not self.iter_next():
            raise StopIteration
        data, label = self.getdata(), self.getlabel()
        if data[0].shape[self._axis(data[0])] != self.batch_size:
            self._cache_data, self._cache_label = data, label
            raise StopIteration
        return DataBatch(data, label, self.getpad())

    @override
    def getdata(self) -> list[NDArray]:
        return self._batchify(self.data)

    @override
    def getlabel(self) -> list[NDArray]:
        return self._batchify(self.label)

    @override
    def getpad(self) -> int:
        if self.last_batch_handle == "pad":
            return max(0, self.cursor + self.batch_size - self.num_data)
        return max(0, -self.cursor) if -self.batch_size < self.cursor else 0

    def _batchify(self, data_source: list[tuple[str, Any]]) -> list[NDArray]:
        """Return the present batch's part of arrays with names."""
        start, stop = self.cursor, self.cursor + self.batch_size
        if start >= self.num_data or stop <= 0:
            needed = "DataIter needs reset." if start > 0 else "DataIter has not begun."
            msg = f"NDArrayIter: {needed} Expected a present batch. Call next() or reset()."
            raise IteratorEndError(msg)
        if start < 0:
            fresh = self._getdata(data_source, end=stop)
            return self._concat(self._rolled_over(data_source), fresh)
        if self.last_batch_handle == "pad" and stop > self.num_data:
            first = self._getdata(data_source, start=start)
            return self._concat(first, self._padding(data_source, stop - self.num_data))
        return self._getdata(data_source, start, min(stop, self.num_data))

    def _padding(self, data_source: list[tuple[str, Any]], count: int) -> list[NDArray]:
        """Return the first samples, all of them again and again if there are too few."""
        if count <= self.num_data:
            return self._getdata(data_source, end=count)
        times, rest = divmod(count, self.num_data)
        filled = self._tile(self._getdata(data_source, end=self.num_data), times)
        return self._concat(filled, self._getdata(data_source, end=rest)) if rest else filled

    def _rolled_over(self, data_source: list[tuple[str, Any]]) -> list[NDArray]:
        """Return what the epoch before has left, and forget it: data first, then labels."""
        name = "_cache_label" if data_source is self.label else "_cache_data"
        if data_source is not self.data and self._cache_data is None:
            name = "_cache_label"
        kept: list[NDArray] | None = getattr(self, name)
        setattr(self, name, None)
        if kept is None:
            msg = (
                "NDArrayIter: next epoch should have cached data, and what rolls over has been "
                "taken. Expected one getdata() and one getlabel() for this batch. Keep what they "
                "return, or call hard_reset() before the epoch."
            )
            raise IteratorEndError(msg)
        return kept

    def _getdata(
        self, data_source: list[tuple[str, Any]], start: int | None = None, end: int | None = None
    ) -> list[NDArray]:
        """Return samples of arrays with names: from one on, up to one, or both."""
        if start is None and end is None:
            msg = (
                "NDArrayIter._getdata: should at least specify start or end, neither was given. "
                "Expected the numbers of samples. Pass end=batch_size, for example."
            )
            raise RefusedArgumentError(msg)
        return [self._part(values, start or 0, end) for _, values in data_source]

    def _part(self, values: Any, start: int, end: int | None) -> NDArray:
        axis = self._axis(values)
        if end is None:
            end = min(values.shape[axis], self.num_data)
        if isinstance(values, NDArray):
            return _slice_along_batch_axis(values, slice(start, end), axis)
        order = onp.arange(self.num_data) if self._order is None else self._order
        return read_rows(values, order[start:end])

    def _concat(
        self, first_data: Sequence[NDArray], second_data: Sequence[NDArray]
    ) -> list[NDArray]:
        """Join the arrays of two lists, one by one; one list may be empty."""
        if not first_data or not second_data:
            return list(first_data or second_data)
        pairs = zip(first_data, second_data, strict=True)
        return [self._joined((first, second)) for first, second in pairs]

    def _tile(self, data: Sequence[NDArray], repeats: int) -> list[NDArray]:
        """Repeat the samples of each array."""
        return [self._joined([values] * repeats) for values in data]

    def _joined(self, arrays: Sequence[NDArray]) -> NDArray:
        last = plain(arrays[-1])
        tensors = [plain(one).to(last.device) for one in arrays]  # a checkpoint may keep elsewhere
        return like(arrays[-1], torch.cat(tensors, self._axis(arrays[-1])))


def _as_array(values: Any) -> NDArray:
    return values if isinstance(values, NDArray) else NDArray(values)
