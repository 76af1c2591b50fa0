"""`mx.notebook`: callbacks that tell and draw how a training goes on."""

from __future__ import annotations

from gluonish.notebook import callback

__all__ = ["callback"]
