"""ImageIter: batches of pictures from files of records or lists of files."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish.array import NDArray
from gluonish.errors import ImageFormatError, InvalidArgumentError, ShapeError
from gluonish.image.arrays import new_array
from gluonish.image.create import CreateAugmenter
from gluonish.image.reading import imdecode
from gluonish.image.sources import Samples
from gluonish.io.batches import DataBatch, DataDesc, DataIter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.image.arrays import Values
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
        self._samples = Samples(
            where,
            path_imgrec,
            path_imgidx,
            path_imglist,
            path_root,
            imglist,
            shuffle,
            part_index,
            num_parts,
            dtype,
        )
        self.check_data_shape(data_shape)
        self.data_shape = tuple(data_shape)
        self.label_width = label_width
        self.shuffle = shuffle
        self.path_root = path_root
        self.dtype = dtype
        self.last_batch_handle = last_batch_handle
        self.provide_data = [DataDesc(data_name, (batch_size, *self.data_shape))]
        label_shape = (batch_size, label_width) if label_width > 1 else (batch_size,)
        self.provide_label = [DataDesc(label_name, label_shape)]
        self._has_usual_augmenters = aug_list is None
        self.auglist = self._augmenters(kwargs) if aug_list is None else list(aug_list)
        self._kept: tuple[Values, Values, int] | None = None
        self._has_ended = False
        self.reset()

    def _augmenters(self, options: dict[str, Any]) -> list[Any]:
        return list(CreateAugmenter(self.data_shape, **options))

    @property
    def imgrec(self) -> Any:
        """File of records, or None."""
        return self._samples.records

    @property
    def imgidx(self) -> list[Any] | None:
        """Keys of the records, where there is an index."""
        return self._samples.keys

    @property
    def imglist(self) -> dict[Any, tuple[Any, str]] | None:
        """Label and file name of each key, where there is a list."""
        return self._samples.listed

    @property
    def seq(self) -> list[Any] | None:
        """Keys in the order of the epoch, where samples have keys."""
        return self._samples.order

    @property
    def num_image(self) -> int | None:
        """Number of samples, where they have keys."""
        return None if self._samples.order is None else len(self._samples.order)

    @property
    def cur(self) -> int:
        """Number of samples that the epoch has read."""
        return self._samples.position

    @override
    def reset(self) -> None:
        keeps = self.last_batch_handle == "roll_over" and self._kept is not None
        self._samples.begin(again=not keeps)
        self._has_ended = False

    def hard_reset(self) -> None:
        """Begin again, without the samples that were kept for the next epoch."""
        self._kept = None
        self.reset()

    def next_sample(self) -> tuple[Any, bytes]:
        """Return label and encoded picture of the next sample.

        Raises
        ------
        StopIteration
            There is none in this epoch.
        """
        if self._has_ended:
            raise StopIteration
        try:
            return self._samples.next()
        except StopIteration:
            if self.last_batch_handle != "discard":
                self._samples.rewind()
            raise

    @override
    def next(self) -> DataBatch:
        if self._has_ended:
            raise StopIteration
        data, label, count = self._kept or (*self._new_batch(), 0)
        was_kept, self._kept = self._kept is not None, None
        if not was_kept:
            count = self._fill(data, label, 0)
        pad = self.batch_size - count
        if pad:
            self._end(data, label, count, was_kept=was_kept)
        return DataBatch([new_array(data)], [new_array(label)], pad=pad)

    def _end(self, data: Values, label: Values, count: int, *, was_kept: bool) -> None:
        """Fill a batch that is not full with the first samples, leave it out or keep it."""
        if self.last_batch_handle == "discard" or not (count or was_kept):
            raise StopIteration
        if self.last_batch_handle == "roll_over" and not was_kept:
            self._kept = (data, label, count)
            raise StopIteration
        while count < self.batch_size:
            more = self._fill(data, label, count)
            if more == count:
                raise StopIteration
            count = more
        self._has_ended = self.last_batch_handle == "pad"

    def _new_batch(self) -> tuple[Values, Values]:
        """Return the arrays that the next batch is written into."""
        return (
            onp.zeros(self.provide_data[0].shape, onp.float32),
            onp.zeros(self.provide_label[0].shape, onp.float32),
        )

    def _fill(self, data: Values, label: Values, start: int) -> int:
        """Write samples from a row on until the batch or the epoch ends, and return that row."""
        row = start
        for values, encoded in iter(self.next_sample, None):
            changed = self._changed(self.imdecode(encoded), values, label.shape[1:])
            if changed is None:
                continue
            self._write(data, self.postprocess_data(changed[0]), row)
            self._write(label, changed[1], row)
            row += 1
            if row == self.batch_size:
                break
        return row

    def _changed(
        self,
        picture: NDArray,
        values: Any,
        label_shape: tuple[int, ...],  # noqa: ARG002 - of boxes there may be fewer
    ) -> tuple[NDArray, Any] | None:
        """Return a picture and its label after all augmenters; None if it is left out."""
        try:
            self.check_valid_image([picture])
        except RuntimeError as error:
            _log.debug("Invalid image, skipping: %s", error)
            return None
        return self.augmentation_transform(picture), values

    def _write(self, batch: Values, values: Any, row: int) -> None:
        plain = values.asnumpy() if isinstance(values, NDArray) else onp.asarray(values)
        shape = batch.shape[1:]
        if plain.shape != shape and plain.size == 1:
            plain = onp.broadcast_to(plain.reshape(()), shape)
        if plain.shape != shape:
            what, fix = (
                ("picture", "Resize or crop pictures to data_shape in aug_list")
                if batch.ndim == 4
                else ("label", "Give label_width the number of labels")
            )
            msg = (
                f"{type(self).__name__}, {self._samples.present()}: its {what} has shape "
                f"{plain.shape}. Expected {shape}. {fix}."
            )
            raise ShapeError(msg)
        batch[row] = plain

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

    def check_valid_image(self, data: Sequence[NDArray]) -> None:
        """Raise the error for a list with a picture that is none; the sample is then left out.

        Raises
        ------
        ImageFormatError
            It has no pixels.
        """
        if not data or not data[0].size:
            msg = (
                f"{type(self).__name__}, {self._samples.present()}: Data shape is wrong, it has "
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
            raise self._samples.broken(error) from error

    def read_image(self, fname: str) -> bytes:
        """Return the content of a file in the folder `path_root`.

        Raises
        ------
        MissingFileError
            There is no such file.
        """
        return self._samples.read_file(fname)

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
