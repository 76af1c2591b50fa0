"""How programs that import mxnet get gluonish, unchanged."""

from __future__ import annotations

from gluonish.mxnet_import.taking_over import as_mxnet

__all__ = ["as_mxnet"]
