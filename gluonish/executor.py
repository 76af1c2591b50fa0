"""MXNet's module for Executors: `mx.executor.Executor`."""

from __future__ import annotations

from gluonish.symbol.executor import Executor

__all__ = ["Executor"]
