"""LibSVMIter: batches of lines in LibSVM's format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from typing_extensions import override

from gluonish.array.sparse import sparse_array
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.array.storage import chosen
from gluonish.context import cpu
from gluonish.errors import FileFormatError, RefusedArgumentError
from gluonish.io.file_iter import MXDataIter
from gluonish.io.options import (
    check_pairs,
    checked_part,
    element_type,
    flag,
    lengths,
    number,
    require,
)
from gluonish.io.texts import read_files

if TYPE_CHECKING:
    from os import PathLike

    from torch import Tensor

    from gluonish.array import NDArray


class LibSVMIter(MXDataIter):
    r"""Iterates over files of LibSVM's format: in a line a label, and numbers with their positions.

    Data are arrays of storage type 'csr', and so are labels of more than one number.

    Parameters
    ----------
    data_libsvm : path
        A file, or a folder, whose files are read in the order of their names. Positions count
        from 0.
    data_shape : tuple of int
        The shape of a sample, of one axis.
    label_libsvm : path, default 'NULL'
        File or folder of labels, which are rows of numbers in the same format; without it a
        label is the number at the beginning of the sample's line.
    label_shape : tuple of int, default (1,)
        The shape of a label of `label_libsvm`, of one axis.
    num_parts, part_index : int, default 1 and 0
        Into how many parts of about as many bytes the lines are divided, and which of them to
        read.
    batch_size : int
        Samples in a batch.
    round_batch, prefetch_buffer, ctx, dtype, data_name, label_name
        As for `CSVIter`.

    Raises
    ------
    MissingFileError
        A file is not there.
    FileFormatError
        A line is none of LibSVM's, a position lies outside of the shape, or there are more or
        fewer labels than samples.
    RefusedArgumentError
        An argument is out of its range.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> path = pathlib.Path(tempfile.mkdtemp(), 'data.t')
    >>> _ = path.write_text('1.0 0:0.5 2:1.5\n-2.0\n')
    >>> batch = mx.io.LibSVMIter(data_libsvm=path, data_shape=(3,), batch_size=2).next()
    >>> batch.data[0]
    <BLANKLINE>
    <CSRNDArray 2x3 @cpu(0)>
    >>> batch.data[0].asnumpy().tolist(), batch.label[0].asnumpy().tolist()
    ([[0.5, 0.0, 1.5], [0.0, 0.0, 0.0]], [1.0, -2.0])
    """

    def __init__(
        self,
        data_libsvm: str | PathLike[str],
        data_shape: Any,
        label_libsvm: str | PathLike[str] = "NULL",
        label_shape: Any = (1,),
        num_parts: int = 1,
        part_index: int = 0,
        batch_size: int = 0,
        round_batch: bool = True,
        prefetch_buffer: int = 4,
        ctx: str | None = None,  # noqa: ARG002 - explained above
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
    ) -> None:
        needed = {"data_libsvm": data_libsvm, "data_shape": data_shape, "batch_size": batch_size}
        require("LibSVMIter", "data_libsvm='a.libsvm', data_shape=(3,), batch_size=32", **needed)
        number(batch_size, "batch_size", "LibSVMIter", 1)
        number(prefetch_buffer, "prefetch_buffer", "LibSVMIter")
        self._dtype = element_type(dtype)
        self._data = _parsed(data_libsvm, _width(data_shape, "data_shape"))
        self._rows_of_labels: _Lines | None = None
        if str(label_libsvm) != "NULL":
            labels = _parsed(label_libsvm, _width(label_shape, "label_shape"))
            check_pairs("LibSVMIter", data_libsvm, self._data.count, label_libsvm, labels.count)
            self._rows_of_labels = labels
        self._start, stop = self._data.part(*checked_part(num_parts, part_index, "LibSVMIter"))
        end = "round" if flag(round_batch, "round_batch", "LibSVMIter") else "keep"
        super().__init__(stop - self._start, batch_size, data_name, label_name, end)

    @override
    def _rows(self, places: Any) -> tuple[Tensor, Tensor]:
        chosen = places + self._start
        data = self._data.dense(chosen)
        labels = self._rows_of_labels
        label = self._data.labels[chosen] if labels is None else labels.dense(chosen)
        return torch.from_numpy(data).to(self._dtype), torch.from_numpy(label).to(self._dtype)

    @override
    def _both(self) -> tuple[NDArray, NDArray]:
        places = self._begun(self._places)
        rows = onp.where(places < 0, -1, places + self._start)
        data: NDArray = sparse_array(self._data.sparse(rows, self._dtype), cpu())
        if self._rows_of_labels is None or self._rows_of_labels.width == 1:
            return data, super()._both()[1]
        label: NDArray = sparse_array(self._rows_of_labels.sparse(rows, self._dtype), cpu())
        return data, label


@dataclass(frozen=True)
class _Lines:
    """Lines as sparse rows, and where each of them ends in the files."""

    width: int
    labels: Any
    starts: Any
    columns: Any
    values: Any
    ends: Any

    @property
    def count(self) -> int:
        return len(self.labels)

    def dense(self, rows: Any) -> Any:
        """Return some rows, with their zeros."""
        found = onp.zeros((len(rows), self.width), onp.float32)
        for place, row in enumerate(rows.tolist()):
            piece = slice(self.starts[row], self.starts[row + 1])
            found[place, self.columns[piece]] = self.values[piece]
        return found

    def sparse(self, rows: Any, dtype: torch.dtype) -> SparseTensor:
        """Return some rows as a csr array; -1 stands for one without numbers."""
        starts = torch.from_numpy(onp.append(self.starts, self.starts[-1]))
        values = torch.from_numpy(self.values).to(dtype)
        shape = (self.count + 1, self.width)
        every = SparseTensor(shape, values, torch.from_numpy(self.columns), starts)
        return chosen(every, torch.from_numpy(onp.where(rows < 0, self.count, rows)))

    def part(self, parts: int, index: int) -> tuple[int, int]:
        """Return which rows are in a part: those that begin up to its share of the bytes."""
        total = int(self.ends[-1])
        step = -(-total // parts)
        first, last = (
            int(onp.searchsorted(self.ends, min(step * edge, total), side="right")) + 1
            if 0 < step * edge < total
            else (0 if edge == 0 else self.count)
            for edge in (index, index + 1)
        )
        return min(first, self.count), min(last, self.count)


def _width(shape: Any, name: str) -> int:
    found = lengths(shape, name, "LibSVMIter")
    if len(found) > 1:
        msg = (
            f"LibSVMIter: {name}={found} was given. Expected one axis: dimension of it must be 1. "
            f"Write {name}=(3,) for three numbers."
        )
        raise RefusedArgumentError(msg)
    return found[0]


def _parsed(path: Any, width: int) -> _Lines:
    labels: list[float] = []
    starts, ends = [0], []
    columns: list[int] = []
    values: list[float] = []
    offset = 0
    for name, content in read_files(path, "LibSVMIter"):
        for number_of_line, line in enumerate(content.splitlines(keepends=True), 1):
            offset += len(line)
            words = line.split(b"#")[0].split()
            if not words:
                continue
            try:
                labels.append(float(words[0].split(b":")[0]))
                for word in words[1:]:
                    column, _, value = word.partition(b":")
                    if column != b"qid":
                        columns.append(int(column))
                        values.append(float(value or 1))
            except ValueError as error:
                raise _bad_line(name, number_of_line, line, "is none of LibSVM's") from error
            added = columns[starts[-1] :]
            if added and not 0 <= min(added) <= max(added) < width:
                what = f"has positions up to {max(added)} for a shape of {width} numbers"
                raise _bad_line(name, number_of_line, line, what)
            starts.append(len(columns))
            ends.append(offset)
    return _Lines(
        width,
        onp.array(labels, onp.float32),
        onp.array(starts),
        onp.array(columns, onp.int64),
        onp.array(values, onp.float32),
        onp.array(ends or [0]),
    )


def _bad_line(name: str, count: int, line: bytes, what: str) -> FileFormatError:
    shown = line.decode("utf-8", "replace").strip()[:60]
    msg = (
        f"LibSVMIter: {name}: line {count}, {shown!r}, {what}. Expected a label and pairs such as "
        f"2:1.5, with positions from 0 in the shape. Subtract 1 from positions that count from 1."
    )
    return FileFormatError(msg)
