"""`mx.model`: FeedForward, checkpoints, and what modules share."""

from __future__ import annotations

from gluonish.executor_manager import DataParallelExecutorManager  # noqa: F401 - the same
from gluonish.init import Uniform  # noqa: F401 - MXNet has it here, too
from gluonish.model.checkpoint import load_checkpoint, load_params, save_checkpoint
from gluonish.model.feedforward import FeedForward
from gluonish.model.reporting import (
    BatchEndParam,
    LogValidationMetricsCallback,  # noqa: F401 - the same
    call as _multiple_callbacks,
)
from gluonish.model.stores import (
    create_kvstore as _create_kvstore,
    create_sparse_kvstore as _create_sparse_kvstore,
    initialize_kvstore as _initialize_kvstore,
    update_params as _update_params,
    update_params_on_kvstore as _update_params_on_kvstore,
    update_params_on_kvstore_nccl as _update_params_on_kvstore_nccl,
)
from gluonish.model.training import train_multi_device as _train_multi_device
from gluonish.optimizer import get_updater  # noqa: F401 - the same

__all__ = [
    "BatchEndParam",
    "FeedForward",
    "_create_kvstore",
    "_create_sparse_kvstore",
    "_initialize_kvstore",
    "_multiple_callbacks",
    "_train_multi_device",
    "_update_params",
    "_update_params_on_kvstore",
    "_update_params_on_kvstore_nccl",
    "load_checkpoint",
    "load_params",
    "save_checkpoint",
]
_UNSTARRED = (
    "DataParallelExecutorManager",
    "LogValidationMetricsCallback",
    "Uniform",
    "get_updater",
)
