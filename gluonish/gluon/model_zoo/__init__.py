"""Architectures that are known by name, as in `mxnet.gluon.model_zoo`."""

from __future__ import annotations

from gluonish.gluon.model_zoo import model_store, torch_weights, vision

__all__ = ["model_store", "torch_weights", "vision"]
