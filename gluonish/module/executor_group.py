"""MXNet's module for the executors of modules: `mx.mod.executor_group`."""

from __future__ import annotations

from gluonish.executor_group.group import DataParallelExecutorGroup
from gluonish.executor_group.loading import (
    load_general as _load_general,
    merge_multi_context as _merge_multi_context,
)

__all__ = ["DataParallelExecutorGroup", "_load_general", "_merge_multi_context"]
