"""Datasets of images: MNIST and its kin, CIFAR, folders of pictures, and the bundled digits."""

from __future__ import annotations

import importlib.resources
import logging
import os
import tarfile
import warnings
import zlib
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as onp
from typing_extensions import override

from gluonish.context import cpu, is_np_array
from gluonish.errors import (
    FileAccessError,
    FileFormatError,
    InvalidIndexError,
    MissingFileError,
)
from gluonish.errors.tracebacks import users_level
from gluonish.gluon.data.batching import from_numpy
from gluonish.gluon.data.dataset import Dataset
from gluonish.gluon.data.together import rows_together
from gluonish.gluon.data.vision.image_datasets import check_flag
from gluonish.gluon.download import download, repository_url
from gluonish.image import imread
from gluonish.serialization.idx_format import read_idx

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from importlib.resources.abc import Traversable

__all__ = ["CIFAR10", "CIFAR100", "MNIST", "FashionMNIST", "ImageFolderDataset", "MNISTSample"]

Root: TypeAlias = "str | os.PathLike[str] | None"
Values: TypeAlias = "onp.ndarray[Any, Any]"
Transform: TypeAlias = "Callable[[Any, Any], Any] | None"

_log = logging.getLogger("gluonish.data")
_SIDE = 32  # pixels of a CIFAR image, each way


class _Pictures(Dataset, ABC):
    """All pictures and labels in memory; a subclass says where they come from."""

    def __init__(self, train: bool, transform: Transform) -> None:
        self._train = train
        self._transform = transform
        images, labels = self._read()
        self._data = from_numpy(images, cpu())
        labels = labels.astype(onp.int32)
        self._label: Any = from_numpy(labels, cpu()) if is_np_array() else labels

    @abstractmethod
    def _read(self) -> tuple[Values, Values]:
        """Return pictures, shape (count, height, width, channels), and their labels."""

    @override
    def __len__(self) -> int:
        return len(self._label)

    @override
    def __getitem__(self, idx: Any) -> Any:
        picture, label = self._data[idx], self._label[idx]
        return (picture, label) if self._transform is None else self._transform(picture, label)

    def _together(self, positions: Sequence[int]) -> Any:
        if self._transform is not None:
            return None
        columns = tuple(rows_together(data, positions) for data in (self._data, self._label))
        return None if any(column is None for column in columns) else columns


class _Digits(_Pictures):
    """Pictures and labels from MNIST's four files."""

    _train_data: ClassVar[tuple[str, str]]
    _train_label: ClassVar[tuple[str, str]]
    _test_data: ClassVar[tuple[str, str]]
    _test_label: ClassVar[tuple[str, str]]

    @abstractmethod
    def _find(self, *wanted: tuple[str, str]) -> list[Path | Traversable]:
        """Return the files of the given names and checksums."""

    @classmethod
    def checksums(cls) -> list[tuple[str, str]]:
        """Return the names and checksums of the four files, those for training first."""
        return [cls._train_data, cls._train_label, cls._test_data, cls._test_label]

    @override
    def _read(self) -> tuple[Values, Values]:
        if self._train:
            paths = self._find(self._train_data, self._train_label)
        else:
            paths = self._find(self._test_data, self._test_label)
        images, labels = (read_idx(path) for path in paths)
        if images.ndim != 3 or labels.ndim != 1 or len(images) != len(labels):
            msg = (
                f"{paths[0]} and {paths[1]}: they hold arrays of shapes {images.shape} and "
                f"{labels.shape}. Expected (count, height, width) and (count,). Check that both "
                f"files belong together."
            )
            raise FileFormatError(msg)
        return images[..., onp.newaxis], labels


class MNIST(_Digits):
    """Handwritten digits: 60,000 for training, 10,000 for testing.

    A sample is an image, uint8 of shape (28, 28, 1), and a label, int32, 0 to 9.

    Parameters
    ----------
    root : path, optional
        Folder with MNIST's files, gzipped or not, by default `datasets/mnist` under `MXNET_HOME`
        or `~/.mxnet`. Missing files are downloaded there.
    train : bool, default True
        Whether to read the training set or the test set.
    transform : callable, optional
        Receives image and label of a sample when it is read, and returns what stands for them.

    Raises
    ------
    MissingFileError
        Files are missing and cannot be downloaded.
    FileFormatError
        A file is damaged.

    Notes
    -----
    Files that are there are not compared with the official checksums, so data in MNIST's format
    can take the place of the original.

    References
    ----------
    LeCun, Bottou, Bengio, Haffner: Gradient-based learning applied to document recognition, 1998.

    Examples
    --------
    >>> import importlib.resources
    >>> from gluonish.gluon.data import vision
    >>> folder = importlib.resources.files("gluonish") / "data_files" / "mnist5k"
    >>> digits = vision.MNIST(folder, train=False)
    >>> digits[0][0].shape, digits[0][0].dtype
    ((28, 28, 1), <class 'numpy.uint8'>)
    """

    _namespace: ClassVar[str] = "mnist"
    _train_data = ("train-images-idx3-ubyte.gz", "6c95f4b05d2bf285e1bfb0e7960c31bd3b3f8a7d")
    _train_label = ("train-labels-idx1-ubyte.gz", "2a80914081dc54586dbdf242f9805a6b8d2a15fc")
    _test_data = ("t10k-images-idx3-ubyte.gz", "c3a25af1f52dad7f726cce8cacb138654b760d48")
    _test_label = ("t10k-labels-idx1-ubyte.gz", "763e7fa3757d93b0cdec073cef058b2004252c17")

    def __init__(self, root: Root = None, train: bool = True, transform: Transform = None) -> None:
        self._root = _folder(root, self._namespace)
        super().__init__(train, transform)

    @override
    def _find(self, *wanted: tuple[str, str]) -> list[Path | Traversable]:
        return [*_obtain(type(self).__name__, self._root, self._namespace, wanted)]


class FashionMNIST(MNIST):
    """Pictures of clothes in MNIST's format: 60,000 for training, 10,000 for testing.

    A sample is an image, uint8 of shape (28, 28, 1), and a label, int32, 0 to 9.

    Parameters
    ----------
    root : path, optional
        Folder with the files, gzipped or not, by default `datasets/fashion-mnist` under
        `MXNET_HOME` or `~/.mxnet`. Missing files are downloaded there.
    train : bool, default True
        Whether to read the training set or the test set.
    transform : callable, optional
        Receives image and label of a sample when it is read, and returns what stands for them.

    Raises
    ------
    MissingFileError
        Files are missing and cannot be downloaded.
    FileFormatError
        A file is damaged.

    References
    ----------
    Xiao, Rasul, Vollgraf: Fashion-MNIST, 2017, arXiv:1708.07747.
    """

    _namespace = "fashion-mnist"
    _train_data = ("train-images-idx3-ubyte.gz", "0cf37b0d40ed5169c6b3aba31069a9770ac9043d")
    _train_label = ("train-labels-idx1-ubyte.gz", "236021d52f1e40852b06a4c3008d8de8aef1e40b")
    _test_data = ("t10k-images-idx3-ubyte.gz", "626ed6a7c06dd17c0eec72fa3be1740f146a2863")
    _test_label = ("t10k-labels-idx1-ubyte.gz", "17f9ab60e7257a1620f4ad76bbbaf857c3920701")


class MNISTSample(_Digits):
    """5,000 of MNIST's digits that come with gluonish: 4,000 for training, 1,000 for testing.

    A sample is an image, uint8 of shape (28, 28, 1), and a label, int32, 0 to 9. Each digit is
    there equally often, in random order.

    Parameters
    ----------
    train : bool, default True
        Whether to read the training set or the test set.
    transform : callable, optional
        Receives image and label of a sample when it is read, and returns what stands for them.

    Notes
    -----
    MNIST is by Yann LeCun and Corinna Cortes, under CC BY-SA 3.0.

    Examples
    --------
    >>> from gluonish.gluon.data import vision
    >>> digits = vision.MNISTSample(train=False)
    >>> image, label = digits[0]
    >>> len(digits), image.shape, int(label)
    (1000, (28, 28, 1), 6)
    """

    _train_data = ("train-images-idx3-ubyte.gz", "")
    _train_label = ("train-labels-idx1-ubyte.gz", "")
    _test_data = ("t10k-images-idx3-ubyte.gz", "")
    _test_label = ("t10k-labels-idx1-ubyte.gz", "")

    def __init__(self, train: bool = True, transform: Transform = None) -> None:
        super().__init__(train, transform)

    @override
    def _find(self, *wanted: tuple[str, str]) -> list[Path | Traversable]:
        folder = importlib.resources.files("gluonish") / "data_files" / "mnist5k"
        return [folder / name for name, _ in wanted]


def digit_files() -> list[Path | Traversable]:
    """Return the four files of MNIST, which are downloaded if need be, or else of `MNISTSample`.

    Pictures and labels for training come first. The log (`gluonish.data`) says if the sample has
    to do.
    """
    wanted = MNIST.checksums()
    try:
        return [*_obtain("MNIST", _folder(None, "mnist"), "mnist", wanted)]
    except MissingFileError as error:
        _log.warning("%s Going on with the 5,000 digits that come with gluonish.", error)
    folder = importlib.resources.files("gluonish") / "data_files" / "mnist5k"
    return [folder / name for name, _ in wanted]


class CIFAR10(_Pictures):
    """Small colour pictures of 10 kinds: 50,000 for training, 10,000 for testing.

    A sample is an image, uint8 of shape (32, 32, 3), and a label, int32, 0 to 9.

    Parameters
    ----------
    root : path, optional
        Folder with the binary version's files, or with its archive, by default `datasets/cifar10`
        under `MXNET_HOME` or `~/.mxnet`. A missing archive is downloaded there.
    train : bool, default True
        Whether to read the training set or the test set.
    transform : callable, optional
        Receives image and label of a sample when it is read, and returns what stands for them.

    Raises
    ------
    MissingFileError
        Files are missing and cannot be downloaded.
    FileFormatError
        A file is damaged.

    References
    ----------
    Krizhevsky: Learning multiple layers of features from tiny images, 2009.
    """

    _namespace: ClassVar[str] = "cifar10"
    _archive_file: ClassVar[tuple[str, str]] = (
        "cifar-10-binary.tar.gz",
        "fab780a1e191a7eda0f345501ccd62d20f7ed891",
    )
    _train_files: ClassVar[tuple[str, ...]] = tuple(f"data_batch_{i}.bin" for i in range(1, 6))
    _test_files: ClassVar[tuple[str, ...]] = ("test_batch.bin",)
    _label_bytes: ClassVar[int] = 1

    def __init__(self, root: Root = None, train: bool = True, transform: Transform = None) -> None:
        self._root = _folder(root, self._namespace)
        self._label_column = 0
        super().__init__(train, transform)

    @override
    def _read(self) -> tuple[Values, Values]:
        names = self._train_files if self._train else self._test_files
        folders = (self._root, *self._root.glob("cifar-*-b*"))
        whole = [place for place in folders if all((place / name).is_file() for name in names)]
        if whole:
            contents = {name: (whole[0] / name).read_bytes() for name in names}
        else:
            what = type(self).__name__
            (archive,) = _obtain(what, self._root, self._namespace, [self._archive_file])
            contents = _unpack(archive, names)
        rows = onp.concatenate([self._rows(name, contents[name]) for name in names])
        pixels = rows[:, self._label_bytes :].reshape(-1, 3, _SIDE, _SIDE)
        return pixels.transpose(0, 2, 3, 1), rows[:, self._label_column]

    def _rows(self, name: str, content: bytes) -> Values:
        length = self._label_bytes + 3 * _SIDE * _SIDE
        if len(content) % length or not content:
            msg = (
                f"{self._root}, file {name!r}: it has {len(content)} bytes. Expected a multiple "
                f"of {length}, the length of a picture with its label. Fetch the binary version "
                f"of the dataset again."
            )
            raise FileFormatError(msg)
        return onp.frombuffer(content, onp.uint8).reshape(-1, length)


class CIFAR100(CIFAR10):
    """Small colour pictures of 100 kinds in 20 groups: 50,000 for training, 10,000 for testing.

    A sample is an image, uint8 of shape (32, 32, 3), and a label, int32.

    Parameters
    ----------
    root : path, optional
        Folder with the binary version's files, or with its archive, by default
        `datasets/cifar100` under `MXNET_HOME` or `~/.mxnet`. A missing archive is downloaded
        there.
    fine_label : bool, default False
        Whether labels are the kinds, 0 to 99, or the groups, 0 to 19.
    train : bool, default True
        Whether to read the training set or the test set.
    transform : callable, optional
        Receives image and label of a sample when it is read, and returns what stands for them.

    Raises
    ------
    MissingFileError
        Files are missing and cannot be downloaded.
    FileFormatError
        A file is damaged.

    References
    ----------
    Krizhevsky: Learning multiple layers of features from tiny images, 2009.
    """

    _namespace = "cifar100"
    _archive_file = ("cifar-100-binary.tar.gz", "a0bb982c76b83111308126cc779a992fa506b90b")
    _train_files = ("train.bin",)
    _test_files = ("test.bin",)
    _label_bytes = 2

    def __init__(
        self,
        root: Root = None,
        fine_label: bool = False,
        train: bool = True,
        transform: Transform = None,
    ) -> None:
        self._fine_label = fine_label
        super().__init__(root, train, transform)

    @override
    def _read(self) -> tuple[Values, Values]:
        self._label_column = int(self._fine_label)
        return super()._read()


class ImageFolderDataset(Dataset):
    """Pictures in folders, one folder for each kind: `root/cat/0001.jpg`.

    A sample is an image, uint8 of shape (height, width, channels), and a label: the folder's
    position in alphabetical order. Needs the extra `image`.

    Parameters
    ----------
    root : path
        Folder of the folders.
    flag : {0, 1}, default 1
        1 reads colours (three channels), 0 shades of grey (one channel).
    transform : callable, optional
        Receives image and label of a sample when it is read, and returns what stands for them.

    Attributes
    ----------
    synsets : list of str
        Names of the kinds.
    items : list of (str, int)
        File name and label of each picture.

    Raises
    ------
    MissingFileError
        `root` is no folder.
    MissingExtraError
        Pillow is not installed.

    Warns
    -----
    UserWarning
        There are other files; they are left out.
    """

    _exts = (".jpg", ".jpeg", ".png")

    def __init__(
        self, root: str | os.PathLike[str], flag: int = 1, transform: Transform = None
    ) -> None:
        self._root = Path(root).expanduser()
        self._flag = flag
        self._transform = transform
        self.synsets: list[str] = []
        self.items: list[tuple[str, int]] = []
        if not self._root.is_dir():
            msg = (
                f"ImageFolderDataset: {self._root} is no folder. Expected one with a folder of "
                f"pictures for each kind. Check the path."
            )
            raise MissingFileError(msg)
        check_flag("ImageFolderDataset", flag)
        self._list_images()

    def _list_images(self) -> None:
        for folder in sorted(self._root.iterdir()):
            if not folder.is_dir():
                _ignore(folder, "which is not a directory")
                continue
            label = len(self.synsets)
            self.synsets.append(folder.name)
            for path in sorted(folder.iterdir()):
                if path.suffix.lower() in self._exts:
                    self.items.append((str(path), label))
                else:
                    _ignore(path, f"of type {path.suffix}; only {', '.join(self._exts)} are read")

    @override
    def __len__(self) -> int:
        return len(self.items)

    @override
    def __getitem__(self, idx: int) -> Any:
        if not self.items:
            raise _no_pictures(self._root)
        name, label = self.items[idx]
        picture = imread(name, self._flag)
        return (picture, label) if self._transform is None else self._transform(picture, label)


def _folder(root: Root, namespace: str) -> Path:
    if root is not None:
        return Path(root).expanduser()
    home = os.environ.get("MXNET_HOME") or Path.home() / ".mxnet"
    return Path(home, "datasets", namespace)


def _obtain(what: str, root: Path, namespace: str, wanted: Iterable[tuple[str, str]]) -> list[Path]:
    """Return the files of a dataset, plain or gzipped, downloading those that are missing."""
    found = {name: _present(root, name) for name, _ in wanted}
    missing = [(name, sha1) for name, sha1 in wanted if found[name] is None]
    for name, sha1 in missing:
        url = repository_url(f"gluon/dataset/{namespace}", name)
        try:
            found[name] = Path(download(url, root / name, sha1_hash=sha1, retries=1))
        except FileAccessError as error:
            names = ", ".join(repr(name) for name, _ in missing)
            msg = (
                f"{what}: {names} not found in {root}, and the download failed. Expected the "
                f"dataset's files there. Put them there, pass root=, set MXNET_HOME or "
                f"MXNET_GLUON_REPO, or use vision.MNISTSample, which needs no files."
            )
            raise MissingFileError(msg) from error
    return [path for path in found.values() if path is not None]


def _present(root: Path, name: str) -> Path | None:
    candidates = (root / name, root / name.removesuffix(".gz"))
    return next((path for path in candidates if path.is_file()), None)


def _unpack(archive: Path, names: Iterable[str]) -> dict[str, bytes]:
    """Return the contents of some files of an archive, without unpacking it onto the disk."""
    contents = {}
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                name = member.name.rsplit("/", 1)[-1]
                if member.isfile() and name in names and (file := tar.extractfile(member)):
                    contents[name] = file.read()
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        msg = f"{archive}: it is damaged ({error}). Expected a tar archive. Fetch it again."
        raise FileFormatError(msg) from error
    if missing := [name for name in names if name not in contents]:
        msg = (
            f"{archive}: {', '.join(map(repr, missing))} not found in it. Expected the archive of "
            f"the binary version. Fetch it again."
        )
        raise FileFormatError(msg)
    return contents


def _ignore(path: Path, why: str) -> None:
    warnings.warn(f"Ignoring {path}, {why}.", stacklevel=users_level())


def _no_pictures(root: Path) -> InvalidIndexError:
    msg = (
        f"ImageFolderDataset: {root} has no pictures in folders. Expected a folder for each kind, "
        f"as in {root}/cats/1.jpg. Move the pictures into such folders."
    )
    return InvalidIndexError(msg)
