"""What MXNet has under `gluon.contrib`."""

from __future__ import annotations

from gluonish.gluon.contrib import cnn, data, nn, rnn

__all__ = ["cnn", "data", "nn", "rnn"]
