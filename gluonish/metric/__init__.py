"""Metrics: how well a model does, batch after batch."""

from __future__ import annotations

from gluonish.metric.base import EvalMetric, check_label_shapes
from gluonish.metric.classification import (
    Accuracy,
    CrossEntropy,
    NegativeLogLikelihood,
    Perplexity,
    TopKAccuracy,
)
from gluonish.metric.composite import CompositeEvalMetric, CustomMetric, create, np
from gluonish.metric.confusion import F1, MCC, PCC
from gluonish.metric.registry import alias, register
from gluonish.metric.regression import MAE, MSE, RMSE, Caffe, Loss, PearsonCorrelation, Torch

__all__ = [
    "F1",
    "MAE",
    "MCC",
    "MSE",
    "PCC",
    "RMSE",
    "Accuracy",
    "Caffe",
    "CompositeEvalMetric",
    "CrossEntropy",
    "CustomMetric",
    "EvalMetric",
    "Loss",
    "NegativeLogLikelihood",
    "PearsonCorrelation",
    "Perplexity",
    "TopKAccuracy",
    "Torch",
    "alias",
    "check_label_shapes",
    "create",
    "np",
    "register",
]
