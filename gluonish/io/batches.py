"""What iterators give, and what all of them can do: DataDesc, DataBatch and DataIter."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as onp
from typing_extensions import override

from gluonish.errors import IteratorEndError, MissingMethodError, OperandError
from gluonish.errors.program_arguments import keyword
from gluonish.errors.suggestions import with_hints
from gluonish.errors.wording import class_name
from gluonish.io.options import LOG
from gluonish.profiler.stages import measured

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from gluonish.array import NDArray
    from gluonish.array.dtypes import DTypeLike

    Arrays = Sequence[NDArray]

T = TypeVar("T")


class _NameAndShape(NamedTuple):
    name: str
    shape: tuple[int, ...]


class DataDesc(_NameAndShape):
    """Name, shape, dtype and layout of an array in a batch; a tuple of the first two.

    Parameters
    ----------
    name : str
        The name of the network's input.
    shape : tuple of int
        The shape of a batch.
    dtype : str, type or dtype, default numpy.float32
        The dtype.
    layout : str, default 'NCHW'
        A letter for each axis, N for that of the samples.

    Examples
    --------
    >>> import gluonish as mx
    >>> desc = mx.io.DataDesc('data', (8, 3, 28, 28), 'float32', 'NCHW')
    >>> name, shape = desc
    >>> name, shape[mx.io.DataDesc.get_batch_axis(desc.layout)]
    ('data', 8)
    """

    dtype: Any
    layout: str

    def __new__(
        cls,
        name: str,
        shape: tuple[int, ...],
        dtype: DTypeLike = onp.float32,
        layout: str = "NCHW",
    ) -> Self:
        """Return a description."""
        self = super().__new__(cls, name, shape)
        self.dtype = dtype
        self.layout = layout
        return self

    @override
    def __repr__(self) -> str:
        return f"DataDesc[{self.name},{self.shape},{self.dtype},{self.layout}]"

    @staticmethod
    def get_batch_axis(layout: str | None) -> int:
        """Return the number of the samples' axis: where N stands, or -1; 0 without a layout.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.io.DataDesc.get_batch_axis('TNC')
        1
        """
        return 0 if layout is None else layout.find("N")

    @staticmethod
    def get_list(
        shapes: Sequence[tuple[str, tuple[int, ...]]],
        types: Sequence[tuple[str, DTypeLike]] | None,
    ) -> list[DataDesc]:
        """Return descriptions for pairs of name and shape, and pairs of name and dtype.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.io.DataDesc.get_list([('a', (1, 2))], [('a', 'int32')])
        [DataDesc[a,(1, 2),int32,NCHW]]
        """
        if types is None:
            return [DataDesc(name, shape) for name, shape in shapes]
        dtypes = dict(types)
        return [DataDesc(name, shape, dtypes[name]) for name, shape in shapes]


@with_hints
class DataBatch:
    """A batch: arrays of data and labels, and how many samples only fill it up.

    Parameters
    ----------
    data : list of NDArray
        Data, one array for each input.
    label : list of NDArray, optional
        Labels, one array for each label.
    pad : int, optional
        How many samples at the end of the batch are there to fill it up.
    index : array, optional
        Positions of the samples.
    bucket_key : hashable, optional
        Which bucket of a BucketingModule the batch is for.
    provide_data, provide_label : list of DataDesc, optional
        Descriptions of data and labels, where they differ from batch to batch.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.io.DataBatch([mx.nd.ones((2, 3))], [mx.nd.ones((2,))]))
    DataBatch: data shapes: [(2, 3)] label shapes: [(2,)]
    """

    def __init__(
        self,
        data: Arrays | None,
        label: Arrays | None = None,
        pad: int | None = None,
        index: Any = None,
        bucket_key: Any = None,
        provide_data: Sequence[DataDesc | tuple[str, tuple[int, ...]]] | None = None,
        provide_label: Sequence[DataDesc | tuple[str, tuple[int, ...]]] | None = None,
    ) -> None:
        _check_list(data, "Data")
        _check_list(label, "Label")
        self.data = data
        self.label = label
        self.pad = pad
        self.index = index
        self.bucket_key = bucket_key
        self.provide_data = provide_data
        self.provide_label = provide_label

    @override
    def __str__(self) -> str:
        data = None if self.data is None else [array.shape for array in self.data]
        label = None if not self.label else [array.shape for array in self.label]
        return f"{type(self).__name__}: data shapes: {data} label shapes: {label}"


def _check_list(arrays: object, what: str) -> None:
    if arrays is not None and not isinstance(arrays, (list, tuple)):
        msg = (
            f"DataBatch: {what} must be list of NDArrays, {class_name(arrays)} was given. "
            f"Expected a list. Write {what.lower()}=[{keyword(what.lower()) or 'array'}]."
        )
        raise OperandError(msg)


class DataIter:
    """Base of all iterators over batches.

    A subclass defines `next`, or `iter_next`, `getdata` and `getlabel`; and `reset`,
    `provide_data` and `provide_label`.

    Parameters
    ----------
    batch_size : int, default 0
        Samples in a batch.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Countdown(mx.io.DataIter):
    ...     count = 3
    ...     def iter_next(self):
    ...         self.count -= 1
    ...         return self.count >= 0
    ...     def getdata(self):
    ...         return [mx.nd.full((self.batch_size,), self.count)]
    >>> [batch.data[0].asnumpy().tolist() for batch in Countdown(2)]
    [[2.0, 2.0], [1.0, 1.0], [0.0, 0.0]]
    """

    def __init__(self, batch_size: int = 0) -> None:
        self.batch_size = batch_size

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> DataBatch:
        return self.next()

    def reset(self) -> None:
        """Begin again with the first batch; there is nothing to do unless a subclass says so."""

    def next(self) -> DataBatch:
        """Return the next batch.

        Raises
        ------
        StopIteration
            There is none; `reset` makes the iterator begin again.
        """
        if self.iter_next():
            return DataBatch(self.getdata(), self.getlabel(), self.getpad(), self.getindex())
        raise StopIteration

    def iter_next(self) -> bool:
        """Go to the next batch, and return whether there is one.

        Raises
        ------
        MissingMethodError
            The subclass defines neither this nor `next`.
        """
        error = self._lacks("next() or iter_next()")
        raise error

    def getdata(self) -> Any:
        """Return the arrays of data of the present batch.

        Raises
        ------
        MissingMethodError
            The subclass does not define it.
        """
        error = self._lacks("getdata()")
        raise error

    def getlabel(self) -> Any:
        """Return the labels of the present batch: none, unless a subclass says so."""
        return None

    def getindex(self) -> Any:
        """Return the positions of the samples of the present batch, where they are known."""
        return None

    def getpad(self) -> int:
        """Return how many samples at the end of the present batch only fill it up."""
        return 0

    def _lacks(self, what: str) -> MissingMethodError:
        msg = (
            f"{type(self).__name__}: it has no {what} of its own. Expected one in every iterator "
            f"over batches. Define it in the class."
        )
        return MissingMethodError(msg)


class PairIter(DataIter):
    """Base of iterators over files, whose batches have one array of data and one of labels."""

    @abstractmethod
    def _both(self) -> tuple[NDArray, NDArray]:
        """Return data and labels of the present batch."""

    _skips_load = False
    _kept: DataBatch | None = None

    def debug_skip_load(self) -> None:
        """Return the same batch from now on, without end: for timing a net without its input."""
        self._skips_load = True
        LOG.info("Set debug_skip_load to be true, will simply return first batch")

    @override
    def next(self) -> DataBatch:
        if self._skips_load and self._kept is not None:
            return self._kept
        if not self.iter_next():
            raise StopIteration
        data, label = self._both()
        batch = DataBatch([data], [label], self.getpad(), self.getindex())
        if self._skips_load:
            self._kept = batch
        return batch

    @override
    def getdata(self) -> NDArray:
        return self._both()[0]

    @override
    def getlabel(self) -> NDArray:
        return self._both()[1]

    def _begun(self, present: T | None) -> T:
        """Return what there is of the present batch, if there is one."""
        if present is None:
            msg = (
                f"{type(self).__name__}: DataIter has not begun. Expected a present batch. Call "
                f"next() or iter_next() first."
            )
            raise IteratorEndError(msg)
        return present


measured(DataIter, "data", "__next__", "next")
