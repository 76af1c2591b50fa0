"""MovingAverageHandler: averages of the weights, validated and kept in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.gluon.contrib.estimator.events import (
    BatchEnd,
    EpochBegin,
    EpochEnd,
    TrainBegin,
    TrainEnd,
)
from gluonish.gluon.kept_values import KeptValues
from gluonish.gluon.moving_average import MovingAverage

if TYPE_CHECKING:
    from gluonish.gluon.contrib.estimator.estimator import Estimator

__all__ = ["MovingAverageHandler"]


class MovingAverageHandler(TrainBegin, BatchEnd, EpochBegin, EpochEnd, TrainEnd):
    """Averages the weights over all updates; the net has the averages when training ends.

    It has them from the end of each epoch to the beginning of the next one, too: what is validated
    and saved in between are the averages, and training goes on with the weights themselves. A
    training that is resumed from a CheckpointHandler's file goes on from averages.

    Parameters
    ----------
    decay : float, default 0.999
        Share of the average that stays at each update, in [0, 1).
    priority : float, default -1500
        When it is called: after the weights' update, and before validation.

    Attributes
    ----------
    average : MovingAverage or None
        The averages, once training has begun.

    Raises
    ------
    InvalidArgumentError
        `decay` is out of its range.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import MovingAverageHandler
    >>> MovingAverageHandler(decay=0.99).decay
    0.99
    """

    def __init__(self, decay: float = 0.999, priority: float = -1500) -> None:
        self.decay = MovingAverage({}, decay).decay
        self.priority = priority
        self.average: MovingAverage | None = None
        self._weights: KeptValues | None = None
        self._begun = self._seen = 0

    @override
    def train_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.average = MovingAverage(estimator.net.collect_params(), self.decay)
        self._weights = None
        self._begun = self._seen = estimator.trainer.optimizer.num_update

    @override
    def epoch_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        if self._weights is not None:
            self._weights.restore()
            self._weights = None

    @override
    def batch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        updates = estimator.trainer.optimizer.num_update
        if self.average is not None and (updates != self._seen or updates == self._begun):
            self.average.update()
        self._seen = updates

    @override
    def epoch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        if self._seen != estimator.trainer.optimizer.num_update:
            self.batch_end(estimator)
        if self.average is not None:
            self._weights = KeptValues(estimator.net.collect_params())
            self.average.apply()

    @override
    def train_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self._weights = None
