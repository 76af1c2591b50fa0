"""Datasets of images: MNIST and its kin, CIFAR, folders of pictures, and the bundled digits."""

from __future__ import annotations

import importlib.resources
import logging
import os
import tarfile
import tempfile
import warnings
import zlib
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
from gluonish.gluon.data.dataset import Dataset, _DownloadedDataset, _LabelledDataset
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


def _as_held(images: Values, labels: Values) -> tuple[Any, Any]:
    """Return pictures, and labels of type int32, as a dataset holds them."""
    labels = labels.astype(onp.int32)
    return from_numpy(images, cpu()), from_numpy(labels, cpu()) if is_np_array() else labels


def _digits(paths: Sequence[Path | Traversable]) -> tuple[Any, Any]:
    """Return pictures and labels of two of MNIST's files."""
    images, labels = (read_idx(path) for path in paths)
    if images.ndim != 3 or labels.ndim != 1 or len(images) != len(labels):
        msg = (
            f"{paths[0]} and {paths[1]}: they hold arrays of shapes {images.shape} and "
            f"{labels.shape}. Expected (count, height, width) and (count,). Check that both "
            f"files belong together."
        )
        raise FileFormatError(msg)
    return _as_held(images[..., onp.newaxis], labels)


class MNIST(_DownloadedDataset):
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
        self._train = train
        super().__init__(_folder(root, self._namespace), transform)

    @override
    def _get_data(self) -> None:
        wanted = [self._train_data, self._train_label]
        if not self._train:
            wanted = [self._test_data, self._test_label]
        what = type(self).__name__
        paths = _obtain(what, Path(self._root), self._namespace, wanted)
        self._data, self._label = _digits(paths)

    @classmethod
    def checksums(cls) -> list[tuple[str, str]]:
        """Return the names and checksums of the four files, those for training first."""
        return [cls._train_data, cls._train_label, cls._test_data, cls._test_label]


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


class MNISTSample(_LabelledDataset):
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

    def __init__(self, train: bool = True, transform: Transform = None) -> None:
        self._train = train
        files = _bundled_files()
        super().__init__(*_digits(files[:2] if train else files[2:]), transform)


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
    return _bundled_files()


def _bundled_files() -> list[Path | Traversable]:
    folder = importlib.resources.files("gluonish") / "data_files" / "mnist5k"
    parts = ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")
    return [folder / f"{part}-ubyte.gz" for part in parts]


class CIFAR10(_DownloadedDataset):
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
    _train_data: ClassVar[Sequence[tuple[str, str]]] = (
        ("data_batch_1.bin", "aadd24acce27caa71bf4b10992e9e7b2d74c2540"),
        ("data_batch_2.bin", "c0ba65cce70568cd57b4e03e9ac8d2a5367c1795"),
        ("data_batch_3.bin", "1dd00a74ab1d17a6e7d73e185b69dbf31242f295"),
        ("data_batch_4.bin", "aab85764eb3584312d3c7f65fd2fd016e36a258e"),
        ("data_batch_5.bin", "26e2849e66a845b7f1e4614ae70f4889ae604628"),
    )
    _test_data: ClassVar[Sequence[tuple[str, str]]] = (
        ("test_batch.bin", "67eb016db431130d61cd03c7ad570b013799c88c"),
    )

    def __init__(self, root: Root = None, train: bool = True, transform: Transform = None) -> None:
        self._train = train
        super().__init__(_folder(root, self._namespace), transform)

    @override
    def _get_data(self) -> None:
        names = [name for name, _ in (self._train_data if self._train else self._test_data)]
        root = Path(self._root)
        folders = (root, *root.glob("cifar-*-b*"))
        whole = [place for place in folders if all((place / name).is_file() for name in names)]
        if whole:
            self._read_batches(whole[0], names)
            return
        wanted = [self._archive_file]
        (archive,) = _obtain(type(self).__name__, root, self._namespace, wanted)
        with tempfile.TemporaryDirectory() as folder:
            _unpack(archive, names, Path(folder))
            self._read_batches(Path(folder), names)

    def _read_batches(self, folder: Path, names: Sequence[str]) -> None:
        batches = [self._read_batch(str(folder / name)) for name in names]
        images, labels = (onp.concatenate(part) for part in zip(*batches, strict=True))
        self._data, self._label = _as_held(images, labels)

    def _read_batch(self, filename: str) -> tuple[Values, Values]:
        images, labels = _cifar_rows(filename, 1)
        return images, labels[:, 0]


def _cifar_rows(filename: str, label_bytes: int) -> tuple[Values, Values]:
    """Return the pictures of a file, and their labels, of so many columns, as int32."""
    content = Path(filename).read_bytes()
    length = label_bytes + 3 * _SIDE * _SIDE
    if len(content) % length or not content:
        msg = (
            f"{filename}: it has {len(content)} bytes. Expected a multiple of {length}, the "
            f"length of a picture with its label. Fetch the binary version of the dataset again."
        )
        raise FileFormatError(msg)
    rows = onp.frombuffer(content, onp.uint8).reshape(-1, length)
    pixels = rows[:, label_bytes:].reshape(-1, 3, _SIDE, _SIDE)
    return pixels.transpose(0, 2, 3, 1), rows[:, :label_bytes].astype(onp.int32)


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
    _train_data = (("train.bin", "e207cd2e05b73b1393c74c7f5e7bea451d63e08e"),)
    _test_data = (("test.bin", "8fb6623e830365ff53cf14adec797474f5478006"),)

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
    def _read_batch(self, filename: str) -> tuple[Values, Values]:
        images, labels = _cifar_rows(filename, 2)
        return images, labels[:, int(self._fine_label)]


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

    def __init__(
        self, root: str | os.PathLike[str], flag: int = 1, transform: Transform = None
    ) -> None:
        check_flag("ImageFolderDataset", flag)
        self._root = str(Path(root).expanduser())
        self._flag = flag
        self._transform = transform
        self._exts = [".jpg", ".jpeg", ".png"]
        self._list_images(self._root)

    def _list_images(self, root: str) -> None:
        self.synsets: list[str] = []
        self.items: list[tuple[str, int]] = []
        if not Path(root).is_dir():
            msg = (
                f"ImageFolderDataset: {root} is no folder. Expected one with a folder of "
                f"pictures for each kind. Check the path."
            )
            raise MissingFileError(msg)
        for folder in sorted(Path(root).iterdir()):
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


def _unpack(archive: Path, names: Iterable[str], folder: Path) -> None:
    """Write some files of an archive into a folder."""
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                name = member.name.rsplit("/", 1)[-1]
                if member.isfile() and name in names and (file := tar.extractfile(member)):
                    (folder / name).write_bytes(file.read())
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        msg = f"{archive}: it is damaged ({error}). Expected a tar archive. Fetch it again."
        raise FileFormatError(msg) from error
    if missing := [name for name in names if not (folder / name).is_file()]:
        msg = (
            f"{archive}: {', '.join(map(repr, missing))} not found in it. Expected the archive of "
            f"the binary version. Fetch it again."
        )
        raise FileFormatError(msg)


def _ignore(path: Path, why: str) -> None:
    warnings.warn(f"Ignoring {path}, {why}.", stacklevel=users_level())


def _no_pictures(root: str) -> InvalidIndexError:
    msg = (
        f"ImageFolderDataset: {root} has no pictures in folders. Expected a folder for each kind, "
        f"as in {root}/cats/1.jpg. Move the pictures into such folders."
    )
    return InvalidIndexError(msg)
