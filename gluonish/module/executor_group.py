"""MXNet's place for what `gluonish.model` has."""

from __future__ import annotations

from gluonish.model.executor_group import DataParallelExecutorGroup
from gluonish.model.loading import (
    load_general as _load_general,
    merge_multi_context as _merge_multi_context,
)

__all__ = ["DataParallelExecutorGroup", "_load_general", "_merge_multi_context"]
