"""Metrics: how well a model does, batch after batch."""

from __future__ import annotations

import numpy  # noqa: F401 - metrics of others find NumPy here, as in MXNet

from gluonish import ndarray  # noqa: F401 - the same
from gluonish.metric import base, classification, composite, confusion, registry, regression
from gluonish.metric.base import *
from gluonish.metric.binary import (
    _BinaryClassificationMetrics,  # noqa: F401 - programs derive metrics with it
)
from gluonish.metric.classification import *
from gluonish.metric.composite import *
from gluonish.metric.confusion import *
from gluonish.metric.registry import *
from gluonish.metric.regression import *

__all__ = [
    *base.__all__,
    *classification.__all__,
    *composite.__all__,
    *confusion.__all__,
    *registry.__all__,
    *regression.__all__,
]
