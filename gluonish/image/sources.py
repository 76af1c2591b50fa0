"""Where iterators over pictures take their samples from: files of records, or lists of files."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.errors import FileFormatError, ImageFormatError, RefusedArgumentError
from gluonish.ndarray.creation import array
from gluonish.recordio import MXIndexedRecordIO, MXRecordIO, unpack
from gluonish.recordio.lists import read_list
from gluonish.serialization.files import open_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.serialization.files import PathLike

Listed = dict[Any, tuple[Any, str]]

_LABELS = ("int32", "float32", "int64", "float64")


def own_list(imglist: Sequence[Sequence[Any]]) -> Listed:
    """Return label and file name of each entry of a list, by its number as text."""
    listed: Listed = {}
    for number, entry in enumerate(imglist):
        label: Any = entry[:-1] if len(entry) > 2 else entry[0]
        if isinstance(label, NDArray):
            label = label.asnumpy()
        listed[str(number)] = (onp.asarray(label, onp.float32).reshape(-1), str(entry[-1]))
    return listed


class Samples:
    """Labels and encoded pictures, in an order that can be shuffled and divided.

    Parameters
    ----------
    where : str
        Name of the iterator, for messages.
    path_imgrec, path_imgidx, path_imglist, path_root : path, optional
        Records, their index, a list of labels and files, and the folder of the files.
    imglist : list, optional
        Labels and files.
    shuffle : bool
        Whether each epoch has an order of its own, by Python's `random`.
    part_index, num_parts : int
        Which part of how many is taken.
    dtype : str
        Dtype of the labels in `path_imglist`.
    """

    def __init__(
        self,
        where: str,
        path_imgrec: PathLike | None,
        path_imgidx: PathLike | None,
        path_imglist: PathLike | None,
        path_root: PathLike | None,
        imglist: Any,
        shuffle: bool,
        part_index: int,
        num_parts: int,
        dtype: str,
    ) -> None:
        self.where = where
        self.shuffle = shuffle
        self.path_root = path_root
        _check_sources(where, path_imgrec, path_imglist, imglist, dtype)
        self.records: MXRecordIO | None = None
        self.keys: list[Any] | None = None
        if path_imgrec and path_imgidx:
            indexed = MXIndexedRecordIO(path_imgidx, path_imgrec, "r")
            self.records, self.keys = indexed, list(indexed.keys)
        elif path_imgrec:
            self.records = MXRecordIO(path_imgrec, "r")
        self.listed: Listed | None = None
        if path_imglist:
            self.listed = read_list(path_imglist, dtype, where)
        elif isinstance(imglist, list):
            self.listed = own_list(imglist)
        self.order: list[Any] | None = None
        if self.records is None and self.listed is not None:
            self.order = list(self.listed)
        elif shuffle or num_parts > 1 or path_imgidx:
            self.order = self._indexed()
        if num_parts > 1 and self.order is not None:
            self.order = _part(self.order, part_index, num_parts, where)
        self.position = 0

    def _indexed(self) -> list[Any]:
        if self.keys is None:
            msg = (
                f"{self.where}: shuffle=True or num_parts above 1 was given without path_imgidx. "
                f"Expected the index of the records. Add path_imgidx, beside path_imgrec."
            )
            raise RefusedArgumentError(msg)
        return self.keys

    def begin(self, *, again: bool = True) -> None:
        """Begin an epoch: in a new order if that is wanted, and with the first sample."""
        if self.shuffle and self.order is not None:
            random.shuffle(self.order)
        if again:
            self.rewind()

    def rewind(self) -> None:
        """Go back to the first sample, in the same order."""
        self.position = 0
        if self.records is not None:
            self.records.reset()

    def next(self) -> tuple[Any, bytes]:
        """Return label and encoded picture of the next sample.

        Raises
        ------
        StopIteration
            There is none.
        """
        if self.order is None:
            record = None if self.records is None else self.records.read()
            if record is None:
                raise StopIteration
            self.position += 1
            header, data = unpack(record)
            return header.label, data
        if self.position >= len(self.order):
            raise StopIteration
        key = self.order[self.position]
        self.position += 1
        if isinstance(self.records, MXIndexedRecordIO):
            header, data = unpack(self.records.read_idx(key))
            return (header.label if self.listed is None else self._label(key)), data
        return self._label(key), self.read_file(self._entry(key)[1])

    def _label(self, key: Any) -> NDArray:
        """Return a label of the list: an array, where records have NumPy's."""
        label = self._entry(key)[0]
        return array(label, dtype=label.dtype)

    def read_file(self, name: str) -> bytes:
        """Return the content of a file in the folder of the files."""
        with open_source(self._path(name)) as source:
            return source.stream.read()

    def _path(self, name: str) -> str:
        if self.path_root is None:
            return name
        root = str(self.path_root)
        return f"{root.rstrip('/')}/{name}" if "://" in root else str(Path(root, name))

    def present(self) -> str:
        """Return what the sample that was read last is called."""
        if self.order is None:
            return f"record {self.position - 1}"
        key = self.order[max(self.position - 1, 0)]
        if self.listed is not None and key in self.listed:
            return f"file {self.listed[key][1]!r}"
        return f"record of key {key!r}"

    def _entry(self, key: Any) -> tuple[Any, str]:
        entry = None if self.listed is None else self.listed.get(key)
        if entry is None:
            msg = (
                f"{self.where}: there is a record of key {key!r}, which path_imglist does not "
                f"list. Expected a line for each record. Add it, or leave path_imglist out."
            )
            raise FileFormatError(msg)
        return entry

    def broken(self, error: ImageFormatError) -> ImageFormatError:
        """Return an error that tells which sample is no picture."""
        return ImageFormatError(f"{self.where}: Broken image, {self.present()}: {error}")


def _check_sources(
    where: str, path_imgrec: object, path_imglist: object, imglist: object, dtype: str
) -> None:
    if not (path_imgrec or path_imglist or isinstance(imglist, list)):
        msg = (
            f"{where}: no samples were given. Expected path_imgrec, path_imglist, or imglist as a "
            f"list. Write {where}(batch_size, data_shape, path_imgrec='train.rec'), for example."
        )
        raise RefusedArgumentError(msg)
    if dtype not in _LABELS:
        msg = (
            f"{where}: {dtype} label not supported, dtype={dtype!r} was given. Expected one of "
            f"{', '.join(_LABELS)}. Leave it out for float32."
        )
        raise RefusedArgumentError(msg)


def _part(order: list[Any], part_index: int, num_parts: int, where: str) -> list[Any]:
    if not 0 <= part_index < num_parts:
        msg = (
            f"{where}: part_index={part_index} was given with num_parts={num_parts}. Expected a "
            f"part from 0 to {num_parts - 1}. Count parts from 0."
        )
        raise RefusedArgumentError(msg)
    length = len(order) // num_parts
    return order[part_index * length : (part_index + 1) * length]
