"""NDArrayIter: batches of arrays in memory."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as onp
import torch
from typing_extensions import override

from gluonish.array import NDArray, wrap
from gluonish.array.core import like
from gluonish.array.sparse import is_sparse, sparse_array
from gluonish.array.sparse_base import parts_of
from gluonish.array.storage import below, chosen
from gluonish.array.tensors import plain
from gluonish.context import cpu
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    IteratorEndError,
    RefusedArgumentError,
    ShapeError,
)
from gluonish.errors.program_datasets import same_part
from gluonish.errors.program_text import name_of
from gluonish.errors.tracebacks import users_level
from gluonish.io.batches import DataBatch, DataDesc, DataIter
from gluonish.ndarray.sparse import csr_matrix

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ENDS = ("pad", "discard", "roll_over")


class NDArrayIter(DataIter):
    """Iterates over arrays in batches.

    Parameters
    ----------
    data : NDArray, CSRNDArray, numpy.ndarray, h5py.Dataset, or list or dict of these
        Data. NumPy's arrays become float32. Those of a list are named `_0_data`, `_1_data` and
        so on; all go by the order of their names.
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
        self.data_list = [values for _, values in self.data + self.label]
        self.num_source = len(self.data_list)
        self.num_data = self._common_length()
        self.idx = onp.arange(self.num_data)
        self.shuffle = shuffle
        self.last_batch_handle = last_batch_handle
        self.cursor = -batch_size
        self._order: Any = None
        self._kept: tuple[list[NDArray], list[NDArray]] | None = None
        self.reset()

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
        axis = DataDesc.get_batch_axis(self.layout)
        return axis if isinstance(values, NDArray) and 0 <= axis < values.ndim else 0

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
        self._kept = None
        self.cursor = -self.batch_size
        self._shuffle()

    @override
    def reset(self) -> None:
        """Begin again, with what rolls over; in a new order with `shuffle`."""
        self._shuffle()
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
        return {
            "cursor": int(self.cursor),
            "idx": self.idx.copy(),
            "order": None if self._order is None else self._order.copy(),
            "kept": self._kept,
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
        order, kept = state["order"], state["kept"]
        self.cursor = int(state["cursor"])
        self.idx = idx.copy()
        self._order = None if order is None else onp.asarray(order).copy()
        self._kept = kept
        if kept is not None:
            data, label = ([*map(_as_array, part)] for part in kept)
            self._kept = data, label

    def _shuffle(self) -> None:
        if self.shuffle:
            onp.random.shuffle(self.idx)  # noqa: NPY002 - programs seed NumPy's own generator
            self._order = self.idx.copy() if self._order is None else self._order[self.idx]

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
            self._kept = (data, label)
            raise StopIteration
        self._kept = None
        return DataBatch(data, label, self.getpad())

    @override
    def getdata(self) -> list[NDArray]:
        return self._present(self.data, 0)

    @override
    def getlabel(self) -> list[NDArray]:
        return self._present(self.label, 1)

    @override
    def getpad(self) -> int:
        if self.last_batch_handle == "pad":
            return max(0, self.cursor + self.batch_size - self.num_data)
        return max(0, -self.cursor) if -self.batch_size < self.cursor else 0

    def _present(self, sources: list[tuple[str, Any]], part: int) -> list[NDArray]:
        """Return the present batch's part of data (0) or labels (1)."""
        start, stop = self.cursor, self.cursor + self.batch_size
        if start >= self.num_data or stop <= 0:
            needed = "DataIter needs reset." if start > 0 else "DataIter has not begun."
            msg = f"NDArrayIter: {needed} Expected a present batch. Call next() or reset()."
            raise IteratorEndError(msg)
        if start < 0:
            return self._joined((self._kept or ([], []))[part], sources, stop)
        return self._rows(sources, start, stop)

    def _joined(
        self, kept: Sequence[NDArray], sources: list[tuple[str, Any]], stop: int
    ) -> list[NDArray]:
        fresh = self._rows(sources, 0, stop)
        return [self._below(old, new) for old, new in zip(kept, fresh, strict=True)]

    def _below(self, first: NDArray, second: NDArray) -> NDArray:
        if is_sparse(first) and is_sparse(second):
            both: NDArray = sparse_array(below([parts_of(first), parts_of(second)]), second.context)
            return both
        fresh = plain(second)
        kept = plain(first).to(fresh.device)  # where a checkpoint has kept it elsewhere
        return like(second, torch.cat([kept, fresh], self._axis(second)))

    def _rows(self, sources: list[tuple[str, Any]], start: int, stop: int) -> list[NDArray]:
        order = self._order
        if stop <= self.num_data or self.last_batch_handle != "pad":
            stop = min(stop, self.num_data)
            if order is None:
                return [self._slice(values, start, stop) for _, values in sources]
            places = order[start:stop]
        else:
            places = onp.arange(start, stop) % self.num_data
            places = places if order is None else order[places]
        return [self._take(values, places) for _, values in sources]

    def _slice(self, values: Any, start: int, stop: int) -> NDArray:
        if is_sparse(values):
            return values[start:stop].copy()
        if isinstance(values, NDArray):
            axis = self._axis(values)
            return like(values, plain(values).narrow(axis, start, stop - start).clone())
        return _from_numpy(values[start:stop])

    def _take(self, values: Any, places: Any) -> NDArray:
        if is_sparse(values):
            wanted = torch.from_numpy(places).to(parts_of(values).values.device)
            rows: NDArray = sparse_array(chosen(parts_of(values), wanted), values.context)
            return rows
        if isinstance(values, NDArray):
            tensor = plain(values)
            wanted = torch.from_numpy(places).to(tensor.device)
            return like(values, tensor.index_select(self._axis(values), wanted))
        once, inverse = onp.unique(places, return_inverse=True)
        return _from_numpy(values[once][inverse])  # files are read in ascending order


def _as_array(values: Any) -> NDArray:
    return values if isinstance(values, NDArray) else NDArray(values)


def _from_numpy(values: Any) -> NDArray:
    return wrap(torch.from_numpy(onp.array(values, onp.float32)), cpu(), NDArray)


def _init_data(data: Any, allow_empty: bool, default_name: str) -> list[tuple[str, Any]]:
    """Return arrays with their names, in the order of these."""
    if data is None:
        data = []
    if not isinstance(data, (list, tuple, dict)):
        data = [data]
    if not data and not allow_empty:
        msg = f"NDArrayIter: no {default_name} was given. Expected one array or more. Pass one."
        raise RefusedArgumentError(msg)
    if not isinstance(data, dict):
        is_one = len(data) == 1
        data = {default_name if is_one else f"_{i}_{default_name}": x for i, x in enumerate(data)}
    return [(key, _array(key, data[key])) for key in sorted(data)]


def _array(name: str, values: Any) -> Any:
    """Return what batches can be cut from: an array, or a dataset in a file."""
    if isinstance(values, torch.Tensor):
        return NDArray(values)
    if isinstance(values, (list, tuple, int, float)):
        values = onp.asarray(values)
    if type(values).__module__.startswith("scipy.sparse"):
        return csr_matrix(values)
    if is_sparse(values) and values.stype != "csr":
        msg = (
            f"NDArrayIter: {name!r} is a {type(values).__name__}. Expected a dense array or a "
            f"CSRNDArray, whose rows can be chosen. Write x.tostype('default')."
        )
        raise DTypeError(msg)
    is_file = type(values).__module__.split(".")[0] == "h5py"
    if not (is_file or isinstance(values, (NDArray, onp.ndarray))):
        msg = (
            f"NDArrayIter: {name!r} is of type {type(values).__name__}. Input must be NDArray, "
            f"numpy.ndarray, h5py.Dataset a list of them or dict with them as values. "
            f"Convert it first."
        )
        raise DTypeError(msg)
    if not values.shape:
        msg = (
            f"NDArrayIter: {name!r} has no axes. Expected an axis of samples. Write "
            f"numpy.array(list) for a list of numbers: a list is one of arrays, each an input."
        )
        raise ShapeError(msg)
    return _from_numpy(values) if isinstance(values, onp.ndarray) else values
