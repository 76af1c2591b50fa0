"""Metrics of classification that count right answers, and those that weigh their probabilities."""

from __future__ import annotations

import math
import re
import warnings
from typing import TYPE_CHECKING

import torch
from typing_extensions import override

from gluonish.errors import (
    AxisError,
    InvalidArgumentError,
    InvalidIndexError,
    RefusedArgumentError,
)
from gluonish.errors.program_arguments import arguments, exchanged
from gluonish.errors.program_datasets import like_in_name, part_of
from gluonish.errors.tracebacks import users_level
from gluonish.metric.base import Arrays, EvalMetric, check_label_shapes, tensors
from gluonish.metric.registry import alias, register
from gluonish.metric.typed import Metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

__all__ = ["Accuracy", "CrossEntropy", "NegativeLogLikelihood", "Perplexity", "TopKAccuracy"]


@register
@alias("acc")
class Accuracy(Metric):
    """Share of right answers.

    Parameters
    ----------
    axis : int, default 1
        Axis of the classes in predictions that are scores. Predictions of the labels' shape are
        taken as answers.
    name, output_names, label_names
        As for `EvalMetric`.

    Raises
    ------
    AxisError
        At an update: predictions have no such axis.
    InvalidArgumentError
        At an update: the numbers of labels and predictions differ.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.Accuracy()
    >>> scores = mx.nd.array([[0.3, 0.7], [0, 1], [0.4, 0.6]])
    >>> metric.update([mx.nd.array([0, 1, 1])], [scores])
    >>> metric.get()
    ('accuracy', 0.6666666666666666)
    """

    def __init__(
        self,
        axis: int = 1,
        name: str = "accuracy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, axis=axis, has_global_stats=True)
        self._has_looked = False
        self.axis = axis

    @override
    def update(self, labels: Arrays, preds: Arrays) -> None:
        for label, pred in tensors(labels, preds):
            if pred.shape != label.shape:
                if label.ndim > pred.ndim:
                    raise _swapped(self, label, pred)
                if label.ndim == pred.ndim == 1 and len(pred) > 1 and self.axis not in (0, -1):
                    raise _unequal(self, label, pred)
                pred = _best(self, pred, int(self.axis))
            elif not self._has_looked:
                self._has_looked = True
                _warn_of_fractions(self.name, pred)
            answers, truth = pred.int().flatten(), label.int().flatten()
            check_label_shapes(truth, answers)
            self._add((answers == truth).sum(), truth.numel())


def _warn_of_fractions(name: object, pred: Tensor) -> None:
    """Warn where scores stand in place of classes: their fractions are cut off, as in MXNet."""
    if pred.is_cuda or not pred.is_floating_point() or torch.equal(pred, pred.trunc()):
        return
    warnings.warn(
        f"Accuracy {name!r}: predictions of shape {tuple(pred.shape)}, that of the labels, have "
        f"fractions, which are cut off: 0.7 counts as class 0. Expected classes, or scores with "
        f"one more axis. Write preds > 0.5 for probabilities of one class, labels.argmax(axis=1) "
        f"for one-hot labels.",
        stacklevel=users_level(),
    )


@register
@alias("top_k_accuracy", "top_k_acc")
class TopKAccuracy(Metric):
    """Share of answers whose label is among the `top_k` highest scores.

    Parameters
    ----------
    top_k : int, default 1
        How many, 2 or more.
    name, output_names, label_names
        As for `EvalMetric`; `_top_k` is appended to the name.

    Raises
    ------
    RefusedArgumentError
        `top_k` is 1 or less; at an update: predictions have more than two axes.

    Notes
    -----
    Predictions of one axis are ranked, and compared with the labels, as in MXNet.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.TopKAccuracy(top_k=2)
    >>> metric.update([mx.nd.array([0, 2])], [mx.nd.array([[0.1, 0.2, 0.7], [0.1, 0.2, 0.7]])])
    >>> metric.get()
    ('top_k_accuracy_2', 0.5)
    """

    def __init__(
        self,
        top_k: int = 1,
        name: str = "top_k_accuracy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(name, output_names, label_names, top_k=top_k, has_global_stats=True)
        self.top_k = top_k
        if top_k <= 1:
            msg = (
                f"TopKAccuracy: top_k is {top_k}. Expected 2 or more. Write "
                f"TopKAccuracy(top_k=5), for example. Please use Accuracy if top_k is no more "
                f"than 1."
            )
            raise RefusedArgumentError(msg)
        self.name += f"_{top_k}"

    @override
    def update(self, labels: Arrays, preds: Arrays) -> None:
        for label, pred in tensors(labels, preds):
            if pred.ndim > 2:
                msg = (
                    f"TopKAccuracy: predictions of shape {tuple(pred.shape)} were given. "
                    f"Predictions should be no more than 2 dims: (batch, classes). Reshape them."
                )
                raise RefusedArgumentError(msg)
            truth = label.int().flatten()
            check_label_shapes(truth, pred)
            if pred.ndim == 1 and self.top_k > len(pred):
                msg = (
                    f"TopKAccuracy: predictions of shape {tuple(pred.shape)} were given for "
                    f"top_k={self.top_k}. Expected the scores of all classes, (batch, classes). "
                    f"Pass what the net returns, without argmax."
                )
                raise RefusedArgumentError(msg)
            if pred.ndim == 1:
                found = pred.argsort(stable=True) == truth
            else:
                best = pred.topk(min(self.top_k, pred.size(1)), dim=1).indices
                found = best == truth.unsqueeze(1)
            self._add(found.sum(), len(truth))


class _LogProbability(Metric):
    """Mean of -log(probability of the label)."""

    def __init__(
        self,
        eps: float,
        name: str,
        output_names: Sequence[str] | None,
        label_names: Sequence[str] | None,
    ) -> None:
        super().__init__(name, output_names, label_names, eps=eps, has_global_stats=True)
        self.eps = eps

    @override
    def update(self, labels: Arrays, preds: Arrays) -> None:
        for label, pred in tensors(labels, preds):
            truth = label.flatten()
            if len(truth) != len(pred) or pred.ndim != 2:
                how = "Reshape the predictions"
                if label.ndim == len(("samples", "classes")) and len(label) == pred.numel():
                    how = f"Labels come first: write {exchanged('update(labels, preds)')}"
                msg = (
                    f"{type(self).__name__}: {len(truth)} labels and predictions of shape "
                    f"{tuple(pred.shape)} were given. Expected (labels, classes). {how}."
                )
                raise RefusedArgumentError(msg)
            likely = _picked(self, pred, truth)
            self._add(-(likely + self.eps).log().sum(), len(truth))


@register
@alias("ce")
class CrossEntropy(_LogProbability):
    """Mean of -log(probability of the label).

    Parameters
    ----------
    eps : float, default 1e-12
        Added to probabilities.
    name, output_names, label_names
        As for `EvalMetric`.

    Raises
    ------
    RefusedArgumentError
        At an update: predictions are not of shape (labels, classes).
    InvalidIndexError
        At an update: a label is not below the number of classes.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.CrossEntropy()
    >>> metric.update([mx.nd.array([0, 1])], [mx.nd.array([[0.5, 0.5], [0, 1]])])
    >>> print(round(metric.get()[1], 4))
    0.3466
    """

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "cross-entropy",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)


@register
@alias("nll_loss")
class NegativeLogLikelihood(_LogProbability):
    """Mean of -log(probability of the label), under its other name.

    Parameters
    ----------
    eps, name, output_names, label_names
        As for `CrossEntropy`, which raises the same errors, too.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.NegativeLogLikelihood()
    >>> metric.update([mx.nd.array([0, 1])], [mx.nd.array([[0.5, 0.5], [0, 1]])])
    >>> print(round(metric.get()[1], 4))
    0.3466
    """

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "nll-loss",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)


@register
class Perplexity(Metric):
    """exp of the mean of -log(probability of the label): between how many words a model wavers.

    Parameters
    ----------
    ignore_label : int or None
        Label that does not count (padding); None counts all.
    axis : int, default -1
        Axis of the classes.
    name, output_names, label_names
        As for `EvalMetric`.

    Raises
    ------
    RefusedArgumentError
        At an update: there is not one label for each prediction.
    InvalidIndexError
        At an update: a label is not below the number of classes.

    Examples
    --------
    >>> import gluonish as mx
    >>> metric = mx.metric.Perplexity(ignore_label=None)
    >>> metric.update([mx.nd.array([0, 1])], [mx.nd.array([[0.5, 0.5], [0.5, 0.5]])])
    >>> print(round(metric.get()[1], 4))
    2.0
    """

    def __init__(
        self,
        ignore_label: int | None,
        axis: int = -1,
        name: str = "perplexity",
        output_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> None:
        super().__init__(
            name, output_names, label_names, ignore_label=ignore_label, has_global_stats=True
        )
        self.ignore_label = ignore_label
        self.axis = axis

    @override
    def update(self, labels: Arrays, preds: Arrays) -> None:
        for label, pred in tensors(labels, preds):
            axis = int(self.axis)
            classes = pred.size(_axis(self, pred, axis))
            if label.numel() * classes != pred.numel():
                msg = (
                    f"Perplexity: shape mismatch: {tuple(label.shape)} vs. {tuple(pred.shape)}. "
                    f"Expected one label for each prediction. Reshape one of them."
                )
                raise RefusedArgumentError(msg)
            truth = label.flatten()
            scores = pred.movedim(axis, -1).reshape(-1, classes)
            picked = _picked(self, scores, truth.clamp(min=0))  # which `pick` does in MXNet
            losses = -picked.clamp(min=1e-10).log()
            count = len(truth)
            if self.ignore_label is not None:
                counted = truth != self.ignore_label
                losses, count = losses.where(counted, 0.0), int(counted.sum())
            self._add(losses.sum(), count)

    @override
    def get(self) -> tuple[str, float]:
        name, value = super().get()
        return name, math.exp(value)

    @override
    def get_global(self) -> tuple[str, float]:
        name, value = super().get_global()
        return name, math.exp(value)


def _best(metric: EvalMetric, scores: Tensor, axis: int) -> Tensor:
    return scores.argmax(_axis(metric, scores, axis))


def _unequal(metric: EvalMetric, label: Tensor, pred: Tensor) -> InvalidArgumentError:
    given = [each.strip("[]") for each in arguments(2, ("labels", "preds"))]
    names = given if given and all(map(str.isidentifier, given)) else ["labels", "preds"]
    more = len(pred) - len(label)
    counts = len(pred), len(label)
    meant = [
        f"{other} has {count}."
        for text, count in zip(given, counts, strict=False)
        for name in re.findall(r"\w+", text)
        for other in like_in_name(name, count, ())
        if not any(re.search(rf"\b{other}\b", each) for each in given)
    ]
    whole = names[0] if len(label) > len(pred) else names[1]
    other = names[1] if whole == names[0] else names[0]
    if whole.isidentifier() and (part := part_of(other)):
        meant = [f"Write {whole}[{part}], as {other} is of such a part."]
    return InvalidArgumentError(
        f"{type(metric).__name__} {metric.name!r}: {len(label)} labels and {len(pred)} predictions "
        f"were given. Expected one label for each prediction. Take both from the same data: "
        f"{' '.join([f'{names[more > 0]} has {abs(more)} more.', *meant])}"
    )


def _swapped(metric: EvalMetric, label: Tensor, pred: Tensor) -> AxisError:
    return AxisError(
        f"{type(metric).__name__} {metric.name!r}: labels of shape {tuple(label.shape)} and "
        f"predictions of shape {tuple(pred.shape)} were given, which seem to be swapped. Expected "
        f"labels first. Write {exchanged('metric.update(labels, preds)')}, or "
        f"labels.argmax(axis=1) where these are one-hot."
    )


def _axis(metric: EvalMetric, scores: Tensor, axis: int) -> int:
    if -scores.ndim <= axis < scores.ndim:
        return axis
    msg = (
        f"{type(metric).__name__} {metric.name!r}: axis={axis}, and predictions of shape "
        f"{tuple(scores.shape)} were given. Expected an axis of the predictions. Labels come "
        f"first: update(labels, preds); or pass axis=-1 where the classes come last."
    )
    raise AxisError(msg)


def _picked(metric: EvalMetric, scores: Tensor, labels: Tensor) -> Tensor:
    """Return each row's score of its label."""
    classes = scores.size(1)
    positions = labels.long()
    outside = (positions < -classes) | (positions >= classes)
    if outside.any():
        msg = (
            f"{type(metric).__name__} {metric.name!r}: label {int(positions[outside][0])} was "
            f"given for predictions of {classes} classes. Expected labels below {classes}. Check "
            f"the labels, or the number of outputs of the net."
        )
        raise InvalidIndexError(msg)
    picked = torch.where(positions < 0, positions + classes, positions)
    return scores.gather(1, picked.unsqueeze(1)).squeeze(1)
