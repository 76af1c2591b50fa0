"""Metrics of numbers: errors, correlation, and the mean of losses."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import torch
from typing_extensions import override

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.metric.base import Arrays, EvalMetric, as_list, as_tensor, tensors
from gluonish.metric.registry import alias, register
from gluonish.metric.typed import Metric

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torch import Tensor

__all__ = ["MAE", "MSE", "RMSE", "Caffe", "Loss", "PearsonCorrelation", "Torch"]


@register
class Loss(Metric):
    """Mean of the elements of the outputs; labels are not used.

    Parameters
    ----------
    name, output_names, label_names
        As for `EvalMetric`.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.Loss()
    >>> metric.update(None, [mx.nd.array([1, 2, 6])])
    >>> metric.get()
    ('loss', 3.0)
    """

    def __init__(
        self,
        name: str = "loss",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    @override
    def update(self, _: Arrays, preds: Arrays) -> None:
        for pred in as_list(preds):
            losses = as_tensor(pred)
            self._add(losses.sum(), losses.numel())


@register
class Torch(Loss):
    """Mean of the outputs, under the name of MXNet's metric for Torch criterions.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.metric.Torch().get()
    ('torch', nan)
    """

    def __init__(
        self,
        name: str = "torch",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)


@register
class Caffe(Loss):
    """Mean of the outputs, under the name of MXNet's metric for Caffe criterions.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.metric.Caffe().get()
    ('caffe', nan)
    """

    def __init__(
        self,
        name: str = "caffe",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names)


class _Difference(Metric):
    """Mean over batches of an error of predictions."""

    @abstractmethod
    def _error(self, difference: Tensor) -> Tensor:
        """Return the error of a batch."""

    @override
    def update(self, labels: Arrays, preds: Arrays) -> None:
        for label, pred in _columns(self, labels, preds):
            self._add(self._error(label - pred), 1)


@register
class MAE(_Difference):
    """Mean absolute error, averaged over batches.

    Parameters
    ----------
    name, output_names, label_names
        As for `EvalMetric`.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.MAE()
    >>> metric.update([mx.nd.array([1, 2])], [mx.nd.array([1, 4])])
    >>> metric.get()
    ('mae', 1.0)
    """

    def __init__(
        self,
        name: str = "mae",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    @override
    def _error(self, difference: Tensor) -> Tensor:
        return difference.abs().mean()


@register
class MSE(_Difference):
    """Mean squared error, averaged over batches.

    Parameters
    ----------
    name, output_names, label_names
        As for `EvalMetric`.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.MSE()
    >>> metric.update([mx.nd.array([1, 2])], [mx.nd.array([1, 4])])
    >>> metric.get()
    ('mse', 2.0)
    """

    def __init__(
        self,
        name: str = "mse",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    @override
    def _error(self, difference: Tensor) -> Tensor:
        return difference.square().mean()


@register
class RMSE(_Difference):
    """Root of the mean squared error of a batch, averaged over batches.

    Parameters
    ----------
    name, output_names, label_names
        As for `EvalMetric`.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.RMSE()
    >>> metric.update([mx.nd.array([1, 2])], [mx.nd.array([4, 5])])
    >>> metric.get()
    ('rmse', 3.0)
    """

    def __init__(
        self,
        name: str = "rmse",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    @override
    def _error(self, difference: Tensor) -> Tensor:
        return difference.square().mean().sqrt()


@register
@alias("pearsonr")
class PearsonCorrelation(Metric):
    """Correlation of predictions with labels.

    Parameters
    ----------
    name, output_names, label_names
        As for `EvalMetric`.
    average : {'macro', 'micro'}, default 'macro'
        Whether each batch gives a value, or all batches together.

    Raises
    ------
    InvalidArgumentError
        `average` is neither.
    ShapeError
        At an update: shapes of label and prediction differ.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.PearsonCorrelation()
    >>> metric.update([mx.nd.array([1, 2, 3])], [mx.nd.array([10, 20, 30])])
    >>> print(round(metric.get()[1], 6))
    1.0
    """

    def __init__(
        self,
        name: str = "pearsonr",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        average: str = "macro",
    ) -> None:
        self.average = check_average(type(self).__name__, average)
        super().__init__(name, output_names, label_names, has_global_stats=True)

    @override
    def reset(self) -> None:
        super().reset()
        self.reset_micro()

    def reset_micro(self) -> None:
        """Forget what `average='micro'` is computed from.

        Examples
        --------
        >>> import gluonish as mx
        >>> metric = mx.metric.PearsonCorrelation(average='micro')
        >>> metric.update([mx.nd.array([1, 2, 3])], [mx.nd.array([3, 2, 1])])
        >>> metric.reset_micro()
        >>> metric.update([mx.nd.array([1, 2, 3])], [mx.nd.array([10, 20, 30])])
        >>> print(round(metric.get()[1], 6))
        1.0
        """
        self._moments = [torch.zeros(6, dtype=torch.float64) for _ in range(2)]

    @override
    def reset_local(self) -> None:
        super().reset_local()
        self._moments[0].zero_()

    @override
    def update(self, labels: Arrays, preds: Arrays) -> None:
        for label, pred in tensors(labels, preds):
            if label.shape != pred.shape:
                raise _different(self, label, pred)
            truth, answer = label.flatten().double(), pred.flatten().double()
            if self.average == "macro":
                self._add(torch.corrcoef(torch.stack([truth, answer]))[0, 1], 1)
                continue
            self.num_inst += 1
            self.global_num_inst += 1
            batch = _moments(truth, answer).cpu()
            self._moments = [_merged(moments, batch) for moments in self._moments]

    @override
    def get(self) -> tuple[str, float]:
        if self.average == "macro" or not self.num_inst:
            return super().get()
        return self.name, _correlation(self._moments[0])

    @override
    def get_global(self) -> tuple[str, float]:
        if self.average == "macro" or not self.global_num_inst:
            return super().get_global()
        return self.name, _correlation(self._moments[1])


def check_average(name: str, average: str) -> str:
    """Return how batches are put together, if it is known."""
    if average in ("macro", "micro"):
        return average
    msg = (
        f"{name}: average={average!r} was given. Expected 'macro' (mean of the batches' values) "
        f"or 'micro' (one value for all samples). Leave it out for 'macro'."
    )
    raise InvalidArgumentError(msg)


def _columns(metric: EvalMetric, labels: Arrays, preds: Arrays) -> Iterator[tuple[Tensor, Tensor]]:
    for label, pred in tensors(labels, preds):
        truth = label.unsqueeze(1) if label.ndim == 1 else label
        answer = pred.unsqueeze(1) if pred.ndim == 1 else pred
        if truth.ndim != answer.ndim or truth.shape[0] != answer.shape[0]:
            raise _different(metric, label, pred)
        yield truth, answer


def _different(metric: EvalMetric, label: Tensor, pred: Tensor) -> ShapeError:
    msg = (
        f"{type(metric).__name__} {metric.name!r}: labels of shape {tuple(label.shape)} and "
        f"predictions of shape {tuple(pred.shape)} were given. Expected one shape. Reshape one of "
        f"them."
    )
    return ShapeError(msg)


def _moments(x: Tensor, y: Tensor) -> Tensor:
    """Return count, both means, both sums of squares and the sum of products about the means."""
    x_mean, y_mean = x.mean(), y.mean()
    x, y = x - x_mean, y - y_mean
    count = torch.as_tensor(float(len(x)), dtype=x.dtype, device=x.device)
    return torch.stack([count, x_mean, y_mean, x @ x, y @ y, x @ y])


def _merged(first: Tensor, other: Tensor) -> Tensor:
    """Return the moments of two sets of samples together (Chan, Golub, LeVeque 1979)."""
    count = first[0] + other[0]
    x_step, y_step = other[1] - first[1], other[2] - first[2]
    share = other[0] / count
    weight = first[0] * share
    steps = torch.stack([x_step * x_step, y_step * y_step, x_step * y_step]) * weight
    means = torch.stack([first[1] + x_step * share, first[2] + y_step * share])
    return torch.cat([count.reshape(1), means, first[3:] + other[3:] + steps])


def _correlation(moments: Tensor) -> float:
    _, _, _, x_squares, y_squares, products = moments.tolist()
    spread = (x_squares * y_squares) ** 0.5
    return products / spread if spread else float("nan")
