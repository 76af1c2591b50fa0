"""The handlers of what happens while an Estimator trains, under MXNet's one name for them."""

from __future__ import annotations

from gluonish.gluon.contrib.estimator import (
    averages,
    checkpoints,
    early_stopping,
    events,
    lines,
    progress,
    recorders,
    steps,
)
from gluonish.gluon.contrib.estimator.averages import *
from gluonish.gluon.contrib.estimator.checkpoints import *
from gluonish.gluon.contrib.estimator.early_stopping import *
from gluonish.gluon.contrib.estimator.events import *
from gluonish.gluon.contrib.estimator.lines import *
from gluonish.gluon.contrib.estimator.progress import *
from gluonish.gluon.contrib.estimator.recorders import *
from gluonish.gluon.contrib.estimator.steps import *

__all__ = [
    *averages.__all__,
    *checkpoints.__all__,
    *early_stopping.__all__,
    *events.__all__,
    *lines.__all__,
    *progress.__all__,
    *recorders.__all__,
    *steps.__all__,
]
