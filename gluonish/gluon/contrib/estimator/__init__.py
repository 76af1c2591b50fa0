"""Estimator, which trains a net with handlers of what happens: `gluon.contrib.estimator`."""

from __future__ import annotations

from gluonish.gluon.contrib.estimator import batch_processor, estimator, event_handler
from gluonish.gluon.contrib.estimator.batch_processor import BatchProcessor
from gluonish.gluon.contrib.estimator.estimator import Estimator
from gluonish.gluon.contrib.estimator.event_handler import *
from gluonish.gluon.contrib.estimator.learning_rates import LearningRates

__all__ = [
    "BatchProcessor",
    "Estimator",
    "LearningRates",
    "batch_processor",
    "estimator",
    "event_handler",
    *event_handler.__all__,
]
