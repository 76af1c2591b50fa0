"""MNISTIter: batches of MNIST's files."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.errors import FileFormatError, MissingFileError, ShapeError
from gluonish.io.file_iter import MXDataIter
from gluonish.io.options import LOG, element_type, flag, lengths, number, part_of
from gluonish.random_streams.mersenne import Twister
from gluonish.random_streams.selection import shuffle_order
from gluonish.serialization.idx_format import read_idx

if TYPE_CHECKING:
    from os import PathLike

    from torch import Tensor


class MNISTIter(MXDataIter):
    """Iterates over pictures and labels in MNIST's format.

    Pictures become float32 numbers in [0, 1): bytes divided by 256. A last batch that is not full
    is left out.

    Parameters
    ----------
    image, label : path
        The two files, gzipped or not.
    batch_size : int, default 128
        Samples in a batch.
    shuffle : bool, default True
        Whether to read in random order, the same in each epoch.
    flat : bool, default False
        Whether a picture is one axis of numbers, instead of shape (1, height, width).
    seed : int, default 0
        Seed of the order; no other generator is touched.
    silent : bool, default False
        Whether not to say in the log (`gluonish.io`) what was read.
    num_parts, part_index : int, default 1 and 0
        Into how many parts the samples are divided, and which of them to read.
    prefetch_buffer : int, default 4
        Batches that MXNet makes ahead. Here the pictures are in memory, and none is.
    ctx : str, optional
        The device that MXNet makes batches for. They are on `cpu(0)`.
    dtype : str, type or dtype, optional
        The dtype of pictures and labels; float32 by default.
    data_name, label_name : str, default 'data' and 'softmax_label'
        Names of data and labels.
    input_shape, data_shape : tuple of int, optional
        The shape of a picture, if it is to be checked.

    Raises
    ------
    MissingFileError
        A file is not there.
    FileFormatError
        A file is damaged, or the two do not belong together.
    ShapeError
        Pictures are of another size than `input_shape` or `data_shape`.
    RefusedArgumentError
        Another argument is out of its range.

    Examples
    --------
    >>> import gluonish as mx
    >>> import importlib.resources
    >>> folder = importlib.resources.files('gluonish') / 'data_files' / 'mnist5k'
    >>> digits = mx.io.MNISTIter(
    ...     image=str(folder / 't10k-images-idx3-ubyte.gz'),
    ...     label=str(folder / 't10k-labels-idx1-ubyte.gz'),
    ...     batch_size=100, flat=True,
    ... )
    >>> digits.provide_data
    [DataDesc[data,(100, 784),<class 'numpy.float32'>,NCHW]]
    >>> len(list(digits))
    10
    """

    def __init__(
        self,
        image: str | PathLike[str] = "./train-images-idx3-ubyte",
        label: str | PathLike[str] = "./train-labels-idx1-ubyte",
        batch_size: int = 128,
        shuffle: bool = True,
        flat: bool = False,
        seed: int = 0,
        silent: bool = False,
        num_parts: int = 1,
        part_index: int = 0,
        prefetch_buffer: int = 4,
        ctx: str | None = None,  # noqa: ARG002 - explained above
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        input_shape: Any = None,
        data_shape: Any = None,
    ) -> None:
        number(prefetch_buffer, "prefetch_buffer", "MNISTIter")
        images, labels = _read(image), _read(label)
        if images.ndim != 3 or labels.ndim != 1 or len(images) != len(labels):
            msg = (
                f"MNISTIter: {image} and {label} hold arrays of shapes {tuple(images.shape)} and "
                f"{tuple(labels.shape)}. Expected (count, height, width) and (count,). Check that "
                f"both files belong together."
            )
            raise FileFormatError(msg)
        for wanted, name in ((input_shape, "input_shape"), (data_shape, "data_shape")):
            _check_size(wanted, name, images)
        start, stop = part_of(len(images), num_parts, part_index, "MNISTIter")
        super().__init__(stop - start, batch_size, data_name, label_name, "drop")
        order = torch.arange(start, stop)
        is_shuffled = flag(shuffle, "shuffle", "MNISTIter")
        if is_shuffled:
            generator = Twister(number(seed, "seed", "MNISTIter", -(2**31)))
            order = torch.from_numpy(shuffle_order(stop - start, generator)) + start
        height, width = images.shape[1:]
        is_flat = flag(flat, "flat", "MNISTIter")
        shape = (height * width,) if is_flat else (1, height, width)
        self._images = images.reshape(-1, *shape)
        self._labels = labels
        self._order = order
        self._dtype = element_type(dtype)
        if not flag(silent, "silent", "MNISTIter"):
            batch = [self.batch_size, *shape]
            LOG.info(
                "MNISTIter: load %d images, shuffle=%d, shape=%s", len(order), is_shuffled, batch
            )

    @override
    def _rows(self, places: Any) -> tuple[Tensor, Tensor]:
        chosen = self._order[torch.from_numpy(places)]
        images = self._images.index_select(0, chosen).to(torch.float32).mul_(1 / 256)
        labels = self._labels.index_select(0, chosen)
        return images.to(self._dtype), labels.to(self._dtype)


def _read(path: Any) -> Tensor:
    try:
        return torch.from_numpy(read_idx(path))
    except FileNotFoundError as error:
        msg = (
            f"MNISTIter: there is no file {str(path)!r}. Expected one of MNIST's, gzipped or not. "
            f"mx.test_utils.get_mnist_ubyte() puts them into the folder 'data'."
        )
        raise MissingFileError(msg) from error


def _check_size(wanted: Any, name: str, images: Tensor) -> None:
    if wanted is None:
        return
    shape = lengths(wanted, name, "MNISTIter")
    height, width = images.shape[1:]
    if math.prod(shape) != height * width:
        msg = (
            f"MNISTIter: {name}={shape} was given for pictures of {height} by {width} numbers. "
            f"Expected as many numbers. Write {name}=(1, {height}, {width})."
        )
        raise ShapeError(msg)
