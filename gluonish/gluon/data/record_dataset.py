"""RecordFileDataset: the records of a file as samples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from gluonish.gluon.data.dataset import Dataset
from gluonish.recordio import MXIndexedRecordIO
from gluonish.serialization.files import path_text

if TYPE_CHECKING:
    from gluonish.serialization.files import PathLike

__all__ = ["RecordFileDataset"]


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
