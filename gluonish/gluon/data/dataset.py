"""Datasets: what a DataLoader takes its samples from."""

from __future__ import annotations

from collections.abc import Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array import NDArray
from gluonish.errors import (
    ArgumentKindError,
    DTypeError,
    MissingMethodError,
    RefusedArgumentError,
)
from gluonish.errors.arguments import value_text
from gluonish.errors.callables import check_arity
from gluonish.errors.doors import door
from gluonish.errors.program_arguments import arguments, keyword, last_argument
from gluonish.errors.program_datasets import count_of_samples, cut_alike, like_in_name, same_part
from gluonish.errors.program_layers import called_in
from gluonish.errors.program_text import name_of
from gluonish.errors.suggestions import with_hints
from gluonish.errors.wording import counted
from gluonish.gluon.data.sampler import FilterSampler, Sampler, SequentialSampler
from gluonish.gluon.data.together import change_together, read_together, rows_together
from gluonish.recordio import MXIndexedRecordIO
from gluonish.serialization.files import path_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.serialization.files import PathLike

__all__ = ["ArrayDataset", "Dataset", "RecordFileDataset", "SimpleDataset"]


@with_hints
class Dataset:
    """Base of all datasets: a subclass defines `__getitem__` and `__len__`.

    Examples
    --------
    >>> from gluonish import gluon
    >>> class Squares(gluon.data.Dataset):
    ...     def __getitem__(self, idx):
    ...         return idx**2
    ...     def __len__(self):
    ...         return 4
    >>> list(Squares().take(3))
    [0, 1, 4]
    """

    def __getitem__(self, idx: Any) -> Any:
        raise _missing(self, "__getitem__")

    def __len__(self) -> int:
        raise _missing(self, "__len__")

    def filter(self, fn: Callable[[Any], object]) -> Dataset:
        """Return the samples for which `fn(sample)` is true.

        All samples are read once, at the call.

        Examples
        --------
        >>> from gluonish.gluon.data import SimpleDataset
        >>> list(SimpleDataset([3, 1, 2]).filter(lambda x: x > 1))
        [3, 2]
        """
        return _SampledDataset(self, FilterSampler(fn, self))

    def shard(self, num_shards: int, index: int) -> Dataset:
        """Return one of `num_shards` contiguous parts, of nearly equal length.

        Parameters
        ----------
        num_shards : int
            Number of parts, 1 or more. The first ones get one sample more where the length
            cannot be divided evenly.
        index : int
            Which part, in [0, num_shards).

        Raises
        ------
        RefusedArgumentError
            There is no such part.

        Examples
        --------
        >>> from gluonish.gluon.data import SimpleDataset
        >>> [list(SimpleDataset([0, 1, 2, 3, 4]).shard(2, i)) for i in range(2)]
        [[0, 1, 2], [3, 4]]
        """
        if not 0 <= index < num_shards:
            msg = (
                f"{_name(self)}.shard: part {index} of {num_shards} was asked for. Expected "
                f"0 <= index < num_shards. Number the parts from 0."
            )
            raise RefusedArgumentError(msg)
        length, longer = divmod(len(self), num_shards)
        start = length * index + min(index, longer)
        return _SampledDataset(self, SequentialSampler(length + (index < longer), start))

    def take(self, count: int | None) -> Dataset:
        """Return the first `count` samples; all of them if there are fewer or `count` is None.

        Raises
        ------
        RefusedArgumentError
            `count` is negative.

        Examples
        --------
        >>> from gluonish.gluon.data import SimpleDataset
        >>> list(SimpleDataset([3, 1, 2]).take(2))
        [3, 1]
        """
        if count is not None and count < 0:
            msg = (
                f"{_name(self)}.take: count={count} was given. Expected 0 or more, or None for "
                f"all samples. For the last ones, use sample(SequentialSampler(n, start))."
            )
            raise RefusedArgumentError(msg)
        length = len(self) if count is None else min(count, len(self))
        return _SampledDataset(self, SequentialSampler(length))

    def sample(self, sampler: Sampler | object) -> Dataset:
        """Return the samples whose positions a sampler gives, in its order.

        Parameters
        ----------
        sampler : Sampler
            Read once, at the call.

        Raises
        ------
        DTypeError
            `sampler` is not a Sampler.

        Examples
        --------
        >>> from gluonish.gluon.data import SequentialSampler, SimpleDataset
        >>> list(SimpleDataset([3, 1, 2]).sample(SequentialSampler(2, 1)))
        [1, 2]
        """
        if not isinstance(sampler, Sampler):
            msg = (
                f"{_name(self)}.sample: Invalid sampler type: {type(sampler).__name__}. Expected "
                f"gluon.data.Sampler instead. Derive yours from gluon.data.Sampler."
            )
            raise DTypeError(msg)
        return _SampledDataset(self, sampler)

    def transform(self, fn: Callable[..., Any], lazy: bool = True) -> Dataset:
        """Return the dataset with `fn` applied to each sample.

        Parameters
        ----------
        fn : callable
            Receives the sample, or its parts as arguments where the sample is a tuple.
        lazy : bool, default True
            Whether `fn` is called each time a sample is read, as random augmentation needs it,
            or once for all samples, at the call.

        Examples
        --------
        >>> from gluonish.gluon.data import SimpleDataset
        >>> list(SimpleDataset([3, 1, 2]).transform(lambda x: 10 * x))
        [30, 10, 20]
        """
        if not callable(fn):
            raise _no_function(fn)
        transformed = _LazyTransformDataset(self, fn)
        if lazy:
            return transformed
        return SimpleDataset([transformed[position] for position in range(len(self))])

    def transform_first(self, fn: Callable[..., Any], lazy: bool = True) -> Dataset:
        """Return the dataset with `fn` applied to the first part of each sample.

        Parameters
        ----------
        fn : callable
            Receives the first part: the image of an (image, label) pair.
        lazy : bool, default True
            As in `transform`.

        Examples
        --------
        >>> from gluonish.gluon.data import ArrayDataset
        >>> ArrayDataset([1, 2], ["a", "b"]).transform_first(lambda x: 10 * x)[1]
        (20, 'b')
        """
        if not callable(fn):
            raise _no_function(fn)
        return self.transform(_TransformFirstClosure(fn), lazy)


class SimpleDataset(Dataset):
    """Dataset around a list, or anything else that has a length and positions.

    Parameters
    ----------
    data : sequence
        The samples.

    Examples
    --------
    >>> from gluonish.gluon.data import SimpleDataset
    >>> data = SimpleDataset(["a", "b", "c"])
    >>> len(data), data[1]
    (3, 'b')
    """

    def __init__(self, data: Sequence[Any]) -> None:
        if not (hasattr(data, "__len__") and hasattr(data, "__getitem__")):
            msg = (
                f"SimpleDataset: data={value_text(data)} was given. Expected a list, or something "
                f"else with a length and positions. Write list(data) for what is gone through once."
            )
            raise ArgumentKindError(msg)
        self._data = data

    @override
    def __len__(self) -> int:
        return len(self._data)

    @override
    def __getitem__(self, idx: Any) -> Any:
        return self._data[idx]

    def _together(self, positions: Sequence[int]) -> Any:
        return rows_together(self._data, positions)


def _as_wide(first: Any, second: Any, names: Sequence[str]) -> str:
    """Return what to say of labels with as many columns as the data; '' of others."""
    shapes = [tuple(getattr(each, "shape", ())) for each in (first, second)]
    if len(shapes[0]) < 2 or shapes[0][1:] != shapes[1][1:]:
        return ""
    return (
        f"Both have rows of shape {shapes[0][1:]}: is {names[1]} data, too, and no labels? "
        f"train_test_split(X, y) gives X_train, X_test, y_train, y_test, in this order"
    )


class ArrayDataset(Dataset):
    """Dataset that joins arrays, lists or datasets of one length into tuples.

    Parameters
    ----------
    *args : sequences
        NDArrays, NumPy arrays, lists, datasets. With one of them, a sample is no tuple.

    Raises
    ------
    RefusedArgumentError
        No array was given, or their lengths differ.
    DTypeError
        One of them has no length.

    Notes
    -----
    As in MXNet, an NDArray of one axis (labels) is kept as a NumPy array, so a label is a NumPy
    number.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.data import ArrayDataset
    >>> data = ArrayDataset(mx.np.ones((3, 2)), [5, 6, 7])
    >>> data[1]
    (array([1., 1.]), 6)
    """

    def __init__(self, *args: Any) -> None:
        if not args:
            msg = "ArrayDataset: Needs at least 1 arrays. Write ArrayDataset(features, labels)."
            raise RefusedArgumentError(msg)
        self._length = _length(args[0], 0)
        self._data: list[Any] = []
        for position, data in enumerate(args):
            if (length := _length(data, position)) != self._length:
                written = arguments(len(args)) or [f"array[{each}]" for each in range(len(args))]
                names = [
                    written[each]
                    if written[each].isidentifier()
                    else name_of(args[each]) or written[each]
                    for each in (0, position)
                ]
                lengths = self._length, length
                which = int(length > self._length)
                pairs = [
                    f"{other} has {count} and goes with {name}"
                    for name, taken, count in zip(names, reversed(names), lengths, strict=True)
                    for other in like_in_name(taken, count, (args[0], data))
                ]
                how = (
                    _as_wide(args[0], data, names)
                    or same_part(lengths)
                    or (
                        f"Pass the rows of it that belong to those of the other, such as "
                        f"{names[which]}[:{min(lengths)}] where these are the first"
                    )
                )
                msg = (
                    f"ArrayDataset: All arrays must have the same length; array[0] has length "
                    f"{self._length} while array[{position}] has {length}. Give arrays with one "
                    f"row for each sample: {names[which]} has {abs(length - self._length)} more. "
                    f"{cut_alike(names) or '; '.join(pairs) or how}."
                )
                raise RefusedArgumentError(msg)
            flat = isinstance(data, NDArray) and data.ndim == 1
            self._data.append(data.asnumpy() if flat else data)

    @override
    def __len__(self) -> int:
        return self._length

    @override
    def __getitem__(self, idx: Any) -> Any:
        if len(self._data) == 1:
            return self._data[0][idx]
        return tuple(data[idx] for data in self._data)

    def _together(self, positions: Sequence[int]) -> Any:
        columns = tuple(rows_together(data, positions) for data in self._data)
        if any(column is None for column in columns):
            return None
        return columns if len(columns) > 1 else columns[0]


class _Chosen(Dataset):
    """Some samples of another dataset, in an order of their own."""

    _dataset: Any
    _indices: list[int]

    @override
    def __len__(self) -> int:
        return len(self._indices)

    @override
    def __getitem__(self, idx: Any) -> Any:
        return self._dataset[self._indices[idx]]

    def _together(self, positions: Sequence[int]) -> Any:
        return read_together(self._dataset, [self._indices[position] for position in positions])


class _FilteredDataset(_Chosen):
    """The samples of another dataset for which a function is true."""

    def __init__(self, dataset: Any, fn: Callable[[Any], object]) -> None:
        self._dataset = dataset
        self._indices = [position for position, sample in enumerate(dataset) if fn(sample)]


class _SampledDataset(_Chosen):
    """The samples of another dataset that a sampler names."""

    def __init__(self, dataset: Dataset, sampler: Sampler) -> None:
        self._dataset = dataset
        self._sampler = sampler
        self._indices = list(sampler)


class _LazyTransformDataset(Dataset):
    """Another dataset with a function applied to each sample when it is read."""

    def __init__(self, data: Dataset, fn: Callable[..., Any]) -> None:
        self._data = data
        self._fn = fn

    @override
    def __len__(self) -> int:
        return len(self._data)

    @override
    @door
    def __getitem__(self, idx: Any) -> Any:
        sample = self._data[idx]
        parts = sample if isinstance(sample, tuple) else (sample,)
        try:
            return self._fn(*parts)
        except TypeError as error:
            name = getattr(self._fn, "__name__", "")
            name = name if name.isidentifier() else "function"
            line = called_in("transform", name)
            expected = (
                f"a function of {counted(len(parts), 'argument')}, the parts of a sample. Write "
                f"one, or transform_first({name}){line and f'{line},'} for the data alone."
            )
            check_arity("dataset.transform", self._fn, error, expected)
            raise

    def _together(self, positions: Sequence[int]) -> Any:
        columns = read_together(self._data, positions)
        if columns is None:
            return None
        if not isinstance(self._fn, _TransformFirstClosure):
            return None if isinstance(columns, tuple) else change_together(self._fn, columns)
        if not isinstance(columns, tuple):
            return self._fn.together(columns)
        changed = self._fn.together(columns[0])
        return None if changed is None else (changed, *columns[1:])


class _TransformFirstClosure:
    """Applies a function to the first of its arguments; an object, so that it can be pickled."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        self._fn = fn

    def __call__(self, first: Any, *others: Any) -> Any:
        try:
            changed = self._fn(first)
        except TypeError as error:
            name = getattr(self._fn, "__name__", "<lambda>").replace("<lambda>", "function")
            expected = f"a function of one argument, the data. Use transform({name}) for labels."
            check_arity("dataset.transform_first", self._fn, error, expected)
            raise
        return (changed, *others) if others else changed

    def together(self, column: Any) -> Any:
        """Return the first parts of several samples, changed; None if one by one is needed."""
        return change_together(self._fn, column)


class RecordFileDataset(Dataset):
    """The records of a file as samples, in the order of its index.

    Parameters
    ----------
    filename : path
        File of records. Its index is the `.idx` file beside it; where there is none, a warning says
        so, and the records are counted.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileFormatError
        The index does not fit the records.

    Notes
    -----
    Records are read when they are asked for, by all workers of a DataLoader alike.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> writer = mx.recordio.MXIndexedRecordIO(folder / "a.idx", folder / "a.rec", "w")
    >>> for key in range(3):
    ...     writer.write_idx(key, b"record %d" % key)
    >>> writer.close()
    >>> data = mx.gluon.data.RecordFileDataset(folder / "a.rec")
    >>> len(data), data[2]
    (3, b'record 2')
    """

    def __init__(self, filename: PathLike) -> None:
        self.filename = path_text(filename)
        self.idx_file = str(Path(self.filename).with_suffix(".idx"))
        if "://" in self.filename:
            self.idx_file = self.filename.removesuffix(".rec") + ".idx"
        self._record = MXIndexedRecordIO(self.idx_file, self.filename, "r")

    @override
    def __getitem__(self, idx: int) -> bytes:
        return self._record.read_idx(self._record.keys[idx])

    @override
    def __len__(self) -> int:
        return len(self._record.keys)


class _LabelledDataset(Dataset):
    """Data and labels in memory, whose samples a function may change when they are read."""

    def __init__(
        self, data: Any, label: Any, transform: Callable[[Any, Any], Any] | None = None
    ) -> None:
        self._transform = transform
        self._data = data
        self._label = label

    @override
    def __len__(self) -> int:
        return len(self._label)

    @override
    def __getitem__(self, idx: Any) -> Any:
        data, label = self._data[idx], self._label[idx]
        return (data, label) if self._transform is None else self._transform(data, label)

    def _together(self, positions: Sequence[int]) -> Any:
        if self._transform is not None:
            return None
        columns = tuple(rows_together(part, positions) for part in (self._data, self._label))
        return None if any(column is None for column in columns) else columns


class _DownloadedDataset(_LabelledDataset):
    """Base of datasets whose data and labels come from files in a folder.

    A subclass defines `_get_data`, which sets `_data` and `_label`. It is called once, when the
    folder is there.

    Parameters
    ----------
    root : path
        Folder of the files, which is made if need be.
    transform : callable or None
        Receives data and label of a sample when it is read, and returns what stands for them.
    """

    def __init__(self, root: PathLike, transform: Callable[[Any, Any], Any] | None) -> None:
        super().__init__(None, None, transform)
        self._root = str(Path(path_text(root)).expanduser())
        Path(self._root).mkdir(parents=True, exist_ok=True)
        self._get_data()

    def _get_data(self) -> None:
        raise _missing(self, "_get_data")


def _no_function(given: object) -> ArgumentKindError:
    how = "Write for example transform(lambda data, label: (data / 255, label))"
    if isinstance(given, (list, tuple)) and given and all(map(callable, given)):
        name = keyword("fn") or last_argument() or "[...]"
        how = f"Write transforms.Compose({name}) in its place, which calls one after the other"
    msg = (
        f"dataset.transform: fn={value_text(given)} was given. Expected a function of a sample, or "
        f"of its parts. {how}."
    )
    return ArgumentKindError(msg)


def _name(dataset: Dataset) -> str:
    return type(dataset).__name__.lstrip("_")


_MEANT = {
    "__len__": "__len__(self)`, which returns how many indices __getitem__ takes, as {1} does",
    "__getitem__": "__getitem__(self, idx)`, which returns the sample of that number, as {0}[idx]",
    "_get_data": "_get_data(self)`, which sets self._data and self._label, one row for each sample",
}


def _missing(dataset: Dataset, method: str) -> MissingMethodError:
    held = (name for name, value in vars(dataset).items() if isinstance(value, Sized))
    own = f"self.{next(held, 'samples')}"
    meant = _MEANT.get(method, f"{method}(self)`").format(own, count_of_samples(type(dataset), own))
    msg = (
        f"{_name(dataset)}: it has no {method}. Expected a subclass of Dataset to define it. "
        f"Write in the class `def {meant}."
    )
    return MissingMethodError(msg)


def _length(data: object, position: int) -> int:
    if isinstance(data, Sized):
        return len(data)
    msg = (
        f"ArrayDataset: array[{position}] is of type {type(data).__name__}, which has no length. "
        f"Expected arrays, lists or datasets. Give one value for each sample."
    )
    raise DTypeError(msg)
