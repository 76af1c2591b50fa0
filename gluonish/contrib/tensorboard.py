"""Metrics for TensorBoard: `mx.contrib.tensorboard`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from gluonish.errors import MissingExtraError

if TYPE_CHECKING:
    import os

__all__ = ["LogMetricsCallback"]


class LogMetricsCallback:
    """Callback that writes the metrics of each call to files that TensorBoard shows.

    Parameters
    ----------
    logging_dir : path
        Folder of the files; give each run one of its own.
    prefix : str, optional
        Put before the metrics' names, with a hyphen.

    Raises
    ------
    MissingExtraError
        The package `tensorboard` is not installed.

    Examples
    --------
    ::

        callback = mx.contrib.tensorboard.LogMetricsCallback('logs/train', prefix='train')
        module.fit(data, num_epoch=5, batch_end_callback=callback)
    """

    def __init__(self, logging_dir: str | os.PathLike[str], prefix: str | None = None) -> None:
        self.prefix = prefix
        try:
            writers = importlib.import_module("torch.utils.tensorboard")
        except ImportError as error:
            msg = (
                f"LogMetricsCallback: TensorBoard cannot be used here ({error}). Expected the "
                f"package tensorboard. Install it with: pip install 'gluonish[tensorboard]'."
            )
            raise MissingExtraError(msg) from error
        self.summary_writer = writers.SummaryWriter(str(logging_dir))

    def __call__(self, param: Any) -> None:
        """Write the metrics of a `BatchEndParam`."""
        if param.eval_metric is None:
            return
        for name, value in param.eval_metric.get_name_value():
            full = name if self.prefix is None else f"{self.prefix}-{name}"
            self.summary_writer.add_scalar(full, value, global_step=param.epoch)
