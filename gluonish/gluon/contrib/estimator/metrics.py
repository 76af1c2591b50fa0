"""Which metrics an Estimator keeps, and which way one of them is better."""

from __future__ import annotations

import copy
import math
import warnings
from typing import TYPE_CHECKING, Any

from gluonish import metric as metrics
from gluonish.errors import InvalidArgumentError
from gluonish.errors.tracebacks import users_level
from gluonish.gluon.loss import Loss, SoftmaxCrossEntropyLoss
from gluonish.metric import CompositeEvalMetric, EvalMetric

if TYPE_CHECKING:
    from collections.abc import Sequence

_HIGHER = (
    metrics.Accuracy,
    metrics.TopKAccuracy,
    metrics.F1,
    metrics.MCC,
    metrics.PCC,
    metrics.PearsonCorrelation,
)
_LOWER = (
    metrics.Loss,
    metrics.MAE,
    metrics.MSE,
    metrics.RMSE,
    metrics.CrossEntropy,
    metrics.NegativeLogLikelihood,
    metrics.Perplexity,
)


def check_metrics(given: Any) -> list[EvalMetric]:
    """Return metrics as a new list: nothing, one of them, several, or a composite were given.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator.metrics import check_metrics
    >>> check_metrics(None), len(check_metrics(mx.metric.create(["acc", "mse"])))
    ([], 2)
    """
    if isinstance(given, CompositeEvalMetric):
        return list(given.metrics)
    found = list(given) if isinstance(given, (list, tuple)) else [given] if given else []
    for metric in found:
        if not isinstance(metric, EvalMetric):
            msg = (
                f"Estimator: {metric!r} was given as a metric. Metrics must be a Metric or a list "
                f"of Metric, from mx.metric. Write mx.metric.create({metric!r}) for one by name."
            )
            raise InvalidArgumentError(msg)
    return found


def training_metrics(given: Any, loss: Loss) -> list[EvalMetric]:
    """Return the metrics of training: those given, or what suits the loss, and the loss itself.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator.metrics import training_metrics
    >>> [metric.name for metric in training_metrics(None, mx.gluon.loss.L2Loss())]
    ['training l2loss']
    """
    found = check_metrics(given)
    if not found:
        if isinstance(loss, SoftmaxCrossEntropyLoss):
            found.append(metrics.Accuracy())
        found.append(metrics.Loss(loss.name.rstrip("0123456789")))
    for metric in found:
        metric.name = f"training {metric.name.removeprefix('training ')}"
    return found


def validation_metrics(given: Any, training: Sequence[EvalMetric]) -> list[EvalMetric]:
    """Return the metrics of validation: those given, or copies of those of training.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator.metrics import validation_metrics
    >>> [metric.name for metric in validation_metrics(mx.metric.MSE(), [])]
    ['validation mse']
    """
    found = check_metrics(given)
    if not found:
        found = [copy.deepcopy(metric) for metric in training]
        for metric in found:
            metric.reset()
            metric.name = metric.name.removeprefix("training ")
    for metric in found:
        metric.name = f"validation {metric.name.removeprefix('validation ')}"
    return found


def check_known(handler: object, given: Sequence[EvalMetric], known: Sequence[EvalMetric]) -> None:
    """Refuse a handler's metrics that are not the Estimator's: nobody would update them.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator.metrics import check_known
    >>> metric = mx.metric.MSE()
    >>> check_known(None, [metric], [metric])
    """
    for metric in given:
        if not any(metric is each for each in known):
            msg = (
                f"Event handler {type(handler).__name__} refers to a metric instance {metric} "
                f"outside of the known training and validation metrics. Please use the metrics "
                f"from estimator.train_metrics and estimator.val_metrics instead."
            )
            raise InvalidArgumentError(msg)


def check_monitor(monitor: object, owner: str) -> EvalMetric:
    """Return a handler's monitor, which must be a metric.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator.metrics import check_monitor
    >>> check_monitor(mx.metric.MSE(), "EarlyStoppingHandler").name
    'mse'
    """
    if isinstance(monitor, EvalMetric):
        return monitor
    lists = "train" if isinstance(monitor, str) and "train" in monitor else "val"
    how = "Write monitor=est.train_metrics[0], or est.val_metrics[0] where fit() gets val_data"
    if isinstance(monitor, str) and "loss" in monitor:
        how = (
            f"For the loss, give Estimator(..., {lists}_metrics=[loss, ...]) with loss = "
            f"mx.metric.Loss('{monitor}'), and write monitor=loss"
            f"{', and est.fit(..., val_data=loader)' * (lists == 'val')}"
        )
    shown = repr(monitor)
    if isinstance(monitor, (list, tuple)):
        shown = f"[{', '.join(repr(getattr(each, 'name', each)) for each in monitor)}], a list,"
        is_val = any("validation" in str(getattr(each, "name", "")) for each in monitor)
        how = f"Write one of it, such as monitor=est.{'val' if is_val else 'train'}_metrics[0]"
    msg = (
        f"{owner}: monitor={shown} was given. Expected a metric to compare by. Please provide "
        f"one of the metric objects from estimator.train_metrics and estimator.val_metrics. {how}."
    )
    raise InvalidArgumentError(msg)


class Comparison:
    """Which values of a metric are better than others.

    Parameters
    ----------
    metric : EvalMetric
        Whose values are compared.
    mode : {'auto', 'min', 'max'}
        Whether lower or higher ones are better; 'auto' goes by the kind of metric.
    owner : str
        Whose option `mode` is, for the warning about a mode that does not exist.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator.metrics import Comparison
    >>> Comparison(mx.metric.Accuracy(), "auto", "EarlyStopping").better(0.9, 0.8)
    True
    >>> Comparison(mx.metric.MSE(), "auto", "EarlyStopping").better(0.9, 0.8)
    False
    """

    def __init__(self, metric: EvalMetric, mode: str, owner: str) -> None:
        if mode not in ("auto", "min", "max"):
            msg = (
                f"{owner}: mode {mode!r} is unknown, fallback to auto mode. Expected 'auto', "
                f"'min' or 'max'. Choose one of them."
            )
            warnings.warn(msg, RuntimeWarning, stacklevel=users_level())
            mode = "auto"
        self.higher = mode == "max" or (mode == "auto" and _is_higher_better(metric, owner))
        self.worst = -math.inf if self.higher else math.inf

    def better(self, value: float, other: float) -> bool:
        """Return whether a value is better than another.

        Examples
        --------
        >>> import gluonish as mx
        >>> from gluonish.gluon.contrib.estimator.metrics import Comparison
        >>> Comparison(mx.metric.MSE(), "max", "EarlyStopping").better(0.9, 0.8)
        True
        """
        return value > other if self.higher else value < other


def _is_higher_better(metric: EvalMetric, owner: str) -> bool:
    if isinstance(metric, _LOWER):
        return False
    if isinstance(metric, _HIGHER):
        return True
    higher = any(part in metric.name.lower() for part in ("acc", "f1"))
    msg = (
        f"{owner}: {'higher' if higher else 'lower'} values of {metric.name!r} are taken for "
        f"better ones, by its name. Expected mode='min' or mode='max' for metrics of one's own. "
        f"Please specify it."
    )
    warnings.warn(msg, UserWarning, stacklevel=users_level())
    return higher
