"""What callbacks are given after a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gluonish.metric import EvalMetric

__all__ = ["BatchEndParam"]


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
