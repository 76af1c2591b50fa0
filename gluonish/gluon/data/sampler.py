"""Samplers: the order in which a DataLoader reads its dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish.errors import InvalidArgumentError, MissingMethodError, RefusedArgumentError
from gluonish.errors.callables import called
from gluonish.errors.suggestions import did_you_mean
from gluonish.errors.tracebacks import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sized

__all__ = [
    "BatchSampler",
    "FilterSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "SplitSampler",
]


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
        expected = "a function of one argument, the sample, also where that is a tuple. Write one."
        self._indices = [
            i for i in range(len(dataset)) if called("filter", expected, fn, dataset[i])
        ]

    @override
    def __iter__(self) -> Iterator[int]:
        return iter(self._indices)

    @override
    def __len__(self) -> int:
        return len(self._indices)


class SplitSampler(Sampler):
    """Positions of one part of a dataset, for a worker of several; as GluonNLP has it.

    Parameters
    ----------
    length : int
        How many samples there are, all parts together.
    num_parts, part_index : int, default 1 and 0
        In how many parts they are split, and which one this is: `kv.num_workers` and `kv.rank`.
    even_size : bool, default False
        Whether all parts have the length of the longest: the shorter ones give another sample as
        well. Workers that train in step need that, or `last_batch='discard'` and enough samples.
    repeat : int, default 1
        How often each sample is given in one iteration.
    shuffle : bool, default True
        Whether the order is random, another one at each iteration.
    seed : int, optional
        One that all workers have. Then all samples are shuffled, and each iteration splits them
        anew; otherwise each worker keeps its part and shuffles it by NumPy's global generator.

    Attributes
    ----------
    epoch : int
        How many iterations have begun. With a seed it decides on the order: set it to go on from
        a later one.

    Raises
    ------
    RefusedArgumentError
        There is no such part.

    Examples
    --------
    >>> from gluonish.gluon.data import SplitSampler
    >>> [list(SplitSampler(5, 2, part, shuffle=False)) for part in (0, 1)]
    [[0, 1], [2, 3, 4]]
    >>> list(SplitSampler(5, 2, 0, even_size=True, shuffle=False))
    [0, 1, 2]
    >>> parts = [SplitSampler(6, 3, part, seed=1) for part in range(3)]
    >>> sorted(position for part in parts for position in part)
    [0, 1, 2, 3, 4, 5]
    """

    def __init__(
        self,
        length: int,
        num_parts: int = 1,
        part_index: int = 0,
        even_size: bool = False,
        repeat: int = 1,
        shuffle: bool = True,
        seed: int | None = None,
    ) -> None:
        _check_part(length, num_parts, part_index, repeat)
        self._length, self._parts, self._index = length, num_parts, part_index
        self._is_even, self._repeat, self._shuffles = even_size, repeat, shuffle
        self._seed = seed
        self.epoch = 0

    def _bounds(self) -> tuple[int, int]:
        start = self._length * self._index // self._parts
        stop = self._length * (self._index + 1) // self._parts
        if self._is_even and self._length:
            stop = start + -(-self._length // self._parts)
        return start, stop

    @override
    def __iter__(self) -> Iterator[int]:
        positions = onp.arange(self._length)
        random: Any = onp.random  # the generator that MXNet's programs seed
        if self._seed is not None:
            random = onp.random.default_rng((self._seed, self.epoch))
            if self._shuffles:
                random.shuffle(positions)
        self.epoch += 1
        start, stop = self._bounds()
        own = positions[:0]
        if stop > start:
            own = onp.take(positions, onp.arange(start, stop), mode="wrap")
        own = onp.tile(own, self._repeat)
        if self._shuffles and (self._seed is None or self._repeat > 1):
            random.shuffle(own)
        return map(int, own)

    @override
    def __len__(self) -> int:
        start, stop = self._bounds()
        return (stop - start) * self._repeat

    def get_state(self) -> dict[str, Any]:
        """Return what the next order follows from beside random numbers, for a `Checkpoint`.

        Examples
        --------
        >>> from gluonish.gluon.data import SplitSampler
        >>> SplitSampler(3).get_state()
        {'epoch': 0}
        """
        return {"epoch": self.epoch}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on with what `get_state` returned.

        Examples
        --------
        >>> from gluonish.gluon.data import SplitSampler
        >>> SplitSampler(3).set_state({'epoch': 4})
        """
        self.epoch = int(state["epoch"])


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
            meant = did_you_mean(str(last_batch), ("keep", "discard", "rollover"))
            msg = (
                f"BatchSampler: last_batch must be one of 'keep', 'discard', or 'rollover', but "
                f"got {last_batch!r}.{meant} Use 'keep' to see every sample, 'discard' "
                f"to drop the last ones that fill no batch."
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
        try:
            for position in self._sampler:
                batch.append(position)
                if len(batch) == self._batch_size:
                    yield batch
                    batch = []
        except Exception as error:
            shorten(error)
            raise
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

    def get_state(self) -> dict[str, Any]:
        """Return what is left of the last iteration for the next one, for a `Checkpoint`.

        Examples
        --------
        >>> from gluonish.gluon.data import BatchSampler, SequentialSampler
        >>> batches = BatchSampler(SequentialSampler(3), 2, "rollover")
        >>> list(batches)
        [[0, 1]]
        >>> batches.get_state()
        {'left': [2], 'sampler': None}
        """
        return {"left": list(self._prev), "sampler": state_of(self._sampler)}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on with what `get_state` returned.

        Examples
        --------
        >>> from gluonish.gluon.data import BatchSampler, SequentialSampler
        >>> batches = BatchSampler(SequentialSampler(3), 2, "rollover")
        >>> batches.set_state({'left': [2], 'sampler': None})
        >>> list(batches)
        [[2, 0], [1, 2]]
        """
        self._prev = list(state["left"])
        if state["sampler"] is not None:
            self._sampler.set_state(state["sampler"])


def state_of(source: Any) -> Any:
    """Return the state of a sampler or of data, or None if it says nothing of one."""
    return source.get_state() if hasattr(source, "get_state") else None


def _check_part(length: Any, num_parts: Any, part_index: Any, repeat: Any) -> None:
    numbers = {"length": length, "num_parts": num_parts, "part_index": part_index, "repeat": repeat}
    least = {"length": 0, "num_parts": 1, "part_index": 0, "repeat": 1}
    for name, value in numbers.items():
        if not hasattr(value, "__index__") or value < least[name]:
            msg = (
                f"SplitSampler: {name}={value!r} was given. Expected a whole number of at least "
                f"{least[name]}. Write SplitSampler(len(dataset), kv.num_workers, kv.rank)."
            )
            raise RefusedArgumentError(msg)
    if part_index >= num_parts:
        msg = (
            f"SplitSampler: part_index={part_index} was given with num_parts={num_parts}. Expected "
            f"a part from 0 to {num_parts - 1}. Count parts from 0."
        )
        raise RefusedArgumentError(msg)


def _missing(sampler: Sampler, method: str) -> MissingMethodError:
    msg = (
        f"{type(sampler).__name__}: it has no {method}. Expected a subclass of Sampler to define "
        f"it. Write `def {method}(self):` in the class."
    )
    return MissingMethodError(msg)
