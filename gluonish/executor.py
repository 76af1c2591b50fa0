"""`mx.executor`: `Executor`, a Symbol bound to arrays."""

from __future__ import annotations

from gluonish.symbol.executor import Executor

__all__ = ["Executor"]
