"""Reporting how `fit` goes: metrics and callbacks as programs give them, and what they are told."""

from __future__ import annotations

import inspect
import logging
from typing import TYPE_CHECKING, Any, NamedTuple

from gluonish import metric as metrics
from gluonish.errors import UnknownArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from gluonish.metric import EvalMetric

    Callbacks: TypeAlias = Callable[..., Any] | Sequence[Callable[..., Any]] | None

_log = logging.getLogger()  # MXNet logs to the root, where programs look for it


class BatchEndParam(NamedTuple):
    """What `fit` and `score` tell a callback after a batch.

    Attributes
    ----------
    epoch, nbatch : int
        Numbers of the epoch and of the batch in it.
    eval_metric : EvalMetric or None
        The metric, which a callback may reset.
    locals : dict or None
        Local variables of the loop.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.callback.BatchEndParam(epoch=0, nbatch=3, eval_metric=None, locals=None).nbatch
    3
    """

    epoch: int
    nbatch: int
    eval_metric: EvalMetric | None
    locals: dict[str, Any] | None


class LogValidationMetricsCallback:
    """Logs the metrics at the end of an epoch's evaluation.

    Examples
    --------
    >>> import gluonish as mx
    >>> callback = mx.callback.LogValidationMetricsCallback()
    >>> callback(mx.callback.BatchEndParam(epoch=0, nbatch=7, eval_metric=None, locals=None))
    """

    def __call__(self, param: BatchEndParam) -> None:
        """Log the metrics, if there are any."""
        if param.eval_metric is not None:
            for name, value in param.eval_metric.get_name_value():
                _log.info("Epoch[%d] Validation-%s=%f", param.epoch, name, value)


def as_metric(metric: Any) -> EvalMetric:
    """Return a metric; a name or function is made one."""
    found: EvalMetric = metric if isinstance(metric, metrics.EvalMetric) else metrics.create(metric)
    return found


def as_list(obj: Any) -> list[Any]:
    """Return a list: of what is in a list or tuple, or of one thing.

    Examples
    --------
    >>> from gluonish.model.reporting import as_list
    >>> as_list((1, 2)), as_list(3)
    ([1, 2], [3])
    """
    return list(obj) if isinstance(obj, (list, tuple)) else [obj]


def call(callbacks: Callbacks, *args: Any) -> None:
    """Call a function, or each in a list, or none."""
    if callbacks is not None:
        for callback in as_list(callbacks):
            try:
                callback(*args)
            except TypeError as error:
                trace = error.__traceback__
                if trace is not None and trace.tb_next is not None:  # it did take them
                    raise
                refused = _takes_others(callback, args, error)
                raise refused from error


_OF_EPOCH = 4  # arguments of what is called behind an epoch


def _takes_others(
    callback: Callable[..., Any], args: Sequence[Any], error: TypeError
) -> UnknownArgumentError:
    """Return the error for a callback that takes other arguments than it is called with."""
    at_epoch = len(args) == _OF_EPOCH
    name = getattr(callback, "__qualname__", "")
    if name.isidentifier() and callback.__module__.startswith("gluonish.callback"):
        usage = ", ".join(inspect.signature(callback).parameters)
        place = "epoch_end_callback" if at_epoch else "batch_end_callback"
        msg = (
            f"{place}={name} was given, which makes a callback. Expected what it returns. Write "
            f"{place}=mx.callback.{name}({usage})."
        )
        return UnknownArgumentError(msg)
    usage = "(epoch, symbol, arg_params, aux_params)" if at_epoch else "(param), a BatchEndParam"
    other = (
        "What takes one param, as mx.callback.Speedometer does, is a batch_end_callback"
        if at_epoch
        else "What takes (epoch, symbol, arg_params, aux_params), as that of "
        "mx.callback.do_checkpoint, is an epoch_end_callback"
    )
    msg = (
        f"{'epoch' if at_epoch else 'batch'}_end_callback: {error}. Expected a function "
        f"{getattr(callback, '__name__', type(callback).__name__)}{usage}. {other}."
    )
    return UnknownArgumentError(msg)
