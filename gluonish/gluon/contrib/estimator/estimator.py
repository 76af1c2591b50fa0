"""Estimator: a net, its loss, metrics and trainer, and the loop over epochs and batches."""

from __future__ import annotations

import contextlib
import logging
import sys
import warnings
from typing import TYPE_CHECKING, Any

from gluonish.block.parameter import State
from gluonish.context import Context, cpu, gpu, num_gpus
from gluonish.errors import InvalidArgumentError, RefusedArgumentError
from gluonish.errors.suggestions import with_hints
from gluonish.errors.tracebacks import users_level
from gluonish.gluon.contrib.estimator.batch_processor import BatchProcessor
from gluonish.gluon.contrib.estimator.events import (
    BatchBegin,
    BatchEnd,
    EpochBegin,
    EpochEnd,
    EventHandler,
    TrainBegin,
    TrainEnd,
    check_handlers,
    in_order,
)
from gluonish.gluon.contrib.estimator.learning_rates import LearningRates, search
from gluonish.gluon.contrib.estimator.lines import LoggingHandler
from gluonish.gluon.contrib.estimator.metrics import (
    check_known,
    check_metrics,
    training_metrics,
    validation_metrics,
)
from gluonish.gluon.contrib.estimator.progress import ProgressBarHandler
from gluonish.gluon.contrib.estimator.recorders import History, HistoryHandler
from gluonish.gluon.contrib.estimator.steps import (
    GradientUpdateHandler,
    MetricHandler,
    StoppingHandler,
    ValidationHandler,
)
from gluonish.gluon.data import DataLoader
from gluonish.gluon.loss import Loss
from gluonish.gluon.trainer import Trainer
from gluonish.init import Uniform

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gluonish.block import Block
    from gluonish.init import Initializer
    from gluonish.metric import EvalMetric

__all__ = ["Estimator"]


@with_hints
class Estimator:
    """Trains and validates a net; handlers are called for all that happens.

    Parameters
    ----------
    net : Block
        What to train.
    loss : gluon.loss.Loss
        What to make small.
    train_metrics, val_metrics : EvalMetric or list of EvalMetric, optional
        What to measure; by default the loss, and the accuracy for a SoftmaxCrossEntropyLoss.
    initializer : Initializer, optional
        For parameters that are not initialized yet.
    trainer : Trainer, optional
        By default one with SGD at a learning rate of 0.001, with a warning.
    context : Context or list of Context, optional
        Where to compute; by default where the parameters are, or gpu(0) if there is one.
    val_net : Block, optional
        What to validate; `net` by default. It may share parameters with it.
    val_loss : gluon.loss.Loss, optional
        Loss for validation; `loss` by default.
    batch_processor : BatchProcessor, optional
        What is done with a batch: an object with `fit_batch` and `evaluate_batch`.

    Attributes
    ----------
    max_epoch, max_batch : int, optional
        How much `fit` was asked for.
    batch_axis : int
        Which axis of a batch counts the samples.
    logger : logging.Logger
        Prints; each Estimator has one of its own.
    history : dict of str to list of float
        The metrics after each epoch of all calls of `fit`, by name: `viz.plot_history(history)`
        draws them, `pandas.DataFrame(history)` is a table. `history.clear()` begins anew.

    Raises
    ------
    InvalidArgumentError
        An argument is of another kind.
    RefusedArgumentError
        There is no such context.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator import Estimator
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(mx.init.Zero())
    >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.5})
    >>> estimator = Estimator(net, mx.gluon.loss.L2Loss(), trainer=trainer)
    >>> data = mx.gluon.data.ArrayDataset(mx.nd.ones((4, 2)), mx.nd.ones((4, 1)))
    >>> estimator.logger.setLevel("WARNING")  # no lines
    >>> estimator.fit(mx.gluon.data.DataLoader(data, batch_size=2), epochs=20)
    >>> estimator.train_metrics[0].get()[1] < 1e-3
    True
    """

    logger: logging.Logger

    def __init__(
        self,
        net: Block,
        loss: Loss,
        train_metrics: EvalMetric | Sequence[EvalMetric] | None = None,
        val_metrics: EvalMetric | Sequence[EvalMetric] | None = None,
        initializer: Initializer | str | None = None,
        trainer: Trainer | None = None,
        context: Context | Sequence[Context] | None = None,
        val_net: Block | None = None,
        val_loss: Loss | None = None,
        batch_processor: BatchProcessor | None = None,
    ) -> None:
        self.net = net
        self.loss = self._check_loss(loss)
        self._train_metrics = check_metrics(train_metrics)
        self._val_metrics = check_metrics(val_metrics)
        self._add_default_training_metrics()
        self._add_validation_metrics()
        self.val_loss = self.loss if val_loss is None else self._check_loss(val_loss)
        self.val_net = net if val_net is None else val_net
        self.logger = logging.Logger("Estimator", level=logging.INFO)
        self.logger.addHandler(logging.StreamHandler(sys.stdout))
        self.context = self._check_context(context)
        self._initialize(initializer)
        self.batch_processor = self._check_batch_processor(batch_processor)
        self.trainer = self._check_trainer(trainer)
        self.max_epoch: int | None = None
        self.max_batch: int | None = None
        self.batch_axis = 0
        self.history: dict[str, list[float]] = History()
        self.is_validated = False  # in this epoch
        self.resumed_epochs = 0  # before this call of `fit`, by another process perhaps
        self._has_bar = False

    @property
    def train_metrics(self) -> list[EvalMetric]:
        """The metrics of training."""
        return self._train_metrics

    @property
    def val_metrics(self) -> list[EvalMetric]:
        """The metrics of validation."""
        return self._val_metrics

    def evaluate(
        self,
        val_data: DataLoader,
        batch_axis: int = 0,
        event_handlers: EventHandler | Sequence[EventHandler] | None = None,
    ) -> None:
        """Compute `val_metrics` with a dataset.

        Parameters
        ----------
        val_data : DataLoader
            The data.
        batch_axis : int, default 0
            Which axis of a batch counts the samples.
        event_handlers : EventHandler or list of EventHandler, optional
            Called as in `fit`, for epochs and batches. Metrics are updated, and lines written,
            by default ones unless there are others of their kinds.

        Raises
        ------
        InvalidArgumentError
            The data are no DataLoader, or something else than handlers was given.

        Examples
        --------
        >>> import gluonish as mx
        >>> from gluonish.gluon.contrib.estimator import Estimator
        >>> net = mx.gluon.nn.Dense(1, in_units=2)
        >>> net.initialize(mx.init.Zero())
        >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd')
        >>> estimator = Estimator(net, mx.gluon.loss.L2Loss(), trainer=trainer)
        >>> data = mx.gluon.data.ArrayDataset(mx.nd.ones((4, 2)), mx.nd.ones((4, 1)))
        >>> estimator.logger.setLevel("WARNING")  # no lines
        >>> estimator.evaluate(mx.gluon.data.DataLoader(data, batch_size=2))
        >>> estimator.val_metrics[0].get()
        ('validation l2loss', 0.5)
        """
        _check_loader(val_data, "val_data")
        given = self._prepare_default_validation_handlers(event_handlers)
        handlers = _Handlers(self._categorize_handlers(given))
        self.batch_axis = batch_axis
        handlers.tell("epoch_begin", self)
        for batch in val_data:
            handlers.tell("batch_begin", self, batch=batch)
            _, label, pred, loss = self.batch_processor.evaluate_batch(self, batch, batch_axis)
            handlers.tell("batch_end", self, batch=batch, pred=pred, label=label, loss=loss)
        handlers.tell("epoch_end", self)
        self.is_validated = True

    def fit(
        self,
        train_data: DataLoader,
        val_data: DataLoader | None = None,
        epochs: int | None = None,
        event_handlers: EventHandler | Sequence[EventHandler] | None = None,
        batches: int | None = None,
        batch_axis: int = 0,
        *,
        progress_bar: bool = False,
        accumulate: int = 1,
        clip_norm: float | None = None,
    ) -> None:
        """Train for a number of epochs or of batches.

        Parameters
        ----------
        train_data : DataLoader
            What to train with.
        val_data : DataLoader, optional
            What to validate with after each epoch.
        epochs, batches : int
            How many; one of them.
        event_handlers : EventHandler or list of EventHandler, optional
            What else to do. Those that update weights and metrics, validate, and write lines are
            added, unless there are others of their kinds.
        batch_axis : int, default 0
            Which axis of a batch counts the samples.
        progress_bar : bool, default False
            Whether there is a bar for each epoch, in place of the default handler's lines.
        accumulate : int, default 1
            How many batches make one update, by the gradients of all of them.
        clip_norm : float, optional
            The largest norm of all gradients together, before they are divided by the number of
            samples; see `GradientUpdateHandler`.

        Raises
        ------
        InvalidArgumentError
            Not exactly one of epochs and batches was given, it is not a whole number of at least
            1, the data are no DataLoader or empty, something else than handlers was given, or
            `accumulate` or `clip_norm` beside a GradientUpdateHandler.

        Examples
        --------
        >>> import gluonish as mx
        >>> from gluonish.gluon.contrib.estimator import Estimator
        >>> net = mx.gluon.nn.Dense(1, in_units=2)
        >>> net.initialize(mx.init.Zero())
        >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.5})
        >>> estimator = Estimator(net, mx.gluon.loss.L2Loss(), trainer=trainer)
        >>> data = mx.gluon.data.ArrayDataset(mx.nd.ones((4, 2)), mx.nd.ones((4, 1)))
        >>> loader = mx.gluon.data.DataLoader(data, batch_size=2)
        >>> estimator.fit(loader, batches=1)  # doctest: +ELLIPSIS, +NORMALIZE_WHITESPACE
        Training begin: using optimizer SGD with current learning rate 0.5000
        Train for 1 batches.
        [Epoch 0] Begin, current learning rate: 0.5000
        [Epoch 0] Finished in ...s, training l2loss: 0.5000
        Train finished using total 0s with 1 epochs. training l2loss: 0.5000
        """
        _check_loader(train_data, "train_data")
        if val_data is not None:
            _check_loader(val_data, "val_data")
        self.max_epoch, self.max_batch = _check_length(epochs, batches)
        self.batch_axis = batch_axis
        given = check_handlers(event_handlers)
        _add_updates(given, accumulate, clip_norm)
        self._has_bar = progress_bar
        bars = [ProgressBarHandler(_length(train_data, batches))] if progress_bar else []
        given = _with_history(self._prepare_default_handlers(val_data, [*given, *bars]))
        handlers = _Handlers(self._categorize_handlers(given))
        self.resumed_epochs = len(next(iter(self.history.values()), ()))
        with contextlib.ExitStack() as stack:
            stack.callback(setattr, self, "_has_bar", False)
            for each in bars:
                stack.callback(each.close)
            for handler in given:
                if isinstance(handler, GradientUpdateHandler):
                    stack.enter_context(handler.summing(self.trainer, self.net))
            handlers.tell("train_begin", self)
            while True:
                handlers.tell("epoch_begin", self)
                self._fit_epoch(train_data, handlers, batch_axis)
                if handlers.tell("epoch_end", self):
                    break
        handlers.tell("train_end", self)

    def find_learning_rate(
        self,
        train_data: DataLoader,
        smallest: float = 1e-6,
        largest: float = 1.0,
        batches: int = 100,
        batch_axis: int = 0,
    ) -> LearningRates:
        """Try rising learning rates, and say at which one the loss falls fastest.

        A rate is tried with each batch, until the loss has grown fourfold. Then everything is as
        before: weights, the optimizer's states and schedule, random numbers. Parameters whose
        shapes are not known yet get them, and their values, by the first batch.

        Parameters
        ----------
        train_data : DataLoader
            What to train with; it begins anew where it ends.
        smallest, largest : float, default 1e-6 and 1.0
            The rates to begin and to end with; those between are even in logarithm.
        batches : int, default 100
            How many rates there are, at least 10.
        batch_axis : int, default 0
            Which axis of a batch counts the samples.

        Returns
        -------
        LearningRates
            `rates`, `losses` and the `suggestion`; `viz.plot_learning_rates` draws it.

        Raises
        ------
        InvalidArgumentError
            The rates do not rise, there are too few, the data are no DataLoader or empty, or the
            loss is not finite at the smallest rate.

        Examples
        --------
        >>> import gluonish as mx
        >>> from gluonish.gluon.contrib.estimator import Estimator
        >>> net = mx.gluon.nn.Dense(1, in_units=2)
        >>> net.initialize(mx.init.Zero())
        >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd')
        >>> estimator = Estimator(net, mx.gluon.loss.L2Loss(), trainer=trainer)
        >>> data = mx.gluon.data.ArrayDataset(mx.nd.ones((4, 2)), mx.nd.ones((4, 1)))
        >>> found = estimator.find_learning_rate(mx.gluon.data.DataLoader(data, batch_size=2))
        >>> 0.001 < found.suggestion < 1
        True
        >>> trainer.set_learning_rate(found.suggestion)
        """
        _check_loader(train_data, "train_data")
        return search(self, train_data, smallest, largest, batches, batch_axis)

    def _fit_epoch(self, train_data: Iterable[Any], handlers: _Handlers, batch_axis: int) -> None:
        batch = None
        for batch in train_data:
            handlers.tell("batch_begin", self, batch=batch)
            _, label, pred, loss = self.batch_processor.fit_batch(self, batch, batch_axis)
            values = {"batch": batch, "pred": pred, "label": label, "loss": loss}
            if handlers.tell("batch_end", self, **values):
                return
        if batch is None:
            msg = (
                "Estimator.fit: train_data gave no batch. Expected at least one in each epoch. "
                "Give the DataLoader a dataset that is not empty, or last_batch='keep'."
            )
            raise InvalidArgumentError(msg)

    def _prepare_default_handlers(
        self, val_data: DataLoader | None, event_handlers: Any
    ) -> list[Any]:
        """Return handlers in order, with the default ones of training."""
        handlers = check_handlers(event_handlers)
        handlers.append(StoppingHandler())
        if not _has(handlers, GradientUpdateHandler):
            handlers.append(GradientUpdateHandler())
        self._complete(handlers, self.train_metrics)
        if val_data is not None and not _has(handlers, ValidationHandler):
            handlers.append(ValidationHandler(val_data, self.evaluate))
        return in_order(handlers)

    def _prepare_default_validation_handlers(self, event_handlers: Any) -> list[Any]:
        """Return handlers in order, with the default ones of validation."""
        return in_order(self._complete(check_handlers(event_handlers), self.val_metrics))

    def _complete(self, handlers: list[Any], metrics: list[EvalMetric]) -> list[Any]:
        """Add the default handlers for metrics and lines."""
        known = [*self.train_metrics, *self.val_metrics]
        for handler in handlers:
            if isinstance(handler, (MetricHandler, LoggingHandler)):
                check_known(handler, handler.metrics, known)
        if not _has(handlers, MetricHandler):
            handlers.append(MetricHandler(metrics))
        if not _has(handlers, LoggingHandler) and not self._has_bar:
            handlers.append(LoggingHandler(metrics=metrics))
        return handlers

    def _categorize_handlers(self, event_handlers: Sequence[EventHandler]) -> tuple[list[Any], ...]:
        """Return the handlers of each event: of trainings, epochs and batches."""
        return tuple(
            [handler for handler in event_handlers if isinstance(handler, event)]
            for event in _EVENTS.values()
        )

    def _check_loss(self, loss: Any) -> Loss:
        return _check_loss(loss)

    def _check_context(self, context: Any) -> list[Context]:
        return _check_context(self.net, context)

    def _check_batch_processor(self, batch_processor: Any) -> BatchProcessor:
        return _check_processor(batch_processor)

    def _add_default_training_metrics(self) -> None:
        """Let the metrics of training, if there are none, be what suits the loss; name them."""
        self._train_metrics = training_metrics(self._train_metrics, self.loss)

    def _add_validation_metrics(self) -> None:
        """Let the metrics of validation, if there are none, be those of training; name them."""
        self._val_metrics = validation_metrics(self._val_metrics, self._train_metrics)

    def _initialize(self, initializer: Initializer | str | None) -> None:
        if not self._is_initialized():
            self.net.initialize(Uniform() if initializer is None else initializer, self.context)
        elif initializer is not None:
            msg = (
                "Estimator: Network already fully initialized, skipping initialization. You don't "
                "need to pass initializer if you already initialized your net. You can use "
                "net.initialize(init=your_initializer, force_reinit=True) to force re-initialize."
            )
            warnings.warn(msg, UserWarning, stacklevel=users_level())

    def _is_initialized(self) -> bool:
        params = self.net.collect_params().values()
        return all(param.state is not State.UNINITIALIZED for param in params)

    def _check_trainer(self, trainer: Any) -> Trainer:
        if trainer is None:
            msg = (
                "Estimator: No trainer specified, default SGD optimizer with learning rate 0.001 "
                "is used. Give a gluon.Trainer as trainer to choose another one."
            )
            warnings.warn(msg, UserWarning, stacklevel=users_level())
            return Trainer(self.net.collect_params(), "sgd", {"learning_rate": 0.001})
        if isinstance(trainer, Trainer):
            return trainer
        msg = (
            f"Estimator: trainer={trainer!r} was given. Trainer must be a Gluon Trainer instance. "
            f"Write gluon.Trainer(net.collect_params(), 'sgd')."
        )
        raise InvalidArgumentError(msg)


_EVENTS: dict[str, type[EventHandler]] = {
    "train_begin": TrainBegin,
    "epoch_begin": EpochBegin,
    "batch_begin": BatchBegin,
    "batch_end": BatchEnd,
    "epoch_end": EpochEnd,
    "train_end": TrainEnd,
}


class _Handlers:
    """The handlers of each event, in the order in which they are called."""

    def __init__(self, handlers: Sequence[list[Any]]) -> None:
        self._handlers = dict(zip(_EVENTS, handlers, strict=True))

    def tell(self, method: str, *args: Any, **kwargs: Any) -> bool:
        """Call all handlers of an event, and return whether one of them returned true."""
        answers = [getattr(each, method)(*args, **kwargs) for each in self._handlers[method]]
        return any(answers)  # all are called, also behind one that ends the training


def _with_history(handlers: list[Any]) -> list[Any]:
    """Return handlers with the default one that keeps the metrics of each epoch."""
    return handlers if _has(handlers, HistoryHandler) else in_order([*handlers, HistoryHandler()])


def _add_updates(handlers: list[EventHandler], accumulate: int, clip_norm: float | None) -> None:
    """Add the default handler for updates, unless there is another one."""
    if not _has(handlers, GradientUpdateHandler):
        handlers.append(GradientUpdateHandler(accumulate=accumulate, clip_norm=clip_norm))
    elif accumulate != 1 or clip_norm is not None:
        msg = (
            f"Estimator.fit: accumulate={accumulate!r} and clip_norm={clip_norm!r} were given "
            f"beside a GradientUpdateHandler, which updates in its own way. Expected one of both. "
            f"Give them to the handler: GradientUpdateHandler(accumulate=..., clip_norm=...)."
        )
        raise InvalidArgumentError(msg)


def _length(data: DataLoader, batches: int | None) -> int | None:
    """Return how many batches an epoch has, if that is known."""
    try:
        return len(data) if batches is None else min(len(data), batches)
    except TypeError:
        return batches


def _has(handlers: list[EventHandler], kind: type[EventHandler]) -> bool:
    return any(isinstance(handler, kind) for handler in handlers)


def _how_to_make_a_loss(loss: Any) -> str:
    if isinstance(loss, type) and issubclass(loss, Loss):
        return f"Write {loss.__name__}(...): a loss is an object of its class."
    is_of_classes = isinstance(loss, str) and "entropy" in loss.lower().replace("_", "")
    name = "SoftmaxCrossEntropyLoss" if is_of_classes else "L2Loss"
    return f"Derive a class from it, or write for example gluon.loss.{name}()."


def _check_loss(loss: Any) -> Loss:
    if isinstance(loss, Loss):
        return loss
    msg = (
        f"Estimator: loss={loss!r} was given. loss must be a Loss, refer to gluon.loss.Loss. "
        f"{_how_to_make_a_loss(loss)}"
    )
    raise InvalidArgumentError(msg)


def _check_context(net: Block, given: Any) -> list[Context]:
    if given is None:
        contexts = [
            context
            for param in net.collect_params().values()
            if param.state is not State.UNINITIALIZED
            for context in param.list_ctx()
        ]
        return list(dict.fromkeys(contexts)) or [gpu(0) if num_gpus() else cpu()]
    found = list(given) if isinstance(given, (list, tuple)) else [given]
    if not all(isinstance(context, Context) for context in found) or not found:
        msg = (
            f"Estimator: context={given!r} was given. context must be a Context or a list of "
            f"Context. Write for example mx.cpu() or [mx.gpu(0), mx.gpu(1)]."
        )
        raise InvalidArgumentError(msg)
    for context in found:
        if context.device_type == "gpu" and context.device_id >= num_gpus():
            msg = (
                f"Estimator: {context} is not available, there are {num_gpus()} GPUs. Expected "
                f"contexts of this machine. Please use mx.cpu(), or see mx.num_gpus()."
            )
            raise RefusedArgumentError(msg)
    return found


def _check_processor(given: Any) -> BatchProcessor:
    if given is None:
        return BatchProcessor()
    if all(callable(getattr(given, name, None)) for name in ("fit_batch", "evaluate_batch")):
        processor: BatchProcessor = given
        return processor
    msg = (
        f"Estimator: batch_processor={given!r} was given. Customized Batch Processor must contain "
        f"fit_batch() and evaluate_batch() methods. Derive a class from BatchProcessor."
    )
    raise InvalidArgumentError(msg)


def _check_loader(given: Any, name: str) -> None:
    if not isinstance(given, DataLoader):
        msg = (
            f"Estimator: {name} of type {type(given).__name__} was given. Estimator only support "
            f"input as Gluon DataLoader. Alternatively, you can transform your DataIter or any "
            f"NDArray into Gluon DataLoader: "
            f"gluon.data.DataLoader(gluon.data.ArrayDataset(data, label), batch_size). "
            f"What fit(train_data, val_data) takes second is the data that it evaluates."
        )
        raise InvalidArgumentError(msg)


def _check_length(epochs: int | None, batches: int | None) -> tuple[int | None, int | None]:
    if (not epochs) == (not batches):
        msg = (
            f"Estimator.fit: epochs={epochs!r} and batches={batches!r} were given. Fit only "
            f"support exactly one type of iteration, train by number of epochs or number of "
            f"batches. Please specify one and only one of: epochs or batches, as in "
            f"est.fit(data, epochs=5)."
        )
        raise InvalidArgumentError(msg)
    length = epochs or batches or 0
    if length < 0 or length != int(length):
        msg = (
            f"Estimator.fit: {'epochs' if epochs else 'batches'}={length!r} was given. Expected a "
            f"whole number of at least 1. Please specify how long to train."
        )
        raise InvalidArgumentError(msg)
    return epochs or None, batches or None
