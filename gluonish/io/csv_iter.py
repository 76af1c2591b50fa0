"""CSVIter: batches of rows in text files."""

from __future__ import annotations

import io
import math
import re
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from typing_extensions import override

from gluonish.array.dtypes import numpy_dtype
from gluonish.errors import FileFormatError
from gluonish.io.file_iter import MXDataIter
from gluonish.io.options import check_pairs, element_type, flag, lengths, number, require
from gluonish.io.texts import read_files

if TYPE_CHECKING:
    from os import PathLike

    from torch import Tensor


class CSVIter(MXDataIter):
    r"""Iterates over files of numbers separated by commas, a sample in each line.

    Parameters
    ----------
    data_csv : path
        A file, or a folder, whose files are read in the order of their names.
    data_shape : tuple of int
        The shape that the numbers of a line are brought to.
    label_csv : path, default 'NULL'
        File or folder of the labels; without it they are 0.
    label_shape : tuple of int, default (1,)
        The shape of a label; of one number for (1,).
    batch_size : int
        Samples in a batch.
    round_batch : bool, default True
        Whether the last batch is filled with the first samples, with which the next epoch then
        does not begin. Otherwise it is filled with what the batch before had there.
    prefetch_buffer : int, default 4
        Batches that MXNet makes ahead. Here the numbers are in memory, and none is.
    ctx : str, optional
        The device that MXNet makes batches for. They are on `cpu(0)`.
    dtype : str, type or dtype, optional
        The dtype of data and labels; float32 by default.
    data_name, label_name : str, default 'data' and 'softmax_label'
        Names of data and labels.

    Raises
    ------
    MissingFileError
        A file is not there.
    FileFormatError
        A line does not hold as many numbers as the shape needs, or there are more or fewer labels
        than samples.
    RefusedArgumentError
        An argument is out of its range.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> path = pathlib.Path(tempfile.mkdtemp(), 'data.csv')
    >>> _ = path.write_text('1,2,3\n2,3,4\n3,4,5\n')
    >>> for batch in mx.io.CSVIter(data_csv=path, data_shape=(3,), batch_size=2):
    ...     print(batch.data[0].asnumpy().tolist(), batch.pad)
    [[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]] 0
    [[3.0, 4.0, 5.0], [1.0, 2.0, 3.0]] 1
    """

    def __init__(
        self,
        data_csv: str | PathLike[str],
        data_shape: Any,
        label_csv: str | PathLike[str] = "NULL",
        label_shape: Any = (1,),
        batch_size: int = 0,
        round_batch: bool = True,
        prefetch_buffer: int = 4,
        ctx: str | None = None,  # noqa: ARG002 - explained above
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
    ) -> None:
        needed = {"data_csv": data_csv, "data_shape": data_shape, "batch_size": batch_size}
        require("CSVIter", "data_csv='a.csv', data_shape=(3,), batch_size=32", **needed)
        number(batch_size, "batch_size", "CSVIter", 1)
        number(prefetch_buffer, "prefetch_buffer", "CSVIter")
        kind = element_type(dtype)
        shape = lengths(data_shape, "data_shape", "CSVIter")
        self._data = _table(data_csv, shape, kind)
        own = lengths(label_shape, "label_shape", "CSVIter")
        own = () if own == (1,) else own
        if str(label_csv) == "NULL":
            self._label = torch.zeros((len(self._data), *own), dtype=kind)
        else:
            self._label = _table(label_csv, own, kind)
        check_pairs("CSVIter", data_csv, len(self._data), label_csv, len(self._label))
        end = "round" if flag(round_batch, "round_batch", "CSVIter") else "keep"
        super().__init__(len(self._data), batch_size, data_name, label_name, end)

    @override
    def _rows(self, places: Any) -> tuple[Tensor, Tensor]:
        chosen = torch.from_numpy(places)
        return self._data.index_select(0, chosen), self._label.index_select(0, chosen)


def _table(path: Any, shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
    kind = numpy_dtype(dtype)
    parts: list[onp.ndarray] = []
    for name, content in read_files(path, "CSVIter"):
        if not content.strip():
            continue
        try:
            part = onp.loadtxt(
                io.BytesIO(content), kind, comments=None, delimiter=",", ndmin=2, encoding="utf-8"
            )
        except ValueError as error:
            raise _not_numbers(name, kind, str(error)) from error
        if part.shape[1] != math.prod(shape):
            msg = (
                f"CSVIter: the lines of {name} hold {part.shape[1]} numbers. The data size in CSV "
                f"do not match size of shape: expected {math.prod(shape)} for {shape or (1,)}. "
                f"Pass the shape that the lines have. If a column holds the labels, put it into a "
                f"file of its own, which label_csv= names."
            )
            raise FileFormatError(msg)
        parts.append(part)
    if not parts:
        raise _not_numbers(str(path), kind, "there are no lines")
    return torch.from_numpy(onp.concatenate(parts)).reshape(-1, *shape)


def _not_numbers(name: str, kind: Any, why: str) -> FileFormatError:
    reason = re.sub(r"[;.]\s.*", "", why).rstrip(".")
    place = re.search(r" at row (\d+), column (\d+)", reason)
    if place is not None:  # rows are counted from 0, columns from 1
        reason = reason.replace(place[0], f" in line {int(place[1]) + 1}, column {place[2]}")
    msg = (
        f"CSVIter: {name}: {reason}. Expected lines of {kind} numbers separated by commas, all of "
        f"one length, without a header. Mend the file, or pass another dtype."
    )
    return FileFormatError(msg)
