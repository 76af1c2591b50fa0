"""Metrics for TensorBoard: `mx.contrib.tensorboard`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.gluon.summary_writer import summary_writer

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
        self.summary_writer = summary_writer(logging_dir, "LogMetricsCallback")

    def __call__(self, param: Any) -> None:
        """Write the metrics of a `BatchEndParam`."""
        if param.eval_metric is None:
            return
        for name, value in param.eval_metric.get_name_value():
            full = name if self.prefix is None else f"{self.prefix}-{name}"
            self.summary_writer.add_scalar(full, value, global_step=param.epoch)
