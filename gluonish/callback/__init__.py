"""Callbacks: what `fit` calls after each batch and each epoch."""

from __future__ import annotations

from gluonish.callback import progress, saving
from gluonish.callback.progress import *
from gluonish.callback.saving import *
from gluonish.model.reporting import BatchEndParam, LogValidationMetricsCallback

__all__ = ["BatchEndParam", "LogValidationMetricsCallback", *progress.__all__, *saving.__all__]
