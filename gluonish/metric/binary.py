"""Counts of right and wrong answers out of two classes, and what follows from them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.errors.program_arguments import arguments
from gluonish.metric.base import check_label_shapes, tensors

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.array import NDArray


class _BinaryClassificationMetrics:
    """Counts since the last reset, and since the last one of all; classes of their own keep it."""

    def __init__(self) -> None:
        self.reset_stats()

    def reset_stats(self) -> None:
        """Begin anew."""
        self.local_reset_stats()
        self.global_true_positives = self.global_false_negatives = 0
        self.global_false_positives = self.global_true_negatives = 0

    def local_reset_stats(self) -> None:
        """Begin anew with the counts that are not those of all batches."""
        self.true_positives = self.false_negatives = 0
        self.false_positives = self.true_negatives = 0

    def update_binary_stats(self, label: NDArray, pred: NDArray) -> None:
        """Count the answers of one batch, scores of shape (batch, 2)."""
        ((truth, scores),) = tensors([label], [pred])
        self.add(counts_of_two(self, truth, scores))

    def add(self, counts: Tensor) -> None:
        """Count a table of answers, [label, answer]."""
        (true_no, false_yes), (false_no, true_yes) = counts.tolist()
        self.true_positives += true_yes
        self.false_negatives += false_no
        self.false_positives += false_yes
        self.true_negatives += true_no
        self.global_true_positives += true_yes
        self.global_false_negatives += false_no
        self.global_false_positives += false_yes
        self.global_true_negatives += true_no

    @property
    def total_examples(self) -> int:
        """How many answers were counted."""
        return sum(self._counts())

    @property
    def global_total_examples(self) -> int:
        """The same of all batches."""
        return sum(self._global_counts())

    @property
    def precision(self) -> float:
        """Which part of the answers "1" is right."""
        return _part(self.true_positives, self.false_positives)

    @property
    def global_precision(self) -> float:
        """The same of all batches."""
        return _part(self.global_true_positives, self.global_false_positives)

    @property
    def recall(self) -> float:
        """Which part of the labels 1 was found."""
        return _part(self.true_positives, self.false_negatives)

    @property
    def global_recall(self) -> float:
        """The same of all batches."""
        return _part(self.global_true_positives, self.global_false_negatives)

    @property
    def fscore(self) -> float:
        """Harmonic mean of precision and recall."""
        return _harmonic(self.precision, self.recall)

    @property
    def global_fscore(self) -> float:
        """The same of all batches."""
        return _harmonic(self.global_precision, self.global_recall)

    def matthewscc(self, use_global: bool = False) -> float:
        """Return Matthews' correlation of labels and answers."""
        counts = self._global_counts() if use_global else self._counts()
        if not sum(counts):
            return 0.0
        tp, fn, fp, tn = map(float, counts)
        spread = math.prod(term or 1.0 for term in (tp + fp, tp + fn, tn + fp, tn + fn))
        return (tp * tn - fp * fn) / math.sqrt(spread)

    def _counts(self) -> tuple[int, int, int, int]:
        return (
            self.true_positives,
            self.false_negatives,
            self.false_positives,
            self.true_negatives,
        )

    def _global_counts(self) -> tuple[int, int, int, int]:
        return (
            self.global_true_positives,
            self.global_false_negatives,
            self.global_false_positives,
            self.global_true_negatives,
        )


def _part(right: int, wrong: int) -> float:
    return right / (right + wrong) if right + wrong > 0 else 0.0


def _harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other > 0 else 0.0


def counts_of_two(metric: object, label: Tensor, pred: Tensor) -> Tensor:
    """Return a table of counts, [label, answer], for labels and scores of two classes."""
    if pred.ndim < 2:
        msg = (
            f"{type(metric).__name__}: predictions of shape {tuple(pred.shape)} were given. "
            f"Expected scores of shape (batch, 2). Add the axis of the classes."
        )
        raise ShapeError(msg)
    truth, answers = label.long().flatten(), pred.argmax(1).flatten()
    check_label_shapes(truth, answers)
    kinds = truth.unique()  # type: ignore[no-untyped-call]
    if len(kinds) > 2:
        msg = (
            f"{type(metric).__name__} currently only supports binary classification: labels "
            f"{', '.join(map(str, kinds.tolist()[:10]))} were given. Expected two "
            f"labels, such as 0 and 1, of which 1 is the positive one. Accuracy and PCC take "
            f"more classes; for each class, {_of_each_class(metric, len(kinds))}."
        )
        raise InvalidArgumentError(msg)
    # What is not 1 is a "no", whatever class it names.
    return table((truth == 1).long(), (answers == 1).long(), 2)


def _of_each_class(metric: object, count: int) -> str:
    """Return updates by each of several classes, with the names that the program has."""
    given = arguments(2, ("labels", "preds"))
    given = [each[1:-1] if each.startswith("[") and each.endswith("]") else each for each in given]
    label, pred = given or ("label", "pred")
    scores = f"mx.nd.one_hot({pred}.argmax(axis=1) == k, 2)"
    return (
        f"write ms = [mx.metric.{type(metric).__name__}() for k in range({count})], then for k in "
        f"range({count}): ms[k].update({label} == k, {scores}), and print(sum(m.get()[1] for m in "
        f"ms) / {count}), which is their mean (macro)"
    )


def table(truth: Tensor, answers: Tensor, size: int) -> Tensor:
    """Return a table of counts, [label, answer], for as many classes."""
    return torch.bincount(truth * size + answers, minlength=size * size).reshape(size, size)
