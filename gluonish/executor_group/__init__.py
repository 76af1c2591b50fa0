"""Executors of one Symbol on several contexts, which `model` and `module` train and ask."""

from __future__ import annotations

from gluonish.executor_group.group import DataParallelExecutorGroup

__all__ = ["DataParallelExecutorGroup"]
