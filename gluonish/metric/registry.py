"""The registry of metrics: their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from gluonish.errors import RefusedArgumentError
from gluonish.errors.suggestions import did_you_mean_value
from gluonish.metric.base import EvalMetric
from gluonish.registry import get_register_func, get_registry

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["alias", "register"]

Class = TypeVar("Class", bound=type[EvalMetric])

_register = get_register_func(EvalMetric, "metric")


def register(klass: Class, name: str | None = None) -> Class:
    """Make a metric known to `create` under its class name; can be used as a decorator.

    Parameters
    ----------
    klass : subclass of EvalMetric
        The metric.
    name : str, optional
        Another name; case does not matter.

    Warns
    -----
    UserWarning
        The name stood for another class before.

    Examples
    --------
    >>> import gluonish as mx
    >>> @mx.metric.register
    ... class Count(mx.metric.EvalMetric):
    ...     def __init__(self):
    ...         super().__init__("count")
    ...     def update(self, labels, preds):
    ...         self.sum_metric += 1
    ...         self.num_inst += 1
    >>> mx.metric.create("count").name
    'count'
    """
    _register(klass, name)
    return klass


def alias(*aliases: str) -> Callable[[Class], Class]:
    """Return a decorator that makes a metric known under further names.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.metric.alias("correct")(mx.metric.Accuracy).__name__
    'Accuracy'
    >>> mx.metric.create("correct").name
    'accuracy'
    """

    def decorate(klass: Class) -> Class:
        for name in aliases:
            register(klass, name)
        return klass

    return decorate


def find(name: object) -> type[EvalMetric]:
    """Return the metric of a name."""
    if not isinstance(name, str):
        msg = (
            f"metric.create: metric must be of string type, got {name!r}. Expected a name, a "
            f"function of labels and predictions, a metric, or a list of these. Write "
            f"create('acc')."
        )
        raise RefusedArgumentError(msg)
    known = get_registry(EvalMetric)
    if name.lower() not in known:
        how = did_you_mean_value("metric", name, known)
        how = how or (
            f" Write mx.metric.np(lambda labels, preds: ..., {name!r}), with what computes it from "
            f"NumPy's arrays; or register a class of yours with mx.metric.register."
        )
        msg = (
            f"metric.create: {name} is not registered. Expected one of "
            f"{', '.join(sorted(known))}.{how}"
        )
        raise RefusedArgumentError(msg)
    return known[name.lower()]
