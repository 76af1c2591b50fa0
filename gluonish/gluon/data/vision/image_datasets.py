"""Pictures in files of records, or in a list of files, as samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import image
from gluonish.errors import DTypeError, InvalidArgumentError
from gluonish.gluon.data.dataset import Dataset, RecordFileDataset
from gluonish.image.sources import own_entries
from gluonish.recordio import unpack
from gluonish.recordio.lists import read_list

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from gluonish.serialization.files import PathLike

    Transform: TypeAlias = "Callable[[Any, Any], Any] | None"

__all__ = ["ImageListDataset", "ImageRecordDataset"]


class ImageRecordDataset(RecordFileDataset):
    """The pictures in a file of records, with their labels.

    A sample is an image, uint8 of shape (height, width, channels), and a label: a number, or an
    array of several. Needs the extra `image`.

    Parameters
    ----------
    filename : path
        File of records, which `recordio.pack` made. Its index is the `.idx` file beside it; where
        there is none, a warning says so, and the records are counted.
    flag : {0, 1}, default 1
        1 reads colours (three channels), 0 shades of grey (one channel).
    transform : callable, optional
        Receives image and label of a sample when it is read, and returns what stands for them.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileFormatError
        The index does not fit the records.
    InvalidArgumentError
        `flag` is something else.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> writer = mx.recordio.MXIndexedRecordIO(folder / "a.idx", folder / "a.rec", "w")
    >>> header = mx.recordio.IRHeader(0, 3.0, 0, 0)
    >>> writer.write_idx(0, mx.recordio.pack(header, b"P6 2 1 255 " + bytes(6)))
    >>> writer.close()
    >>> picture, label = mx.gluon.data.vision.ImageRecordDataset(folder / "a.rec")[0]
    >>> picture.shape, label
    ((1, 2, 3), 3.0)
    """

    def __init__(self, filename: PathLike, flag: int = 1, transform: Transform = None) -> None:
        check_flag("ImageRecordDataset", flag)
        self._flag = flag
        self._transform = transform
        super().__init__(filename)

    @override
    def __getitem__(self, idx: int) -> Any:
        header, data = unpack(super().__getitem__(idx))
        picture = image.imdecode(data, self._flag)
        if self._transform is None:
            return picture, header.label
        return self._transform(picture, header.label)


class ImageListDataset(Dataset):
    """The pictures in a list of files, with their labels.

    A sample is an image, uint8 of shape (height, width, channels), and a label: an array of one or
    more numbers. Needs the extra `image`.

    Parameters
    ----------
    root : path, default '.'
        Folder of the files.
    imglist : path or list
        `.lst` file: on each line a key, labels and a file name, with tabs between. Or entries of
        one or more labels and a file name: `[3.0, 'cat.jpg']`.
    flag : {0, 1}, default 1
        1 reads colours (three channels), 0 shades of grey (one channel).

    Raises
    ------
    MissingFileError
        There is no such `.lst` file.
    FileFormatError
        A line of it is something else.
    DTypeError
        `imglist` is neither.
    InvalidArgumentError
        `flag` is something else.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.ppm").write_bytes(b"P6 2 1 255 " + bytes(6))
    >>> data = mx.gluon.data.vision.ImageListDataset(folder, [[3.0, "a.ppm"]])
    >>> data[0][0].shape, data[0][1]
    ((1, 2, 3), array([3.], dtype=float32))
    """

    def __init__(
        self,
        root: str | os.PathLike[str] = ".",
        imglist: PathLike | Sequence[Sequence[Any]] | None = None,
        flag: int = 1,
    ) -> None:
        check_flag("ImageListDataset", flag)
        self._flag = flag
        self._root = str(root)
        if isinstance(imglist, list | tuple):
            entries = own_entries(imglist, "float32")
        elif imglist is None:
            msg = (
                "ImageListDataset: no imglist was given. Expected the name of a .lst file, or a "
                "list of labels and file names. Write imglist=[[0.0, 'cat.jpg']], for example."
            )
            raise DTypeError(msg)
        else:
            name: Any = imglist
            entries = list(read_list(name, "float32", "ImageListDataset").items())
        self.items = [(self._path(name), label) for _, (label, name) in entries]

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}" if self._root else name

    @override
    def __len__(self) -> int:
        return len(self.items)

    @override
    def __getitem__(self, idx: int) -> Any:
        name, label = self.items[idx]
        return image.imread(name, self._flag), label


def check_flag(where: str, flag: int) -> None:
    """Raise the error for a `flag` that says neither colours nor grey."""
    if flag not in (0, 1):
        msg = (
            f"{where}: flag={flag!r} was given. Expected 1 for colours or 0 for shades of grey. "
            f"Leave it out for colours."
        )
        raise InvalidArgumentError(msg)
