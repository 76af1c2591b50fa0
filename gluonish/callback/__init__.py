"""Callbacks: what `fit` calls after each batch and each epoch."""

from __future__ import annotations

from gluonish.callback.progress import (
    ProgressBar,
    Speedometer,
    log_train_metric,
)
from gluonish.callback.saving import do_checkpoint, module_checkpoint
from gluonish.model.reporting import BatchEndParam, LogValidationMetricsCallback

__all__ = [
    "BatchEndParam",
    "LogValidationMetricsCallback",
    "ProgressBar",
    "Speedometer",
    "do_checkpoint",
    "log_train_metric",
    "module_checkpoint",
]
