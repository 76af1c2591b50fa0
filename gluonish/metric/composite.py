"""Metrics made of names, of other metrics, and of functions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish.errors import InvalidArgumentError, MissingMethodError, RefusedArgumentError
from gluonish.errors.callables import check_arity
from gluonish.metric.base import Arrays, EvalMetric, as_list, as_tensor, check_label_shapes
from gluonish.metric.registry import alias, find, register
from gluonish.metric.typed import Metric

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

Recipe: TypeAlias = "Any"  # name, function, metric, dictionary, or a list of these

__all__ = ["CompositeEvalMetric", "CustomMetric", "create", "np"]


@register
@alias("composite")
class CompositeEvalMetric(EvalMetric):
    """Several metrics that are updated together.

    Parameters
    ----------
    metrics : list of EvalMetric or str, optional
        The metrics, or their names.
    name, output_names, label_names
        As for `EvalMetric`.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.CompositeEvalMetric(["acc", "mse"])
    >>> metric.update([mx.nd.array([1, 0])], [mx.nd.array([1, 1])])
    >>> metric.get()
    (['accuracy', 'mse'], [0.5, 0.5])
    """

    def __init__(
        self,
        metrics: Sequence[EvalMetric | str] | None = None,
        name: str = "composite",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        self.metrics: list[EvalMetric] = []
        super().__init__(name, output_names, label_names, has_global_stats=True)
        self.metrics += [create(metric) for metric in metrics or ()]

    def add(self, metric: EvalMetric | str) -> None:
        """Add a metric.

        Examples
        --------
        >>> import gluonish as mx
        >>> metric = mx.metric.CompositeEvalMetric()
        >>> metric.add("acc")
        >>> metric.get()
        (['accuracy'], [nan])
        """
        self.metrics.append(create(metric))

    def get_metric(self, index: int) -> EvalMetric:
        """Return one of the metrics.

        Raises
        ------
        InvalidArgumentError
            There are not so many.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.metric.CompositeEvalMetric(["acc"]).get_metric(0).name
        'accuracy'
        """
        try:
            return self.metrics[index]
        except IndexError:
            msg = (
                f"CompositeEvalMetric: Metric index {index} is out of range 0 and "
                f"{len(self.metrics)}. Expected the position of a metric. Look at its .metrics."
            )
            raise InvalidArgumentError(msg) from None

    @override
    def update(self, labels: Arrays, preds: Arrays) -> None:
        for metric in self.metrics:
            metric.update(labels, preds)

    @override
    def update_dict(self, labels: Mapping[str, Any], preds: Mapping[str, Any]) -> None:
        if self.label_names is not None:
            labels = {name: labels[name] for name in self.label_names if name in labels}
        if self.output_names is not None:
            preds = {name: preds[name] for name in self.output_names if name in preds}
        for metric in self.metrics:
            metric.update_dict(labels, preds)

    @override
    def reset(self) -> None:
        super().reset()
        for metric in self.metrics:
            metric.reset()

    @override
    def reset_local(self) -> None:
        super().reset_local()
        for metric in self.metrics:
            metric.reset_local()

    @override
    def get(self) -> tuple[list[str], list[Any]]:
        return _joined([metric.get() for metric in self.metrics])

    @override
    def get_global(self) -> tuple[list[str], list[Any]]:
        return _joined([metric.get_global() for metric in self.metrics])

    @override
    def get_config(self) -> dict[str, Any]:
        config = super().get_config()
        return {**config, "metrics": [metric.get_config() for metric in self.metrics]}


@register
class CustomMetric(Metric):
    """A metric made of a function on NumPy arrays.

    Parameters
    ----------
    feval : callable
        Receives a label and a prediction as NumPy arrays, and returns a value, or a pair of sum
        and count.
    name : str, optional
        By default the function's name.
    allow_extra_outputs : bool, default False
        Whether there may be more predictions than labels; the others are not used.
    output_names, label_names
        As for `EvalMetric`.

    Raises
    ------
    InvalidArgumentError
        At an update: the numbers of labels and predictions differ.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.CustomMetric(lambda label, pred: abs(label - pred).max(), "worst")
    >>> metric.update([mx.nd.array([1, 2])], [mx.nd.array([1, 4])])
    >>> metric.get()
    ('worst', 2.0)
    """

    def __init__(
        self,
        feval: Callable[[Any, Any], Any],
        name: str | None = None,
        allow_extra_outputs: bool = False,
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        if name is None:
            name = getattr(feval, "__name__", type(feval).__name__)
            name = f"custom({name})" if "<" in name else name
        super().__init__(name, output_names, label_names, has_global_stats=True)
        self._feval = feval
        self._allow_extra_outputs = allow_extra_outputs

    @override
    def update(self, labels: Arrays, preds: Arrays) -> None:
        if not self._allow_extra_outputs:  # else an array counts as a list of its rows, as in MXNet
            labels, preds = as_list(labels), as_list(preds)
            check_label_shapes(labels, preds)
        for label, pred in zip(labels, preds, strict=False):
            try:
                result = self._feval(_numpy(label), _numpy(pred))
            except TypeError as error:
                called = getattr(self._feval, "__name__", "feval")
                wanted = "lambda label, pred: ..."
                if called.isidentifier():
                    wanted = f"def {called}(label, pred):"
                expected = f"a function of labels and predictions. Write {wanted}."
                check_arity("CustomMetric.update", self._feval, error, expected)
                raise
            total, count = result if isinstance(result, tuple) else (result, 1)
            try:
                self._add(float(total), count)
            except (TypeError, ValueError) as error:
                called = getattr(self._feval, "__name__", "feval")
                found = repr(result)[:80]
                msg = (
                    f"CustomMetric {self.name!r}: {called}(label, pred) returned {found}. Expected "
                    f"a number, or the pair of a sum and a count. End {called} with "
                    f"return value, where value is that number."
                )
                raise InvalidArgumentError(msg) from error

    @override
    def get_config(self) -> dict[str, Any]:
        msg = (
            f"CustomMetric {self.name!r} cannot be serialized: it holds a function. Expected a "
            f"metric that has a name. Derive a class from EvalMetric and register it."
        )
        raise MissingMethodError(msg)


def np(
    numpy_feval: Callable[[Any, Any], Any],
    name: str | None = None,
    allow_extra_outputs: bool = False,
) -> CustomMetric:
    """Return a metric made of a function on NumPy arrays.

    Parameters
    ----------
    numpy_feval : callable
        Receives a label and a prediction, and returns a value, or a pair of sum and count.
    name : str, optional
        By default the function's name.
    allow_extra_outputs : bool, default False
        Whether there may be more predictions than labels; the others are not used.

    Examples
    --------
    >>> import gluonish as mx
    >>> def wrong(label, pred):
    ...     return (label != pred).sum(), label.size
    >>> metric = mx.metric.np(wrong)
    >>> metric.update([mx.nd.array([1, 2])], [mx.nd.array([1, 4])])
    >>> metric.get()
    ('wrong', 0.5)
    """
    return CustomMetric(numpy_feval, name, allow_extra_outputs)


def create(metric: Recipe, *args: Any, **kwargs: Any) -> EvalMetric:
    """Return a metric made from its name, from a function, or from a list of these.

    Parameters
    ----------
    metric : str, callable, list, dict or EvalMetric
        A name such as 'acc', 'mse' or 'f1' (or MXNet's JSON form of name and arguments), a
        function of labels and predictions, a list for a `CompositeEvalMetric`, or a metric, which
        is returned as it is.
    *args, **kwargs
        Handed to the metric's constructor.

    Raises
    ------
    RefusedArgumentError
        No metric has that name, or `metric` is nothing of the above, such as a class.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.metric.create("acc").name
    'accuracy'
    >>> mx.metric.create(["acc", "mse"]).get()
    (['accuracy', 'mse'], [nan, nan])
    """
    if isinstance(metric, EvalMetric):
        return metric
    if isinstance(metric, list):
        return CompositeEvalMetric([create(part, *args, **kwargs) for part in metric])
    if isinstance(metric, type) and issubclass(metric, EvalMetric):
        msg = (
            f"metric.create: the class {metric.__name__} was given. Expected a metric, its name, "
            f"or a function of labels and predictions. Write mx.metric.{metric.__name__}()."
        )
        raise RefusedArgumentError(msg)
    if callable(metric):
        return CustomMetric(metric, *args, **kwargs)
    name, options = _parsed(metric)
    options.update(kwargs)
    return find(name)(*args, **options)


def _parsed(metric: Recipe) -> tuple[Any, dict[str, Any]]:
    """Return name and arguments; MXNet's JSON forms are `["name", {...}]` and `{...}`."""
    if isinstance(metric, str) and metric.startswith(("[", "{")):
        metric = json.loads(metric)
        if isinstance(metric, list):
            name, options = metric
            return name, options
    if isinstance(metric, dict):
        options = dict(metric)
        return options.pop("metric", None), options
    return metric, {}


def _joined(parts: Sequence[tuple[Any, Any]]) -> tuple[list[str], list[Any]]:
    names: list[str] = []
    values: list[Any] = []
    for name, value in parts:
        names.extend(name if isinstance(name, list) else [name])
        values.extend(value if isinstance(value, list) else [value])
    return names, values


def _numpy(values: Arrays) -> onp.ndarray[Any, Any]:
    return onp.array(as_tensor(values).cpu().numpy())
