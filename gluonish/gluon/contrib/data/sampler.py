"""A sampler that reads a dataset in steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from gluonish.errors import RefusedArgumentError
from gluonish.gluon.data import Sampler

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["IntervalSampler"]


class IntervalSampler(Sampler):
    """Positions 0, interval, 2 * interval, ..., and then those that were left out.

    Parameters
    ----------
    length : int
        Length of the dataset.
    interval : int
        How far apart positions are.
    rollover : bool, default True
        Whether it starts again from the next position until all were there.

    Raises
    ------
    RefusedArgumentError
        The interval is longer than the dataset, or not positive.

    Examples
    --------
    >>> from gluonish.gluon.contrib.data import IntervalSampler
    >>> list(IntervalSampler(7, 3))
    [0, 3, 6, 1, 4, 2, 5]
    >>> list(IntervalSampler(7, 3, rollover=False))
    [0, 3, 6]
    """

    def __init__(self, length: int, interval: int, rollover: bool = True) -> None:
        if not 0 < interval <= length:
            msg = (
                f"IntervalSampler: interval={interval!r} was given. Interval {interval} must be "
                f"smaller than or equal to length {length}, and at least 1. Choose another one."
            )
            raise RefusedArgumentError(msg)
        self._length = length
        self._interval = interval
        self._rollover = rollover

    @override
    def __iter__(self) -> Iterator[int]:
        for start in range(self._interval if self._rollover else 1):
            yield from range(start, self._length, self._interval)

    @override
    def __len__(self) -> int:
        return self._length
