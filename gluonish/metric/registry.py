"""The registry of metrics: their names."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, TypeVar

from gluonish.errors import RefusedArgumentError, RefusedClassError
from gluonish.errors.suggestions import did_you_mean
from gluonish.metric.base import EvalMetric

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["alias", "find", "register"]

Class = TypeVar("Class", bound=type[EvalMetric])

_classes: dict[str, type[EvalMetric]] = {}


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
    given: object = klass
    if not (isinstance(given, type) and issubclass(given, EvalMetric)):
        msg = (
            f"metric.register: {klass!r} was given. Expected a subclass of EvalMetric. Derive "
            f"your class from mx.metric.EvalMetric."
        )
        raise RefusedClassError(msg)
    key = (name or klass.__name__).lower()
    known = _classes.get(key)
    if known is not None and known is not klass:
        warnings.warn(
            f"New metric {klass.__module__}.{klass.__name__} registered with name {key} is "
            f"overriding existing metric {known.__module__}.{known.__name__}",
            stacklevel=2,
        )
    _classes[key] = klass
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
    if name.lower() not in _classes:
        msg = (
            f"metric.create: {name} is not registered. Expected one of "
            f"{', '.join(sorted(_classes))}. Please register with metric.register "
            f"first.{did_you_mean(name, _classes)}"
        )
        raise RefusedArgumentError(msg)
    return _classes[name.lower()]
