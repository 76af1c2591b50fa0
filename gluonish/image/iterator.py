"""ImageIter: batches of pictures from files of records or lists of files."""

from __future__ import annotations

import logging
import random
from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish.array import NDArray
from gluonish.array.tensors import plain
from gluonish.errors import (
    FileFormatError,
    ImageFormatError,
    InvalidArgumentError,
    RefusedArgumentError,
    ShapeError,
)
from gluonish.image.arrays import new_array
from gluonish.image.create import CreateAugmenter
from gluonish.image.reading import imdecode
from gluonish.image.sources import (
    check_sources,
    listed_entries,
    open_records,
    part_of,
    read_file,
)
from gluonish.io.batches import DataBatch, DataIter
from gluonish.recordio import unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.serialization.files import PathLike

__all__ = ["ImageIter"]

_log = logging.getLogger("gluonish.image")


class ImageIter(DataIter):
    """Iterates over batches of pictures, which are read, changed and put together on the way.

    Parameters
    ----------
    batch_size : int
        Samples in a batch.
    data_shape : (3, int, int)
        Channels, height and width of a picture in a batch.
    label_width : int, default 1
        Numbers in a label.
    path_imgrec : path, optional
        File of records.
    path_imglist : path, optional
        `.lst` file: on each line a key, labels and a file name, with tabs between. Beside
        `path_imgrec` and `path_imgidx`, it says the labels.
    path_root : path, optional
        Folder of the files.
    path_imgidx : path, optional
        Index of the records; needed for `shuffle` and parts.
    shuffle : bool, default False
        Whether each epoch has an order of its own, by Python's `random`.
    part_index, num_parts : int, default 0 and 1
        Which part of how many is taken.
    aug_list : list of callable, optional
        What is done to each picture; by default what `CreateAugmenter` makes of `data_shape` and
        `**kwargs`.
    imglist : list, optional
        Entries of one or more labels and a file name: `[3.0, 'cat.jpg']`.
    data_name, label_name : str, default 'data' and 'softmax_label'
        Names of data and labels.
    dtype : {'float32', 'float64', 'int32', 'int64'}, default 'float32'
        How labels in `path_imglist` are read.
    last_batch_handle : {'pad', 'discard', 'roll_over'}, default 'pad'
        A last batch that is not full is filled with the first samples, left out, or kept for the
        next epoch.
    **kwargs
        Arguments of `CreateAugmenter`.

    Attributes
    ----------
    seq : list or None
        Keys of the samples in the order of the epoch: of the list ('1', '2', ... for `imglist`)
        or of the index. A program may put them into another order.
    cur, num_image : int
        Samples that the epoch has read, and has; None without keys.
    imglist : dict or None
        Label and file name of each key.
    imgrec, imgidx : MXRecordIO and list, or None
        Records, and their keys.

    Raises
    ------
    RefusedArgumentError
        No samples are given, or they cannot be shuffled or divided.
    InvalidArgumentError
        `data_shape` or `last_batch_handle` is something else.
    ShapeError
        A picture or a label has another shape than the batch.
    ImageFormatError
        A sample is no picture; the message says which.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.ppm").write_bytes(b"P6 2 2 255 " + bytes(12))
    >>> samples = [[1.0, "a.ppm"], [0.0, "a.ppm"]]
    >>> batches = mx.image.ImageIter(2, (3, 2, 2), imglist=samples, path_root=folder)
    >>> print(batches.next())
    DataBatch: data shapes: [(2, 3, 2, 2)] label shapes: [(2,)]
    """

    def __init__(
        self,
        batch_size: int,
        data_shape: Sequence[int],
        label_width: int = 1,
        path_imgrec: PathLike | None = None,
        path_imglist: PathLike | None = None,
        path_root: PathLike | None = None,
        path_imgidx: PathLike | None = None,
        shuffle: bool = False,
        part_index: int = 0,
        num_parts: int = 1,
        aug_list: Sequence[Callable[..., Any]] | None = None,
        imglist: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: str = "float32",
        last_batch_handle: str = "pad",
        **kwargs: Any,
    ) -> None:
        super().__init__(batch_size)
        where = type(self).__name__
        _check_batches(where, batch_size, last_batch_handle)
        check_sources(where, path_imgrec, path_imglist, imglist, dtype)
        self.imgrec: Any
        self.imgrec, self.imgidx = open_records(path_imgrec, path_imgidx)
        entries = listed_entries(path_imglist, imglist, dtype, where)
        self.imglist: dict[Any, tuple[Any, str]] | None = None if entries is None else dict(entries)
        self.seq: list[Any] | None = [key for key, _ in entries or []]
        if self.imgrec is not None:
            self.seq = self._indexed() if shuffle or num_parts > 1 or path_imgidx else None
        if num_parts > 1 and self.seq is not None:
            self.seq = part_of(self.seq, part_index, num_parts, where)
        self.num_image = None if self.seq is None else len(self.seq)
        self.check_data_shape(data_shape)
        self.data_shape = tuple(data_shape)
        self.label_width = label_width
        self.shuffle = shuffle
        self.path_root = path_root
        self.dtype = dtype
        self.last_batch_handle = last_batch_handle
        self.provide_data = [(data_name, (batch_size, *self.data_shape))]
        label_shape: tuple[int, ...] = (batch_size,)
        if label_width > 1:
            label_shape = (batch_size, label_width)
        self.provide_label = [(label_name, label_shape)]
        self._has_usual_augmenters = aug_list is None
        self.auglist: Any = self._augmenters(kwargs) if aug_list is None else aug_list
        self.cur = 0
        self._allow_read = True
        self._cache_data: NDArray | None = None
        self._cache_label: NDArray | None = None
        self._cache_idx: int | None = None
        self.reset()

    def _indexed(self) -> list[Any]:
        if self.imgidx is None:
            msg = (
                f"{type(self).__name__}: shuffle=True or num_parts above 1 was given without "
                f"path_imgidx. Expected the index of the records. Add path_imgidx, beside "
                f"path_imgrec."
            )
            raise RefusedArgumentError(msg)
        return self.imgidx

    def _augmenters(self, options: dict[str, Any]) -> list[Any]:
        return list(CreateAugmenter(self.data_shape, **options))

    @override
    def reset(self) -> None:
        """Begin again, with what rolls over; in a new order with `shuffle`."""
        self._shuffle()
        if self.last_batch_handle != "roll_over" or self._cache_data is None:
            self._rewind()
            self._allow_read = True

    def hard_reset(self) -> None:
        """Begin again, without the samples that were kept for the next epoch."""
        self._shuffle()
        self._rewind()
        self._allow_read = True
        self._keep(None, None, None)

    def _shuffle(self) -> None:
        if self.shuffle and self.seq is not None:
            random.shuffle(self.seq)

    def _rewind(self) -> None:
        """Go back to the first sample, in the same order."""
        self.cur = 0
        if self.imgrec is not None:
            self.imgrec.reset()

    def _keep(self, data: NDArray | None, label: NDArray | None, count: int | None) -> None:
        self._cache_data, self._cache_label, self._cache_idx = data, label, count

    def next_sample(self) -> tuple[Any, bytes]:
        """Return label and encoded picture of the next sample.

        Raises
        ------
        StopIteration
            There is none in this epoch.
        """
        if not self._allow_read:
            raise StopIteration
        sample = self._next_record() if self.seq is None else self._next_of(self.seq)
        if sample is None:
            if self.last_batch_handle != "discard":
                self._rewind()
            raise StopIteration
        return sample

    def _next_record(self) -> tuple[Any, bytes] | None:
        record = self.imgrec.read()
        if record is None:
            return None
        self.cur += 1
        header, data = unpack(record)
        return header.label, data

    def _next_of(self, keys: list[Any]) -> tuple[Any, bytes] | None:
        count = len(keys) if self.num_image is None else min(self.num_image, len(keys))
        if self.cur >= count:
            return None
        key = keys[self.cur]
        self.cur += 1
        if self.imgrec is None:
            label, name = self._entry(key)
            return label, self.read_image(name)
        header, data = unpack(self.imgrec.read_idx(key))
        return (header.label if self.imglist is None else self._entry(key)[0]), data

    def _entry(self, key: Any) -> tuple[Any, str]:
        entry = None if self.imglist is None else self.imglist.get(key)
        if entry is None:
            msg = (
                f"{type(self).__name__}: there is a record of key {key!r}, which path_imglist does "
                f"not list. Expected a line for each record. Add it, or leave path_imglist out."
            )
            raise FileFormatError(msg)
        return entry

    def _present(self) -> str:
        """Return what the sample that was read last is called."""
        if not self.seq:
            return f"record {self.cur - 1}"
        key = self.seq[max(self.cur - 1, 0)]
        if self.imglist is not None and key in self.imglist:
            return f"file {self.imglist[key][1]!r}"
        return f"record of key {key!r}"

    @override
    def next(self) -> DataBatch:
        was_kept = self._cache_data is not None
        if self._cache_data is not None and self._cache_label is not None:
            data, label, count = self._cache_data, self._cache_label, self._cache_idx or 0
        else:
            data, label = self._new_batch()
            count = self._batchify(data, label)
        pad = self.batch_size - count
        if pad:
            self._end(data, label, count, was_kept=was_kept)
        return DataBatch([data], [label], pad=pad)

    def _end(self, data: NDArray, label: NDArray, count: int, *, was_kept: bool) -> None:
        """Fill a batch that is not full with the first samples, leave it out or keep it."""
        if self.last_batch_handle == "discard":
            raise StopIteration
        if self.last_batch_handle == "roll_over" and not was_kept:
            self._keep(data, label, count)
            raise StopIteration
        while count < self.batch_size:
            more = self._batchify(data, label, count)
            if more == count:
                raise StopIteration
            count = more
        self._keep(None, None, None)
        self._allow_read = self.last_batch_handle != "pad"

    def _new_batch(self) -> tuple[NDArray, NDArray]:
        """Return the arrays that the next batch is written into."""
        data_shape = (self.batch_size, *self.data_shape)
        return (
            new_array(onp.zeros(data_shape, onp.float32)),
            new_array(onp.zeros(self.provide_label[0][1], onp.float32)),
        )

    def _batchify(self, batch_data: NDArray, batch_label: NDArray, start: int = 0) -> int:
        """Write samples from a row on until the batch or the epoch ends, and return that row.

        Raises
        ------
        StopIteration
            There is no sample for the first row.
        """
        row = start
        while row < self.batch_size:
            try:
                values, encoded = self.next_sample()
            except StopIteration:
                if row:
                    break
                raise
            changed = self._changed(self.imdecode(encoded), values, batch_label.shape[1:])
            if changed is None:
                continue
            self._write(batch_data, self.postprocess_data(changed[0]), row)
            self._write(batch_label, changed[1], row)
            row += 1
        return row

    def _changed(
        self,
        picture: NDArray,
        values: Any,
        label_shape: tuple[int, ...],  # noqa: ARG002 - of boxes there may be fewer
    ) -> tuple[NDArray, Any] | None:
        """Return a picture and its label after all augmenters; None if it is left out."""
        try:
            self.check_valid_image(picture)
        except RuntimeError as error:
            _log.debug("Invalid image, skipping: %s", error)
            return None
        return self.augmentation_transform(picture), values

    def _write(self, batch: NDArray, values: Any, row: int) -> None:
        given = values.asnumpy() if isinstance(values, NDArray) else onp.asarray(values)
        shape = batch.shape[1:]
        if given.shape != shape and given.size == 1:
            given = onp.broadcast_to(given.reshape(()), shape)
        if given.shape != shape:
            what, fix = (
                ("picture", "Resize or crop pictures to data_shape in aug_list")
                if batch.ndim == 4
                else ("label", "Give label_width the number of labels")
            )
            msg = (
                f"{type(self).__name__}, {self._present()}: its {what} has shape "
                f"{given.shape}. Expected {shape}. {fix}."
            )
            raise ShapeError(msg)
        plain(batch).numpy()[row] = given

    def check_data_shape(self, data_shape: Sequence[int]) -> None:
        """Raise the error for a `data_shape` that pictures cannot have.

        Raises
        ------
        InvalidArgumentError
            It is not three numbers, of which the first is 3.
        """
        if len(data_shape) == 3 and data_shape[0] == 3 and min(data_shape) > 0:
            return
        shape = tuple(data_shape)
        is_last = len(shape) == 3 and shape[2] == 3
        first = f"Channels come first: write {(3, *shape[:2])}"
        meant = first if is_last else "Write (3, 224, 224), for example"
        msg = (
            f"{type(self).__name__}: data_shape={shape} was given. data_shape should have length "
            f"3, with dimensions CxHxW. This iterator expects inputs to have 3 channels. {meant}."
        )
        raise InvalidArgumentError(msg)

    def check_valid_image(self, data: NDArray | Sequence[NDArray]) -> None:
        """Raise the error for a picture, or a list with one, that is none; it is then left out.

        Raises
        ------
        ImageFormatError
            It has no pixels.
        """
        picture = data if isinstance(data, NDArray) else next(iter(data), None)
        if picture is None or not picture.size:
            msg = (
                f"{type(self).__name__}, {self._present()}: Data shape is wrong, it has "
                f"no pixels. Expected a picture. Make the file again."
            )
            raise ImageFormatError(msg)

    def imdecode(self, s: bytes) -> NDArray:
        """Return the picture that encoded bytes stand for.

        Raises
        ------
        ImageFormatError
            They are no picture; the message says which sample it is.
        """
        try:
            return imdecode(s)
        except ImageFormatError as error:
            msg = f"{type(self).__name__}: Broken image, {self._present()}: {error}"
            raise ImageFormatError(msg) from error

    def read_image(self, fname: str) -> bytes:
        """Return the content of a file in the folder `path_root`.

        Raises
        ------
        MissingFileError
            There is no such file.
        """
        return read_file(fname, self.path_root)

    def augmentation_transform(self, data: NDArray) -> NDArray:
        """Return a picture after all augmenters."""
        for augmenter in self.auglist:
            data = augmenter(data)
        return data

    def postprocess_data(self, datum: NDArray) -> NDArray:
        """Return a picture with its channels first."""
        return datum.transpose((2, 0, 1))


def _check_batches(where: str, batch_size: int, last_batch_handle: str) -> None:
    if batch_size < 1:
        msg = f"{where}: batch_size={batch_size} was given. Expected 1 or more. Write 32."
        raise InvalidArgumentError(msg)
    if last_batch_handle not in ("pad", "discard", "roll_over"):
        msg = (
            f"{where}: last_batch_handle={last_batch_handle!r} was given. Expected 'pad', "
            f"'discard' or 'roll_over'. Leave it out for 'pad'."
        )
        raise InvalidArgumentError(msg)
