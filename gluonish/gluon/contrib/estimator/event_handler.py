"""The handlers of what happens while an Estimator trains, under MXNet's one name for them."""

from __future__ import annotations

from gluonish.gluon.contrib.estimator.checkpoints import CheckpointHandler
from gluonish.gluon.contrib.estimator.early_stopping import EarlyStoppingHandler
from gluonish.gluon.contrib.estimator.events import (
    BatchBegin,
    BatchEnd,
    EpochBegin,
    EpochEnd,
    EventHandler,
    TrainBegin,
    TrainEnd,
)
from gluonish.gluon.contrib.estimator.lines import LoggingHandler
from gluonish.gluon.contrib.estimator.steps import (
    GradientUpdateHandler,
    MetricHandler,
    StoppingHandler,
    ValidationHandler,
)

__all__ = [
    "BatchBegin",
    "BatchEnd",
    "CheckpointHandler",
    "EarlyStoppingHandler",
    "EpochBegin",
    "EpochEnd",
    "EventHandler",
    "GradientUpdateHandler",
    "LoggingHandler",
    "MetricHandler",
    "StoppingHandler",
    "TrainBegin",
    "TrainEnd",
    "ValidationHandler",
]
