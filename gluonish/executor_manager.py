"""`mx.executor_manager`: dividing batches among contexts."""

from __future__ import annotations

from gluonish.executor_group.slices import split_input_slice as _split_input_slice

__all__ = ["_split_input_slice"]
