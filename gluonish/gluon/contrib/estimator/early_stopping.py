"""EarlyStoppingHandler: the end of training where a metric gets no better."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.errors.tracebacks import users_level
from gluonish.gluon.contrib.estimator.events import EpochEnd, TrainBegin, TrainEnd
from gluonish.gluon.contrib.estimator.metrics import Comparison, check_monitor
from gluonish.gluon.kept_values import KeptValues

if TYPE_CHECKING:
    from gluonish.gluon.contrib.estimator.estimator import Estimator
    from gluonish.metric import EvalMetric

__all__ = ["EarlyStoppingHandler"]


class EarlyStoppingHandler(TrainBegin, EpochEnd, TrainEnd):
    """Ends training when a metric has not become better for some epochs.

    Parameters
    ----------
    monitor : EvalMetric
        One of the Estimator's `train_metrics` or `val_metrics`.
    min_delta : float, default 0
        By how much it has to become better.
    patience : int, default 0
        For how many epochs it may fail to; at 0 and at 1 training ends at the first that fails.
    mode : {'auto', 'min', 'max'}, default 'auto'
        Whether lower or higher values are better; 'auto' goes by the kind of metric.
    baseline : float, optional
        What the first epochs have to surpass.
    restore_best : bool, default False
        Whether the net has the parameters of its best epoch when training ends, early or not.

    Raises
    ------
    InvalidArgumentError
        The monitor is no metric.

    Notes
    -----
    MXNet's 'auto' takes higher values of every metric for better ones, also of losses. What the
    optimizer keeps is not restored: weights that are trained on begin a training of their own.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator import EarlyStoppingHandler
    >>> handler = EarlyStoppingHandler(mx.metric.Accuracy(), patience=3)
    >>> handler.patience, handler.stop_training
    (3, False)
    """

    def __init__(
        self,
        monitor: EvalMetric,
        min_delta: float = 0,
        patience: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
        *,
        restore_best: bool = False,
    ) -> None:
        self.monitor = check_monitor(monitor, "EarlyStoppingHandler")
        self.baseline = baseline
        self.patience = patience
        self._comparison = Comparison(monitor, mode, "EarlyStoppingHandler")
        self.min_delta = min_delta if self._comparison.higher else -min_delta
        self.current_epoch = 0
        self.best = self._comparison.worst
        self.restore_best = restore_best
        self.best_epoch: int | None = None
        self._weights: KeptValues | None = None
        self._start()

    @override
    def train_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self._start()

    @override
    def epoch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> bool:
        name, value = self.monitor.get()
        if math.isnan(value):
            msg = (
                f"EarlyStoppingHandler: {name} is not updated, or not a number. Expected one of "
                f"the metric objects from estimator.train_metrics and estimator.val_metrics, the "
                f"latter with validation. Make sure you pass one of them as monitor."
            )
            warnings.warn(msg, RuntimeWarning, stacklevel=users_level())
        elif self._comparison.better(value - self.min_delta, self.best):
            self.best = value
            self.wait = 0
            if self.restore_best:
                self.best_epoch = self.current_epoch
                self._weights = KeptValues(estimator.net.collect_params())
        else:
            self.wait += 1
            if self.wait >= self.patience:
                self.stopped_epoch = self.current_epoch
                self.stop_training = True
        self.current_epoch += 1
        return self.stop_training

    @override
    def train_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        if self.stop_training:
            estimator.logger.info(
                "[Epoch %d] EarlyStoppingHandler: early stopping due to %s not improving",
                self.stopped_epoch,
                self.monitor.get()[0],
            )
        if self._weights is not None:
            self._weights.restore()
            self._weights = None
            estimator.logger.info(
                "EarlyStoppingHandler: the net has the parameters of epoch %d, its best one",
                self.best_epoch,
            )

    def _start(self) -> None:
        self.wait = 0
        self.stopped_epoch = 0
        self.current_epoch = 0
        self.stop_training = False
        self.best_epoch = self._weights = None
        self.best = self._comparison.worst if self.baseline is None else self.baseline
