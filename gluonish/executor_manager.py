"""MXNet's module for dividing batches among contexts: `mx.executor_manager`."""

from __future__ import annotations

from gluonish.executor_group.slices import split_input_slice as _split_input_slice

__all__ = ["_split_input_slice"]
