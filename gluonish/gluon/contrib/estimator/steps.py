"""The handlers that make the steps of training: updates, metrics, validation, and the end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.errors import InvalidArgumentError
from gluonish.gluon.contrib.estimator.events import (
    BatchEnd,
    EpochBegin,
    EpochEnd,
    TrainBegin,
    check_handlers,
)
from gluonish.gluon.contrib.estimator.metrics import check_metrics
from gluonish.metric import Loss

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.gluon.contrib.estimator.estimator import Estimator
    from gluonish.gluon.contrib.estimator.events import EventHandler
    from gluonish.metric import EvalMetric

__all__ = ["GradientUpdateHandler", "MetricHandler", "StoppingHandler", "ValidationHandler"]


def check_period(owner: str, name: str, value: int | None) -> int | None:
    """Return a period, a whole number or None; 0 means never.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator.steps import check_period
    >>> check_period("ValidationHandler", "epoch_period", 2)
    2
    """
    if value is not None and (value != int(value) or value < 0):
        msg = (
            f"{owner}: {name}={value!r} was given. Expected a whole number of at least 1; 0 or "
            f"None for never. Leave it out for the default."
        )
        raise InvalidArgumentError(msg)
    return value


class StoppingHandler(TrainBegin, BatchEnd, EpochEnd):
    """Ends training after a number of epochs or batches.

    Parameters
    ----------
    max_epoch, max_batch : int, optional
        How many there may be; what `fit` was called with by default, if that is less.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import StoppingHandler
    >>> StoppingHandler(max_epoch=2).max_epoch
    2
    """

    def __init__(self, max_epoch: int | None = None, max_batch: int | None = None) -> None:
        self.max_epoch = max_epoch
        self.max_batch = max_batch
        self.current_batch = 0
        self.current_epoch = 0
        self.stop_training = False

    @override
    def train_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.current_batch = 0
        self.current_epoch = 0
        self.stop_training = False

    @override
    def batch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> bool:
        self.current_batch += 1
        if self.current_batch >= _least(self.max_batch, estimator.max_batch):
            self.stop_training = True
        return self.stop_training

    @override
    def epoch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> bool:
        self.current_epoch += 1
        if self.current_epoch >= _least(self.max_epoch, estimator.max_epoch):
            self.stop_training = True
        return self.stop_training


class MetricHandler(EpochBegin, BatchEnd):
    """Updates metrics after each batch, and resets them before each epoch.

    Parameters
    ----------
    metrics : EvalMetric or list of EvalMetric
        Some of the Estimator's `train_metrics` or `val_metrics`.
    priority : float, default -1000
        When it is called: after handlers of lower ones.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator import MetricHandler
    >>> MetricHandler(mx.metric.Accuracy()).priority
    -1000
    """

    def __init__(self, metrics: EvalMetric | Sequence[EvalMetric], priority: float = -1000) -> None:
        self.metrics = check_metrics(metrics)
        self.priority = priority

    @override
    def epoch_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        for metric in self.metrics:
            metric.reset()

    @override
    def batch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        for metric in self.metrics:
            if isinstance(metric, Loss):
                metric.update(0, kwargs["loss"])
            else:
                metric.update(kwargs["label"], kwargs["pred"])


class ValidationHandler(TrainBegin, BatchEnd, EpochEnd):
    """Validates every few epochs or batches.

    Parameters
    ----------
    val_data : DataLoader
        What to validate with.
    eval_fn : callable
        Called with `val_data=`, `batch_axis=` and `event_handlers=`: `estimator.evaluate`.
    epoch_period : int, optional, default 1
        After how many epochs; never if it is None.
    batch_period : int, optional
        After how many batches; never by default.
    priority : float, default -1000
        When it is called: after handlers of lower ones.
    event_handlers : EventHandler or list of EventHandler, optional
        Handlers for `eval_fn`.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import ValidationHandler
    >>> handler = ValidationHandler([], print, epoch_period=None, batch_period=100)
    >>> handler.batch_period
    100
    """

    def __init__(
        self,
        val_data: Any,
        eval_fn: Callable[..., Any],
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        priority: float = -1000,
        event_handlers: EventHandler | Sequence[EventHandler] | None = None,
    ) -> None:
        self.val_data = val_data
        self.eval_fn = eval_fn
        self.epoch_period = check_period("ValidationHandler", "epoch_period", epoch_period)
        self.batch_period = check_period("ValidationHandler", "batch_period", batch_period)
        self.current_batch = 0
        self.current_epoch = 0
        self.priority = priority
        check_handlers(event_handlers)
        self.event_handlers = event_handlers

    @override
    def train_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.current_batch = 0
        self.current_epoch = 0

    @override
    def batch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.current_batch += 1
        if self.batch_period and self.current_batch % self.batch_period == 0:
            self._validate(estimator)

    @override
    def epoch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.current_epoch += 1
        if self.epoch_period and self.current_epoch % self.epoch_period == 0:
            self._validate(estimator)

    def _validate(self, estimator: Estimator) -> None:
        self.eval_fn(
            val_data=self.val_data,
            batch_axis=estimator.batch_axis,
            event_handlers=self.event_handlers,
        )


class GradientUpdateHandler(BatchEnd):
    """Updates the weights after each batch: `trainer.step` with the number of losses.

    Derive from it to update less often, or with clipped gradients.

    Parameters
    ----------
    priority : float, default -2000
        When it is called: before the Estimator's other handlers.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import GradientUpdateHandler
    >>> class Never(GradientUpdateHandler):
    ...     def batch_end(self, estimator, *args, **kwargs):
    ...         estimator.logger.info("No update.")
    """

    def __init__(self, priority: float = -2000) -> None:
        self.priority = priority

    @override
    def batch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        loss = kwargs["loss"]
        parts = loss if isinstance(loss, (list, tuple)) else [loss]
        estimator.trainer.step(sum(part.shape[0] if part.shape else 1 for part in parts))


def _least(*limits: int | None) -> float:
    return min((limit for limit in limits if limit is not None), default=math.inf)
