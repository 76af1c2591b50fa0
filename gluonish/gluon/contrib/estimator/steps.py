"""The handlers that make the steps of training: updates, metrics, validation, and the end."""

from __future__ import annotations

import contextlib
import math
import numbers
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.errors import InvalidArgumentError
from gluonish.gluon.clipping import step_clipped
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
    from collections.abc import Callable, Iterator, Sequence

    from gluonish.block import Block, Parameter
    from gluonish.gluon.contrib.estimator.estimator import Estimator
    from gluonish.gluon.contrib.estimator.events import EventHandler
    from gluonish.gluon.trainer import Trainer
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


class GradientUpdateHandler(BatchEnd, EpochEnd):
    """Updates the weights after each batch: `trainer.step` with the number of losses.

    Derive from it to update in another way.

    Parameters
    ----------
    priority : float, default -2000
        When it is called: before the Estimator's other handlers.
    accumulate : int, default 1
        After how many batches there is an update, by the gradients of all of them; batches that
        an epoch has left over make one more.
    clip_norm : float, optional
        The largest norm of all gradients together, before they are divided by the number of
        samples, as `gluon.utils.clip_global_norm` and `gluon.FusedStep` take it.

    Raises
    ------
    InvalidArgumentError
        `accumulate` is no whole number of at least 1, or `clip_norm` not positive.

    Notes
    -----
    The loop, with `samples` of `accumulate` batches::

        params.setattr('grad_req', 'add')
        ...  # backward, for each of the batches
        trainer.allreduce_grads()
        clip_global_norm([each.grad() for each in params.values()], clip_norm)
        trainer.update(samples)
        params.zero_grad()

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import GradientUpdateHandler
    >>> class Never(GradientUpdateHandler):
    ...     def batch_end(self, estimator, *args, **kwargs):
    ...         estimator.logger.info("No update.")
    >>> GradientUpdateHandler(accumulate=4, clip_norm=1.0).accumulate
    4
    """

    accumulate = 1  # for subclasses with a constructor of their own
    clip_norm: float | None = None
    _batches = _samples = 0
    _params: Sequence[Parameter] = ()  # in the net's order, in which their norms are added
    _summed: Sequence[Parameter] = ()

    def __init__(
        self, priority: float = -2000, *, accumulate: int = 1, clip_norm: float | None = None
    ) -> None:
        self.priority = priority
        self.accumulate = _check_count(accumulate)
        self.clip_norm = _check_norm(clip_norm)

    @override
    def batch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        loss = kwargs["loss"]
        parts = loss if isinstance(loss, (list, tuple)) else [loss]
        self._samples += sum(part.shape[0] if part.shape else 1 for part in parts)
        self._batches += 1
        if self._batches >= self.accumulate:
            self._update(estimator.trainer)

    @override
    def epoch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        if self._batches:
            self._update(estimator.trainer)

    @contextlib.contextmanager
    def summing(self, trainer: Trainer, net: Block) -> Iterator[None]:
        """Have gradients added up, if updates are rarer than batches, for as long as it lasts.

        Examples
        --------
        >>> import gluonish as mx
        >>> from gluonish.gluon.contrib.estimator import GradientUpdateHandler
        >>> net = mx.gluon.nn.Dense(1, in_units=1)
        >>> net.initialize()
        >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd')
        >>> with GradientUpdateHandler(accumulate=2).summing(trainer, net):
        ...     print(net.weight.grad_req)
        add
        >>> net.weight.grad_req
        'write'
        """
        trained = {id(param) for param in trainer._params}
        own = [param for param in net.collect_params().values() if id(param) in trained]
        self._params = [*own, *(param for param in trainer._params if param not in own)]
        self._begin(trainer)
        try:
            yield
        finally:
            for param in self._summed:
                if param.grad_req == "add":
                    param.grad_req = "write"
            self._summed = ()

    def _begin(self, trainer: Trainer) -> None:
        """Have the next batch be the first of its update."""
        self._batches = self._samples = 0
        if self.accumulate > 1:
            for param in self._summed:
                param.zero_grad()
            written = [param for param in trainer._params if param.grad_req == "write"]
            for param in written:
                param.grad_req = "add"
            self._summed = [*self._summed, *written]

    def _update(self, trainer: Trainer) -> None:
        samples = self._samples
        if self.clip_norm is None:
            trainer.step(samples)
        else:
            step_clipped(trainer, samples, self.clip_norm, self._params)
        self._begin(trainer)


def _check_count(value: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return value
    msg = (
        f"GradientUpdateHandler: accumulate={value!r} was given. Expected a whole number of at "
        f"least 1, of batches for one update. Leave it out for an update after each."
    )
    raise InvalidArgumentError(msg)


def _check_norm(value: Any) -> float | None:
    if value is None or (isinstance(value, numbers.Real) and float(value) > 0):
        return None if value is None else float(value)
    msg = (
        f"GradientUpdateHandler: clip_norm={value!r} was given. Expected a positive number, or "
        f"None. Leave it out for gradients as they are."
    )
    raise InvalidArgumentError(msg)


def _least(*limits: int | None) -> float:
    return min((limit for limit in limits if limit is not None), default=math.inf)
