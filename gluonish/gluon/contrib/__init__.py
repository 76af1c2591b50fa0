"""What MXNet has under `gluon.contrib`."""

from __future__ import annotations

from gluonish.gluon.contrib import rnn

__all__ = ["rnn"]
