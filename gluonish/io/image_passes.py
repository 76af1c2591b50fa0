"""Passes through batches of pictures that are made ahead: what iterators over records share."""

from __future__ import annotations

import weakref
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp
import torch
from typing_extensions import override

from gluonish.array import NDArray, wrap
from gluonish.array.dtypes import numpy_dtype
from gluonish.context import cpu
from gluonish.errors import RefusedArgumentError
from gluonish.io.batches import DataDesc, PairIter
from gluonish.io.image_batches import BatchMaker, Made
from gluonish.io.image_draws import SEED
from gluonish.io.image_records import ImageRecords
from gluonish.io.options import LOG, checked_part, element_type, flag, lengths, number

if TYPE_CHECKING:
    from concurrent.futures import Future

    from gluonish.io.image_batches import Planner
    from gluonish.io.image_scaling import Scaler
    from gluonish.serialization.files import PathLike


class PassOptions(NamedTuple):
    """Arguments that iterators over records share, as they were given."""

    preprocess_threads: Any
    verbose: Any
    shuffle: Any
    seed: Any
    round_batch: Any
    prefetch_buffer: Any
    dtype: Any


class ImagePasses(PairIter):
    """Base of iterators over records of pictures; a subclass begins with `_begin`."""

    def _begin(
        self,
        options: PassOptions,
        records: ImageRecords,
        planner: Planner,
        scaler: Scaler,
        *,
        shape: tuple[int, ...],
        label_shape: tuple[int, ...],
        label_fill: float = 0.0,
        names: tuple[str, str] = ("data", "softmax_label"),
        first_seed: int = SEED,
        seed_aug: Any = None,
    ) -> None:
        """Begin the first pass.

        Parameters
        ----------
        options : PassOptions
            Arguments of the iterator.
        records, planner, scaler
            As in `BatchMaker`.
        shape, label_shape : tuple of int
            Of a sample in a batch.
        label_fill : float, default 0
            What fills up shorter labels.
        names : pair of str
            Names of data and labels.
        first_seed : int, default 111
            What is added to every seed.
        seed_aug : int, optional
            As in `ImageRecordIter`.
        """
        where = type(self).__name__
        threads = number(options.preprocess_threads, "preprocess_threads", where, 1)
        self._dtype = numpy_dtype(element_type(options.dtype))
        self._names = names
        self._shapes = ((self.batch_size, *shape), (self.batch_size, *label_shape))
        is_shuffled = flag(options.shuffle, "shuffle", where)
        pool = ThreadPoolExecutor(threads, f"{where} worker")
        self._maker = BatchMaker(
            records,
            planner,
            scaler,
            pool,
            shapes=self._shapes,
            dtype=self._dtype,
            label_fill=label_fill,
            first_seed=first_seed,
            seed=number(options.seed, "seed", where, -(2**31)) if is_shuffled else None,
            seed_aug=None if seed_aug is None else number(seed_aug, "seed_aug", where, -(2**31)),
            is_round=flag(options.round_batch, "round_batch", where),
        )
        scaler.load_mean(where, shape, self._maker.mean_picture)
        self._ahead = number(options.prefetch_buffer, "prefetch_buffer", where)
        self._thread = ThreadPoolExecutor(1, f"{where} batches")
        self._waiting: deque[Future[Made]] = deque()
        self._asked_last = False
        self._present: Made | None = None
        self._closing = weakref.finalize(self, _stop, self._thread, pool, records)
        if flag(options.verbose, "verbose", where):
            LOG.info("%s: %s, use %d threads for decoding", where, records.name, threads)

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
            self._maker.restart()

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


def _with_channels_first(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return a picture's shape that may be meant."""
    if len(shape) == 3 and shape[2] in (1, 3, 4):
        return (shape[2], *shape[:2])
    return (3, *shape) if len(shape) == 2 else (3, 224, 224)


def picture_shape(where: str, data_shape: Any) -> tuple[int, ...]:
    """Return channels, height and width that were given.

    Raises
    ------
    RefusedArgumentError
        Something else was.
    """
    shape = () if data_shape is None else lengths(data_shape, "data_shape", where)
    if len(shape) != 3 or shape[0] not in (1, 3, 4):
        msg = (
            f"{where}: data_shape={data_shape!r} was given. Expected channels (1, 3 or 4), height "
            f"and width. Write data_shape={_with_channels_first(shape)}, for example."
        )
        raise RefusedArgumentError(msg)
    return shape


def opened(
    where: str,
    paths: tuple[PathLike, PathLike, PathLike],
    part: tuple[Any, Any],
    label_width: int,
    channels: int,
) -> ImageRecords:
    """Open a part of files of records.

    Parameters
    ----------
    where : str
        Name of the iterator, for messages.
    paths : tuple of three paths
        Of the records, of their index and of the list of labels.
    part : pair of int
        Into how many parts the records are divided, and which of them to read.
    label_width : int
        Numbers in a label.
    channels : int
        Of the pictures.

    Raises
    ------
    RefusedArgumentError
        There is no such part, or no record in it.
    """
    parts, index = checked_part(*part, where)
    records = ImageRecords(where, *paths, index, parts, label_width, channels)
    if not len(records):
        records.close()
        msg = (
            f"{where}: there is no picture in part {index} of {parts} of {records.name}. "
            f"Expected one or more. Check the file, or pass a smaller num_parts."
        )
        raise RefusedArgumentError(msg)
    return records


def check_ignored(
    where: str, aug_seq: tuple[str, str], ctx: str, chunk_size: Any, chunk_seed: Any
) -> None:
    """Refuse values that MXNet refuses, of arguments that change nothing here.

    Parameters
    ----------
    where : str
        Name of the iterator, for messages.
    aug_seq : pair of str
        The sequence of changes that was given, and the only one there is.
    ctx, chunk_size, chunk_seed
        As in `ImageRecordIter`.

    Raises
    ------
    RefusedArgumentError
        One of them is refused.
    """
    number(chunk_seed, "shuffle_chunk_seed", where, -(2**31))
    number(chunk_size, "shuffle_chunk_size", where)
    if aug_seq[0] != aug_seq[1] or ctx not in ("cpu", "gpu"):
        msg = (
            f"{where}: aug_seq={aug_seq[0]!r} and ctx={ctx!r} were given. Expected "
            f"{aug_seq[1]!r}, and 'cpu' or 'gpu'. Leave them out."
        )
        raise RefusedArgumentError(msg)


def _array(values: onp.ndarray[Any, Any]) -> NDArray:
    return wrap(torch.from_numpy(values), cpu(), NDArray)


def _stop(thread: ThreadPoolExecutor, pool: ThreadPoolExecutor, records: ImageRecords) -> None:
    thread.shutdown(wait=False, cancel_futures=True)
    thread.shutdown()
    pool.shutdown()
    records.close()
