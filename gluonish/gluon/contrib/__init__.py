"""What MXNet has under `gluon.contrib`."""

from __future__ import annotations

from gluonish.gluon.contrib import cnn, data, estimator, nn, rnn

__all__ = ["cnn", "data", "estimator", "nn", "rnn"]
