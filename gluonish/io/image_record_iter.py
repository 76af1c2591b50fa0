"""ImageRecordIter: batches of pictures from files of records, read by threads and ahead."""

from __future__ import annotations

import functools
import weakref
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from typing_extensions import override

from gluonish.array import NDArray, wrap
from gluonish.array.dtypes import numpy_dtype, torch_dtype
from gluonish.context import cpu
from gluonish.errors import RefusedArgumentError
from gluonish.io.batches import DataDesc, PairIter
from gluonish.io.image_batches import BatchMaker, Made
from gluonish.io.image_changes import Planner, read_options
from gluonish.io.image_records import ImageRecords
from gluonish.io.image_scaling import Scaler
from gluonish.io.options import LOG, checked_part, flag, lengths, number

if TYPE_CHECKING:
    from concurrent.futures import Future

    from gluonish.serialization.files import PathLike


class ImageRecordIter(PairIter):
    """Iterates over batches of pictures from files of records.

    Threads decode and change the pictures, and batches are made ahead.

    Parameters
    ----------
    path_imgrec : path
        File of records, or a folder of `.rec` files.
    data_shape : (int, int, int)
        Channels (1, 3, or 4 as in the files), height and width of a picture in a batch.
    batch_size : int
        Samples in a batch.
    path_imgidx : path, optional
        Index of the records. Without it, the heads of all records are read first.
    path_imglist : path, optional
        `.lst` file whose labels take the place of the records'.
    label_width : int, default 1
        Numbers in a label.
    preprocess_threads : int, default 4
        Threads that decode and change pictures. The numbers do not depend on it.
    verbose : bool, default True
        Whether to say in the log (`gluonish.io`) what is read.
    num_parts, part_index : int, default 1 and 0
        Into how many parts the records are divided, and which of them to read.
    device_id : int, default 0
        MXNet's device with pinned memory. Batches are on `cpu(0)`.
    shuffle : bool, default False
        Whether each pass through the records has a random order of its own.
    seed : int, default 0
        Seed of the orders.
    seed_aug : int, optional
        Seed of the changes. With it, those of a sample depend on nothing but this seed and the
        sample's place in the file.
    shuffle_chunk_size, shuffle_chunk_seed : int, default 0
        MXNet's buffer for random orders. Here all records are in it.
    round_batch : bool, default True
        Whether a last batch that is not full is filled with the first samples of the next pass,
        which then begins after these. Otherwise zeros fill it.
    prefetch_buffer : int, default 4
        Batches made ahead.
    ctx : {'cpu', 'gpu'}, default 'gpu'
        The device that MXNet makes batches for. They are on `cpu(0)`.
    dtype : {'float32', 'uint8', 'int8', ...}, optional
        Of the pictures; float32 by default. uint8 leaves pixels as they are.
    data_name, label_name : str, default 'data' and 'softmax_label'
        Names of data and labels.
    aug_seq : str, default 'aug_default'
        MXNet's only sequence of changes.
    **options
        What is done to the pictures, in this order. `resize`: new length of the shorter side.
        `max_rotate_angle`, `rotate` (degrees), `max_shear_ratio`, `min_random_scale` and
        `max_random_scale`, `min_aspect_ratio` and `max_aspect_ratio`, `min_img_size` and
        `max_img_size`: an affine map. `pad`: a border, of `fill_value` (255).
        `random_resized_crop` with `min_random_area`, `max_random_area` and the aspect ratio: a
        part of random place and size. `min_crop_size`, `max_crop_size`: a square part. Else a
        part of `data_shape`, in the middle or (`rand_crop`) at a random place.
        `inter_method` (1): as `interp` in `image.imresize`. `brightness`, `contrast`,
        `saturation`; `random_h`, `random_s`, `random_l`; `pca_noise`: colours. `mirror`,
        `rand_mirror`. Then `mean_r`, `mean_g`, `mean_b`, `mean_a` or the file `mean_img` are
        subtracted, `scale`, `max_random_contrast` and `max_random_illumination` change the rest,
        and `std_r`, `std_g`, `std_b`, `std_a` divide it.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileFormatError
        A file is damaged, or holds something else.
    ShapeError
        A label or a picture has another shape than the arguments say.
    RefusedArgumentError, UnknownArgumentError
        An argument is out of its range, or there is none of this name.

    Notes
    -----
    With one thread, or with `path_imgidx`, random crops and mirrors are those of MXNet, number for
    number; so is the order of the samples.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.rec")
    >>> writer = mx.recordio.MXRecordIO(path, "w")
    >>> for label in range(4):
    ...     header = mx.recordio.IRHeader(0, label, label, 0)
    ...     writer.write(mx.recordio.pack(header, b"P6 4 4 255 " + bytes(48)))
    >>> writer.close()
    >>> batches = mx.io.ImageRecordIter(path_imgrec=path, data_shape=(3, 2, 2), batch_size=2)
    >>> [batch.label[0].asnumpy().tolist() for batch in batches]
    [[0.0, 1.0], [2.0, 3.0]]
    """

    def __init__(
        self,
        path_imgrec: PathLike = "",
        data_shape: Any = None,
        batch_size: int = 0,
        path_imgidx: PathLike = "",
        path_imglist: PathLike = "",
        label_width: int = 1,
        preprocess_threads: int = 4,
        verbose: bool = True,
        num_parts: int = 1,
        part_index: int = 0,
        device_id: int = 0,
        shuffle: bool = False,
        seed: int = 0,
        seed_aug: int | None = None,
        shuffle_chunk_size: int = 0,
        shuffle_chunk_seed: int = 0,
        round_batch: bool = True,
        prefetch_buffer: int = 4,
        ctx: str = "gpu",
        dtype: Any = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        aug_seq: str = "aug_default",
        **options: Any,
    ) -> None:
        where = type(self).__name__
        super().__init__(number(batch_size, "batch_size", where, 1))
        _check_ignored(where, aug_seq, ctx, device_id, shuffle_chunk_size, shuffle_chunk_seed)
        shape = _picture_shape(where, data_shape)
        changes, scaling = read_options(where, options)
        parts, index = checked_part(num_parts, part_index, where)
        width = number(label_width, "label_width", where, 1)
        threads = number(preprocess_threads, "preprocess_threads", where, 1)
        records = ImageRecords(
            where, path_imgrec, path_imgidx, path_imglist, index, parts, width, shape[0]
        )
        if not len(records):
            records.close()
            msg = (
                f"{where}: there is no picture in part {index} of {parts} of {path_imgrec!s}. "
                f"Expected one or more. Check the file, or pass a smaller num_parts."
            )
            raise RefusedArgumentError(msg)
        self._dtype = numpy_dtype(torch_dtype("float32" if dtype in (None, "None") else dtype))
        self._names = (data_name, label_name)
        self._shapes = ((self.batch_size, *shape), _label_shape(self.batch_size, width))
        pool = ThreadPoolExecutor(threads, f"{where} worker")
        scaler = Scaler(scaling, shape[0], self._dtype)
        self._maker = BatchMaker(
            records,
            Planner(changes, shape),
            scaler,
            pool,
            shapes=self._shapes,
            dtype=self._dtype,
            seed=number(seed, "seed", where, -(2**31)) if flag(shuffle, "shuffle", where) else None,
            seed_aug=None if seed_aug is None else number(seed_aug, "seed_aug", where, -(2**31)),
            is_round=flag(round_batch, "round_batch", where),
        )
        scaler.load_mean(where, shape, self._maker.mean_picture)
        self._ahead = number(prefetch_buffer, "prefetch_buffer", where)
        self._thread = ThreadPoolExecutor(1, f"{where} batches")
        self._waiting: deque[Future[Made]] = deque()
        self._asked_last = False
        self._present: Made | None = None
        self._closing = weakref.finalize(self, _stop, self._thread, pool, records)
        if flag(verbose, "verbose", where):
            LOG.info("%s: %s, use %d threads for decoding", where, path_imgrec, threads)

    @property
    def provide_data(self) -> list[DataDesc]:
        """Name, shape and dtype of the data in a batch."""
        return [DataDesc(self._names[0], self._shapes[0], self._dtype.type)]

    @property
    def provide_label(self) -> list[DataDesc]:
        """Name, shape and dtype of the labels in a batch."""
        return [DataDesc(self._names[1], self._shapes[1], onp.float32)]

    @override
    def reset(self) -> None:
        finished = self._asked_last and not self._waiting
        while self._waiting:
            self._waiting.popleft().exception()
        self._present = None
        self._asked_last = False
        if not finished:
            self._maker.begin_pass()

    @override
    def iter_next(self) -> bool:
        while not self._asked_last and len(self._waiting) <= self._ahead:
            self._asked_last = self._maker.is_last_next()
            self._waiting.append(self._thread.submit(self._maker.make, self._maker.take()))
        if not self._waiting:
            return False
        self._present = self._waiting.popleft().result()
        return True

    @override
    def _both(self) -> tuple[NDArray, NDArray]:
        made = self._begun(self._present)
        return _array(made.data), _array(made.label)

    @override
    def getpad(self) -> int:
        return self._begun(self._present).pad

    @override
    def getindex(self) -> Any:
        """Return the numbers in the headers of the samples."""
        return self._begun(self._present).numbers


def ImageRecordUInt8Iter(*args: Any, **kwargs: Any) -> ImageRecordIter:  # noqa: N802 - MXNet's name
    """Return an ImageRecordIter whose pictures are uint8, as they are in the files.

    Parameters
    ----------
    *args, **kwargs
        As in `ImageRecordIter`.
    """
    return ImageRecordIter(*args, **{**kwargs, "dtype": "uint8"})


def ImageRecordInt8Iter(*args: Any, **kwargs: Any) -> ImageRecordIter:  # noqa: N802 - MXNet's name
    """Return an ImageRecordIter whose pictures are int8: pixels minus a mean.

    Parameters
    ----------
    *args, **kwargs
        As in `ImageRecordIter`.
    """
    return ImageRecordIter(*args, **{**kwargs, "dtype": "int8"})


def _array(values: onp.ndarray[Any, Any]) -> NDArray:
    return wrap(torch.from_numpy(values), cpu(), NDArray)


def _stop(thread: ThreadPoolExecutor, pool: ThreadPoolExecutor, records: ImageRecords) -> None:
    thread.shutdown(wait=False, cancel_futures=True)
    thread.shutdown()
    pool.shutdown()
    records.close()


def _label_shape(batch_size: int, width: int) -> tuple[int, ...]:
    return (batch_size,) if width == 1 else (batch_size, width)


def _picture_shape(where: str, data_shape: Any) -> tuple[int, ...]:
    shape = () if data_shape is None else lengths(data_shape, "data_shape", where)
    if len(shape) != 3 or shape[0] not in (1, 3, 4):
        msg = (
            f"{where}: data_shape={data_shape!r} was given. Expected channels (1, 3 or 4), height "
            f"and width. Write data_shape=(3, 224, 224), for example."
        )
        raise RefusedArgumentError(msg)
    return shape


def _check_ignored(
    where: str, aug_seq: str, ctx: str, device_id: Any, chunk_size: Any, chunk_seed: Any
) -> None:
    """Refuse values that MXNet refuses, of arguments that change nothing here."""
    check = functools.partial(number, where=where, low=-(2**31))
    check(device_id, "device_id")
    check(chunk_seed, "shuffle_chunk_seed")
    number(chunk_size, "shuffle_chunk_size", where)
    if aug_seq != "aug_default" or ctx not in ("cpu", "gpu"):
        msg = (
            f"{where}: aug_seq={aug_seq!r} and ctx={ctx!r} were given. Expected 'aug_default', and "
            f"'cpu' or 'gpu'. Leave them out."
        )
        raise RefusedArgumentError(msg)
