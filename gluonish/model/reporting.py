"""Metrics and callbacks as programs give them: names, functions, lists of them, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import metric as metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from gluonish.metric import EvalMetric

    Callbacks: TypeAlias = Callable[..., Any] | Sequence[Callable[..., Any]] | None


def as_metric(metric: Any) -> EvalMetric:
    """Return a metric; a name or function is made one."""
    found: EvalMetric = metric if isinstance(metric, metrics.EvalMetric) else metrics.create(metric)
    return found


def as_list(obj: Any) -> list[Any]:
    """Return a list: of what is in a list or tuple, or of one thing.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.mod.base_module._as_list((1, 2)), mx.mod.base_module._as_list(3)
    ([1, 2], [3])
    """
    return list(obj) if isinstance(obj, (list, tuple)) else [obj]


def call(callbacks: Callbacks, *args: Any) -> None:
    """Call a function, or each in a list, or none."""
    if callbacks is not None:
        for callback in as_list(callbacks):
            callback(*args)
