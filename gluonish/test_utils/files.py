"""Digits and other files that programs fetch with `mx.test_utils`, and what iterates over them."""

from __future__ import annotations

import bz2
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish.errors import MissingNameError
from gluonish.gluon.data.vision.datasets import digit_files
from gluonish.gluon.utils import download as fetch
from gluonish.io import DataBatch, DataIter, MNISTIter
from gluonish.io.options import lengths
from gluonish.serialization.files import replacing
from gluonish.serialization.idx_format import read_idx

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

__all__ = [
    "DummyIter",
    "download",
    "download_model",
    "get_bz2_data",
    "get_cifar10",
    "get_mnist",
    "get_mnist_iterator",
    "get_mnist_pkl",
    "get_mnist_ubyte",
    "get_zip_data",
]

_UNPACKED = (
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte",
)


def download(
    url: str,
    fname: str | PathLike[str] | None = None,
    dirname: str | PathLike[str] | None = None,
    overwrite: bool = False,
    retries: int = 5,
) -> str:
    """Fetch a file, unless it is there already, and return its name.

    Parameters
    ----------
    url : str
        Address, http or https.
    fname : path, optional
        The file's name; by default the last part of the address.
    dirname : path, optional
        The folder to put it into, by default the current one. It is made if need be.
    overwrite : bool, default False
        Whether to fetch it although a file of that name is there.
    retries : int, default 5
        How often to try again after a failure.

    Raises
    ------
    FileDownloadError
        The file could not be fetched.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> folder = tempfile.mkdtemp()
    >>> pathlib.Path(folder, 'w.params').touch()
    >>> name = mx.test_utils.download('https://example.org/w.params', dirname=folder)
    >>> pathlib.Path(name).name
    'w.params'
    """
    path = Path(url.split("?")[0].split("/")[-1] if fname is None else fname)
    return fetch(url, path if dirname is None else Path(dirname) / path, overwrite, None, retries)


def get_bz2_data(
    data_dir: str | PathLike[str], data_name: str, url: str, data_origin_name: str
) -> None:
    """Fetch a bzip2 file into a folder and unpack it, unless its content is there already.

    Parameters
    ----------
    data_dir : path
        The folder.
    data_name : str
        Name of the content's file.
    url : str
        Address of the packed file.
    data_origin_name : str
        Name of the packed file, which is removed afterwards.
    """
    target, packed = Path(data_dir, data_name), Path(data_dir, data_origin_name)
    if target.exists():
        return
    download(url, packed)
    with bz2.open(packed) as source, replacing(target) as stream:
        shutil.copyfileobj(source, stream)
    packed.unlink()


def get_zip_data(data_dir: str | PathLike[str], url: str, data_origin_name: str) -> None:
    """Fetch a zip file into a folder and unpack it there, unless the zip file is there already.

    Parameters
    ----------
    data_dir : path
        The folder.
    url : str
        Address of the zip file.
    data_origin_name : str
        Name of the zip file.
    """
    packed = Path(data_dir, data_origin_name)
    if packed.exists():
        return
    download(url, packed)
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(data_dir)


def get_cifar10() -> None:
    """Put CIFAR-10 as files of records into the folder `data/cifar`, unless they are there.

    Raises
    ------
    FileDownloadError
        They are not there, and cannot be fetched.
    """
    if all(Path("data", "cifar", name).exists() for name in ("train.rec", "test.rec")):
        return
    Path("data").mkdir(exist_ok=True)
    get_zip_data("data", "http://data.mxnet.io/mxnet/data/cifar10.zip", "cifar10.zip")


def download_model(
    model_name: str,
    dst_dir: str | PathLike[str] = "./",
    meta_info: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[str, int]:
    """Fetch a model's graph and parameters, and return what `mx.model.load_checkpoint` takes.

    Parameters
    ----------
    model_name : str
        Name of the model.
    dst_dir : path, default './'
        The folder to put the files into.
    meta_info : dict
        For each model the addresses of its files: `{'symbol': url, 'params': url}`. The addresses
        that MXNet has are no longer there.

    Returns
    -------
    tuple of str and int
        Prefix and epoch of the files.

    Raises
    ------
    MissingNameError
        `meta_info` does not have the model.
    """
    known = meta_info or {}
    if model_name not in known:
        msg = (
            f"download_model: {model_name!r} was given. Expected one of {sorted(known)}, the "
            f"models of meta_info. Give its addresses: meta_info={{{model_name!r}: {{'symbol': "
            f"url, 'params': url}}}}."
        )
        raise MissingNameError(msg)
    prefix = Path(dst_dir, model_name)
    prefix.parent.mkdir(parents=True, exist_ok=True)
    download(known[model_name]["symbol"], f"{prefix}-symbol.json")
    download(known[model_name]["params"], f"{prefix}-0000.params")
    return str(prefix), 0


def get_mnist() -> dict[str, Any]:
    """Return MNIST as NumPy arrays; without a network the digits that come with gluonish.

    Returns
    -------
    dict
        `train_data` and `test_data`, float32 of shape (count, 1, 28, 28) in [0, 1], and
        `train_label` and `test_label`, int8.

    Notes
    -----
    MNIST's files are kept in `datasets/mnist` under `MXNET_HOME` or `~/.mxnet`. The log
    (`gluonish.data`) says if they could not be fetched.
    """
    images, labels, test_images, test_labels = map(read_idx, digit_files())
    return {
        "train_data": _pictures(images),
        "train_label": labels.astype(onp.int8),
        "test_data": _pictures(test_images),
        "test_label": test_labels.astype(onp.int8),
    }


def _pictures(values: onp.ndarray[Any, Any]) -> onp.ndarray[Any, Any]:
    return values[:, None].astype(onp.float32) / onp.float32(255)


def get_mnist_ubyte() -> None:
    """Put MNIST's four files, unpacked, into the folder `data`, unless they are there already.

    Without a network they hold the digits that come with gluonish; see `get_mnist`.
    """
    targets = [Path("data", name) for name in _UNPACKED]
    if all(target.exists() for target in targets):
        return
    Path("data").mkdir(exist_ok=True)
    for source, target in zip(digit_files(), targets, strict=True):
        values = read_idx(source).astype(onp.uint8)
        head = bytes([0, 0, 8, values.ndim]) + onp.array(values.shape, ">u4").tobytes()
        with replacing(target) as stream:
            stream.write(head + values.tobytes())


def get_mnist_pkl() -> None:
    """Put MNIST as a compressed pickle into the folder `data`, unless it is there.

    Raises
    ------
    FileDownloadError
        It is not there, and cannot be fetched.
    """
    packed = Path("data", "mnist.pkl.gz")
    if not packed.exists():
        packed.parent.mkdir(exist_ok=True)
        download("http://deeplearning.net/data/mnist/mnist.pkl.gz", packed)


def get_mnist_iterator(
    batch_size: int, input_shape: tuple[int, ...], num_parts: int = 1, part_index: int = 0
) -> tuple[MNISTIter, MNISTIter]:
    """Return iterators over MNIST for training and for validation; see `get_mnist_ubyte`.

    Parameters
    ----------
    batch_size : int
        Samples in a batch.
    input_shape : tuple of int
        Shape of a picture; (1, 28, 28), or (784,) for one axis.
    num_parts, part_index : int, default 1 and 0
        Into how many parts the digits are divided, and which of them to read.
    """
    get_mnist_ubyte()
    flat = len(lengths(input_shape, "input_shape", "get_mnist_iterator")) != 3
    train, test = (
        MNISTIter(
            Path("data", image),
            Path("data", label),
            batch_size,
            shuffle=True,
            flat=flat,
            num_parts=num_parts,
            part_index=part_index,
            input_shape=input_shape,
        )
        for image, label in (_UNPACKED[:2], _UNPACKED[2:])
    )
    return train, test


class DummyIter(DataIter):
    """Gives the first batch of an iterator again and again, for measurements without reading.

    Parameters
    ----------
    real_iter : DataIter
        Where the batch comes from.

    Examples
    --------
    >>> import gluonish as mx
    >>> batches = mx.test_utils.DummyIter(mx.io.NDArrayIter(mx.nd.arange(4), batch_size=2))
    >>> next(batches) is next(batches)
    True
    """

    def __init__(self, real_iter: Any) -> None:  # noqa: ANN401 - any iterator over batches
        super().__init__()
        self.real_iter = real_iter
        self.provide_data = real_iter.provide_data
        self.provide_label = real_iter.provide_label
        self.batch_size = real_iter.batch_size
        self.the_batch: DataBatch = next(real_iter)

    @override
    def next(self) -> DataBatch:
        return self.the_batch
