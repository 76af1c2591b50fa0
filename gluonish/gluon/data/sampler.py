"""Samplers: the order in which a DataLoader reads its dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish.errors import InvalidArgumentError, MissingMethodError, RefusedArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sized

__all__ = ["BatchSampler", "FilterSampler", "RandomSampler", "Sampler", "SequentialSampler"]


class Sampler:
    """Base of all samplers: a subclass defines `__iter__` and `__len__`.

    Examples
    --------
    >>> from gluonish import gluon
    >>> class Backwards(gluon.data.Sampler):
    ...     def __init__(self, length):
    ...         self._length = length
    ...     def __iter__(self):
    ...         return iter(range(self._length - 1, -1, -1))
    ...     def __len__(self):
    ...         return self._length
    >>> list(Backwards(3))
    [2, 1, 0]
    """

    def __len__(self) -> int:
        raise _missing(self, "__len__")

    def __iter__(self) -> Iterator[Any]:
        raise _missing(self, "__iter__")


class SequentialSampler(Sampler):
    """Positions `start`, `start + 1`, ... in order.

    Parameters
    ----------
    length : int
        How many.
    start : int, default 0
        The first one.

    Examples
    --------
    >>> from gluonish.gluon.data import SequentialSampler
    >>> list(SequentialSampler(3, 5))
    [5, 6, 7]
    """

    def __init__(self, length: int, start: int = 0) -> None:
        self._length = length
        self._start = start

    @override
    def __iter__(self) -> Iterator[int]:
        return iter(range(self._start, self._start + self._length))

    @override
    def __len__(self) -> int:
        return self._length


class RandomSampler(Sampler):
    """Positions 0 to `length - 1` in random order, each once, shuffled anew at each iteration.

    Parameters
    ----------
    length : int
        How many.

    Notes
    -----
    As MXNet's, it draws from NumPy's global generator: `numpy.random.seed` repeats its orders.

    Examples
    --------
    >>> import numpy
    >>> from gluonish.gluon.data import RandomSampler
    >>> numpy.random.seed(0)
    >>> [int(i) for i in RandomSampler(5)]
    [2, 0, 1, 3, 4]
    """

    def __init__(self, length: int) -> None:
        self._length = length

    @override
    def __iter__(self) -> Iterator[Any]:
        order = onp.arange(self._length)
        onp.random.shuffle(order)  # noqa: NPY002 - the generator that MXNet's programs seed
        return iter(order)

    @override
    def __len__(self) -> int:
        return self._length


class FilterSampler(Sampler):
    """Positions of the samples for which a function is true.

    Parameters
    ----------
    fn : callable
        Receives a sample.
    dataset : Dataset
        Read once, at construction.

    Examples
    --------
    >>> from gluonish.gluon.data import FilterSampler
    >>> list(FilterSampler(lambda x: x > 1, [3, 1, 2]))
    [0, 2]
    """

    def __init__(self, fn: Callable[[Any], object], dataset: Any) -> None:
        self._fn = fn
        self._dataset = dataset
        self._indices = [i for i in range(len(dataset)) if fn(dataset[i])]

    @override
    def __iter__(self) -> Iterator[int]:
        return iter(self._indices)

    @override
    def __len__(self) -> int:
        return len(self._indices)


class BatchSampler(Sampler):
    """Positions of another sampler in lists of `batch_size`.

    Parameters
    ----------
    sampler : Sampler
        Gives the positions.
    batch_size : int
        Length of a list, 1 or more.
    last_batch : {'keep', 'discard', 'rollover'}, default 'keep'
        What happens to a shorter last list: it is kept, left out, or put in front of the next
        iteration.

    Raises
    ------
    InvalidArgumentError
        `last_batch` is none of these.
    RefusedArgumentError
        `batch_size` is less than 1.

    Examples
    --------
    >>> from gluonish.gluon.data import BatchSampler, SequentialSampler
    >>> batches = BatchSampler(SequentialSampler(5), 2, "rollover")
    >>> list(batches)
    [[0, 1], [2, 3]]
    >>> list(batches)
    [[4, 0], [1, 2], [3, 4]]
    """

    def __init__(self, sampler: Sized, batch_size: int, last_batch: str = "keep") -> None:
        if last_batch not in ("keep", "discard", "rollover"):
            msg = (
                f"BatchSampler: last_batch must be one of 'keep', 'discard', or 'rollover', but "
                f"got {last_batch!r}. Use 'keep' to see every sample."
            )
            raise InvalidArgumentError(msg)
        if batch_size < 1:
            msg = (
                f"BatchSampler: batch_size={batch_size} was given. Expected 1 or more. Choose "
                f"how many samples a batch shall have."
            )
            raise RefusedArgumentError(msg)
        self._sampler: Any = sampler
        self._batch_size = batch_size
        self._last_batch = last_batch
        self._prev: list[Any] = []

    @override
    def __iter__(self) -> Iterator[list[Any]]:
        batch, self._prev = self._prev, []
        for position in self._sampler:
            batch.append(position)
            if len(batch) == self._batch_size:
                yield batch
                batch = []
        if batch and self._last_batch == "keep":
            yield batch
        elif self._last_batch == "rollover":
            self._prev = batch

    @override
    def __len__(self) -> int:
        count = len(self._sampler) + len(self._prev)
        if self._last_batch == "keep":
            count += self._batch_size - 1
        return int(count // self._batch_size)


def _missing(sampler: Sampler, method: str) -> MissingMethodError:
    msg = (
        f"{type(sampler).__name__}: it has no {method}. Expected a subclass of Sampler to define "
        f"it. Write `def {method}(self):` in the class."
    )
    return MissingMethodError(msg)
