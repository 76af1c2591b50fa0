"""EvalMetric: what all metrics share, the sums and counts that their values come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
from torch import Tensor
from typing_extensions import override

from gluonish.array import NDArray
from gluonish.array.dtypes import tensor_of
from gluonish.array.tensors import as_default, plain
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    MissingMethodError,
    MissingNameError,
)
from gluonish.errors.program_arguments import arguments, exchanged
from gluonish.errors.program_text import names_of_objects
from gluonish.errors.suggestions import with_hints
from gluonish.profiler.stages import measured

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

Arrays: TypeAlias = "Any"  # one array or a list of them: NDArray, numpy.ndarray, Tensor, numbers

__all__ = ["EvalMetric", "check_label_shapes"]

_MANY = 256  # sums that wait on a device before they are fetched


@with_hints
class EvalMetric:
    """Base of all metrics: a subclass defines `update`.

    Parameters
    ----------
    name : str
        Name that is shown.
    output_names : list of str, optional
        Which outputs of a model `update_dict` uses; all by default.
    label_names : list of str, optional
        Which labels `update_dict` uses; all by default.
    **kwargs
        Kept for `get_config`; `has_global_stats=True` says that `update` keeps the global sums
        too.

    Attributes
    ----------
    sum_metric, num_inst : float, int
        Sum and count since `reset` or `reset_local`; the metric's value is their ratio.
    global_sum_metric, global_num_inst : float, int
        Sum and count since `reset`.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Largest(mx.metric.EvalMetric):
    ...     def __init__(self):
    ...         super().__init__("largest")
    ...     def update(self, labels, preds):
    ...         self.sum_metric = max(self.sum_metric, float(preds[0].max().asscalar()))
    ...         self.num_inst = 1
    >>> metric = Largest()
    >>> metric.update(None, [mx.nd.array([1, 3, 2])])
    >>> metric.get()
    ('largest', 3.0)
    """

    _waiting: Sequence[Tensor] = ()  # also where a subclass's constructor leaves out this one

    def __init__(
        self,
        name: str,
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> None:
        self.name = str(name)
        self.output_names = output_names
        self.label_names = label_names
        self._has_global_stats = bool(kwargs.pop("has_global_stats", False))
        self._kwargs = kwargs
        self.reset()

    @property
    def sum_metric(self) -> float:
        """Sum since `reset` or `reset_local`."""
        self._fetch()
        return self._sum

    @sum_metric.setter
    def sum_metric(self, value: float) -> None:
        self._fetch()
        self._sum = value

    @property
    def global_sum_metric(self) -> float:
        """Sum since `reset`."""
        self._fetch()
        return self._global_sum

    @global_sum_metric.setter
    def global_sum_metric(self, value: float) -> None:
        self._fetch()
        self._global_sum = value

    def update(self, labels: Arrays, preds: Arrays) -> None:  # noqa: ARG002 - for subclasses
        """Take in one batch.

        Parameters
        ----------
        labels : list of NDArray
            What is true.
        preds : list of NDArray
            What a model says.

        Raises
        ------
        MissingMethodError
            A subclass did not define it.

        Examples
        --------
        >>> import gluonish as mx
        >>> metric = mx.metric.Accuracy()
        >>> metric.update([mx.nd.array([1, 0])], [mx.nd.array([[0.2, 0.8], [0.4, 0.6]])])
        >>> metric.get()
        ('accuracy', 0.5)
        """
        msg = (
            f"{type(self).__name__}: it has no update. Expected a subclass of EvalMetric to "
            f"define it. Write `def update(self, labels, preds):` in the class"
            f"{', in the place of update_state' * hasattr(self, 'update_state')}."
        )
        raise MissingMethodError(msg)

    def update_dict(self, label: Mapping[str, Any], pred: Mapping[str, Any]) -> None:
        """Take in one batch, given by the names of labels and outputs.

        Raises
        ------
        MissingNameError
            `label_names` or `output_names` has a name that is not among them.

        Examples
        --------
        >>> import gluonish as mx
        >>> metric = mx.metric.Loss()
        >>> metric.update_dict({}, {"loss": mx.nd.array([1, 2])})
        >>> metric.get()
        ('loss', 1.5)
        """
        self.update(
            _chosen(self, "label", self.label_names, label),
            _chosen(self, "output", self.output_names, pred),
        )

    def reset(self) -> None:
        """Forget everything.

        Examples
        --------
        >>> import gluonish as mx
        >>> metric = mx.metric.Loss()
        >>> metric.update(None, [mx.nd.array([1, 2])])
        >>> metric.reset()
        >>> metric.get_global()
        ('loss', nan)
        """
        self._waiting = ()
        self.num_inst: float = 0
        self.global_num_inst: float = 0
        self._sum = 0.0
        self._global_sum = 0.0

    def reset_local(self) -> None:
        """Forget everything but the global sums.

        Examples
        --------
        >>> import gluonish as mx
        >>> metric = mx.metric.Loss()
        >>> metric.update(None, [mx.nd.array([1, 2])])
        >>> metric.reset_local()
        >>> metric.get(), metric.get_global()
        (('loss', nan), ('loss', 1.5))
        """
        self._fetch()
        self.num_inst = 0
        self._sum = 0.0

    def get(self) -> tuple[Any, Any]:
        """Return name and value since the last reset of any kind; NaN if there was no batch.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.metric.Accuracy().get()
        ('accuracy', nan)
        """
        return self.name, _ratio(self.sum_metric, self.num_inst)

    def get_global(self) -> tuple[Any, Any]:
        """Return name and value since the last `reset`.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.metric.Accuracy().get_global()
        ('accuracy', nan)
        """
        if not self._has_global_stats:
            return self.get()
        return self.name, _ratio(self.global_sum_metric, self.global_num_inst)

    def get_name_value(self) -> list[tuple[str, Any]]:
        """Return pairs of name and value.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.metric.Accuracy().get_name_value()
        [('accuracy', nan)]
        """
        return _pairs(self.get())

    def get_global_name_value(self) -> list[tuple[str, Any]]:
        """Return pairs of name and value since the last `reset`.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.metric.Accuracy().get_global_name_value()
        [('accuracy', nan)]
        """
        if not self._has_global_stats:
            return self.get_name_value()
        return _pairs(self.get_global())

    def get_config(self) -> dict[str, Any]:
        """Return what makes the same metric: `mx.metric.create(metric.get_config())`.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.metric.Loss().get_config()
        {'metric': 'Loss', 'name': 'loss', 'output_names': None, 'label_names': None}
        """
        return {
            **self._kwargs,
            "metric": type(self).__name__,
            "name": self.name,
            "output_names": self.output_names,
            "label_names": self.label_names,
        }

    @override
    def __str__(self) -> str:
        return f"EvalMetric: {dict(self.get_name_value())}"

    def _add(self, total: Tensor | float, count: float) -> None:
        """Add to the local and the global sums; a tensor on a GPU is fetched when it is needed."""
        self.num_inst += count
        self.global_num_inst += count
        if isinstance(total, Tensor) and total.device.type != "cpu":
            self._waiting = [*self._waiting, total]
            if len(self._waiting) >= _MANY:
                self._fetch()
            return
        value = float(total)
        self._sum += value
        self._global_sum += value

    def _fetch(self) -> None:
        waiting, self._waiting = self._waiting, ()
        for total in waiting:
            value = total.item()
            self._sum += value
            self._global_sum += value


def check_label_shapes(
    labels: Arrays, preds: Arrays, wrap: bool = False, shape: bool = False
) -> tuple[Arrays, Arrays]:
    """Check that there are as many labels as predictions, and return both.

    Parameters
    ----------
    labels, preds : NDArray or list of NDArray
        To compare: their lengths, or their shapes.
    wrap : bool, default False
        Whether to put a single array into a list.
    shape : bool, default False
        Whether to compare shapes.

    Raises
    ------
    InvalidArgumentError
        They differ.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.metric.check_label_shapes([1, 2], [3])
    Traceback (most recent call last):
    ...
    gluonish.errors.InvalidArgumentError: Shape of labels 2 does not match ...
    """
    one = tuple(labels.shape) if shape else _count(labels, "labels")
    other = tuple(preds.shape) if shape else _count(preds, "predictions")
    if one != other:
        how = "Give as many arrays of both"
        if hasattr(labels, "ndim"):
            how = "Give as many of both: the last batch of a loader may be a smaller one"
        is_multiple = (
            isinstance(one, int) and isinstance(other, int) and 0 < other < one and one % other == 0
        )
        is_other_way = getattr(labels, "ndim", 1) > getattr(preds, "ndim", 1)
        if shape or is_multiple or is_other_way:
            order = "update(labels, preds)"
            order = exchanged(order) if is_other_way or (is_multiple and other != 1) else order
            how = f"Check the order of the arguments: {order}"
        if isinstance(other, int) and (same := _of_these(other)):
            how = same
        if one == 0:
            how = (
                "There are no labels: give them to the iterator, as in mx.io.NDArrayIter(data, "
                "labels, batch_size=32), and a Module that is bound by hand their shapes, "
                "label_shapes=it.provide_label"
            )
        msg = (
            f"Shape of labels {one} does not match shape of predictions {other}. Expected one "
            f"label for each prediction. {how}."
        )
        raise InvalidArgumentError(msg)
    if wrap:
        labels = [labels] if isinstance(labels, NDArray) else labels
        preds = [preds] if isinstance(preds, NDArray) else preds
    return labels, preds


def _of_these(count: int) -> str:
    """Return which labels belong to predictions that get those of other samples, or ''."""
    given = arguments(2)
    arrays = dict(names_of_objects(lambda value: hasattr(value, "asnumpy")))
    if not given or given[0] not in arrays or arrays[given[0]].ndim != 1:
        return ""
    of_samples = [
        name
        for name, array in arrays.items()
        if array.shape == (count,) and name not in given and array.dtype != bool
    ]
    if not of_samples or arrays[given[0]].shape == (count,):
        return ""
    return (
        f"{given[0]} are those of other samples: write update({of_samples[0]}, {given[1]}), which "
        f"has as many"
    )


def tensors(labels: Arrays, preds: Arrays) -> list[tuple[Tensor, Tensor]]:
    """Return labels and predictions as pairs of tensors outside of any graph, on one device."""
    pairs = []
    for label, pred in zip(*check_label_shapes(as_list(labels), as_list(preds)), strict=True):
        truth, answer = as_tensor(label), as_tensor(pred)
        pairs.append((truth.to(answer.device), answer))
    return pairs


def as_list(arrays: Arrays) -> Arrays:
    """Return a list of arrays: a single one is put into a list."""
    return [arrays] if isinstance(arrays, (NDArray, onp.ndarray, Tensor)) else arrays


def as_tensor(values: Arrays) -> Tensor:
    """Return the values of an array, or of what NumPy can make one of, as a tensor."""
    if isinstance(values, NDArray):
        return plain(as_default(values))
    if isinstance(values, Tensor):
        return values.detach()
    try:
        return tensor_of(values)
    except TypeError as error:
        msg = (
            f"metric: a value of type {type(values).__name__} was given. Expected arrays of "
            f"numbers. Write metric.update([label], [pred])."
        )
        raise DTypeError(msg) from error


def _chosen(
    metric: EvalMetric, what: str, names: Sequence[str] | None, values: Mapping[str, Any]
) -> list[Any]:
    if names is None:
        return list(values.values())
    if missing := [name for name in names if name not in values]:
        msg = (
            f"{type(metric).__name__} {metric.name!r}: {what} {missing[0]!r} is missing among "
            f"{sorted(values)}. Expected all of its {what}_names. Correct {what}_names."
        )
        raise MissingNameError(msg)
    return [values[name] for name in names]


def _count(arrays: Arrays, what: str) -> int:
    try:
        return len(arrays)
    except TypeError:
        msg = (
            f"metric: {what} of type {type(arrays).__name__} were given. Expected an array, or a "
            f"list of arrays. Write metric.update([label], [pred])."
        )
        raise DTypeError(msg) from None


def _ratio(total: float, count: float) -> float:
    return total / count if count else float("nan")


def _pairs(result: tuple[Any, Any]) -> list[tuple[str, Any]]:
    names, values = (part if isinstance(part, list) else [part] for part in result)
    return list(zip(names, values, strict=True))


measured(EvalMetric, "metrics", "update", "update_dict")
