"""DataLoader: batches of a dataset, made ahead by worker processes or threads."""

from __future__ import annotations

import itertools
import zlib
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError as FutureTimeoutError
from functools import partial
from multiprocessing.reduction import ForkingPickler
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from typing_extensions import override

from gluonish import random_streams
from gluonish.array import NDArray, wrap
from gluonish.array.tensors import plain
from gluonish.context import as_context, cpu_pinned, is_np_array, is_np_shape, set_np_flags
from gluonish.errors import (
    DataLoaderTimeoutError,
    DTypeError,
    InvalidArgumentError,
    RefusedArgumentError,
)
from gluonish.errors.callables import called
from gluonish.errors.program_arguments import exchanged, with_keyword
from gluonish.errors.suggestions import with_hints
from gluonish.errors.tracebacks import shorten
from gluonish.gluon.data.ahead import sent_ahead
from gluonish.gluon.data.batching import default_batchify_fn, default_mp_batchify_fn, to_shared
from gluonish.gluon.data.crews import Crew
from gluonish.gluon.data.sampler import BatchSampler, RandomSampler, SequentialSampler, state_of
from gluonish.gluon.data.together import read_together
from gluonish.gluon.data.worker_iteration import (
    ConnectionWrapper,
    Queue,
    SimpleQueue,
    _MultiWorkerIter,
    _thread_worker_fn,
    _thread_worker_initializer,
    _worker_fn,
    _worker_initializer,
    fetcher_loop_v1,
    rebuild_ndarray,
    reduce_ndarray,
    worker_loop_v1,
)
from gluonish.hybrid.structure import map_arrays
from gluonish.profiler.stages import iterated
from gluonish.random_streams.state import streams as stream_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from gluonish.context import Context

__all__ = ["DataLoader", "default_batchify_fn", "default_mp_batchify_fn"]

_FOR_LOADERS_OF_OTHERS = (
    ConnectionWrapper, ForkingPickler, Queue, SimpleQueue, _MultiWorkerIter, _thread_worker_fn,
    _thread_worker_initializer, _worker_fn, _worker_initializer, fetcher_loop_v1, rebuild_ndarray,
    reduce_ndarray, worker_loop_v1,
)  # fmt: skip


@with_hints
class DataLoader:
    """Iterates over a dataset in batches; iterate over it once for each epoch.

    Parameters
    ----------
    dataset : Dataset or sequence
        Has `__getitem__` and `__len__`.
    batch_size : int, optional
        Samples in a batch; needed unless `batch_sampler` is given.
    shuffle : bool, default False
        Whether to read in random order (`RandomSampler`).
    sampler : Sampler, optional
        Order of the samples, instead of `shuffle`.
    last_batch : {'keep', 'discard', 'rollover'}, default 'keep'
        What happens to a shorter last batch; see `BatchSampler`.
    batch_sampler : Sampler, optional
        Gives lists of positions, instead of the four arguments above.
    batchify_fn : callable, optional
        Makes a batch out of a list of samples; by default it stacks them.
    num_workers : int, default 0
        Processes that read samples, with one thread each; 0 reads them in this one.
    pin_memory : bool, default False
        Whether to hand the arrays out in page-locked memory, from which copies to a GPU are fast.
    pin_device_id : int, default 0
        Device number of their context `cpu_pinned`.
    prefetch : int, optional
        Batches made ahead by the workers, by default twice `num_workers`; each worker makes at
        least one.
    thread_pool : bool, default False
        Whether the workers are threads; good where samples are read outside of Python's lock.
    timeout : int, default 120
        Seconds to wait for a batch of the workers.
    auto_reload : bool, default False
        Whether the workers begin with the next epoch as soon as one has ended.
    ctx : Context, optional
        Where the arrays are handed out. Those for a GPU are copied there while the program works
        on the batch before, which the GPU's computations overlap with; one batch is read
        ahead for it. By default they are where `batchify_fn` or `pin_memory` puts them.

    Raises
    ------
    InvalidArgumentError
        Arguments contradict each other, or `batch_size` is missing.
    RefusedArgumentError
        `timeout` or `batch_size` is not positive.
    DataLoaderTimeoutError
        The workers needed more than `timeout` seconds for a batch.

    Notes
    -----
    Worker processes start with the first epoch and stay for the next ones, with the dataset as it
    was then, as in MXNet: what the program changes in it later, they do not see until `clean()` is
    called. They end with the DataLoader, or when an epoch ends with an error.

    Each worker has random streams of its own, derived from `mx.random.seed`, from the state of
    NumPy's generator and from the number of the epoch. An error in a worker is raised here, with
    the worker's traceback in its message.

    Examples
    --------
    >>> import gluonish as mx
    >>> data = mx.gluon.data.ArrayDataset(mx.nd.arange(10).reshape((5, 2)), [0, 1, 2, 3, 4])
    >>> for x, y in mx.gluon.data.DataLoader(data, batch_size=2):
    ...     print(x.shape, y.asnumpy())
    (2, 2) [0 1]
    (2, 2) [2 3]
    (1, 2) [4]
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = None,
        shuffle: bool = False,
        sampler: Any = None,
        last_batch: str | None = None,
        batch_sampler: Any = None,
        batchify_fn: Callable[[list[Any]], Any] | None = None,
        num_workers: int = 0,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        prefetch: int | None = None,
        thread_pool: bool = False,
        timeout: int = 120,
        auto_reload: bool = False,
        ctx: Context | None = None,
    ) -> None:
        if timeout <= 0:
            msg = (
                f"DataLoader: timeout must be positive, given {timeout}. Expected seconds to wait "
                f"for a batch. Leave it out for 120."
            )
            raise RefusedArgumentError(msg)
        self._dataset = dataset
        self._batch_sampler = (
            _batches(dataset, batch_size, shuffle, sampler, last_batch)
            if batch_sampler is None
            else _only(batch_sampler, batch_size, shuffle, sampler, last_batch)
        )
        self._num_workers = max(0, num_workers)
        default = default_mp_batchify_fn if self._num_workers else default_batchify_fn
        self._batchify_fn = default if batchify_fn is None else batchify_fn
        self._pin_memory = pin_memory
        self._pin_device_id = pin_device_id
        self._prefetch = max(0, 2 * self._num_workers if prefetch is None else int(prefetch))
        self._thread_pool = thread_pool
        self._timeout = timeout
        self._ctx = None if ctx is None else as_context(ctx)
        self._epoch = 0
        self._ahead: Iterator[Any] | None = None
        self._crews: list[Crew] = []
        self.auto_reload = auto_reload
        if auto_reload:
            self.refresh()

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def __iter__(self) -> Iterator[Any]:
        if not self.auto_reload:
            return self._start()
        batches, self._ahead = self._ahead or self._start(), None
        return self._reloading(batches)

    def refresh(self) -> None:
        """Begin anew with the batches that are made ahead for the next epoch.

        Needed only with `auto_reload`, where what is made ahead no longer fits the dataset.

        Examples
        --------
        >>> from gluonish.gluon.data import DataLoader
        >>> samples = [1, 2]
        >>> loader = DataLoader(samples, 2, auto_reload=True)
        >>> samples[0] = 3
        >>> loader.refresh()
        >>> [batch.asnumpy().tolist() for batch in loader]
        [[3, 2]]
        """
        self.clean()
        self._ahead = self._start()

    def get_state(self) -> dict[str, Any]:
        """Return what the next epoch follows from beside random numbers, for a `Checkpoint`.

        That is the number of the epoch, which the workers' random numbers follow from, and what the
        sampler says: of `last_batch='rollover'` the samples that are left, of a sampler of your own
        what its `get_state` returns.

        Examples
        --------
        >>> from gluonish.gluon.data import DataLoader
        >>> DataLoader([1, 2], 2).get_state()
        {'epoch': 0, 'sampler': {'left': [], 'sampler': None}}
        """
        return {"epoch": self._epoch, "sampler": state_of(self._batch_sampler)}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on with what `get_state` returned.

        Examples
        --------
        >>> from gluonish.gluon.data import DataLoader
        >>> DataLoader([1, 2], 2).set_state({'epoch': 3})
        """
        self._epoch = int(state["epoch"])
        if state.get("sampler") is not None:
            self._batch_sampler.set_state(state["sampler"])

    def clean(self) -> None:
        """Drop the batches that were made ahead for the next epoch, and end the workers.

        The next epoch then begins with new workers, which have the dataset as it is by then.

        Examples
        --------
        >>> from gluonish.gluon.data import DataLoader
        >>> samples = [1, 2]
        >>> loader = DataLoader(samples, 2, num_workers=1)
        >>> [batch.asnumpy().tolist() for batch in loader]
        [[1, 2]]
        >>> samples[0] = 3
        >>> loader.clean()
        >>> [batch.asnumpy().tolist() for batch in loader]
        [[3, 2]]
        """
        self._ahead = None
        self._crews.clear()

    @override
    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_crews": []}

    def _reloading(self, batches: Iterator[Any]) -> Iterator[Any]:
        yield from batches
        if self._ahead is None:
            self._ahead = self._start()

    def _start(self) -> Iterator[Any]:
        self._epoch += 1
        fetch = _Fetch(self._dataset, self._batchify_fn, bool(self._num_workers))
        if not self._num_workers:
            batches: Iterator[Any] = map(fetch, self._batch_sampler)
        elif self._thread_pool:
            batches = self._start_threads(fetch)
        else:
            batches = self._start_processes(fetch)
        if self._pin_memory:
            batches = map(partial(map_arrays, self._pinned), batches)
        return batches if self._ctx is None else sent_ahead(batches, self._ctx)

    def _start_processes(self, fetch: _Fetch) -> Iterator[Any]:
        positions, seed = iter(self._batch_sampler), self._entropy()
        crew = self._crews.pop() if self._crews else None
        if crew is None or not crew.begins_again(positions, seed):
            crew = Crew(
                fetch,
                num_workers=self._num_workers,
                depth=max(1, -(-self._prefetch // self._num_workers)),
                timeout=self._timeout,
                is_fresh=fetch.is_usual,
            )
            crew.begin(positions, seed)
        return self._from_processes(crew)

    def _from_processes(self, crew: Crew) -> Iterator[Any]:
        try:
            yield from crew.batches()
        except GeneratorExit:
            self._dismiss(crew)
            raise
        except BaseException as error:
            crew.stop()
            if str(error).startswith("DataLoader timed out"):
                raise self._late() from None
            shorten(error)
            raise
        self._dismiss(crew)

    def _dismiss(self, crew: Crew) -> None:
        """Keep workers for the next epoch; of iterators that went side by side, those of one."""
        if not self._crews:
            self._crews.append(crew)

    def _start_threads(self, fetch: _Fetch) -> Iterator[Any]:
        seeds = itertools.count(self._entropy())
        flags = {"shape": is_np_shape(), "array": is_np_array()}
        pool = ThreadPoolExecutor(
            self._num_workers, "DataLoader", initializer=_prepare_thread, initargs=(seeds, flags)
        )
        positions = iter(self._batch_sampler)
        depth = max(self._num_workers, self._prefetch)
        ahead = deque(pool.submit(fetch, some) for some in itertools.islice(positions, depth))
        return self._from_threads(fetch, pool, positions, ahead)

    def _from_threads(
        self,
        fetch: _Fetch,
        pool: ThreadPoolExecutor,
        positions: Iterator[Any],
        ahead: deque[Future[Any]],
    ) -> Iterator[Any]:
        try:
            while ahead:
                batch = ahead.popleft().result(self._timeout)
                ahead.extend(pool.submit(fetch, some) for some in itertools.islice(positions, 1))
                yield batch
        except FutureTimeoutError:
            raise self._late() from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _late(self) -> DataLoaderTimeoutError:
        msg = (
            f"DataLoader: its {self._num_workers} workers made no batch within {self._timeout} "
            f"seconds. Expected one in that time. Pass a larger timeout, make the transforms "
            f"faster, or use fewer workers where memory or cores are short."
        )
        return DataLoaderTimeoutError(msg)

    def _entropy(self) -> int:
        """Return the seed of this epoch's workers; draws no number from any generator."""
        _, keys, position, *_ = onp.random.get_state()  # noqa: NPY002 - RandomSampler's generator
        source = f"{stream_state.last_seed} {position} {self._epoch}".encode()
        return zlib.crc32(onp.asarray(keys).tobytes(), zlib.crc32(source))

    def _pinned(self, array: NDArray) -> NDArray:
        tensor = plain(array)
        if tensor.is_cuda:  # it is where pinned memory is on the way to
            return array
        if torch.cuda.is_available():
            tensor = tensor.pin_memory()
        return wrap(tensor, cpu_pinned(self._pin_device_id), type(array))


_BATCHIFIES = (
    "a function of one argument, the list of samples. Begin it with def batchify(samples): and "
    "data, labels = zip(*samples)."
)


class _Fetch:
    """Makes a batch out of a list of positions; what the workers run."""

    def __init__(self, dataset: Any, batchify_fn: Callable[[list[Any]], Any], shared: bool) -> None:
        self._dataset = dataset
        self._batchify_fn = batchify_fn
        self._shared = shared
        self.is_usual = batchify_fn in (default_batchify_fn, default_mp_batchify_fn)

    def __call__(self, positions: Any) -> Any:
        try:
            batch = self._read_together(positions)
            if batch is None:
                samples = [self._dataset[position] for position in positions]
                batch = called("batchify_fn", _BATCHIFIES, self._batchify_fn, samples)
            return to_shared(batch) if self._shared else batch
        except Exception as error:
            shorten(error)
            raise

    def _read_together(self, positions: Any) -> Any:
        """Return the batch of samples that need not be read one by one, or None."""
        if not positions or not self.is_usual:
            return None
        if not all(type(one) is int or isinstance(one, onp.integer) for one in positions):
            return None
        columns = read_together(self._dataset, positions)
        return list(columns) if isinstance(columns, tuple) else columns


def _length(dataset: Any) -> int:
    """Return how many samples a dataset has, by the method of its own."""
    try:
        return len(dataset)
    except (TypeError, ValueError) as error:
        name = type(dataset).__name__
        length = type(dataset).__len__(dataset)
        if isinstance(length, int) and length >= 0:
            raise
        how = "end it with return" if length is None else "write n // 2, or int(n)"
        msg = (
            f"DataLoader: {name}.__len__() gave {length!r}. Expected how many samples there are. "
            f"Correct __len__: {how}, as in return len(self.x)."
        )
        raise DTypeError(msg) from error


def _how_to_load(dataset: object, batch_size: object) -> str:
    if isinstance(dataset, (int, float)) and hasattr(batch_size, "__len__"):
        return f"The dataset comes first: {exchanged('DataLoader(dataset, batch_size)')}"
    return (
        "Write DataLoader(ArrayDataset(data, labels), batch_size=32), or go through an iterator "
        "of batches without a DataLoader"
    )


def _batches(
    dataset: Any,
    batch_size: int | None,
    shuffle: bool,
    sampler: Any,
    last_batch: str | None,
) -> BatchSampler:
    if batch_size is None:
        own = with_keyword("batch_size", "32", "DataLoader(dataset, batch_size=32)")
        msg = (
            f"DataLoader: batch_size must be specified unless batch_sampler is specified. Write "
            f"{own}."
        )
        raise InvalidArgumentError(msg)
    if sampler is None and not hasattr(dataset, "__len__"):
        how = _how_to_load(dataset, batch_size)
        msg = (
            f"DataLoader: a dataset of type {type(dataset).__name__} was given, which has no "
            f"length. Expected one with __len__ and __getitem__. {how}."
        )
        raise DTypeError(msg)
    if sampler is None:
        sampler = (RandomSampler if shuffle else SequentialSampler)(_length(dataset))
    elif shuffle:
        msg = (
            "DataLoader: shuffle must not be specified if sampler is specified. Leave shuffle "
            "out; the sampler gives the order."
        )
        raise InvalidArgumentError(msg)
    return BatchSampler(sampler, batch_size, last_batch or "keep")


def _only(
    batch_sampler: Any, batch_size: object, shuffle: bool, sampler: object, last_batch: object
) -> Any:
    if batch_size is None and not shuffle and sampler is None and last_batch is None:
        return batch_sampler
    given = {"batch_size": batch_size, "shuffle": shuffle or None, "sampler": sampler}
    given["last_batch"] = last_batch
    names = [name for name, value in given.items() if value is not None]
    msg = (
        f"DataLoader: {' and '.join(names)} given beside batch_sampler. batch_size, shuffle, "
        f"sampler and last_batch must not be specified if batch_sampler is specified, which "
        f"decides all of it. Leave {' and '.join(names)} out."
    )
    raise InvalidArgumentError(msg)


def _prepare_thread(seeds: Iterator[int], flags: dict[str, bool]) -> None:
    set_np_flags(**flags, for_new_threads=False)
    random_streams.seed(next(seeds) & 0x7FFFFFFF)


def _as_in_context(data: Any, ctx: Context) -> Any:
    """Return arrays, or nested lists of them, on a context; DataLoaders of others call it."""
    if isinstance(data, NDArray):
        return data.as_in_context(ctx)
    if isinstance(data, (list, tuple)):
        return [_as_in_context(each, ctx) for each in data]
    return data


def _label(loader: DataLoader) -> str:
    return f"DataLoader(num_workers={loader._num_workers})"  # noqa: SLF001 - its own


DataLoaderV1 = DataLoader  # MXNet's older one, which gives the same batches
iterated(DataLoader, "data", label=_label)
