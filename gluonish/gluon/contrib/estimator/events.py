"""What can happen while an Estimator trains, each a base class of those who want to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gluonish.gluon.contrib.estimator.estimator import Estimator

__all__ = [
    "BatchBegin",
    "BatchEnd",
    "EpochBegin",
    "EpochEnd",
    "EventHandler",
    "TrainBegin",
    "TrainEnd",
]


class EventHandler:
    """Base of all handlers.

    Handlers of an event are called by their attribute `priority`, the smallest first, and those
    without one as if it were 0. The Estimator's own update weights at -2000, metrics at -1000 and
    write lines last.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import EpochEnd, EventHandler
    >>> issubclass(EpochEnd, EventHandler)
    True
    """


class TrainBegin(EventHandler):
    """Base of handlers that are called before the first epoch.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import TrainBegin
    >>> class Greeting(TrainBegin):
    ...     def train_begin(self, estimator, *args, **kwargs):
    ...         estimator.logger.info("Hello.")
    """

    def train_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> Any:
        """Do something before the first epoch; nothing by default."""


class TrainEnd(EventHandler):
    """Base of handlers that are called after the last epoch.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import TrainEnd
    >>> class Farewell(TrainEnd):
    ...     def train_end(self, estimator, *args, **kwargs):
    ...         estimator.logger.info("Good bye.")
    """

    def train_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> Any:
        """Do something after the last epoch; nothing by default."""


class EpochBegin(EventHandler):
    """Base of handlers that are called before each epoch.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import EpochBegin
    >>> class Slower(EpochBegin):
    ...     def epoch_begin(self, estimator, *args, **kwargs):
    ...         estimator.trainer.set_learning_rate(estimator.trainer.learning_rate * 0.9)
    """

    def epoch_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> Any:
        """Do something before an epoch; nothing by default."""


class EpochEnd(EventHandler):
    """Base of handlers that are called after each epoch; if one returns True, training ends.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import EpochEnd
    >>> class GoodEnough(EpochEnd):
    ...     def epoch_end(self, estimator, *args, **kwargs):
    ...         return estimator.train_metrics[0].get()[1] > 0.99
    """

    def epoch_end(
        self,
        estimator: Estimator,  # noqa: ARG002 - named for subclasses
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> Any:
        """Do something after an epoch, and return whether to stop; it goes on by default."""
        return False


class BatchBegin(EventHandler):
    """Base of handlers that are called before each batch, with `batch=`.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import BatchBegin
    >>> class Counter(BatchBegin):
    ...     batches = 0
    ...     def batch_begin(self, estimator, *args, **kwargs):
    ...         self.batches += 1
    """

    def batch_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> Any:
        """Do something before a batch; nothing by default."""


class BatchEnd(EventHandler):
    """Base of handlers that are called after each batch; if one returns True, the epoch ends.

    They are given `batch=`, and `pred=`, `label=` and `loss=`: lists with an array for each
    context.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import BatchEnd
    >>> class StopAtNothing(BatchEnd):
    ...     def batch_end(self, estimator, *args, **kwargs):
    ...         return all(loss.sum().asscalar() == 0 for loss in kwargs["loss"])
    """

    def batch_end(
        self,
        estimator: Estimator,  # noqa: ARG002 - named for subclasses
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> Any:
        """Do something after a batch, and return whether to stop; it goes on by default."""
        return False


def check_handlers(given: Any) -> list[EventHandler]:
    """Return handlers as a new list: nothing, one of them, or several were given.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator.events import EpochEnd, check_handlers
    >>> check_handlers(None), len(check_handlers(EpochEnd()))
    ([], 1)
    """
    if given is None:
        return []
    handlers = list(given) if isinstance(given, (list, tuple)) else [given]
    for handler in handlers:
        if not isinstance(handler, EventHandler):
            mend = (
                "Make an object of a class that derives from TrainBegin, TrainEnd, EpochBegin, "
                "EpochEnd, BatchBegin or BatchEnd."
            )
            if isinstance(handler, type):
                mend = f"Write {handler.__name__}(...): a handler is an object of its class."
            msg = (
                f"Estimator: {handler!r} was given among the event_handlers. Handlers must be an "
                f"EventHandler or a list of EventHandler. {mend}"
            )
            raise InvalidArgumentError(msg)
    return handlers


def in_order(handlers: Iterable[Any]) -> list[Any]:
    """Return handlers as they are called: by their `priority`, 0 if they have none.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator.events import EpochEnd, in_order
    >>> first, last = EpochEnd(), EpochEnd()
    >>> first.priority = -10
    >>> in_order([last, first]) == [first, last]
    True
    """
    return sorted(handlers, key=lambda handler: getattr(handler, "priority", 0))
