"""Metrics that come from counts of right and wrong answers: F1, and Matthews' correlation."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import torch
from typing_extensions import override

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.metric.base import Arrays, EvalMetric, check_label_shapes, tensors
from gluonish.metric.binary import _BinaryClassificationMetrics, counts_of_two, table
from gluonish.metric.registry import register
from gluonish.metric.regression import check_average
from gluonish.metric.typed import Metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

__all__ = ["F1", "MCC", "PCC"]


class _Binary(Metric):
    """A metric of two classes; a subclass says what follows from the counts."""

    def __init__(
        self,
        name: str,
        output_names: Sequence[str] | None,
        label_names: Sequence[str] | None,
        average: str,
    ) -> None:
        self.average = check_average(type(self).__name__, average)
        self._metrics = _BinaryClassificationMetrics()
        super().__init__(name, output_names, label_names, has_global_stats=True)

    @abstractmethod
    def _score(self, use_global: bool) -> float:
        """Return the value for the counts, or for those of all batches."""

    @override
    def reset(self) -> None:
        super().reset()
        self._metrics.reset_stats()

    @override
    def reset_local(self) -> None:
        super().reset_local()
        self._metrics.local_reset_stats()

    @override
    def update(self, labels: Arrays, preds: Arrays) -> None:
        counts = torch.zeros(2, 2, dtype=torch.int64)
        for label, pred in tensors(labels, preds):
            counts += counts_of_two(self, label, pred).cpu()
        stats = self._metrics
        stats.add(counts)
        if self.average == "macro":
            self._add(self._score(use_global=False), 1)
            stats.reset_stats()
            return
        self.num_inst, self.global_num_inst = stats.total_examples, stats.global_total_examples
        self.sum_metric = self._score(use_global=False) * self.num_inst
        self.global_sum_metric = self._score(use_global=True) * self.global_num_inst


@register
class F1(_Binary):
    """Harmonic mean of precision and recall of class 1, out of two classes.

    Parameters
    ----------
    name, output_names, label_names
        As for `EvalMetric`.
    average : {'macro', 'micro'}, default 'macro'
        Whether each batch gives a value, or all batches together.

    Raises
    ------
    InvalidArgumentError
        `average` is neither; at an update: there are more than two labels.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.F1()
    >>> scores = mx.nd.array([[0.3, 0.7], [0, 1], [0.4, 0.6], [0.8, 0.2]])
    >>> metric.update([mx.nd.array([0, 1, 1, 0])], [scores])
    >>> metric.get()
    ('f1', 0.8)
    """

    def __init__(
        self,
        name: str = "f1",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    @property
    def metrics(self) -> _BinaryClassificationMetrics:
        """The counts, of which each batch takes the last one's place unless they are 'micro'."""
        return self._metrics

    @metrics.setter
    def metrics(self, metrics: _BinaryClassificationMetrics) -> None:
        self._metrics = metrics

    @override
    def _score(self, use_global: bool) -> float:
        return self._metrics.global_fscore if use_global else self._metrics.fscore


@register
class MCC(_Binary):
    """Matthews' correlation of labels and answers, out of two classes.

    Parameters
    ----------
    name, output_names, label_names
        As for `EvalMetric`.
    average : {'macro', 'micro'}, default 'macro'
        Whether each batch gives a value, or all batches together.

    Raises
    ------
    InvalidArgumentError
        `average` is neither; at an update: there are more than two labels.

    References
    ----------
    Matthews: Comparison of the predicted and observed secondary structure of T4 phage lysozyme,
    1975.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.MCC()
    >>> scores = mx.nd.array([[0.3, 0.7], [0, 1], [0.4, 0.6], [0.8, 0.2]])
    >>> metric.update([mx.nd.array([0, 1, 1, 0])], [scores])
    >>> metric.get()
    ('mcc', 0.5773502691896258)
    """

    def __init__(
        self,
        name: str = "mcc",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        average: str = "macro",
    ) -> None:
        super().__init__(name, output_names, label_names, average)

    @override
    def _score(self, use_global: bool) -> float:
        return self._metrics.matthewscc(use_global)


@register
class PCC(Metric):
    """Correlation of labels and answers for any number of classes; for two of them it is `MCC`.

    Parameters
    ----------
    name, output_names, label_names
        As for `EvalMetric`.
    has_global_stats : bool, default True
        Whether `get_global` looks at all batches since `reset`.

    References
    ----------
    Gorodkin: Comparing two K-category assignments by a K-category correlation coefficient, 2004.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.PCC()
    >>> metric.update([mx.nd.array([0, 1, 2])], [mx.nd.array([0, 1, 2])])
    >>> metric.get()
    ('pcc', 1.0)
    """

    def __init__(
        self,
        name: str = "pcc",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        has_global_stats: bool = True,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=has_global_stats)

    @override
    def reset(self) -> None:
        super().reset()
        self._global = torch.zeros(2, 2, dtype=torch.float64)
        self.reset_local()

    @override
    def reset_local(self) -> None:
        super().reset_local()
        self._local = torch.zeros(2, 2, dtype=torch.float64)

    @override
    def update(self, labels: Arrays, preds: Arrays) -> None:
        for label, pred in tensors(labels, preds):
            truth, answers = _answers(self, label, pred)
            size = 1 + int(torch.cat([truth, answers]).max())
            if int(truth.min()) < 0:
                msg = (
                    f"PCC: the label {int(truth.min())} was given. Expected labels of 0 or more. "
                    f"Number the classes from 0."
                )
                raise InvalidArgumentError(msg)
            counts = table(truth, answers, max(size, len(self._global))).cpu()
            self._local = _padded(self._local, len(counts)) + counts
            self._global = _padded(self._global, len(counts)) + counts
        self.num_inst += 1
        self.global_num_inst += 1
        self.sum_metric = _gorodkin(self._local) * self.num_inst
        self.global_sum_metric = _gorodkin(self._global) * self.global_num_inst

    @override
    def get(self) -> tuple[str, float]:
        return self.name, _gorodkin(self._local) if self.num_inst else float("nan")

    @override
    def get_global(self) -> tuple[str, float]:
        if not self._has_global_stats:
            return self.get()
        return self.name, _gorodkin(self._global) if self.global_num_inst else float("nan")


def _answers(metric: EvalMetric, label: Tensor, pred: Tensor) -> tuple[Tensor, Tensor]:
    """Return labels and answers as vectors of integers."""
    if pred.shape != label.shape:
        if pred.ndim < 2:
            msg = (
                f"{type(metric).__name__}: labels of shape {tuple(label.shape)} and predictions "
                f"of shape {tuple(pred.shape)} were given. Expected predictions of shape (batch, "
                f"classes). Add the axis of the classes."
            )
            raise ShapeError(msg)
        pred = pred.argmax(1)
    truth, answers = label.long().flatten(), pred.long().flatten()
    check_label_shapes(truth, answers)
    return truth, answers


def _padded(counts: Tensor, size: int) -> Tensor:
    more = size - len(counts)
    return torch.nn.functional.pad(counts, (0, more, 0, more))


def _gorodkin(counts: Tensor) -> float:
    total = counts.sum()
    truth, answers = counts.sum(1), counts.sum(0)
    covariance = counts.trace() * total - truth @ answers
    spread = ((total * total - truth @ truth) * (total * total - answers @ answers)).sqrt()
    return float(covariance / spread) if spread else float("nan")
