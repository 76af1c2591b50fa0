"""Checkpoints of a whole training."""

from __future__ import annotations

from gluonish.gluon.checkpoints.checkpoint import Checkpoint
from gluonish.gluon.checkpoints.resumption import Resumption

__all__ = ["Checkpoint", "Resumption"]
