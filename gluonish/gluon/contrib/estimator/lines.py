"""LoggingHandler: a line for each epoch, or every few batches."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.errors import InvalidArgumentError
from gluonish.gluon.contrib.estimator.events import (
    BatchBegin,
    BatchEnd,
    EpochBegin,
    EpochEnd,
    TrainBegin,
    TrainEnd,
)
from gluonish.gluon.contrib.estimator.metrics import check_metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.gluon.contrib.estimator.estimator import Estimator
    from gluonish.metric import EvalMetric

__all__ = ["LoggingHandler"]


class LoggingHandler(TrainBegin, TrainEnd, EpochBegin, EpochEnd, BatchBegin, BatchEnd):
    """Writes lines to the Estimator's logger, which prints them.

    Parameters
    ----------
    log_interval : int or 'epoch', default 'epoch'
        After how many batches there is a line; by default there is one for each epoch.
    metrics : EvalMetric or list of EvalMetric, optional
        Some of the Estimator's `train_metrics` and `val_metrics`, shown in lines.
    priority : float, default inf
        When it is called: after handlers of lower ones.

    Raises
    ------
    InvalidArgumentError
        The interval is neither 'epoch' nor a whole number of at least 1.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import LoggingHandler
    >>> LoggingHandler(log_interval=100).log_interval
    100
    """

    def __init__(
        self,
        log_interval: int | str = "epoch",
        metrics: EvalMetric | Sequence[EvalMetric] | None = None,
        priority: float = math.inf,
    ) -> None:
        if log_interval != "epoch" and not (isinstance(log_interval, int) and log_interval >= 1):
            msg = (
                f"LoggingHandler: log_interval={log_interval!r} was given. log_interval must be "
                f"either an integer of at least 1 or string 'epoch'. Leave it out for 'epoch'."
            )
            raise InvalidArgumentError(msg)
        self.metrics = check_metrics(metrics)
        self.batch_index = 0
        self.current_epoch = 0
        self.processed_samples = 0
        self.priority = priority
        self.log_interval = log_interval
        self.log_interval_time = 0.0
        self.train_start = self.epoch_start = self.batch_start = 0.0

    @override
    def train_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.train_start = time.perf_counter()
        self.current_epoch = 0
        self.batch_index = 0
        self.processed_samples = 0
        trainer = estimator.trainer
        estimator.logger.info(
            "Training begin: using optimizer %s with current learning rate %.4f ",
            type(trainer.optimizer).__name__,
            trainer.learning_rate,
        )
        if estimator.max_epoch:
            estimator.logger.info("Train for %d epochs.", estimator.max_epoch)
        else:
            estimator.logger.info("Train for %d batches.", estimator.max_batch)
        self.log_interval_time = 0.0

    @override
    def train_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        seconds = time.perf_counter() - self.train_start
        start = "Train finished using total %ds with %d epochs. "
        text = start % (seconds, self.current_epoch) + self._values()
        estimator.logger.info("%s", text.rstrip(", "))

    @override
    def batch_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        if self.log_interval != "epoch":
            self.batch_start = time.perf_counter()

    @override
    def batch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        if isinstance(self.log_interval, str):
            return
        self.log_interval_time += time.perf_counter() - self.batch_start
        self.processed_samples += _samples(kwargs["label"], estimator.batch_axis)
        if self.batch_index % self.log_interval == 0:
            where = f"[Epoch {self.current_epoch}][Batch {self.batch_index}]"
            text = (
                f"{where}[Samples {self.processed_samples}] "
                f"time/interval: {self.log_interval_time:.3f}s {self._values()}"
            )
            self.log_interval_time = 0.0
            estimator.logger.info("%s", text.rstrip(", "))
        self.batch_index += 1

    @override
    def epoch_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.epoch_start = time.perf_counter()
        if self.metrics and not any("training" in metric.name for metric in self.metrics):
            estimator.logger.info("Validation Begin")
            return
        estimator.logger.info(
            "[Epoch %d] Begin, current learning rate: %.4f",
            self.current_epoch,
            estimator.trainer.learning_rate,
        )

    @override
    def epoch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        seconds = time.perf_counter() - self.epoch_start
        text = f"[Epoch {self.current_epoch}] Finished in {seconds:.3f}s, {self._values()}"
        estimator.logger.info("%s", text.rstrip(", "))
        self.current_epoch += 1
        self.batch_index = 0

    def _values(self) -> str:
        pairs = (metric.get() for metric in self.metrics)
        return ", ".join(f"{name}: {value:.4f}" for name, value in pairs)


def _samples(label: Any, axis: int) -> int:
    parts = label if isinstance(label, (list, tuple)) else [label]
    return sum(part.shape[axis if axis < part.ndim else 0] if part.ndim else 1 for part in parts)
