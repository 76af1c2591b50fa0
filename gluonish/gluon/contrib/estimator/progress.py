"""ProgressBarHandler: a bar for each epoch."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.display.progress import bar, tell
from gluonish.gluon.contrib.estimator.events import (
    BatchEnd,
    EpochBegin,
    EpochEnd,
    TrainBegin,
    TrainEnd,
)

if TYPE_CHECKING:
    from gluonish.gluon.contrib.estimator.estimator import Estimator

__all__ = ["ProgressBarHandler"]


class ProgressBarHandler(TrainBegin, EpochBegin, BatchEnd, EpochEnd, TrainEnd):
    """Draws a bar for each epoch, with speed and metrics; in a log it is one line an epoch.

    `Estimator.fit(progress_bar=True)` has one, in place of the lines.

    Parameters
    ----------
    total : int, optional
        Number of batches in an epoch; without it there is no end to be seen.
    priority : float, default inf
        When it is called: after handlers of lower ones.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import ProgressBarHandler
    >>> ProgressBarHandler(total=100).total
    100
    """

    def __init__(self, total: int | None = None, priority: float = math.inf) -> None:
        self.total = total
        self.priority = priority
        self.current_epoch = 0
        self._bar: Any = None

    @override
    def train_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.current_epoch = 0

    @override
    def epoch_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.close()
        self._bar = bar(desc=f"[Epoch {self.current_epoch}]", total=self.total, unit="batch")

    @override
    def batch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        pairs = [pair for each in estimator.train_metrics for pair in each.get_name_value()]
        self._show(dict(pairs))
        self._bar.update()

    @override
    def epoch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self._show({name: values[-1] for name, values in estimator.history.items()})
        tell(self._bar)
        self.close()
        self.current_epoch += 1

    @override
    def train_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.close()

    def _show(self, found: dict[str, float]) -> None:
        values = {name: f"{value:.4f}" for name, value in found.items() if not math.isnan(value)}
        self._bar.set_postfix(values, refresh=False)

    def close(self) -> None:
        """End the bar where it is.

        Examples
        --------
        >>> from gluonish.gluon.contrib.estimator import ProgressBarHandler
        >>> ProgressBarHandler().close()
        """
        if self._bar is not None:
            self._bar.close()
            self._bar = None
