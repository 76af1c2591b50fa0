"""Places of image records in files, and the labels and pictures that are there."""

from __future__ import annotations

import bisect
import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp

from gluonish.errors import FileFormatError, RefusedArgumentError, ShapeError
from gluonish.io.sample_numbers import numbers_in_chunks
from gluonish.numpy_images.codec import decode
from gluonish.recordio import unpack
from gluonish.recordio.chunks import RecordSource, read_record, record_starts
from gluonish.recordio.indices import read_index
from gluonish.recordio.lists import read_list
from gluonish.serialization.files import path_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.numpy_images.codec import Pixels
    from gluonish.recordio.headers import IRHeader
    from gluonish.serialization.files import PathLike


class Decoded(NamedTuple):
    """A sample: label, picture with its channels last, its header's number, where it is."""

    label: onp.ndarray[Any, Any]
    pixels: Pixels
    number: int
    where: str


class ImageRecords:
    """Samples in one file of records, or in all of a folder.

    Parameters
    ----------
    where : str
        Name of the iterator, for messages.
    path_imgrec, path_imgidx, path_imglist : path
        Records, their index, and a list with their labels; empty text where there is none.
    part_index, num_parts : int
        Which part of how many is taken.
    label_width : int
        Numbers in a label; -1 takes any.
    channels : int
        1, 3 or 4.
    """

    def __init__(
        self,
        where: str,
        path_imgrec: PathLike,
        path_imgidx: PathLike,
        path_imglist: PathLike,
        part_index: int,
        num_parts: int,
        label_width: int,
        channels: int,
    ) -> None:
        self._where = where
        self._label_width = label_width
        self._flag = {1: 0, 3: 1, 4: -1}[channels]
        self._channels = channels
        self.name = str(path_imgrec)
        self._sources = [RecordSource(name) for name in _files(where, path_imgrec)]
        if path_imgidx and len(self._sources) > 1:
            msg = (
                f"{where}: path_imgidx was given for a folder of {len(self._sources)} files. "
                f"Expected it for one file. Leave it out."
            )
            raise RefusedArgumentError(msg)
        self._is_indexed = bool(path_imgidx)
        self._end = sum(source.size for source in self._sources)
        if path_imgidx:
            starts = [place for _, place in read_index(path_imgidx, self._sources[0], int)]
            length = -(-len(starts) // num_parts)
            self._places = [(0, s) for s in starts[part_index * length :][:length]]
        else:
            self._places = list(self._part_by_bytes(part_index, num_parts))
        self._listed = read_list(path_imglist, "float32", where) if path_imglist else None

    def __len__(self) -> int:
        return len(self._places)

    def _part_by_bytes(self, part_index: int, num_parts: int) -> Iterator[tuple[int, int]]:
        """Give the records that begin in one of equally long parts of the files."""
        ends: list[int] = []
        for source in self._sources:
            ends.append((ends[-1] if ends else 0) + source.size)
        length = -(-ends[-1] // num_parts)
        length += -length % 4
        first, last = part_index * length, (part_index + 1) * length
        for number in range(bisect.bisect_right(ends, first), len(self._sources)):
            before = ends[number] - self._sources[number].size
            if before >= last:
                self._end = before
                return
            for start in record_starts(self._sources[number]):
                if before + start >= last:
                    self._end = before + start
                    return
                if before + start >= first:
                    yield number, start

    def numbers_in_chunks(self) -> list[int] | None:
        """Return the number of each sample in its piece of the file; None if there is an index."""
        if self._is_indexed:
            return None
        sizes = [source.size for source in self._sources]
        begins = list(itertools.accumulate(sizes, initial=0))
        return numbers_in_chunks([begins[file] + start for file, start in self._places], self._end)

    def place(self, position: int) -> str:
        """Return where a sample of the part is, for messages."""
        number, start = self._places[position]
        return f"{self._where}, {self._sources[number].name!r}, record at byte {start}"

    def read(self, position: int) -> Decoded:
        """Return a sample of the part, by its number there."""
        header, data = self._parts(position)
        label = self._label(header.id, header.label, position)
        where = self.place(position)
        pixels = decode(data, self._flag, where)
        if pixels.shape[2] != self._channels:
            msg = (
                f"{where}: the picture has {pixels.shape[2]} channels. Expected "
                f"{self._channels}. Choose data_shape=({pixels.shape[2]}, ...)."
            )
            raise ShapeError(msg)
        return Decoded(label, pixels, header.id, where)

    def widest_label(self) -> int:
        """Return the most numbers in a label: of the list if there is one, else of the part."""
        if self._listed is not None:
            return max(len(values) for values, _ in self._listed.values())
        headers = (self._parts(position)[0] for position in range(len(self)))
        return max(onp.size(header.label) for header in headers)

    def _parts(self, position: int) -> tuple[IRHeader, bytes]:
        number, start = self._places[position]
        record, _ = read_record(self._sources[number], start)
        return unpack(record)

    def _label(self, number: int, label: Any, position: int) -> onp.ndarray[Any, Any]:
        file, start = self._places[position]
        name = self._sources[file].name
        if self._listed is not None:
            if number not in self._listed:
                msg = (
                    f"{self._where}: {name!r} has a record of number {number}, which "
                    f"path_imglist does not list. Expected a line for each record. Add it."
                )
                raise FileFormatError(msg)
            label = self._listed[number][0]
        values = onp.asarray(label, onp.float32).reshape(-1)
        if self._label_width not in (-1, values.size):
            msg = (
                f"{self._where}: rec file provide {values.size}-dimensional label but label_width "
                f"is set to {self._label_width}, in {name!r}, record at byte {start}. "
                f"Expected the same. Write label_width={values.size}."
            )
            raise ShapeError(msg)
        return values

    def close(self) -> None:
        """Close the files."""
        for source in self._sources:
            source.close()


def _files(where: str, path: PathLike) -> list[str]:
    if not path:
        msg = (
            f"{where}: must specify image_rec, path_imgrec={path!r} was given. Expected a file of "
            f"records, or a folder of such. Write path_imgrec='train.rec', for example."
        )
        raise RefusedArgumentError(msg)
    name = path_text(path)
    if "://" in name or not Path(name).is_dir():
        return [name]
    files = sorted(str(file) for file in Path(name).iterdir() if file.suffix == ".rec")
    if not files:
        msg = (
            f"{where}: the folder {name!r} has no .rec files. Expected files of records in it. "
            f"Check path_imgrec."
        )
        raise RefusedArgumentError(msg)
    return files
