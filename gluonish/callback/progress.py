"""Callbacks that log how training goes: speed, metrics, progress."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, Any

from gluonish.display.progress import bar, tell

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.model.reporting import BatchEndParam

__all__ = ["ProgressBar", "Speedometer", "log_train_metric"]

_log = logging.getLogger()  # MXNet logs to the root, where programs look for it


class Speedometer:
    """Logs speed and metrics every few batches.

    Parameters
    ----------
    batch_size : int
        Number of examples in a batch.
    frequent : int, default 50
        Number of batches from one line to the next.
    auto_reset : bool, default True
        Whether a line is about the batches since the last one; otherwise metrics are about the
        whole epoch.

    Examples
    --------
    >>> import gluonish as mx
    >>> meter = mx.callback.Speedometer(batch_size=32, frequent=10)
    >>> meter(mx.callback.BatchEndParam(epoch=0, nbatch=0, eval_metric=None, locals=None))

    Line 10 of an epoch then looks like this::

        Epoch[0] Batch [0-10]	Speed: 1910.41 samples/sec	accuracy=0.200000
    """

    def __init__(self, batch_size: int, frequent: int = 50, auto_reset: bool = True) -> None:
        self.batch_size = batch_size
        self.frequent = frequent
        self.auto_reset = auto_reset
        self.init = False
        self.tic = 0.0
        self.last_count = 0

    def __call__(self, param: BatchEndParam) -> None:
        """Count a batch, and log if it is time."""
        count = param.nbatch
        if self.last_count > count:
            self.init = False
        self.last_count = count
        if not self.init:
            self.init, self.tic = True, time.time()
        elif count % self.frequent == 0:
            self._log(param)
            self.tic = time.time()

    def _log(self, param: BatchEndParam) -> None:
        count, passed = param.nbatch, time.time() - self.tic
        speed = self.frequent * self.batch_size / passed if passed else float("inf")
        if param.eval_metric is None:
            _log.info("Iter[%d] Batch [%d]\tSpeed: %.2f samples/sec", param.epoch, count, speed)
            return
        pairs = param.eval_metric.get_name_value()
        first = 0
        if self.auto_reset:
            param.eval_metric.reset_local()
            first = count - self.frequent
        text = "Epoch[%d] Batch [%d-%d]\tSpeed: %.2f samples/sec" + "\t%s=%f" * len(pairs)
        _log.info(
            text, param.epoch, first, count, speed, *(part for pair in pairs for part in pair)
        )


class ProgressBar:
    """Shows how far an epoch is.

    Parameters
    ----------
    total : int
        Number of batches in an epoch.
    length : int, default 80
        Number of characters.
    tqdm : bool, default False
        Whether to draw one bar that moves, with speed and metrics; in a log it is one line an
        epoch. Otherwise each batch logs a bar.

    Examples
    --------
    >>> import gluonish as mx
    >>> bar = mx.callback.ProgressBar(total=10, length=20)
    >>> bar(mx.callback.BatchEndParam(epoch=0, nbatch=5, eval_metric=None, locals=None))

    It logs a line like this::

        [==========----------] 50%
    """

    def __init__(self, total: int, length: int = 80, tqdm: bool = False) -> None:
        self.total = total
        self.bar_len = length
        self.tqdm = tqdm
        self._bar: Any = None
        self._place = (0, 0)

    def __call__(self, param: BatchEndParam) -> None:
        """Show one batch more."""
        if self.tqdm:
            self._move(param)
            return
        share = param.nbatch / float(self.total)
        filled = round(self.bar_len * share)
        drawn = "=" * filled + "-" * (self.bar_len - filled)
        _log.info("[%s] %s%s\r", drawn, math.ceil(100.0 * share), "%")

    def _move(self, param: BatchEndParam) -> None:
        place = param.epoch, param.nbatch
        if self._bar is None or place[0] != self._place[0] or place <= self._place:
            if self._bar is not None:
                self._end()
            text = f"Epoch[{param.epoch}]"
            self._bar = bar(desc=text, total=self.total, unit="batch", ncols=self.bar_len)
        self._place = place
        if param.eval_metric is not None:
            pairs = param.eval_metric.get_name_value()
            values = {name: f"{value:.4f}" for name, value in pairs}
            self._bar.set_postfix(values, refresh=False)
        self._bar.update()
        if self._bar.n >= self.total:
            self._end()

    def _end(self) -> None:
        tell(self._bar)
        self._bar.close()
        self._bar = None


def log_train_metric(period: int, auto_reset: bool = False) -> Callable[[BatchEndParam], None]:
    """Return a callback that logs the metrics every few batches.

    Parameters
    ----------
    period : int
        Number of batches from one line to the next.
    auto_reset : bool, default False
        Whether a line is about the batches since the last one.

    Returns
    -------
    callable
        For `fit(batch_end_callback=...)`.

    Examples
    --------
    >>> import gluonish as mx
    >>> callback = mx.callback.log_train_metric(100)
    >>> metric = mx.metric.create('acc')
    >>> callback(mx.callback.BatchEndParam(epoch=0, nbatch=7, eval_metric=metric, locals=None))
    """

    def callback(param: BatchEndParam) -> None:
        metric = param.eval_metric
        if metric is None or param.nbatch % period:
            return
        for name, value in metric.get_name_value():
            _log.info("Iter[%d] Batch[%d] Train-%s=%f", param.epoch, param.nbatch, name, value)
        if auto_reset:
            metric.reset_local()

    return callback
