"""Worker processes of a DataLoader, which stay from one epoch to the next."""

from __future__ import annotations

import os
import pickle
import random
import signal
import sys
import traceback
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp
import torch
import torch.utils.data
from typing_extensions import override

from gluonish import random_streams
from gluonish.array import NDArray, wrap
from gluonish.array.tensors import plain
from gluonish.context import is_np_array, is_np_shape, set_np_flags
from gluonish.errors import ContextError
from gluonish.errors.tracebacks import explained, is_program
from gluonish.hybrid.structure import map_arrays
from gluonish.numpy_images.opencv import use_one_thread
from gluonish.process.torch_names import (
    seed_of_numpy,
    shared_tensor,
    stop_workers,
    workers_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gluonish.context import Context

__all__ = ["Crew"]

_GPU_IN_WORKERS = ("re-initialize CUDA in forked", "CUDA error: initialization error")
# Fork hands datasets and functions to the workers as they are; elsewhere they are pickled.
_START_METHOD = "fork" if sys.platform == "linux" else None
_SMALL = 2**14  # bytes that travel through a pipe: to open shared memory takes longer


class Crew:
    """Workers that make batches, epoch after epoch, of the dataset as it was when they started.

    Parameters
    ----------
    fetch : callable
        Makes a batch out of positions.
    num_workers : int
        How many processes there are.
    depth : int
        Batches that each makes ahead.
    timeout : int
        Seconds to wait for a batch.
    is_fresh : bool
        Whether the arrays of each batch are new ones, which nobody but the batch holds.
    """

    def __init__(
        self,
        fetch: Callable[[Any], Any],
        *,
        num_workers: int,
        depth: int,
        timeout: int,
        is_fresh: bool,
    ) -> None:
        self._orders = _Orders()
        self._loader = _Workers(
            _Fetch(fetch, is_fresh),
            sampler=self._orders,
            batch_size=None,
            collate_fn=_same,
            num_workers=num_workers,
            timeout=timeout,
            prefetch_factor=depth,
            multiprocessing_context=_START_METHOD,
            worker_init_fn=_prepare,
            generator=torch.Generator(),  # else it draws from torch's own
            persistent_workers=True,
        )
        self._batches: Any = None
        self._process = os.getpid()

    def begin(self, positions: Iterable[Any], seed: int) -> None:
        """Begin an epoch: the workers make its first batches from now on.

        Parameters
        ----------
        positions : iterable
            Positions of the samples of each batch.
        seed : int
            What the workers' random numbers follow from.
        """
        self._orders.fill(positions, seed)
        self._batches = iter(self._loader)

    def batches(self) -> Iterator[Any]:
        """Give the batches of the epoch, in their order."""
        for batch in self._batches:
            if isinstance(batch, _Failure):
                raise batch.error
            yield map_arrays(_unpacked, batch, _Parcel)

    def begins_again(self, positions: Iterable[Any], seed: int) -> bool:
        """Begin another epoch, if the workers are alive and answer; return whether they do."""
        if self._process != os.getpid():
            return False
        try:
            if all(worker.is_alive() for worker in workers_of(self._batches)):
                self.begin(positions, seed)
                return True
        except RuntimeError:  # torch's, of workers that ended or are late
            self.stop()
        return False

    def stop(self) -> None:
        """Stop the workers at once, whatever they do."""
        if self._batches is not None and self._process == os.getpid():
            for worker in workers_of(self._batches):
                worker.terminate()
            stop_workers(self._batches)


class _Order(NamedTuple):
    """What a worker is asked for: positions, in which epoch, under which switches."""

    seed: int
    shape: bool
    array: bool
    positions: Any


class _Orders(torch.utils.data.Sampler[_Order]):
    """The orders of the epoch that has begun."""

    def __init__(self) -> None:
        self._present: Iterable[_Order] = ()

    def fill(self, positions: Iterable[Any], seed: int) -> None:
        """Take the positions of an epoch."""
        # As torch's DataLoader draws it, from a generator that begins with the seed.
        generator = torch.Generator().manual_seed(seed)
        base = int(torch.empty((), dtype=torch.int64).random_(generator=generator))
        flags = is_np_shape(), is_np_array()
        self._present = (_Order(base, *flags, some) for some in positions)

    @override
    def __iter__(self) -> Iterator[_Order]:
        return iter(self._present)


class _Fetch(torch.utils.data.Dataset[Any]):
    """Fills orders; what the workers run."""

    def __init__(self, fetch: Callable[[Any], Any], is_fresh: bool) -> None:
        self._fetch = fetch
        self._packed = partial(_packed, is_fresh=is_fresh)
        self._seed: int | None = None

    @override
    def __getitem__(self, order: _Order) -> Any:
        if order.seed != self._seed:
            self._seed = order.seed
            _seed_worker(order)
        try:
            return map_arrays(self._packed, self._fetch(order.positions))
        except Exception as error:
            failure = _failure(_of_gpu(error) or error)
            if failure is None:
                raise
            return failure


def _of_gpu(error: Exception) -> ContextError | None:
    """Return the error for an array on a GPU in a worker process, None if it is another one."""
    if not any(sign in str(error) for sign in _GPU_IN_WORKERS):
        return None
    msg = (
        "DataLoader: a worker process read an array on a GPU, which only the program's own "
        "process can. Expected samples in the memory of the CPU. Keep the dataset on mx.cpu() and "
        "write DataLoader(..., ctx=mx.gpu(0)), which moves batches there; or leave num_workers out."
    )
    return ContextError(msg).with_traceback(error.__traceback__)


class _Failure(NamedTuple):
    """What a worker sends in place of a batch: an error of the program."""

    error: Exception


def _failure(error: Exception) -> _Failure | None:
    """Return an error that says where in the program it is from; None if it can't travel."""
    steps = list(traceback.walk_tb(error.__traceback__))
    lines = [
        frame
        for frame, (step, _) in zip(traceback.extract_tb(error.__traceback__), steps, strict=True)
        if is_program(step.f_code.co_filename)
    ]
    if lines:
        error.add_note("in a worker process:\n" + "".join(traceback.format_list(lines)).rstrip())
    failure = _Failure(explained(error))
    try:
        pickle.loads(pickle.dumps(failure))
    except Exception:  # noqa: BLE001 - whatever its class does there
        return None
    return failure


class _Workers(torch.utils.data.DataLoader[Any]):
    """torch's DataLoader, without its warning where there are more workers than cores."""

    @override
    def check_worker_number_rationality(self) -> None:
        """Accept any number of workers, as MXNet does."""


class _Parcel(NamedTuple):
    """An array on its way: a tensor in shared memory, or few values as they are."""

    kind: type[NDArray]
    ctx: Context
    values: Any


def _packed(array: NDArray, *, is_fresh: bool) -> Any:
    if array.stype != "default":
        return array
    tensor = plain(array).cpu()
    if tensor.nbytes <= _SMALL and tensor.dtype is not torch.bfloat16:
        return _Parcel(type(array), array.context, tensor.numpy())
    if not (is_fresh and tensor.is_shared()):  # type: ignore[no-untyped-call]
        tensor = shared_tensor(tensor.shape, tensor.dtype).copy_(tensor)
    return _Parcel(type(array), array.context, tensor)


def _unpacked(parcel: _Parcel) -> NDArray:
    values = parcel.values
    tensor = torch.from_numpy(values) if isinstance(values, onp.ndarray) else values
    return wrap(tensor, parcel.ctx, parcel.kind)


def _prepare(_worker: int) -> None:
    # A Ctrl-C is the main process's, which stops its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    use_one_thread()


def _seed_worker(order: _Order) -> None:
    """Have the random streams of this worker follow from the epoch's seed and its number."""
    info: Any = torch.utils.data.get_worker_info()
    seed = order.seed + info.id
    random.seed(seed)
    torch.manual_seed(seed)
    state = seed_of_numpy(order.seed, info.id)  # type: ignore[no-untyped-call]
    onp.random.seed(state)  # noqa: NPY002 - what programs draw from
    random_streams.seed(seed & 0x7FFFFFFF)
    set_np_flags(shape=order.shape, array=order.array, for_new_threads=False)


def _same(batch: Any) -> Any:
    return batch
