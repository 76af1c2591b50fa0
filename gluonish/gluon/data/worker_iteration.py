"""Batches from a pool of workers, by the classes that DataLoaders of other libraries import."""

from __future__ import annotations

import io
import multiprocessing
import multiprocessing.pool  # by whose name programs of MXNet find it, without an import
import pickle
from contextlib import nullcontext
from multiprocessing import queues
from multiprocessing.reduction import ForkingPickler
from typing import TYPE_CHECKING, Any, NoReturn

from gluonish.array import NDArray
from gluonish.context import cpu, cpu_pinned, set_np_flags
from gluonish.errors import MissingLibraryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gluonish.context import Context

_worker_dataset: Any = None


def _worker_initializer(dataset: Any, active_shape: bool, active_array: bool) -> None:
    """Prepare a worker process: its dataset, and the switches of `npx.set_np()`."""
    global _worker_dataset
    _worker_dataset = dataset
    set_np_flags(shape=active_shape, array=active_array, for_new_threads=False)


def _worker_fn(
    samples: Sequence[int], batchify_fn: Callable[..., Any], dataset: Any = None
) -> bytes:
    """Return the batch of some samples, pickled, from the dataset of a worker process."""
    source = _worker_dataset if dataset is None else dataset
    buffer = io.BytesIO()
    batch = batchify_fn([source[position] for position in samples])
    ForkingPickler(buffer, pickle.HIGHEST_PROTOCOL).dump(batch)
    return buffer.getvalue()


def _thread_worker_fn(samples: Sequence[int], batchify_fn: Callable[..., Any], dataset: Any) -> Any:
    """Return the batch of some samples; workers that are threads run it."""
    return batchify_fn([dataset[position] for position in samples])


def _thread_worker_initializer(active_shape: bool, active_array: bool) -> None:
    """Prepare a worker that is a thread: the switches of `npx.set_np()`."""
    set_np_flags(shape=active_shape, array=active_array, for_new_threads=False)


def worker_loop_v1(
    dataset: Any, key_queue: Any, data_queue: Any, batchify_fn: Callable[..., Any]
) -> None:
    """Put batches into a queue, for numbers and positions from another, until a number is None."""
    for number, positions in iter(key_queue.get, None):
        if number is None:
            return
        data_queue.put((number, batchify_fn([dataset[position] for position in positions])))


def fetcher_loop_v1(
    data_queue: Any,
    data_buffer: Any,
    pin_memory: bool = False,
    pin_device_id: int = 0,
    data_buffer_lock: Any = None,
) -> None:
    """Put batches from a queue under their numbers into a dictionary, until a number is None."""
    ctx = cpu_pinned(pin_device_id) if pin_memory else cpu()
    for number, batch in iter(data_queue.get, None):
        if number is None:
            return
        with data_buffer_lock or nullcontext():
            data_buffer[number] = _moved(batch, ctx)


class _MultiWorkerIter:
    """Batches in the order of a sampler, `prefetch` of them asked of a pool of workers ahead."""

    def __init__(
        self,
        worker_pool: Any,
        batchify_fn: Callable[..., Any],
        batch_sampler: Any,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        worker_fn: Callable[..., Any] = _worker_fn,
        prefetch: int = 0,
        dataset: Any = None,
        data_loader: Any = None,
        timeout: float = 120,
    ) -> None:
        self._worker_pool = worker_pool
        self._batchify_fn = batchify_fn
        self._batch_sampler = batch_sampler
        self._data_buffer: dict[int, Any] = {}
        self._rcvd_idx = 0
        self._sent_idx = 0
        self._iter: Iterator[Any] = iter(batch_sampler)
        self._worker_fn = worker_fn
        self._pin_memory = pin_memory
        self._pin_device_id = pin_device_id
        self._dataset = dataset
        self._data_loader = data_loader  # whose pool lives as long
        self._timeout = timeout
        for _ in range(prefetch):
            self._push_next()

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def _push_next(self) -> None:
        """Ask the workers for the next batch of the sampler, if there is one."""
        samples = next(self._iter, None)
        if samples is None:
            return
        arguments = (samples, self._batchify_fn, self._dataset)
        self._data_buffer[self._sent_idx] = self._worker_pool.apply_async(
            self._worker_fn, arguments
        )
        self._sent_idx += 1

    def __next__(self) -> Any:
        self._push_next()
        if self._rcvd_idx == self._sent_idx:
            raise StopIteration
        found = self._data_buffer.pop(self._rcvd_idx).get(self._timeout)
        self._rcvd_idx += 1
        batch = pickle.loads(found) if isinstance(found, bytes) else found
        return _moved(batch, cpu_pinned(self._pin_device_id)) if self._pin_memory else batch

    def next(self) -> Any:
        """Return the next batch, as `next(iterator)` does."""
        return self.__next__()

    def __iter__(self) -> _MultiWorkerIter:
        return self


def _moved(batch: Any, ctx: Context) -> Any:
    if isinstance(batch, NDArray):
        return batch.as_in_context(ctx)
    if isinstance(batch, (list, tuple)):
        return [_moved(part, ctx) for part in batch]
    return batch


class ConnectionWrapper:
    """A connection between processes on which arrays travel; its other names are there."""

    def __init__(self, conn: Any) -> None:
        self._conn = conn

    def send(self, obj: Any) -> None:
        """Send an object, and the arrays in it."""
        self._conn.send_bytes(ForkingPickler.dumps(obj, pickle.HIGHEST_PROTOCOL))

    def recv(self) -> Any:
        """Return the next object."""
        return pickle.loads(self._conn.recv_bytes())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_conn"], name)


class Queue(queues.Queue):  # type: ignore[type-arg]
    """A queue between processes, on which arrays travel, too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, ctx=multiprocessing.get_context(), **kwargs)


class SimpleQueue(queues.SimpleQueue):  # type: ignore[type-arg]
    """A queue between processes without threads of its own, on which arrays travel, too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, ctx=multiprocessing.get_context(), **kwargs)


def reduce_ndarray(data: NDArray) -> tuple[Any, ...]:
    """Return what makes an array anew, in another process."""
    return data.__reduce__()


def rebuild_ndarray(pid: int, fd: int, shape: tuple[int, ...], dtype: Any) -> NoReturn:
    """Refuse to open memory that MXNet's library in C shares.

    Raises
    ------
    MissingLibraryError
        Always: arrays are pickled as a whole here.
    """
    msg = (
        f"dataloader.rebuild_ndarray: memory {fd} of process {pid} for an array of shape {shape} "
        f"and dtype {dtype} was given, which MXNet's library in C shares. gluonish has no such "
        f"library. Pickle the array itself, or what reduce_ndarray returns."
    )
    raise MissingLibraryError(msg)
